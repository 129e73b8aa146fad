#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::ops {

/// Convolutions of one layer with equal geometry are planned together. The first node leads; for a transposed layer it is an input
/// gradient.
lowering::PlanTraits convTraits(lowering::LowerContext const &ctx, graph::NodeId node);

/// Plans a convolution and its gradients on one grid of tiles. Lays the weights beside their readers.
lowering::OpPlan planConvolutions(lowering::LowerContext &ctx, lowering::PlanGroup const &group);

} // namespace tilewright::ops
