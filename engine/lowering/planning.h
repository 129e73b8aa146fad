#pragma once

#include "engine/lowering/op_lowering.h"

#include <vector>

namespace tilewright::lowering {

/// Groups of nodes for joint planning, formed from the traits of their operations, by family, in graph order. The first node of a group is
/// its leader. A gradient joins the group of its weights, or of its layer and problem. All other nodes are planned alone.
std::vector<std::vector<PlanGroup>> planGroups(LowerContext const &ctx);

/// Plans all groups of the graph, enters the plans in the context, and lays variables and feeds beside the tiles that read them. On one
/// grid of tiles a group's weights stay in place. On separate grids each member has its best cut, but the weights travel to their readers
/// and their gradient to them. Splits a joint plan if separate plans need fewer cycles, largest saving first, as long as the exchange code
/// fits. (poplibs plans both ways too: isJointPlan in lib/poplin/ConvPlan.cpp.) Returns true if some groups were split (see
/// Options::productsTogether).
bool planOperations(LowerContext &ctx, VariablePlaces &places);

} // namespace tilewright::lowering
