#pragma once

#include "engine/lowering/op_lowering.h"

#include <vector>

namespace tilewright::lowering {

/// A body that calls share, once it is lowered: a block that stands alone, and the variables it reads and leaves.
struct CalledBody {
    program::StepId block;
    std::vector<program::VarId> parameters, results;
};

/// Lowers a `call`: the body once, for the first of its calls; then operands copied to its parameters, the block, and
/// results copied out, for the next call writes them anew; those of the last call stay where they are. Parameters lie as
/// most calls give them, so that copies stay on their tiles. What a body does belongs to an operation of its own beside
/// the layers. Error: Invalid "lowering.call" for calls of one body in several pipeline stages.
Status lowerCall(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
