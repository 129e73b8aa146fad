#pragma once

#include "engine/lowering/op_lowering.h"

#include <vector>

namespace tilewright::lowering {

/// Plans the look-ups of a graph into ctx.slices, each with its gradient, and lays tables that are variables where their
/// rows are taken. Marks what it placed.
void planTableSlices(LowerContext &ctx, std::vector<program::Layout> &variableLayouts, std::vector<char> &placed);

} // namespace tilewright::lowering
