#include "engine/lowering/product_placement.h"

#include "engine/core/json_text.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/parts.h"
#include "engine/lowering/plan_search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

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
    std::int64_t times; ///< that it runs in one pass through the program
};

/// What a group of products was weighed by: cycles of all their executions for one of the product that runs least often, on one grid and on
/// grids of their own.
struct Weighed {
    std::size_t products = 1; ///< 1: nothing was weighed
    Cycles together = 0, apart = 0;
    bool split = false; ///< each has a grid of its own
    bool faster() const { return apart < together; } ///< those
};

/// Products that share a weight matrix, or the matrices of a body's calls: forward, data gradient, weight gradient.
struct ProductGroup {
    std::vector<graph::VariableId> weights; ///< empty: both operands are data
    std::vector<std::pair<Product, MatmulGrid::Role>> members;
    Weighed weighed = {};

    Product const &lead() const { return members.front().first; }
};

/// Forward products lead their groups; a data gradient joins the forward product of its weights, a weight
/// gradient the one of its layer and shape. What fits no group is planned alone.
class ProductGroups {
public:
    ProductGroups(Graph const &graph, Callers const &callers, bool clearPassType) : g(graph), m_callers(callers), m_clearPassType(clearPassType)
    {
        forEachNode(g, RegionId(0), [&](NodeId id) {
            if (g.node(id).op == "matmul" || g.node(id).op == "batch_matmul") add(id);
        });
        for (auto const &[p, role] : m_gradients) addGradient(p, role);
    }

    std::vector<ProductGroup> groups;

private:
    using Role = MatmulGrid::Role;

    void add(NodeId id)
    {
        auto const &node = g.node(id);
        bool const batched = node.op == "batch_matmul";
        bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
        auto ra = graph::rowsCols(g.value(node.inputs[0]).shape);
        auto rb = graph::rowsCols(g.value(node.inputs[1]).shape);
        std::int64_t const batch = batched ? graph::matrixCount(g.value(node.inputs[0]).shape) : 1;
        ra.rows /= batch;
        rb.rows /= batch;
        Product const p{id, ta ? ra.cols : ra.rows, ta ? ra.rows : ra.cols, tb ? rb.rows : rb.cols, batch, m_callers.executions(id)};
        if (batched || m_clearPassType || (ta && tb)) return alone(p);
        if (ta) return m_gradients.emplace_back(p, Role::Update), void();
        auto weights = m_callers.variablesOf(node.inputs[1]);
        if (weights.empty() || g.variable(weights[0]).role != graph::Role::Weight) return alone(p);
        if (tb) return m_gradients.emplace_back(p, Role::Backward), void();
        if (auto const known = m_byWeights.find(weights[0]); known != m_byWeights.end()) {
            auto &group = groups[known->second];
            // The same weights with other rows: their place is taken.
            if (group.lead().m == p.m) group.members.emplace_back(p, Role::Forward);
            else alone(p);
            return;
        }
        for (auto variable : weights) m_byWeights.emplace(variable, groups.size());
        m_byLayer[m_callers.twin(node.layer)].push_back(groups.size());
        groups.push_back({std::move(weights), {{p, Role::Forward}}, {}});
    }

    void addGradient(Product const &p, Role role)
    {
        auto const &node = g.node(p.node);
        auto const fits = [&](std::size_t i) {
            auto const &f = groups[i].lead();
            return role == Role::Update ? f.k == p.m && f.n == p.n && f.m == p.k : f.m == p.m && f.n == p.k && f.k == p.n;
        };
        std::vector<std::size_t> homes;
        if (role == Role::Update) {
            if (auto const it = m_byLayer.find(m_callers.twin(node.layer)); it != m_byLayer.end()) homes = it->second;
        } else if (auto const it = m_byWeights.find(m_callers.variablesOf(node.inputs[1]).front()); it != m_byWeights.end()) {
            homes = {it->second};
        }
        // Of a layer's equal products (queries, keys, values) each has a gradient; they come in the opposite order.
        auto const hasNone = [&](std::size_t i) {
            return std::ranges::none_of(groups[i].members, [&](auto const &member) { return member.second == role; });
        };
        auto const last = std::ranges::find_if(homes.rbegin(), homes.rend(), [&](std::size_t i) { return fits(i) && hasNone(i); });
        auto const first = std::ranges::find_if(homes, fits);
        if (last != homes.rend()) groups[*last].members.emplace_back(p, role);
        else if (first != homes.end()) groups[*first].members.emplace_back(p, role);
        else alone(p);
    }

    void alone(Product const &p) { groups.push_back({{}, {{p, Role::Forward}}, {}}); }

    Graph const &g;
    Callers const &m_callers;
    bool m_clearPassType;
    std::vector<std::pair<Product, Role>> m_gradients;
    std::map<graph::VariableId, std::size_t> m_byWeights;        ///< group
    std::map<std::string, std::vector<std::size_t>> m_byLayer;   ///< groups with weights, in order
};

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
    if (elementCount(source.shape) != rows * cols) return;
    Layout const base = onIpu(ctx.b.chip().tiles, ipu);
    if (g.node(source.producer).op == "infeed") {
        // A feed is dealt as its rows x everything else; see its lowering.
        if (ctx.ipu(g.node(source.producer).stage) != ipu || source.shape.empty() || source.shape[0] != rows) return;
        ctx.feedLayouts.try_emplace(value.index, besideReaders(base, rows, cols, rb, cb, readers, source.dtype));
        return;
    }
    for (auto const variable : ctx.callers.variablesOf(value)) {
        auto const v = variable.index;
        auto const rc = graph::rowsCols(g.variables[v].shape);
        if (placed[v] || rc.rows != rows || rc.cols != cols || ctx.ipu(g.variables[v].stage) != ipu) continue;
        variableLayouts[v] = besideReaders(base, rows, cols, rb, cb, readers, source.dtype);
        placed[v] = 1;
    }
}

/// Weights lie where their products run, those of all calls of a body on the same tiles. Where that would fill them and leave
/// others empty, the weights of later calls are dealt over the chip, and each call has them sent.
void placeWeights(LowerContext &ctx, std::vector<graph::VariableId> const &weights, MatmulGrid const &grid, int ipu,
                  std::vector<Layout> &variableLayouts, std::vector<char> &placed)
{
    auto &b = ctx.b;
    auto const &chip = b.chip();
    Layout const here = weightLayout(grid, onIpu(chip.tiles, ipu));
    Bytes const all = here.blockElements() * sizeOf(grid.problem.in) * static_cast<Bytes>(weights.size());
    // With their gradients' moments, some three times as much.
    bool const deal = grid.plan.tiles() * 2 <= chip.tiles && all * 3 > chip.bytesPerTile / 4;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto const v = weights[i].index;
        variableLayouts[v] = here;
        placed[v] = 1;
        if (!deal || i == 0) continue;
        MatmulGrid own = grid;
        own.firstTile = b.nextTiles(ipu, grid.plan.tiles());
        variableLayouts[v] = weightLayout(own, onIpu(chip.tiles, ipu));
        ctx.workplaces.emplace(weights[i], here);
    }
}

/// Plans of products; equal ones are planned once.
class ProductPlans {
public:
    ProductPlans(Graph const &graph, ProgramBuilder const &builder) : g(graph), b(builder) {}

    MatmulProblem problem(ProductGroup const &group) const
    {
        auto const &lead = group.lead();
        MatmulProblem problem;
        problem.m = lead.m;
        problem.k = lead.k;
        problem.n = lead.n;
        problem.batch = lead.batch;
        problem.in = g.value(g.node(lead.node).inputs[0]).dtype;
        problem.resident = !group.weights.empty();
        if (group.members.size() == 1) {
            problem.transposeA = g.node(lead.node).attrs.flag("transpose_a");
            problem.transposeB = g.node(lead.node).attrs.flag("transpose_b");
        }
        for (auto const &[member, role] : group.members) {
            problem.backward = problem.backward || role == MatmulGrid::Role::Backward;
            problem.update = problem.update || role == MatmulGrid::Role::Update;
        }
        return problem;
    }
    MatmulPlans const &of(ProductGroup const &group)
    {
        MatmulOptions options;
        options.availableMemoryProportion = b.options().availableMemoryProportion;
        if (graph::halfPartials(g.node(group.lead().node)) > 0) options.partials = DType::F16;
        auto const wanted = problem(group);
        for (auto const &each : m_known)
            if (each.problem == wanted && each.partials == options.partials) return each.plans;
        m_known.push_back({wanted, options.partials, planMatmul(wanted, b.chip(), options)});
        return m_known.back().plans;
    }

    /// A joint plan computes the products of a layer's weights on one grid where the weights stay; on grids of their own
    /// each may be cut as suits it, but the weights travel to their readers and their gradient to them. The group falls apart
    /// where that takes fewer cycles, those first that save most, as long as the exchange code of them all has room. (poplibs
    /// plans either way as well: isJointPlan in lib/poplin/ConvPlan.cpp.)
    std::vector<ProductGroup> cheapest(std::vector<ProductGroup> groups, LowerContext const &ctx)
    {
        std::vector<std::size_t> faster;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            auto &group = groups[i];
            if (group.members.size() < 2) continue;
            // Of the loops around all of them (of steps, of micro-batches) one turn is enough.
            std::int64_t const turns = std::ranges::min(group.members, {}, [](auto const &member) { return member.first.times; }).first.times;
            group.weighed = {group.members.size(), cyclesTogether(group) / std::max<std::int64_t>(1, turns), cyclesApart(group) / std::max<std::int64_t>(1, turns)};
            if (group.weighed.faster() && !b.options().productsTogether) faster.push_back(i);
        }
        auto const saved = [&](std::size_t i) { return groups[i].weighed.together - groups[i].weighed.apart; };
        std::ranges::stable_sort(faster, std::greater(), saved);
        std::map<int, Bytes> taken; // by IPU
        for (auto const i : faster) {
            auto &bytes = taken[ctx.ipu(g.node(groups[i].lead().node).stage)];
            if (bytes + kSplitBytes > b.chip().nonInterleavedBytes / 8) continue;
            bytes += kSplitBytes;
            groups[i].weighed.split = true;
        }
        std::vector<ProductGroup> chosen;
        for (auto &group : groups) {
            if (!group.weighed.split) chosen.push_back(std::move(group));
            else for (auto const &[product, role] : group.members) chosen.push_back({{}, {{product, MatmulGrid::Role::Forward}}, group.weighed});
        }
        return chosen;
    }

private:
    /// Code and state that a group takes more on each tile when its products have grids of their own: weights go to their readers and
    /// the gradient to them. Measured with Dense(256), batch 32, on 1,472 tiles; only code in the first region of a tile runs.
    static constexpr Bytes kSplitBytes = 700;

    struct Known { MatmulProblem problem; DType partials; MatmulPlans plans; };

    /// Several products of a group may have one role: those of the calls of a shared layer.
    Cycles cyclesTogether(ProductGroup const &group)
    {
        auto const &cost = of(group).best.front().cost;
        Cycles sum = 0;
        for (auto const &[product, role] : group.members)
            sum += product.times
                   * (role == MatmulGrid::Role::Update     ? cost.update
                      : role == MatmulGrid::Role::Backward ? cost.backward
                                                           : cost.total() - cost.backward - cost.update);
        return sum;
    }
    Cycles cyclesApart(ProductGroup const &group)
    {
        Cycles sum = 0;
        for (auto const &[product, role] : group.members) {
            auto const &plan = of({{}, {{product, MatmulGrid::Role::Forward}}, {}}).best.front();
            Cycles once = plan.cost.total();
            // The gradient lies dealt over the tiles that summed it and goes to the weights, which are dealt over theirs.
            if (role == MatmulGrid::Role::Update)
                once += kStepOverhead + ceilDiv(ceilDiv(product.m * product.n, plan.tiles()) * sizeOf(problem(group).in), Bytes{b.chip().exchangeBytesPerCycle});
            sum += product.times * once;
        }
        return sum;
    }

    Graph const &g;
    ProgramBuilder const &b;
    std::deque<Known> m_known; ///< what is handed out stays where it is
};

/// The plan, and what else the layer's products could have had.
std::string reasonsJson(MatmulProblem const &problem, MatmulPlans const &plans, Weighed const &weighed)
{
    auto json = orderedJsonOrDiscarded(planJson(problem, plans));
    if (weighed.products > 1)
        json["group"] = {{"products", weighed.products},
                         {"planned", weighed.split ? "apart" : "together"},
                         {"for_memory", weighed.faster() && !weighed.split},
                         {"cycles_together", weighed.together},
                         {"cycles_apart", weighed.apart}};
    return json.dump();
}

} // namespace

bool planProducts(LowerContext &ctx, std::vector<Layout> &variableLayouts, std::vector<char> &placed)
{
    Graph const &g = ctx.graph;
    auto &b = ctx.b;
    ProductPlans planned(g, b);
    auto const groups = planned.cheapest(ProductGroups(g, ctx.callers, b.options().clearPassType).groups, ctx);
    for (auto const &group : groups) {
        auto const &lead = group.lead();
        auto const problem = planned.problem(group);
        auto const &plans = planned.of(group);
        MatmulGrid grid;
        grid.plan = plans.best.front();
        grid.problem = problem;
        grid.json = reasonsJson(problem, plans, group.weighed);
        int const ipu = ctx.ipu(g.node(lead.node).stage);
        grid.firstTile = grid.plan.tiles() * 2 > b.chip().tiles ? 0 : b.nextTiles(ipu, grid.plan.tiles());
        for (auto const &[member, role] : group.members) {
            grid.role = role;
            ctx.grids[member.node.index] = grid;
        }
        // Weights that are an AMP's positions are regrouped in every run: they are stored like any operand.
        if (!grid.plan.swapped) placeWeights(ctx, group.weights, grid, ipu, variableLayouts, placed);
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
    return std::ranges::any_of(groups, [](auto const &group) { return group.weighed.split; });
}

} // namespace tilewright::lowering
