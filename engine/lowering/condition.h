#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers an `if`: each body once; their results are copied to the variables of the node's results. Lowers a `while`: the carried values
/// have variables, which the test reads and the end of the body writes. The predicate is sent to every tile of the node's IPU each time (an
/// exchange with its sync), so that all tiles take the same branch. Error: Invalid "lowering.condition" for bodies on several IPUs.
Status lowerIf(LowerContext &ctx, graph::NodeId id);
Status lowerWhile(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
