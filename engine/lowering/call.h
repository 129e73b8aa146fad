#pragma once

#include "engine/lowering/op_lowering.h"

#include <vector>

namespace tilewright::lowering {

/// A lowered body shared by calls: a detached block, its parameter variables and its result variables.
struct CalledBody {
    program::StepId block;
    std::vector<program::VarId> parameters, results;
};

/// Lowers a `call`. Lowers the body once, for its first call. Then copies operands to the parameters, appends the block, and copies the
/// results, because the next call overwrites them; the results of the last call stay in place. The layouts of parameters are those of most
/// calls, so that copies stay on their tiles. The body belongs to an operation of its own, beside the layers. Error: Invalid
/// "lowering.call" for calls of one body in several pipeline stages.
Status lowerCall(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
