#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::ops {

/// Lowers `conv`, `conv_input_grad` and `conv_weight_grad` on their planned grid.
Status lowerConv(lowering::LowerContext &ctx, graph::NodeId node);

} // namespace tilewright::ops
