#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Plans every convolution of the graph: those of one layer and geometry (output, input gradient, weight gradient) on one
/// grid of tiles, into LowerContext::convs.
void planConvolutions(LowerContext &ctx);

} // namespace tilewright::lowering
