#include "engine/ops/matmul_planning.h"

#include "engine/core/json_text.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/parts.h"
#include "engine/lowering/plan_search.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::ops {

using namespace graph;
using namespace program;
using namespace lowering;

namespace {

/// Additional code and state per tile if the products of a group have separate grids, because weights and gradients are exchanged. Measured
/// with
/// Dense(256), batch 32, 1,472 tiles. Only code in the first region of a tile can run.
constexpr Bytes kBytesApart = 700;

/// Cuts rows x cols like the grid does. Each block rb x cb is read by `readers` tiles and spread over that many tiles in whole rows, so
/// that a
/// reader receives few long pieces and all tiles send equally.
Layout besideReaders(Layout layout, std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb, std::int64_t readers,
                     DType type)
{
    constexpr Bytes kGrain = 128; // the library's minimum bytes of an activation per tile
    std::int64_t r = std::max<std::int64_t>(1, ceilDiv(rb, readers)), c = std::min(cb, cols);
    if (rb < readers)
        c = std::min(c, roundUp(ceilDiv(cb, std::max<std::int64_t>(1, readers / rb)), std::max<std::int64_t>(1, 8 / sizeOf(type))));
    while (r * c * sizeOf(type) < kGrain && r < rows) ++r;
    while (ceilDiv(rows, r) * ceilDiv(cols, c) > layout.on.count) {
        if (r < rows) r = std::min(rows, r + 1 + r / 8);
        else c = std::min(cols, c * 2);
    }
    c = std::min(c, cols);
    layout.add(cut(rows, std::min(r, rows), ceilDiv(cols, c)));
    layout.add(cut(cols, c, 1));
    // Data from outside the product are not in its channel groups and thus never used in place, as the planner assumes. Start on the other
    // half of
    // the chip, so that no block is on the tile of its reader.
    layout.first = layout.on.count / 2;
    return layout;
}

/// Placement of the weights of a joint plan: on the tiles that use them, spread over the copies of their block.
Layout weightLayout(MatmulGrid const &grid, Layout layout)
{
    auto const &plan = grid.plan;
    layout.first = grid.firstTile;
    bool const dealt = plan.serial == 1 && plan.pm > 1 && plan.strideK == plan.strideM * plan.pm;
    layout.add(cut(grid.problem.k, dealt ? ceilDiv(plan.kb, plan.pm) : plan.kb, dealt ? plan.strideM : plan.strideK));
    layout.add(cut(grid.problem.n / plan.serial, plan.nb, plan.strideN));
    return plan.serial > 1 ? inSplits(layout, plan.serial) : layout;
}

/// Places an operand that is a variable or a feed beside its readers.
void placeOperand(LowerContext &ctx, ValueId value, std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb,
                  std::int64_t readers, int ipu, VariablePlaces &places)
{
    Graph const &g = ctx.graph;
    while (is(g.node(g.value(value).producer), NodeKind::Reshape)) value = g.node(g.value(value).producer).inputs[0];
    auto const &source = g.value(value);
    if (elementCount(source.shape) != rows * cols) return;
    Layout const base = onTiles(ctx.b.workTiles(ipu));
    if (is(g.node(source.producer), NodeKind::Infeed)) {
        // A feed is cut as rows x remaining dimensions; see its lowering.
        if (ctx.ipu(g.node(source.producer).stage) != ipu || source.shape.empty() || source.shape[0] != rows) return;
        ctx.feedLayouts.try_emplace(value.index, besideReaders(base, rows, cols, rb, cb, readers, source.dtype));
        return;
    }
    for (auto const variable : ctx.callers.variablesOf(value)) {
        auto const rc = graph::rowsCols(g.variable(variable).shape);
        if (places.has(variable) || rc.rows != rows || rc.cols != cols || ctx.ipu(g.variable(variable).stage) != ipu) continue;
        places.set(variable, besideReaders(base, rows, cols, rb, cb, readers, source.dtype));
    }
}

/// Weights are placed on the tiles of their products, for all calls of a body on the same tiles. If that would fill those tiles and leave
/// others empty, the weights of later calls are spread over the chip and sent for each call.
void placeWeights(LowerContext &ctx, std::vector<VariableId> const &weights, MatmulGrid const &grid, int ipu, VariablePlaces &places)
{
    auto &b = ctx.b;
    auto const &chip = b.chip();
    Layout const here = weightLayout(grid, onTiles(b.workTiles(ipu)));
    Bytes const all = here.blockElements() * sizeOf(grid.problem.in) * static_cast<Bytes>(weights.size());
    // Including the moments of their gradients, about three times as much.
    bool const deal = grid.plan.tiles() * 2 <= chip.tiles && all * 3 > chip.bytesPerTile / 4;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        places.set(weights[i], here);
        if (!deal || i == 0) continue;
        MatmulGrid own = grid;
        own.firstTile = b.nextTiles(ipu, grid.plan.tiles());
        places.set(weights[i], weightLayout(own, onTiles(b.workTiles(ipu))));
        ctx.workplaces.emplace(weights[i], here);
    }
}

/// A product that is planned alone is an ordinary product.
PlanRole roleOf(PlanGroup const &group, PlanGroup::Member const &member)
{
    return group.members.size() == 1 ? PlanRole::Forward : member.role;
}

MatmulProblem problemOf(Graph const &g, PlanGroup const &group)
{
    auto const &lead = g.node(group.lead());
    auto const d = productDims(g, lead);
    MatmulProblem problem;
    problem.m = d.m;
    problem.k = d.k;
    problem.n = d.n;
    problem.batch = d.batch;
    problem.in = g.value(lead.inputs[0]).dtype;
    problem.resident = !group.weights.empty();
    if (group.members.size() == 1) {
        problem.transposeA = d.ta;
        problem.transposeB = d.tb;
    }
    for (auto const &member : group.members) {
        auto const role = roleOf(group, member);
        problem.backward = problem.backward || role == PlanRole::Backward;
        problem.update = problem.update || role == PlanRole::Update;
    }
    return problem;
}

/// The plan, and the alternatives for the layer's products.
std::string reasonsJson(MatmulProblem const &problem, MatmulPlans const &plans, PlanGroup::Weighed const &weighed)
{
    auto json = orderedJsonOrDiscarded(planJson(problem, plans));
    if (weighed.members > 1)
        json["group"] = {{"products", weighed.members},
                         {"planned", weighed.split ? "apart" : "together"},
                         {"for_memory", weighed.faster() && !weighed.split},
                         {"cycles_together", weighed.together},
                         {"cycles_apart", weighed.apart}};
    return json.dump();
}

void place(LowerContext &ctx, PlanGroup const &group, MatmulProblem const &problem, MatmulPlans const &plans, int firstTile,
           VariablePlaces &places)
{
    MatmulGrid grid;
    grid.plan = plans.best.front();
    grid.problem = problem;
    grid.firstTile = firstTile;
    grid.json = reasonsJson(problem, plans, group.weighed);
    for (auto const &member : group.members) {
        grid.role = roleOf(group, member);
        ctx.grids[member.node.index] = grid;
    }
    // Weights that are positions for the AMP are regrouped in each run and stored like any operand.
    if (!grid.plan.swapped) placeWeights(ctx, group.weights, grid, ctx.ipu(ctx.graph.node(group.lead()).stage), places);
}

/// Operands of forward products.
void placeOperands(LowerContext &ctx, PlanGroup const &group, VariablePlaces &places)
{
    for (auto const &member : group.members) {
        auto const &node = ctx.graph.node(member.node);
        auto const d = productDims(ctx.graph, node);
        if (roleOf(group, member) != PlanRole::Forward || d.batch > 1) continue;
        auto const &plan = ctx.grids.at(member.node.index).plan;
        int const ipu = ctx.ipu(node.stage);
        if (d.ta) placeOperand(ctx, node.inputs[0], d.k, d.m, plan.kb, plan.mb, plan.pn, ipu, places);
        else placeOperand(ctx, node.inputs[0], d.m, d.k, plan.mb, plan.kb, plan.pn, ipu, places);
        if (d.tb) placeOperand(ctx, node.inputs[1], d.n, d.k, plan.nb, plan.kb, plan.pm, ipu, places);
        else placeOperand(ctx, node.inputs[1], d.k, d.n, plan.kb, plan.nb, plan.pm, ipu, places);
    }
}

} // namespace

ProductDims productDims(Graph const &graph, Node const &node)
{
    ProductDims d;
    d.ta = node.attrs.flag("transpose_a");
    d.tb = node.attrs.flag("transpose_b");
    d.batched = node.op == "batch_matmul";
    d.batch = d.batched ? matrixCount(graph.value(node.outputs[0]).shape) : 1;
    auto const matrix = [&](ValueId operand) {
        auto const &shape = graph.value(operand).shape;
        auto all = rowsCols(shape);
        if (d.batched) all.rows = shape[shape.size() - 2];
        return all;
    };
    auto const a = matrix(node.inputs[0]), b = matrix(node.inputs[1]);
    d.m = d.ta ? a.cols : a.rows;
    d.k = d.ta ? a.rows : a.cols;
    d.n = d.tb ? b.rows : b.cols;
    return d;
}

PlanTraits productTraits(LowerContext const &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const d = productDims(ctx.graph, node);
    PlanTraits traits;
    traits.family = {0, "products"};
    if (d.batched || ctx.b.options().clearPassType || (d.ta && d.tb)) return traits;
    // Forward [m, k, n]; data gradient m x n x k; weight gradient k x m x n.
    if (d.ta) {
        traits.role = PlanRole::Update;
        traits.with = PlannedWith::Layer;
        traits.problem = {d.k, d.m, d.n};
        return traits;
    }
    auto const weights = ctx.callers.variablesOf(node.inputs[1]);
    if (weights.empty() || ctx.graph.variable(weights.front()).role != Role::Weight) return traits;
    traits.with = PlannedWith::Weights;
    traits.resident = 1;
    traits.leads = !d.tb;
    if (d.tb) traits.role = PlanRole::Backward;
    traits.problem = d.tb ? std::vector{d.m, d.n, d.k} : std::vector{d.m, d.k, d.n};
    return traits;
}

OpPlan planProducts(LowerContext &ctx, PlanGroup const &group)
{
    auto const &chip = ctx.b.chip();
    auto const &lead = ctx.graph.node(group.lead());
    auto const problem = problemOf(ctx.graph, group);
    MatmulOptions options;
    options.availableMemoryProportion = ctx.b.options().availableMemoryProportion;
    if (halfPartials(lead) > 0) options.partials = DType::F16;
    auto const &plans = ctx.matmulPlans.of({problem, options.partials}, [&] { return planMatmul(problem, chip, options); });
    auto const &best = plans.best.front();
    OpPlan plan;
    plan.tiles = best.tiles();
    // Several products of a group can have the same role: those of the calls of a shared layer.
    for (auto const &member : group.members) {
        auto const role = roleOf(group, member);
        plan.cycles.push_back(role == PlanRole::Update         ? best.cost.update
                                  : role == PlanRole::Backward ? best.cost.backward
                                                               : best.cost.total() - best.cost.backward - best.cost.update);
    }
    plan.delivery =
        kStepOverhead + ceilDiv(ceilDiv(problem.m * problem.n, plan.tiles) * sizeOf(problem.in), Bytes{chip.exchangeBytesPerCycle});
    plan.bytesApart = kBytesApart;
    plan.keepsShare = best.withinMemoryBound;
    Bytes const weights = ceilDiv(problem.k * problem.n, plan.tiles) * sizeOf(problem.in);
    plan.deliveryKeepsShare = static_cast<double>(weights) <= options.availableMemoryProportion * static_cast<double>(chip.bytesPerTile);
    plan.place = [problem, &plans](LowerContext &c, PlanGroup const &g, int firstTile, VariablePlaces &places) {
        place(c, g, problem, plans, firstTile, places);
    };
    plan.placeOperands = placeOperands;
    return plan;
}

} // namespace tilewright::ops
