#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Plans every convolution of the graph: those of one layer and geometry (output, input gradient, weight gradient) on one
/// grid of tiles, into LowerContext::convs. Lays their weights beside their readers (`placed` says of which variables the
/// layout is known).
void planConvolutions(LowerContext &ctx, std::vector<program::Layout> &variableLayouts, std::vector<char> &placed);

} // namespace tilewright::lowering
