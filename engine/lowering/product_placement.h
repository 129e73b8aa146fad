#pragma once

#include "engine/lowering/op_lowering.h"

#include <set>
#include <vector>

namespace tilewright::lowering {

/// Every node of a region and of the regions inside, in order; the body of several calls once.
template <typename F> void forEachNode(graph::Graph const &g, graph::RegionId region, F const &visit)
{
    std::set<graph::RegionId> seen;
    auto const walk = [&](auto &&self, graph::RegionId at) -> void {
        if (!seen.insert(at).second) return;
        for (auto id : g.region(at).nodes) {
            visit(id);
            for (auto sub : g.node(id).regions) self(self, sub);
        }
    };
    walk(walk, region);
}

/// The variable a value reads, through reshapes; invalid when it is computed.
graph::VariableId variableOf(graph::Graph const &g, graph::ValueId value);

/// Plans every product of the graph: those of one weight matrix jointly. Fills the context's grids, lays the
/// weights where their products run, other variables and feeds that are operands beside the tiles that read
/// them (as createMatMulInput does). `placed` marks the variables that got a layout. True: products of the same weights have grids
/// of their own (see Options::productsTogether).
bool planProducts(LowerContext &ctx, std::vector<program::Layout> &variableLayouts, std::vector<char> &placed);

} // namespace tilewright::lowering
