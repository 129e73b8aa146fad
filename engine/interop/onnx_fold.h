#pragma once

#include "engine/core/result.h"
#include "engine/interop/onnx_conversion.h"

#include <optional>

namespace tilewright::interop {

/// Evaluates a node whose inputs are constants, or that reads only the shape of its input, and sets its output. False: the node is to
/// become layers. Errors: a node that could be evaluated but for its attributes or sizes.
Result<bool> foldNode(OnnxConversion &conversion, OnnxNode const &node);

} // namespace tilewright::interop
