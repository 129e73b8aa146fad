#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::ops {

/// Each look-up leads a group; its gradient joins it by layer and problem.
lowering::PlanTraits lookUpTraits(lowering::LowerContext const &ctx, graph::NodeId node);

/// Plans a look-up with its gradient. Lays table variables where their rows are read.
lowering::OpPlan planLookUps(lowering::LowerContext &ctx, lowering::PlanGroup const &group);

} // namespace tilewright::ops
