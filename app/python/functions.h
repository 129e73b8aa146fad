#pragma once

#include <pybind11/pybind11.h>

namespace tilewright::python {

/// Graph, which a tracer builds, and Functions, graphs that were compiled together and run over the same variables.
void defineFunctions(pybind11::module_ &module);

} // namespace tilewright::python
