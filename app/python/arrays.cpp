#include "app/python/arrays.h"

#include <algorithm>
#include <cstring>

namespace tilewright::python {

namespace {

struct TypeName {
    DType dtype;
    char const *numpy;
};
constexpr TypeName kTypes[]{
    {DType::F16, "float16"}, {DType::F32, "float32"}, {DType::I32, "int32"}, {DType::U8, "uint8"}, {DType::Bool, "bool"},
};

Shape shapeOf(py::array const &array) { return {array.shape(), array.shape() + array.ndim()}; }

/// The array in the memory of numpy, which stays alive with it.
Result<data::DataArray> sharedArray(py::array const &array, std::string const &name, char const *what)
{
    auto const subject = name.empty() ? std::string(what) : what + (" '" + name + "'");
    TW_ASSIGN(auto const dtype, dtypeOf(array, subject));
    if (array.ndim() == 0)
        return data::dataError("python.scalar", subject, Message::of("the array has no dimension of samples."),
                               Message::of("Give one row for each sample."));
    if (!(array.flags() & py::array::c_style))
        return data::dataError("python.layout", subject, Message::of("the array is not contiguous in C order."),
                               Message::of("Use numpy.ascontiguousarray."));
    data::DataArray shared{dtype, shapeOf(array), {}, {}};
    shared.origin.file = subject;
    shared.input = name;
    // Released with the interpreter's lock: the engine's threads may drop the last copy.
    auto *const owner = new py::array(array);
    shared.bytes = std::shared_ptr<std::byte const>(static_cast<std::byte const *>(array.data()), [owner](std::byte const *) {
        py::gil_scoped_acquire const lock;
        delete owner;
    });
    return shared;
}

} // namespace

Result<DType> dtypeOf(py::array const &array, std::string const &subject)
{
    for (auto const &[dtype, name] : kTypes)
        if (array.dtype().is(py::dtype(name)) || array.dtype().equal(py::dtype(name))) return dtype;
    return data::dataError("python.dtype", subject,
                           Message::of("an IPU cannot be fed with %1.", py::str(array.dtype()).cast<std::string>()),
                           Message::of("Cast it to float32, float16, int32 or uint8."));
}

std::string numpyName(DType dtype)
{
    return std::ranges::find_if(kTypes, [&](TypeName const &type) { return type.dtype == dtype; })->numpy;
}

py::dtype numpyType(DType dtype) { return py::dtype(numpyName(dtype)); }

Result<data::DataArray> sharedArrays(py::dict const &arrays, char const *what)
{
    data::DataArray first;
    for (auto const &[key, value] : arrays) {
        TW_ASSIGN(auto array, sharedArray(py::reinterpret_borrow<py::array>(value), key.cast<std::string>(), what));
        if (first.empty()) first = std::move(array);
        else first.beside.push_back(std::move(array));
    }
    return first;
}

Result<data::DataArray> sharedWeights(py::array const &weights)
{
    return sharedArray(weights, std::string(data::kSampleWeights), "sample_weight");
}

py::dict toNumpy(std::vector<runtime::StateTensor> const &tensors)
{
    py::dict arrays;
    for (auto const &tensor : tensors) {
        py::array array(numpyType(tensor.dtype), tensor.shape);
        std::memcpy(array.mutable_data(), tensor.bytes.data(), tensor.bytes.size());
        arrays[py::str(tensor.name)] = std::move(array);
    }
    return arrays;
}

py::array toNumpy(Shape const &shape, std::vector<float> const &values)
{
    py::array array(numpyType(DType::F32), shape);
    std::memcpy(array.mutable_data(), values.data(), values.size() * sizeof(float));
    return array;
}

Result<runtime::TrainingState> stateFrom(py::dict const &arrays, runtime::TrainingState like)
{
    for (auto const &[key, value] : arrays) {
        auto const name = key.cast<std::string>();
        auto const it = std::ranges::find_if(like.tensors, [&](auto const &tensor) { return tensor.name == name; });
        if (it == like.tensors.end())
            return makeError(ErrorKind::Invalid, "python.weights", name, Message::of("the model has no weight of this name."),
                             Message::of("Use the names that weights() gives."));
        py::array const array = py::array::ensure(py::module_::import("numpy").attr("ascontiguousarray")(value, numpyType(it->dtype)));
        if (shapeOf(array) != it->shape && !(it->shape.empty() && array.size() == 1))
            return makeError(ErrorKind::Invalid, "python.weights", name,
                             Message::of("the weight has the shape %1, the array %2.", toText(it->shape), toText(shapeOf(array))),
                             Message::of("Give an array of the weight's shape."));
        std::memcpy(it->bytes.data(), array.data(), it->bytes.size());
    }
    return like;
}

} // namespace tilewright::python
