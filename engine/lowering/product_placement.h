#pragma once

#include "engine/lowering/op_lowering.h"

#include <vector>

namespace tilewright::lowering {

/// Every node of a region and of the regions inside, in order.
template <typename F> void forEachNode(graph::Graph const &g, graph::RegionId region, F const &visit)
{
    for (auto id : g.region(region).nodes) {
        visit(id);
        for (auto sub : g.node(id).regions) forEachNode(g, sub, visit);
    }
}

/// The variable a value reads, through reshapes; invalid when it is computed.
graph::VariableId variableOf(graph::Graph const &g, graph::ValueId value);

/// Plans every product of the graph: those of one weight matrix jointly. Fills the context's grids, lays the
/// weights where their products run, other variables and feeds that are operands beside the tiles that read
/// them (as createMatMulInput does). `placed` marks the variables that got a layout.
void planProducts(LowerContext &ctx, std::vector<program::Layout> &variableLayouts, std::vector<char> &placed);

} // namespace tilewright::lowering
