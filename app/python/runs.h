#pragma once

#include <pybind11/pybind11.h>

namespace tilewright::python {

/// Training, evaluate and predict, epoch_order and digits.
void defineRuns(pybind11::module_ &module);

} // namespace tilewright::python
