#include "engine/compiler/arithmetic.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/ops/op_def.h"

#include <algorithm>

namespace tilewright::compiler {

using graph::NodeKind;

std::int64_t countFlops(graph::Graph const &g, graph::RegionId region)
{
    std::int64_t flops = 0;
    for (auto id : g.region(region).nodes) {
        auto const &node = g.node(id);
        auto const *op = ops::findOp(node.op);
        if (op && op->spec.flops) flops += op->spec.flops(g, node);
        std::int64_t inside = 0; // of a branch: the longer body; of a loop: its maximum number of iterations
        for (auto sub : node.regions)
            inside = graph::is(node, NodeKind::If) ? std::max(inside, countFlops(g, sub)) : inside + countFlops(g, sub);
        if (node.regions.empty()) continue;
        flops += (graph::is(node, NodeKind::While) ? graph::limitOf(node) : graph::countOf(node)) * inside;
    }
    return flops;
}

} // namespace tilewright::compiler
