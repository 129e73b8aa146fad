// Sets which intermediate results are rounded to float16, and which are rounded stochastically.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/rounding.h"
#include "engine/passes/decisions.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

namespace {

/// Products and convolutions follow their options. Sums along axes have no option and stay in float32.
void markPartials(Graph &graph, PassOptions const &options)
{
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes) {
            auto &node = graph.node(id);
            auto const sums = partialSumsOf(node.op);
            if (sums == PartialSums::None || graph.value(node.inputs[0]).dtype != DType::F16) continue;
            if (sums == PartialSums::Product) setHalfPartials(node, options.halfProducts);
            if (sums == PartialSums::Convolution) setHalfPartials(node, options.halfConvolutions);
        }
    });
}

/// Operations that declare the attribute compute variances.
void markVariances(Graph &graph, PassContext const &context)
{
    if (!context.options.onePassVariances) return;
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes) {
            auto &node = graph.node(id);
            auto const *spec = context.ops(node.op);
            if (spec && std::ranges::find(spec->attributes, kOnePass, &AttrSpec::name) != spec->attributes.end())
                node.attrs.set(kOnePass, true);
        }
    });
}

/// All nodes that compute a float16 tensor, except data movement and collectives, whose sums are rounded to nearest. Values that are equal
/// on all
/// replicas are rounded equally, so that the weights stay equal.
void markRounding(Graph &graph, PassContext const &context)
{
    auto const wanted = context.options.stochasticRounding;
    if (wanted == PassOptions::StochasticRounding::Off) return;
    auto const differing = valuesThatDiffer(graph, context.ops);
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes) {
            auto &node = graph.node(id);
            bool const computes = node.regions.empty() && !isRegionEnd(node)
                && !is(node, NodeKind::VariableRead, NodeKind::Infeed, NodeKind::IpuCopy, NodeKind::AllReduce, NodeKind::Constant);
            bool const half = std::ranges::any_of(node.outputs, [&](ValueId value) { return graph.value(value).dtype == DType::F16; });
            if (!computes || !half) continue;
            bool const alike = std::ranges::none_of(node.outputs, [&](ValueId value) { return differing[value.index] != 0; });
            if (alike) setRounding(node, Rounding::StochasticAlike);
            else if (wanted == PassOptions::StochasticRounding::On || context.options.replicas == 1)
                setRounding(node, Rounding::Stochastic);
        }
    });
}

} // namespace

Result<Graph> markPrecision(Graph graph, PassContext const &context)
{
    markPartials(graph, context.options);
    markVariances(graph, context);
    markRounding(graph, context);
    return graph;
}

} // namespace tilewright::passes
