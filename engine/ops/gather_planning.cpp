#include "engine/ops/gather_planning.h"

#include <algorithm>

namespace tilewright::ops {

using namespace graph;
using namespace program;
using namespace lowering;

namespace {

/// The plan of the look-up, from the table that it reads or that its gradient produces.
SliceProblem problemOf(Graph const &g, Node const &node)
{
    auto const &table = g.value(node.op == "gather" ? node.inputs[0] : node.outputs[0]);
    SliceProblem problem;
    problem.ids = elementCount(g.value(node.inputs[1]).shape);
    problem.rows = table.shape[0];
    problem.cols = table.shape[1];
    problem.type = table.dtype;
    return problem;
}

void place(LowerContext &ctx, PlanGroup const &group, SlicePlan const &plan, int firstTile, VariablePlaces &places)
{
    Graph const &g = ctx.graph;
    for (auto const &member : group.members) ctx.slices[member.node.index] = {plan, firstTile};
    auto const &lead = g.node(group.lead());
    auto const p = problemOf(g, lead);
    for (auto const table : group.weights) {
        if (places.has(table) || g.variable(table).shape != Shape{p.rows, p.cols}) continue;
        Layout layout = onTiles(ctx.b.workTiles(ctx.ipu(lead.stage)), firstTile);
        layout.add(cut(p.rows, plan.blockRows, plan.strideRows));
        layout.add(cut(p.cols, plan.blockCols, plan.strideCols));
        places.set(table, layout);
    }
}

} // namespace

PlanTraits lookUpTraits(LowerContext const &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const p = problemOf(ctx.graph, node);
    PlanTraits traits;
    traits.family = {2, "look-ups"};
    traits.problem = {p.ids, p.rows, p.cols, static_cast<std::int64_t>(p.type)};
    if (node.op == "gather") {
        traits.leads = true;
        traits.resident = 0;
    } else {
        traits.role = PlanRole::Update;
        traits.with = PlannedWith::Layer;
    }
    return traits;
}

OpPlan planLookUps(LowerContext &ctx, PlanGroup const &group)
{
    auto const has = [&](PlanRole role) {
        return std::ranges::any_of(group.members, [&](auto const &member) { return member.role == role; });
    };
    auto problem = problemOf(ctx.graph, ctx.graph.node(group.lead()));
    problem.resident = !group.weights.empty();
    problem.gather = has(PlanRole::Forward);
    problem.update = has(PlanRole::Update);
    auto const &found =
        ctx.slicePlans.of(problem, [&] { return planSlices(problem, ctx.b.chip(), ctx.b.options().sliceMemoryProportion); });
    OpPlan plan;
    plan.tiles = found.tiles();
    for (auto const &member : group.members)
        plan.cycles.push_back(member.role == PlanRole::Update ? found.updateCycles : found.gatherCycles);
    plan.place = [&found](LowerContext &c, PlanGroup const &placed, int firstTile, VariablePlaces &places) {
        place(c, placed, found, firstTile, places);
    };
    return plan;
}

} // namespace tilewright::ops
