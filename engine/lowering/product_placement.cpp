#include "engine/lowering/product_placement.h"

#include "engine/graph/parts.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;
using graph::Graph;
using graph::NodeId;
using graph::RegionId;
using graph::ValueId;

graph::VariableId variableOf(Graph const &g, ValueId value)
{
    for (;;) {
        auto const &node = g.node(g.value(value).producer);
        if (node.op == "variable.read") return node.variable;
        if (node.op != "reshape") return {};
        value = node.inputs[0];
    }
}

namespace {

struct Product {
    NodeId node;
    std::int64_t m, k, n, batch;
};

/// Products that share a weight matrix: forward, data gradient, weight gradient.
struct ProductGroup {
    graph::VariableId weights; ///< invalid: both operands are data
    std::vector<std::pair<Product, MatmulGrid::Role>> members;

    Product const &lead() const { return members.front().first; }
};

bool isWeight(Graph const &g, graph::VariableId variable)
{
    return variable.valid() && g.variable(variable).role == graph::Role::Weight;
}

/// Forward products lead their groups; a data gradient joins the forward product of its weights, a weight
/// gradient the one of its layer and shape. What fits no group is planned alone.
std::vector<ProductGroup> groupProducts(Graph const &g, bool clearPassType)
{
    using Role = MatmulGrid::Role;
    std::vector<ProductGroup> groups;
    std::vector<std::pair<Product, Role>> gradients;
    auto const alone = [&](Product const &p) { groups.push_back({{}, {{p, Role::Forward}}}); };
    forEachNode(g, RegionId(0), [&](NodeId id) {
        auto const &node = g.node(id);
        bool const batched = node.op == "batch_matmul";
        if (node.op != "matmul" && !batched) return;
        bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
        auto ra = graph::rowsCols(g.value(node.inputs[0]).shape);
        auto rb = graph::rowsCols(g.value(node.inputs[1]).shape);
        std::int64_t const batch = batched ? graph::matrixCount(g.value(node.inputs[0]).shape) : 1;
        ra.rows /= batch;
        rb.rows /= batch;
        Product const p{id, ta ? ra.cols : ra.rows, ta ? ra.rows : ra.cols, tb ? rb.rows : rb.cols, batch};
        if (batched) return alone(p);
        auto const weights = variableOf(g, node.inputs[1]);
        if (clearPassType || (ta && tb)) return alone(p);
        if (ta) return gradients.emplace_back(p, Role::Update), void();
        if (!isWeight(g, weights)) return alone(p);
        if (tb) return gradients.emplace_back(p, Role::Backward), void();
        for (auto &group : groups) {
            if (group.weights != weights) continue;
            // The same weights with other rows: their place is taken.
            if (group.lead().m == p.m) group.members.emplace_back(p, Role::Forward);
            else alone(p);
            return;
        }
        groups.push_back({weights, {{p, Role::Forward}}});
    });
    for (auto const &[p, role] : gradients) {
        auto const &node = g.node(p.node);
        auto const fits = [&, &p = p, role = role](ProductGroup const &group) {
            if (!group.weights.valid()) return false;
            auto const &f = group.lead();
            if (role == Role::Update)
                return g.node(f.node).layer == node.layer && f.k == p.m && f.n == p.n && f.m == p.k;
            return group.weights == variableOf(g, node.inputs[1]) && f.m == p.m && f.n == p.k && f.k == p.n;
        };
        auto const home = std::ranges::find_if(groups, fits);
        if (home != groups.end()) home->members.emplace_back(p, role);
        else alone(p);
    }
    return groups;
}

/// Rows x cols cut as the grid reads it, blocks rb x cb each read by `readers` tiles: each block is dealt over
/// that many tiles in whole rows, so that a reader receives few long pieces and every tile sends alike.
Layout besideReaders(Layout layout, std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb, std::int64_t readers,
                     DType type)
{
    constexpr Bytes kGrain = 128; // the library's least bytes of an activation on a tile
    std::int64_t r = std::max<std::int64_t>(1, ceilDiv(rb, readers)), c = std::min(cb, cols);
    if (rb < readers) c = std::min(c, roundUp(ceilDiv(cb, std::max<std::int64_t>(1, readers / rb)), std::max<std::int64_t>(1, 8 / sizeOf(type))));
    while (r * c * sizeOf(type) < kGrain && r < rows) ++r;
    while (ceilDiv(rows, r) * ceilDiv(cols, c) > layout.on.count) {
        if (r < rows) r = std::min(rows, r + 1 + r / 8);
        else c = std::min(cols, c * 2);
    }
    c = std::min(c, cols);
    layout.add(cut(rows, std::min(r, rows), ceilDiv(cols, c)));
    layout.add(cut(cols, c, 1));
    // What comes from outside the product is not in its groups of channels and so never used where it
    // lies, as the planner assumes: on the other half of the chip no block meets its reader.
    layout.first = layout.on.count / 2;
    return layout;
}

/// Where the weights of a joint plan live: on the tiles that use them, dealt over the copies of their block.
Layout weightLayout(MatmulGrid const &grid, Layout layout)
{
    auto const &plan = grid.plan;
    layout.first = grid.firstTile;
    bool const dealt = plan.serial == 1 && plan.pm > 1 && plan.strideK == plan.strideM * plan.pm;
    layout.add(cut(grid.problem.k, dealt ? ceilDiv(plan.kb, plan.pm) : plan.kb, dealt ? plan.strideM : plan.strideK));
    layout.add(cut(grid.problem.n / plan.serial, plan.nb, plan.strideN));
    return plan.serial > 1 ? inPasses(layout, plan.serial) : layout;
}

/// Lays an operand that is a variable or a feed beside its readers.
void placeOperand(LowerContext &ctx, ValueId value, std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb,
                  std::int64_t readers, int ipu, std::vector<Layout> &variableLayouts, std::vector<char> &placed)
{
    Graph const &g = ctx.graph;
    while (g.node(g.value(value).producer).op == "reshape") value = g.node(g.value(value).producer).inputs[0];
    auto const &source = g.value(value);
    auto const &producer = g.node(source.producer);
    bool const feed = producer.op == "infeed";
    if (producer.op != "variable.read" && !feed) return;
    if (elementCount(source.shape) != rows * cols || ctx.ipu(producer.stage) != ipu) return;
    Layout const base = onIpu(ctx.b.chip().tiles, ipu);
    if (feed) {
        // A feed is dealt as its rows x everything else; see its lowering.
        if (source.shape.empty() || source.shape[0] != rows || ctx.feedLayouts.contains(value.index)) return;
        ctx.feedLayouts[value.index] = besideReaders(base, rows, cols, rb, cb, readers, source.dtype);
        return;
    }
    auto const v = producer.variable.index;
    auto const rc = graph::rowsCols(g.variables[v].shape);
    if (placed[v] || rc.rows != rows || rc.cols != cols) return;
    variableLayouts[v] = besideReaders(base, rows, cols, rb, cb, readers, source.dtype);
    placed[v] = 1;
}

} // namespace

void planProducts(LowerContext &ctx, std::vector<Layout> &variableLayouts, std::vector<char> &placed)
{
    Graph const &g = ctx.graph;
    auto &b = ctx.b;
    auto const groups = groupProducts(g, b.options().clearPassType);
    std::vector<std::pair<MatmulProblem, MatmulPlans>> known; // equal layers are planned once
    for (auto const &group : groups) {
        auto const &lead = group.lead();
        MatmulProblem problem;
        problem.m = lead.m;
        problem.k = lead.k;
        problem.n = lead.n;
        problem.batch = lead.batch;
        problem.in = g.value(g.node(lead.node).inputs[0]).dtype;
        problem.resident = group.weights.valid();
        for (auto const &[member, role] : group.members) {
            problem.backward = problem.backward || role == MatmulGrid::Role::Backward;
            problem.update = problem.update || role == MatmulGrid::Role::Update;
        }
        MatmulOptions options;
        options.availableMemoryProportion = b.options().availableMemoryProportion;
        options.partials = problem.in == DType::F32 ? DType::F32 : b.options().partials;
        auto plans = std::ranges::find(known, problem, &std::pair<MatmulProblem, MatmulPlans>::first);
        if (plans == known.end()) plans = known.insert(known.end(), {problem, planMatmul(problem, b.chip(), options)});
        MatmulGrid grid;
        grid.plan = plans->second.best.front();
        grid.problem = problem;
        grid.json = planJson(problem, plans->second);
        int const ipu = ctx.ipu(g.node(lead.node).stage);
        grid.firstTile = grid.plan.tiles() * 2 > b.chip().tiles ? 0 : b.nextTiles(ipu, grid.plan.tiles());
        for (auto const &[member, role] : group.members) {
            grid.role = role;
            ctx.grids[member.node.index] = grid;
        }
        // Weights that are an AMP's positions are regrouped in every run: they are stored like any operand.
        if (group.weights.valid() && !grid.plan.swapped) {
            variableLayouts[group.weights.index] = weightLayout(grid, onIpu(b.chip().tiles, ipu));
            placed[group.weights.index] = 1;
        }
    }
    // Operands of forward products; after the weights, which have the first word.
    for (auto const &group : groups) {
        for (auto const &[member, role] : group.members) {
            if (role != MatmulGrid::Role::Forward || member.batch > 1) continue;
            auto const &node = g.node(member.node);
            auto const &plan = ctx.grids.at(member.node.index).plan;
            int const ipu = ctx.ipu(node.stage);
            std::int64_t const m = member.m, k = member.k, n = member.n;
            if (node.attrs.flag("transpose_a"))
                placeOperand(ctx, node.inputs[0], k, m, plan.kb, plan.mb, plan.pn, ipu, variableLayouts, placed);
            else
                placeOperand(ctx, node.inputs[0], m, k, plan.mb, plan.kb, plan.pn, ipu, variableLayouts, placed);
            if (node.attrs.flag("transpose_b"))
                placeOperand(ctx, node.inputs[1], n, k, plan.nb, plan.kb, plan.pm, ipu, variableLayouts, placed);
            else
                placeOperand(ctx, node.inputs[1], k, n, plan.kb, plan.nb, plan.pm, ipu, variableLayouts, placed);
        }
    }
}

} // namespace tilewright::lowering
