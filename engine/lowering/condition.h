#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers an `if`: each body once; what they give is copied to the variables of the node's results. Lowers a `while`: what is
/// carried has variables of its own, which the test reads and the body's end writes. What decides is sent to every tile of the
/// node's IPU each time (an exchange with its sync): each takes the same way. Error: Invalid "lowering.condition" for bodies
/// that work on several IPUs.
Status lowerIf(LowerContext &ctx, graph::NodeId id);
Status lowerWhile(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
