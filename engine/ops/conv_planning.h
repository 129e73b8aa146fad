#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::ops {

/// Convolutions of one layer and geometry are planned together; whichever comes first leads: a transposed layer begins with an
/// input gradient.
lowering::PlanTraits convTraits(lowering::LowerContext const &ctx, graph::NodeId node);

/// Plans a convolution and its gradients on one grid of tiles. Lays their weights beside their readers.
lowering::OpPlan planConvolutions(lowering::LowerContext &ctx, lowering::PlanGroup const &group);

} // namespace tilewright::ops
