#pragma once

#include "engine/interop/child_teller.h"
#include "engine/interop/onnx_graph.h"

#include <cstdint>

namespace tilewright::interop {

/// What the child that runs libonnx tells its parent, beside the messages that every child knows.
enum class OnnxMessage : char {
    Model = 'M',       ///< name and producer of the graph, 64-bit opset
    Input = 'i',       ///< a value: name, 32-bit element type, whether it has a shape (a byte), count, extents (64-bit, -1: open; name)
    Output = 'o',      ///< a value
    Initializer = 'T', ///< a tensor: name, 32-bit element type, rank and extents, kind (a byte), the numbers
    Node = 'N'         ///< operator, domain, name, inputs, outputs, attributes
};

/// How the numbers of a tensor come: float32, or 64-bit whole numbers. Others (texts) come without numbers.
enum class OnnxNumbers : char { Floats = 'f', Integers = 'i', None = '-' };

/// The function of the module tilewright-onnx, which links libonnx and protobuf. Reads the file at `path` and writes messages to
/// `descriptor` until the end or the first error.
using TellOnnx = void(int descriptor, char const *path, ChildLimits const &limits);
inline constexpr char kTellOnnx[] = "tilewrightTellOnnx";

/// The function that serialises a model, checks it with ONNX's own checker, and tells its image.
using ImageOnnx = void(int descriptor, OnnxGraph const &graph);
inline constexpr char kImageOnnx[] = "tilewrightImageOnnx";

} // namespace tilewright::interop
