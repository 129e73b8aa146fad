#pragma once

#include "engine/graph/graph.h"

#include <set>

namespace tilewright::lowering {

/// Visits every node of a region and of its inner regions, in order; the body of several calls once.
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

} // namespace tilewright::lowering
