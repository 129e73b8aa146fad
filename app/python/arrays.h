#pragma once

#include "engine/data/tensor_data.h"
#include "engine/runtime/run.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

/// numpy arrays as the engine's arrays, and back.
namespace tilewright::python {

namespace py = pybind11;

/// The engine's type of an array. Error: Data "python.dtype" for a type that no device has.
Result<DType> dtypeOf(py::array const &array, std::string const &subject);
py::dtype numpyType(DType dtype);
/// "float32": numpy's name.
std::string numpyName(DType dtype);

/// Arrays by the name of the model's input or output that they feed; "" feeds the only one. The bytes are shared with numpy, which may
/// change them between two epochs. Errors: Data "python.dtype", "python.layout" (not C-contiguous), "python.scalar".
Result<data::DataArray> sharedArrays(py::dict const &arrays, char const *what);
/// A number per sample, as the engine keeps them beside the labels.
Result<data::DataArray> sharedWeights(py::array const &weights);

/// Tensors by name.
py::dict toNumpy(std::vector<runtime::StateTensor> const &tensors);
py::array toNumpy(Shape const &shape, std::vector<float> const &values);
/// Each array takes the type and must have the shape of the tensor of its name in `like`. Errors: Invalid "python.weights".
Result<runtime::TrainingState> stateFrom(py::dict const &arrays, runtime::TrainingState like);

} // namespace tilewright::python
