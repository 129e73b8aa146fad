#include "engine/lowering/conv_placement.h"

#include "engine/graph/partial_sums.h"
#include "engine/lowering/conv_layouts.h"
#include "engine/lowering/product_placement.h"

#include <algorithm>
#include <map>

namespace tilewright::lowering {

using cost::ConvPart;
using graph::NodeId;
using graph::RegionId;

namespace {

struct Group {
    graph::ConvGeometry geometry;
    std::vector<std::pair<NodeId, ConvPart>> members;
    bool has(ConvPart part) const
    {
        return std::ranges::any_of(members, [&](auto const &member) { return member.second == part; });
    }
};

std::vector<Group> groupsOf(graph::Graph const &g, Callers const &callers)
{
    std::vector<Group> groups;
    std::map<std::string, std::vector<std::size_t>> ofLayer;
    forEachNode(g, RegionId(0), [&](NodeId id) {
        auto const &node = g.node(id);
        auto const part = node.op == "conv" ? ConvPart::Output : node.op == "conv_input_grad" ? ConvPart::InputGradient : ConvPart::WeightGradient;
        if (node.op != "conv" && node.op != "conv_input_grad" && node.op != "conv_weight_grad") return;
        auto const geometry = graph::convGeometry(g, id);
        auto &own = ofLayer[callers.twin(node.layer)];
        auto const home = std::ranges::find_if(own, [&](std::size_t i) {
            return groups[i].geometry == geometry && g.node(groups[i].members.front().first).stage == node.stage;
        });
        if (home != own.end()) {
            groups[*home].members.emplace_back(id, part);
            return;
        }
        own.push_back(groups.size());
        groups.push_back({geometry, {{id, part}}});
    });
    return groups;
}

/// Weights lie beside their readers, where their gradient is summed: an update moves nothing.
void placeWeights(LowerContext &ctx, NodeId id, ConvGrid const &grid, std::vector<program::Layout> &variableLayouts, std::vector<char> &placed)
{
    auto const &g = ctx.graph;
    auto const &node = g.node(id);
    int const ipu = ctx.ipu(node.stage);
    auto const geometry = graph::convGeometry(g, id);
    auto const on = program::onIpu(ctx.b.chip().tiles, ipu, grid.firstTile);
    for (auto const variable : ctx.callers.variablesOf(node.inputs[1])) {
        auto const &w = g.variable(variable);
        if (placed[variable.index] || ctx.ipu(w.stage) != ipu || elementCount(w.shape) != elementCount(geometry.kernelShape())) continue;
        variableLayouts[variable.index] = convWeightsHome(grid.plan, geometry, on, w.dtype);
        placed[variable.index] = 1;
    }
}

} // namespace

void planConvolutions(LowerContext &ctx, std::vector<program::Layout> &variableLayouts, std::vector<char> &placed)
{
    auto const &g = ctx.graph;
    auto &b = ctx.b;
    struct Known { ConvProblem problem; DType partials; ConvPlans plans; };
    std::vector<Known> known; // equal layers are planned once
    for (auto const &group : groupsOf(g, ctx.callers)) {
        auto const &lead = g.node(group.members.front().first);
        ConvProblem problem;
        problem.geometry = group.geometry;
        problem.in = g.value(lead.inputs[0]).dtype;
        problem.output = group.has(ConvPart::Output);
        problem.inputGradient = group.has(ConvPart::InputGradient);
        problem.weightGradient = group.has(ConvPart::WeightGradient);
        ConvOptions options;
        options.availableMemoryProportion = b.options().convMemoryProportion;
        if (graph::halfPartials(lead) > 0) options.partials = DType::F16;
        auto found = std::ranges::find_if(known, [&](Known const &k) { return k.problem == problem && k.partials == options.partials; });
        if (found == known.end()) found = known.insert(known.end(), {problem, options.partials, planConv(problem, b.chip(), options)});
        ConvGrid grid;
        grid.plan = found->plans.best.front();
        grid.json = planJson(problem, found->plans);
        int const ipu = ctx.ipu(lead.stage);
        grid.firstTile = grid.plan.tiles() * 2 > b.chip().tiles ? 0 : b.nextTiles(ipu, grid.plan.tiles());
        for (auto const &[node, part] : group.members) {
            grid.part = part;
            ctx.convs[node.index] = grid;
            if (part != ConvPart::WeightGradient) placeWeights(ctx, node, grid, variableLayouts, placed);
        }
    }
}

} // namespace tilewright::lowering
