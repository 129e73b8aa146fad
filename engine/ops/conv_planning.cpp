#include "engine/ops/conv_planning.h"

#include "engine/graph/partial_sums.h"
#include "engine/lowering/conv_layouts.h"

#include <algorithm>

namespace tilewright::ops {

using namespace graph;
using namespace lowering;
using cost::ConvPart;

namespace {

PlanRole roleOf(std::string const &op)
{
    return op == "conv" ? PlanRole::Forward : op == "conv_input_grad" ? PlanRole::Backward : PlanRole::Update;
}

ConvPart partOf(PlanRole role)
{
    switch (role) {
    case PlanRole::Forward: return ConvPart::Output;
    case PlanRole::Backward: return ConvPart::InputGradient;
    case PlanRole::Update: return ConvPart::WeightGradient;
    }
    return ConvPart::Output;
}

/// Weights are placed beside their readers, where their gradient is summed, so that an update moves no data.
void placeWeights(LowerContext &ctx, NodeId id, ConvGrid const &grid, VariablePlaces &places)
{
    auto const &g = ctx.graph;
    auto const &node = g.node(id);
    int const ipu = ctx.ipu(node.stage);
    auto const geometry = convGeometry(g, id);
    auto const on = program::onTiles(ctx.b.workTiles(ipu), grid.firstTile);
    for (auto const variable : ctx.callers.variablesOf(node.inputs[1])) {
        auto const &w = g.variable(variable);
        if (places.has(variable) || ctx.ipu(w.stage) != ipu || elementCount(w.shape) != elementCount(geometry.kernelShape())) continue;
        places.set(variable, convWeightsHome(grid.plan, geometry, on, w.dtype));
    }
}

} // namespace

PlanTraits convTraits(LowerContext const &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const geometry = convGeometry(ctx.graph, id);
    PlanTraits traits;
    traits.family = {1, "convolutions"};
    traits.role = roleOf(node.op);
    traits.with = PlannedWith::Layer;
    traits.leads = true;
    if (traits.role != PlanRole::Update) traits.resident = 1;
    traits.problem = {node.stage, geometry.spatial, geometry.batch, geometry.groups, geometry.channels, geometry.filters};
    for (auto const &axis : geometry.axis)
        traits.problem.insert(traits.problem.end(), {axis.in, axis.kernel, axis.out, axis.stride, axis.dilation, axis.before});
    return traits;
}

OpPlan planConvolutions(LowerContext &ctx, PlanGroup const &group)
{
    auto const &g = ctx.graph;
    auto const has = [&](PlanRole role) {
        return std::ranges::any_of(group.members, [&](auto const &member) { return member.role == role; });
    };
    auto const &lead = g.node(group.lead());
    ConvProblem problem;
    problem.geometry = convGeometry(g, group.lead());
    problem.in = g.value(lead.inputs[0]).dtype;
    problem.output = has(PlanRole::Forward);
    problem.inputGradient = has(PlanRole::Backward);
    problem.weightGradient = has(PlanRole::Update);
    ConvOptions options;
    options.availableMemoryProportion = ctx.b.options().convMemoryProportion;
    if (halfPartials(lead) > 0) options.partials = DType::F16;
    auto const &plans = ctx.convPlans.of({problem, options.partials}, [&] { return planConv(problem, ctx.b.chip(), options); });
    OpPlan plan;
    plan.tiles = plans.best.front().tiles();
    for (auto const &member : group.members) plan.cycles.push_back(plans.best.front().of(partOf(member.role)).total());
    plan.place = [problem, &plans](LowerContext &c, PlanGroup const &placed, int firstTile, VariablePlaces &places) {
        ConvGrid grid;
        grid.plan = plans.best.front();
        grid.json = planJson(problem, plans);
        grid.firstTile = firstTile;
        for (auto const &member : placed.members) {
            grid.part = partOf(member.role);
            c.convs[member.node.index] = grid;
            if (member.role != PlanRole::Update) placeWeights(c, member.node, grid, places);
        }
    };
    return plan;
}

} // namespace tilewright::ops
