#include "engine/lowering/slice_placement.h"

#include "engine/lowering/product_placement.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;

namespace {

struct Lookup {
    NodeId node, gradient; ///< gradient: invalid when there is none
    std::vector<graph::VariableId> tables; ///< one for each call of its body
    SliceProblem problem;
};

} // namespace

void planTableSlices(LowerContext &ctx, std::vector<Layout> &variableLayouts, std::vector<char> &placed)
{
    auto const &g = ctx.graph;
    std::vector<Lookup> lookups;
    std::vector<NodeId> gradients;
    forEachNode(g, graph::RegionId(0), [&](NodeId id) {
        auto const &node = g.node(id);
        if (node.op == "scatter_add") gradients.push_back(id);
        if (node.op != "gather") return;
        auto const &table = g.value(node.inputs[0]);
        Lookup lookup{id, {}, ctx.callers.variablesOf(node.inputs[0]), {}};
        lookup.problem = {elementCount(g.value(node.inputs[1]).shape), table.shape[0], table.shape[1], table.dtype,
                          !lookup.tables.empty(), true, false};
        lookups.push_back(lookup);
    });
    for (auto id : gradients) {
        auto const &node = g.node(id);
        auto const &out = g.value(node.outputs[0]);
        SliceProblem const own{elementCount(g.value(node.inputs[1]).shape), out.shape[0], out.shape[1], out.dtype, false, false, true};
        auto const home = std::ranges::find_if(lookups, [&](Lookup const &l) {
            return !l.gradient.valid() && l.problem.gather && ctx.callers.twin(g.node(l.node).layer) == ctx.callers.twin(node.layer) && l.problem.ids == own.ids
                   && l.problem.rows == own.rows && l.problem.cols == own.cols && l.problem.type == own.type;
        });
        if (home == lookups.end()) {
            lookups.push_back({id, {}, {}, own});
        } else {
            home->gradient = id;
            home->problem.update = true;
        }
    }
    for (auto const &lookup : lookups) {
        auto const &p = lookup.problem;
        PlannedSlices planned;
        planned.plan = planSlices(p, ctx.b.chip(), ctx.b.options().availableMemoryProportion);
        int const ipu = ctx.ipu(g.node(lookup.node).stage);
        auto const &plan = planned.plan;
        planned.firstTile = plan.tiles() * 2 > ctx.b.chip().tiles ? 0 : ctx.b.nextTiles(ipu, plan.tiles());
        ctx.slices[lookup.node.index] = planned;
        if (lookup.gradient.valid()) ctx.slices[lookup.gradient.index] = planned;
        for (auto const table : lookup.tables) {
            if (placed[table.index] || g.variable(table).shape != Shape{p.rows, p.cols}) continue;
            Layout layout = onIpu(ctx.b.chip().tiles, ipu, planned.firstTile);
            layout.add(cut(p.rows, plan.blockRows, plan.strideRows));
            layout.add(cut(p.cols, plan.blockCols, plan.strideCols));
            variableLayouts[table.index] = layout;
            placed[table.index] = 1;
        }
    }
}

} // namespace tilewright::lowering
