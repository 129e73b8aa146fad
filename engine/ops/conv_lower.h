#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::ops {

/// Lowers `conv`, `conv_input_grad` and `conv_weight_grad` on the grid that was planned for them.
Status lowerConv(lowering::LowerContext &ctx, graph::NodeId node);

} // namespace tilewright::ops
