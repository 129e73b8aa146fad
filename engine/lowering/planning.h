#pragma once

#include "engine/lowering/op_lowering.h"

#include <vector>

namespace tilewright::lowering {

/// Groups of nodes that are planned jointly, found by the traits of their operations: by family, in the order of the graph. A group
/// has one lead, who comes first; a gradient joins the group of its weights, or of its layer and problem. What fits no group is
/// planned alone.
std::vector<std::vector<PlanGroup>> planGroups(LowerContext const &ctx);

/// Plans all groups of the graph: enters the plans in the context and lays variables and feeds beside the tiles that read them.
/// A group runs on one grid of tiles where its weights stay; on grids of their own each member may be cut as suits it, but the
/// weights travel to their readers and their gradient to them. It falls apart where that takes fewer cycles, those first that save
/// most, as long as the exchange code of them all has room. (poplibs plans either way as well: isJointPlan in
/// lib/poplin/ConvPlan.cpp.) True: some fell apart (see Options::productsTogether).
bool planOperations(LowerContext &ctx, VariablePlaces &places);

} // namespace tilewright::lowering
