#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers a `repeat` with its body once. Each carried value has a variable that the body updates in place, or that is written at the end of
/// a step. The tiles of a slice hold the whole first dimension of its stack, so that each tile reads or writes its part of the slice at an
/// offset given by a counter on the tile.
Status lowerLoop(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
