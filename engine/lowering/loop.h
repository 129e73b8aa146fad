#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers a `repeat`: its body once. What is carried has a variable of its own, which the body updates in place or which
/// is written at the end of a step. A stacked tensor lies whole in its first dimension on the tiles of its slices, so that
/// each tile takes (or puts) its own part of the slice that a counter on the tile points to.
Status lowerLoop(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
