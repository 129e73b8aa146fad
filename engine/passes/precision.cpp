// Where values stored as float16 are rounded by chance.
#include "engine/graph/control.h"
#include "engine/graph/rounding.h"
#include "engine/passes/decisions.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

/// Every node that computes a float16 tensor, but for what only moves values, and collectives: their sums are rounded to
/// the nearest. What replicas are known to compute alike they round alike, so that their weights stay equal.
Result<Graph> markRounding(Graph graph, PassContext const &context)
{
    auto const wanted = context.options.stochasticRounding;
    if (wanted == PassOptions::StochasticRounding::Off) return graph;
    auto const differing = valuesThatDiffer(graph, context.ops);
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes) {
            auto &node = graph.node(id);
            bool const computes = node.regions.empty() && !isRegionEnd(node) && node.op != "variable.read" && node.op != "infeed"
                                  && node.op != "ipu_copy" && node.op != "all_reduce" && node.op != "constant";
            bool const half = std::ranges::any_of(node.outputs, [&](ValueId value) { return graph.value(value).dtype == DType::F16; });
            if (!computes || !half) continue;
            bool const alike = std::ranges::none_of(node.outputs, [&](ValueId value) { return differing[value.index] != 0; });
            if (alike) setRounding(node, Rounding::StochasticAlike);
            else if (wanted == PassOptions::StochasticRounding::On || context.options.replicas == 1) setRounding(node, Rounding::Stochastic);
        }
    });
    return graph;
}

} // namespace tilewright::passes
