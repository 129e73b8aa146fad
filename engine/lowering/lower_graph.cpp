#include "engine/lowering/lower_graph.h"

#include "engine/core/internal_error.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/rounding.h"
#include "engine/lowering/overlapped_loop.h"
#include "engine/lowering/planning.h"
#include "engine/lowering/walk.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace tilewright::lowering {

using namespace program;
using graph::Graph;
using graph::Node;
using graph::NodeId;
using graph::NodeKind;
using graph::RegionId;
using graph::ValueId;

namespace {

/// The variable a value reads, through reshapes; invalid when it is computed.
graph::VariableId variableOf(Graph const &g, ValueId value)
{
    for (;;) {
        auto const &node = g.node(g.value(value).producer);
        if (graph::is(node, NodeKind::VariableRead)) return node.variable;
        if (!graph::is(node, NodeKind::Reshape)) return {};
        value = node.inputs[0];
    }
}

/// Slots and accumulators lie where their weights lie: the update is then local to each tile.
void unifyStates(LowerContext const &ctx, std::vector<int> &home)
{
    auto const &g = ctx.graph;
    auto const find = [&](int v) {
        while (home[static_cast<std::size_t>(v)] != v) v = home[static_cast<std::size_t>(v)];
        return v;
    };
    auto const unite = [&](graph::VariableId a, graph::VariableId b) {
        if (!a.valid() || !b.valid() || g.variable(a).shape != g.variable(b).shape) return;
        int const ra = find(static_cast<int>(a.index)), rb = find(static_cast<int>(b.index));
        home[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
    };
    forEachNode(g, RegionId(0), [&](NodeId id) {
        auto const &node = g.node(id);
        auto const *lowering = ctx.ops(node.op);
        if (!lowering || !lowering->updatesWeights) return;
        auto const weights = variableOf(g, node.inputs[0]);
        for (auto input : node.inputs) {
            auto value = input;
            // Gradients that come from an accumulator, possibly through an all-reduce.
            auto const &producer = g.node(g.value(value).producer);
            if (graph::is(producer, NodeKind::AllReduce))
                for (std::size_t i = 0; i < producer.outputs.size(); ++i)
                    if (producer.outputs[i] == value) value = producer.inputs[i];
            unite(weights, variableOf(g, value));
        }
    });
}

/// What a graph shares with the first one of its program.
struct Shared {
    LowerContext const &first;
    std::vector<VarId> const &variables; ///< of the first graph
    bool all = false;                    ///< not only the weights
};

/// The first graph's storage of a variable; invalid: it has none, or does not share it.
VarId sharedStorage(Shared const &shared, graph::Variable const &variable)
{
    if (variable.role != graph::Role::Weight && !shared.all) return {};
    auto const &known = shared.first.graph.variables;
    for (std::size_t v = 0; v < known.size(); ++v) {
        bool const same = known[v].role == variable.role && known[v].name == variable.name && known[v].shape == variable.shape
            && known[v].dtype == variable.dtype && known[v].stage == variable.stage;
        if (same && shared.variables[v].valid()) return shared.variables[v];
    }
    return {};
}

/// Nodes and values of a graph by those of the first one that have their names, and that alone.
template <typename Visit> void forEachTwin(Graph const &first, Graph const &g, Visit const &visit)
{
    std::map<std::pair<std::string_view, std::string_view>, std::vector<NodeId>> known; // by name and operation
    forEachNode(first, RegionId(0), [&](NodeId id) {
        auto const &node = first.node(id);
        if (node.pass == graph::Pass::Forward) known[{node.name, node.op}].push_back(id);
    });
    forEachNode(g, RegionId(0), [&](NodeId id) {
        auto const it = known.find({g.node(id).name, g.node(id).op});
        if (it != known.end() && it->second.size() == 1 && g.node(id).stage == first.node(it->second[0]).stage) visit(it->second[0], id);
    });
}

/// Share of the first graph's rows from which on its grid is used. Measured over the built-in models: weights that stay in place save up to
/// six times the cycles; with still fewer rows, plans with parts of the rows fill too few of them.
constexpr std::int64_t kRowsOfTwin = 8;

/// The grid of a product's twin for fewer rows, those of a smaller batch: the same inner and column parts, and row parts with shorter
/// blocks. The weights then stay in place, and the results are spread as widely as in the first graph. The reasons of the plan are those of
/// the twin. nullopt: another product, or too few rows for that grid.
std::optional<MatmulGrid> gridForFewerRows(MatmulGrid const &twin, MatmulGrid const &own, target::Chip const &chip)
{
    auto const &there = twin.problem, &here = own.problem;
    bool const alike = twin.role == PlanRole::Forward && own.role == PlanRole::Forward && here.resident && here.k == there.k
        && here.n == there.n && here.in == there.in && here.batch == 1 && there.batch == 1 && !here.transposeA && !here.transposeB;
    if (!alike || here.m >= there.m || here.m * kRowsOfTwin < there.m
        || twin.plan.splitsOf(PlanRole::Forward).isOver(ProductSplits::Over::Rows))
        return {};
    auto grid = twin;
    auto &plan = grid.plan;
    grid.problem.m = here.m;
    std::int64_t const grain = plan.swapped ? chip.convUnits(here.in) : 1; // as the planner cuts rows
    plan.mb = std::min(here.m, roundUp(ceilDiv(here.m, plan.pm), grain));
    plan.pm = ceilDiv(here.m, plan.mb); // the strides stay, so that a part is on its tile of the first graph
    return grid;
}

/// Whether no operand of a node has more elements along an axis than that of its twin.
bool fitsInto(Graph const &g, NodeId id, Graph const &first, NodeId twin)
{
    auto const &here = g.node(id).inputs, &there = first.node(twin).inputs;
    return std::ranges::equal(
        here, there, [&](ValueId a, ValueId b) { return std::ranges::equal(g.value(a).shape, first.value(b).shape, std::less_equal<>()); });
}

/// Operations go to the tiles of their twins, so that the weights stay where they are.
void followTwins(LowerContext &ctx, LowerContext const &first)
{
    auto const follow = [](auto &to, auto const &from, NodeId node, NodeId twin) {
        auto const here = to.find(node.index);
        auto const there = from.find(twin.index);
        if (here != to.end() && there != from.end()) here->second = there->second;
    };
    auto const sameProblem = [&](NodeId twin, NodeId id) {
        auto const *lowering = ctx.ops(ctx.graph.node(id).op);
        if (!lowering || !lowering->plan) return false;
        auto const here = lowering->traits(ctx, id), there = lowering->traits(first, twin);
        // Nodes that are planned alone state no problem: the grid must have a part for each of their elements.
        return here.role == there.role && here.problem == there.problem
            && (!here.problem.empty() || fitsInto(ctx.graph, id, first.graph, twin));
    };
    forEachTwin(first.graph, ctx.graph, [&](NodeId twin, NodeId id) {
        if (sameProblem(twin, id)) {
            follow(ctx.grids, first.grids, id, twin);
            follow(ctx.convs, first.convs, id, twin);
            follow(ctx.slices, first.slices, id, twin);
        } else if (ctx.grids.contains(id.index) && first.grids.contains(twin.index)) {
            auto &own = ctx.grids.at(id.index);
            if (auto grid = gridForFewerRows(first.grids.at(twin.index), own, ctx.b.chip())) own = std::move(*grid);
        }
        auto const &outputs = ctx.graph.node(id).outputs, &there = first.graph.node(twin).outputs;
        for (std::size_t i = 0; i < std::min(outputs.size(), there.size()); ++i) {
            auto const wanted = first.feedLayouts.find(there[i].index);
            if (wanted != first.feedLayouts.end() && ctx.graph.value(outputs[i]).shape == first.graph.value(there[i]).shape)
                ctx.feedLayouts[outputs[i].index] = wanted->second;
        }
    });
}

/// Shards need blocks that every replica can cut alike.
Home homeOf(graph::Variable const &variable, Layout const &layout)
{
    bool alike = true;
    for (int d = 0; d < layout.rank; ++d) alike = alike && layout.dim(d).kind == DimKind::Index && !layout.dim(d).overlaps();
    return variable.home == Home::Shards && !alike ? Home::Streaming : variable.home;
}

/// Returns whether products that could go together were planned apart.
bool placeVariables(LowerContext &ctx, std::vector<VarId> &variables, std::optional<Shared> const &shared, std::string const &prefix)
{
    Graph const &g = ctx.graph;
    std::size_t const count = g.variables.size();
    VariablePlaces places(count);
    std::vector<VarId> kept(count);
    if (shared)
        for (std::size_t v = 0; v < count; ++v)
            if (kept[v] = sharedStorage(*shared, g.variables[v]); kept[v].valid())
                places.set(graph::VariableId(v), ctx.b.var(kept[v]).layout);
    bool const apart = planOperations(ctx, places);
    if (shared) followTwins(ctx, shared->first);
    std::vector<int> home(count);
    std::iota(home.begin(), home.end(), 0);
    unifyStates(ctx, home);
    auto const root = [&](std::size_t v) {
        while (home[v] != static_cast<int>(v)) v = static_cast<std::size_t>(home[v]);
        return graph::VariableId(v);
    };
    for (std::size_t v = 0; v < count; ++v)
        if (graph::VariableId const id(v); places.has(id) && !places.has(root(v))) places.set(root(v), places.of(id));
    std::vector<char> used(count, 0);
    forEachNode(g, RegionId(0), [&](NodeId id) {
        if (g.node(id).variable.valid()) used[g.node(id).variable.index] = 1;
    });
    variables.assign(count, VarId());
    for (std::size_t v = 0; v < count; ++v) {
        if (!used[v]) continue;
        auto const &variable = g.variables[v];
        if (kept[v].valid()) {
            ctx.bindVariable(graph::VariableId(v), kept[v]);
            variables[v] = kept[v];
            continue;
        }
        auto const r = root(v);
        if (!places.has(r)) {
            auto const rc = graph::rowsCols(variable.shape);
            int const ipu = ctx.ipu(variable.stage);
            places.set(r,
                       elementCount(variable.shape) == 1 ? ctx.b.oneTile(1, 1, ipu) : ctx.b.linear(rc.rows, rc.cols, variable.dtype, ipu));
        }
        auto const layerOp = ctx.layerOps.find(variable.layer);
        ctx.b.setOp(layerOp == ctx.layerOps.end() ? ctx.layerOps.at("") : layerOp->second);
        VarId const id =
            ctx.b.addVar(prefix + variable.name, std::string(graph::toText(variable.role)), variable.dtype, variable.shape, places.of(r));
        // Accumulators are rebuilt from zero in each update; everything else survives the run.
        ctx.b.var(id).home = homeOf(variable, places.of(r));
        ctx.b.var(id).alwaysLive = variable.role != graph::Role::Accumulator || variable.home != Home::Tiles;
        ctx.b.var(id).interleaved = variable.role == graph::Role::Weight && variable.shape.size() >= 2;
        ctx.bindVariable(graph::VariableId(v), id);
        variables[v] = id;
    }
    return apart;
}

void addLayerOps(LowerContext &ctx)
{
    // Every node belongs to a layer; what belongs to none goes to an op named for its purpose.
    forEachNode(ctx.graph, RegionId(0), [&](NodeId id) {
        auto const &node = ctx.graph.node(id);
        if (ctx.layerOps.contains(node.layer)) return;
        Op op;
        op.name = node.layer.empty() ? "program" : node.layer;
        op.kind = node.layer.empty() ? "Synthetic" : "Layer";
        op.level = "keras";
        op.pass = "forward";
        op.stage = node.stage;
        ctx.layerOps[node.layer] = ctx.b.addOp(std::move(op));
    });
    if (!ctx.layerOps.contains("")) {
        Op op;
        op.name = "program";
        op.kind = "Synthetic";
        op.level = "keras";
        ctx.layerOps[""] = ctx.b.addOp(std::move(op));
    }
}

} // namespace

void LowerContext::gatherOverReplicas(VarId weights, int firstChunk, std::string const &name)
{
    auto const &variable = b.var(weights);
    Bytes const bytes = elementCount(variable.shape) * sizeOf(variable.dtype);
    auto const limit = b.options().allGatherBytes;
    if (limit > 0 && gathers.bytes + bytes > limit) gatherPending();
    if (gathers.weights.empty()) gathers.name = name, gathers.op = b.op();
    gathers.weights.push_back(weights);
    gathers.firstChunk.push_back(firstChunk);
    gathers.bytes += bytes;
    if (limit > 0 && gathers.bytes >= limit) gatherPending();
}

void LowerContext::gatherPending()
{
    if (gathers.weights.empty()) return;
    auto const all = std::exchange(gathers, {});
    int const op = b.op();
    b.setOp(all.op);
    b.syncExternal(all.name + "/Sync");
    for (int s = 0; s + 1 < b.program().replicas; ++s) {
        std::vector<RingTransfer> ring;
        for (std::size_t i = 0; i < all.weights.size(); ++i) ring.push_back({all.weights[i], all.weights[i], all.firstChunk[i] - s, true});
        b.exchange(all.name + "/AllGather/Step" + std::to_string(s), {}, std::move(ring), true);
    }
    b.setOp(op);
}

/// What the vertices of a node from compute set `first` on store as float16 is rounded as the node says.
void LowerContext::markRounding(NodeId id, std::size_t first)
{
    auto const &node = graph.node(id);
    auto const how = graph::roundingOf(node);
    if (how == graph::Rounding::Nearest) return;
    std::map<VarId, std::int32_t> others;
    for (std::size_t s = first; s < b.program().computeSets.size(); ++s)
        for (auto &family : b.program().computeSets[s].families)
            for (auto &field : family.fields) {
                auto const &stored = b.var(field.var);
                bool const writes = field.access == Access::Write || field.access == Access::Update;
                if (!writes || stored.dtype != DType::F16 || field.rounding.node >= 0) continue;
                auto &rounding = field.rounding;
                rounding.node = static_cast<std::int32_t>(id.index);
                rounding.onEveryReplica = how == graph::Rounding::StochasticAlike;
                rounding.byTile = stored.layout.has(DimKind::Addend);
                auto const isIn = [&](ValueId output) { return isBound(output) && var(output) == field.var; };
                auto result = std::ranges::find_if(node.outputs, isIn);
                // Else a result that lies elsewhere before it is moved to where it is wanted.
                if (result == node.outputs.end() && !rounding.byTile)
                    result = std::ranges::find_if(node.outputs, [&](ValueId output) { return stored.shape == graph.value(output).shape; });
                rounding.number = result != node.outputs.end()
                    ? static_cast<std::int32_t>(result - node.outputs.begin())
                    : StoredRounding::kResults + others.try_emplace(field.var, static_cast<std::int32_t>(others.size())).first->second;
            }
}

/// The set that completes a node's sums, where they are rounded; or the exchange that puts the last of them beside the others.
void LowerContext::markFinished(NodeId id, std::size_t first, std::size_t firstExchange)
{
    auto const &node = graph.node(id);
    if (!graph::roundsSums(graph, node)) return;
    auto const &result = graph.value(node.outputs[0]);
    for (std::size_t e = b.program().exchanges.size(); e-- > firstExchange;)
        for (auto const &t : b.program().exchanges[e].transfers) {
            if (t.dst != var(node.outputs[0]) || elementsOf(b.program(), t) == elementCount(result.shape)) continue;
            b.program().exchanges[e].finished = {static_cast<std::int32_t>(id.index), t.dst};
            return;
        }
    for (std::size_t s = b.program().computeSets.size(); s-- > first;)
        for (auto const &family : b.program().computeSets[s].families) {
            auto const &field = family.fields.front();
            auto const &stored = b.var(field.var);
            // The result, or where it lies before it is moved to where it is wanted.
            bool const whole = stored.shape == result.shape && stored.dtype == result.dtype && !stored.layout.has(DimKind::Addend);
            if (field.access != Access::Write || !(var(node.outputs[0]) == field.var || whole)) continue;
            b.program().computeSets[s].finished = {static_cast<std::int32_t>(id.index), field.var};
            return;
        }
}

Status LowerContext::lowerNode(NodeId id)
{
    auto const &node = graph.node(id);
    WorkStage const stage("lowering", node.name);
    auto const *lowering = ops(node.op);
    if (!lowering || !lowering->lower)
        return makeError(ErrorKind::Invalid, "lowering.unsupported", node.name,
                         Message::of("operation '%1' cannot be compiled for the IPU yet.", node.op));
    Op op;
    op.name = node.name;
    op.kind = node.op;
    op.level = "graph";
    op.parent = bodyOp >= 0 ? bodyOp : layerOps.at(node.layer);
    op.pass = std::string(graph::toText(node.pass));
    op.stage = node.stage;
    auto const waits = [&](ValueId value) {
        return isBound(value) && std::ranges::find(gathers.weights, var(value)) != gathers.weights.end();
    };
    bool const view = graph::is(node, NodeKind::VariableRead, NodeKind::Reshape) && !isRemote(node);
    // An update leaves the weights where they are stored: assigning them reads nothing.
    bool const stays = graph::is(node, NodeKind::VariableAssign) && var(node.inputs[0]) == variable(node.variable);
    // A body that runs several times would gather each time.
    if (!gathers.weights.empty() && !view && !stays && (!node.regions.empty() || std::ranges::any_of(graph::reads(graph, id), waits)))
        gatherPending();
    if (!view) b.setOp(b.addOp(std::move(op)));
    auto const sets = b.program().computeSets.size(), exchanges = b.program().exchanges.size();
    TW_TRY(lowering->lower(*this, id));
    b.flush();
    markRounding(id, sets);
    markFinished(id, sets, exchanges);
    return {};
}

Status LowerContext::lowerRegion(RegionId region)
{
    for (auto id : withLateCopies(graph.region(region).nodes)) TW_TRY(lowerNode(id));
    gatherPending();
    return {};
}

bool LowerContext::isRemote(Node const &node) const
{
    if (!graph::is(node, NodeKind::VariableRead, NodeKind::VariableAssign)) return false;
    auto const stored = variable(node.variable);
    return stored.valid() && b.var(stored).home != Home::Tiles;
}

std::vector<NodeId> LowerContext::withLateCopies(std::vector<NodeId> const &nodes) const
{
    std::map<ValueId, NodeId> loads;
    std::map<graph::VariableId, std::vector<NodeId>> loadsOf; // before a store
    std::map<ValueId, std::vector<NodeId>> stores;            // by value that a node here makes
    std::map<NodeId, std::vector<NodeId>> earlier;            // loads of a store's variable that come before it
    std::set<ValueId> made;
    std::set<NodeId> moved;
    for (auto id : nodes) {
        auto const &node = graph.node(id);
        if (isRemote(node) && graph::is(node, NodeKind::VariableRead)) {
            loads[node.outputs[0]] = id;
            loadsOf[node.variable].push_back(id);
            moved.insert(id);
            continue;
        }
        made.insert(node.outputs.begin(), node.outputs.end());
        if (!isRemote(node)) continue;
        earlier[id] = loadsOf[node.variable];
        if (!made.contains(node.inputs[0])) continue;
        stores[node.inputs[0]].push_back(id);
        moved.insert(id);
    }
    if (moved.empty()) return nodes;
    std::vector<NodeId> order;
    std::set<NodeId> used, done;
    for (auto id : nodes)
        for (auto input : graph::reads(graph, id))
            if (auto const load = loads.find(input); load != loads.end()) used.insert(load->second);
    auto const add = [&](auto &&self, NodeId id) -> void {
        if (!done.insert(id).second) return;
        for (auto input : graph::reads(graph, id))
            if (auto const load = loads.find(input); load != loads.end()) self(self, load->second);
        for (auto load : earlier[id])
            if (used.contains(load)) self(self, load);
        order.push_back(id);
        for (auto output : graph.node(id).outputs)
            for (auto store : stores[output]) self(self, store);
    };
    for (auto id : nodes)
        if (!moved.contains(id)) add(add, id);
    return order; // without loads that nothing here uses
}

Result<Lowered> lowerGraph(Graph const &graph, target::Machine const &machine, int ipusPerReplica, int replicas, Options const &options,
                           LoweringLookup const &ops, JobContext const &job)
{
    return lowerGraphs({{graph.name, &graph}}, machine, ipusPerReplica, replicas, options, ops, job);
}

Result<Lowered> lowerGraphs(std::vector<NamedGraph> const &entries, target::Machine const &machine, int ipusPerReplica, int replicas,
                            Options const &given, LoweringLookup const &ops, JobContext const &job)
{
    Lowered lowered;
    auto const io = ioTilesUse(entries, machine, ipusPerReplica, given);
    Options options = given;
    options.feedsOnIoTiles = io.placed;
    if (given.feedsOnIoTiles && !io.placed) options.ioTiles = 0; // released: nothing is there
    lowered.io = {options.ioTiles, io.bytes, io.room};
    ProgramBuilder builder(machine, ipusPerReplica, replicas, options);
    Graph const &first = *entries.front().graph;
    builder.program().name = first.name;
    std::deque<LowerContext> contexts;
    for (auto const &[name, graph, movesState] : entries) {
        bool const alone = entries.size() == 1, isFirst = contexts.empty();
        auto &ctx = contexts.emplace_back(*graph, builder, ops);
        for (int stage = 0; stage < graph->stages; ++stage) {
            auto const mapped =
                static_cast<std::size_t>(stage) < options.stageIpus.size() ? options.stageIpus[static_cast<std::size_t>(stage)] : stage;
            ctx.stageIpu[stage] = mapped % ipusPerReplica;
        }
        if (!isFirst) ctx.layerOps = contexts.front().layerOps;
        if (!alone) builder.beginBlock(StepKind::Sequence, name);
        addLayerOps(ctx);
        std::vector<VarId> variables;
        if (isFirst) lowered.productsApart = placeVariables(ctx, variables, {}, {});
        else placeVariables(ctx, variables, Shared{contexts.front(), lowered.variables.front(), movesState}, name + "/");
        lowered.variables.push_back(std::move(variables));
        job.report("Planning", 1.0);
        if (job.cancelled()) return cancelledError(first.name);
        TW_TRY(ctx.lowerRegion(RegionId(0)));
        builder.flush();
        if (alone) break;
        builder.endBlock();
        builder.program().entries.push_back(name);
    }
    lowered.constants = builder.constants();
    lowered.values.resize(first.values.size());
    for (std::size_t v = 0; v < first.values.size(); ++v)
        if (contexts.front().isBound(ValueId(v))) lowered.values[v] = contexts.front().var(ValueId(v));
    lowered.program = std::move(builder.program());
    WorkStage const stage("verifying the program");
    TW_TRY(program::verify(lowered.program));
    job.report("Graph construction", 1.0);
    return lowered;
}

} // namespace tilewright::lowering
