// Operations on state and streams: variables, constants, feeds, counters, accumulators.
#include "engine/graph/node_kind.h"
#include "engine/graph/written.h"
#include "engine/lowering/overlapped_loop.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include "engine/core/text.h"

#include <algorithm>
#include <optional>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> inferSame(Node const &, std::span<Value const *const> inputs)
{
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

/// Whether all users of a value overwrite it.
bool isOnlyFilled(Graph const &graph, ValueId value)
{
    bool filled = true;
    for (auto const &region : graph.regions)
        for (auto id : region.nodes)
            if (std::ranges::find(graph.node(id).inputs, value) != graph.node(id).inputs.end())
                filled = filled && graph.node(id).op == "fill_like";
    return filled;
}

/// Whether updates of weights alone read the value.
bool isOnlyUpdated(Graph const &graph, ValueId value)
{
    bool updated = true;
    for (auto const &region : graph.regions)
        for (auto id : region.nodes) {
            auto const &node = graph.node(id);
            if (std::ranges::find(node.inputs, value) == node.inputs.end()) continue;
            auto const *op = findOp(node.op);
            updated = updated && op && op->lowering.updatesWeights && node.inputs[0] == value;
        }
    return updated;
}

Status lowerRead(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const home = ctx.variable(node.variable);
    if (ctx.b.var(home).home == Home::Tiles) {
        ctx.bind(node.outputs[0], home);
        return {};
    }
    auto const remote = ctx.b.var(home); // a copy: addVar moves the variables
    bool const shard = remote.home == Home::Shards;
    auto const layout = shard ? shardLayout(remote.layout, ctx.b.program().replicas) : remote.layout;
    VarId const onTiles = ctx.b.addVar(remote.name + (shard ? "/shard" : "/on_tiles"), remote.role, remote.dtype,
                                       shard ? Shape{layout.indexElements()} : remote.shape, layout);
    ctx.b.var(onTiles).interleaved = remote.interleaved;
    if (!isOnlyFilled(ctx.graph, node.outputs[0])) ctx.b.remoteCopy(remote.name + "/Load", onTiles, home, true);
    if (!shard || ctx.graph.variable(node.variable).role != Role::Weight || isOnlyUpdated(ctx.graph, node.outputs[0])) {
        ctx.bind(node.outputs[0], onTiles);
        return {};
    }
    // The other shards are those of the other replicas.
    VarId const whole = ctx.b.addVar(remote.name + "/on_tiles", remote.role, remote.dtype, remote.shape, remote.layout);
    ctx.b.var(whole).interleaved = remote.interleaved;
    ctx.b.execute(remote.name + "/PutShard",
                  {ctx.b.family("PutShard", {{whole, Access::Write}, {onTiles, Access::Read}}, {double{kShardShift}})});
    gatherShards(ctx, whole, remote.name);
    ctx.bind(node.outputs[0], whole);
    return {};
}

Status lowerAssign(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const from = ctx.var(node.inputs[0]);
    VarId const to = ctx.variable(node.variable);
    if (from == to) return {};
    if (ctx.b.var(to).home != Home::Tiles) {
        ctx.b.remoteCopy(ctx.b.var(to).name + "/Store", from, to, false);
        return {};
    }
    if (ctx.b.var(from).layout == ctx.b.var(to).layout) {
        ctx.b.execute(node.name + "/Copy", {ctx.b.family("Copy", {{to, Access::Write}, {from, Access::Read}})});
    } else {
        ctx.b.transfer(ctx.b.whole(from, to), node.name + "/Copy");
        ctx.b.flush();
    }
    return {};
}

Status lowerConstant(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto values = node.attrs.reals("values");
    if (values.empty()) values = {node.attrs.real("value")};
    ctx.bind(node.outputs[0],
             ctx.b.addConstant(out.name, out.dtype, out.shape, std::move(values), ctx.ipu(node.stage), node.attrs.text(graph::kWritten)));
    return {};
}

Status lowerFill(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const target = ctx.var(node.inputs[0]);
    ctx.b.execute(node.name + "/Fill", {ctx.b.family("Fill", {{target, Access::Write}}, {node.attrs.real("value")})});
    ctx.bind(node.outputs[0], target);
    return {};
}

Status lowerIncrement(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const counter = ctx.var(node.inputs[0]);
    ctx.b.execute(node.name + "/Increment",
                  {ctx.b.family("Increment", {{counter, Access::Update}}, {static_cast<double>(node.attrs.integer("by"))})});
    ctx.bind(node.outputs[0], counter);
    return {};
}

std::int64_t accumulateFlops(Graph const &graph, Node const &node) { return 2 * elementCount(graph.value(node.inputs[0]).shape); }

Status lowerAccumulate(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const acc = ctx.var(node.inputs[0]);
    auto const layout = ctx.b.var(acc).layout;
    VarId const g = ctx.b.gather(ctx.var(node.inputs[1]), layout, node.name + "/gradient");
    if (node.op == "accumulate_running") {
        VarId const k = ctx.b.gather(ctx.var(node.inputs[2]), ctx.b.broadcastLayout(Broadcast::Scalar, layout), node.name + "/count");
        ctx.b.execute(node.name + "/AccumulateRunning",
                      {ctx.b.family("AccumulateRunning", {{acc, Access::Update}, {g, Access::Read}, {k, Access::Read}})});
    } else {
        ctx.b.execute(node.name + "/Accumulate",
                      {ctx.b.family("Map", {{acc, Access::Update}, {acc, Access::Read}, {g, Access::Read}}, {},
                                    "2: axpby(1," + numberText(node.attrs.real("scale")) + ") a0 a1")});
    }
    ctx.bind(node.outputs[0], acc);
    return {};
}

/// The variable on tiles that a feed is stored into, if that is the only use of both: the feed then needs no storage of its own. Invalid:
/// there is none.
VarId onlyAssigned(lowering::LowerContext &ctx, ValueId feed)
{
    std::optional<VariableId> to;
    auto const forEachNode = [&](auto const &visit) {
        for (auto const &region : ctx.graph.regions)
            for (auto id : region.nodes) visit(ctx.graph.node(id));
    };
    int uses = 0;
    forEachNode([&](Node const &node) {
        auto const reads = std::ranges::count(node.inputs, feed);
        uses += static_cast<int>(reads);
        if (reads > 0 && is(node, NodeKind::VariableAssign)) to = node.variable;
    });
    if (!to || uses != 1) return {};
    int others = 0;
    forEachNode([&](Node const &node) { others += node.variable == *to; });
    auto const stored = ctx.variable(*to);
    return others == 1 && ctx.b.var(stored).home == Home::Tiles ? stored : VarId();
}

Status lowerInfeed(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        auto const &value = ctx.graph.value(node.outputs[i]);
        if (VarId const direct = ctx.loopFeeds ? VarId() : onlyAssigned(ctx, node.outputs[i]); direct.valid()) {
            ctx.bind(node.outputs[i], direct);
            ctx.b.stream(node.name + "/" + value.name, direct, true, static_cast<int>(i));
            continue;
        }
        // A Flatten after the feed is a view, so spread the rows like those of the flattened tensor.
        auto shape = value.shape;
        std::int64_t const rows = shape.empty() ? 1 : shape[0];
        std::int64_t const cols = elementCount(shape) / std::max<std::int64_t>(1, rows);
        auto const wanted = ctx.feedLayouts.find(node.outputs[i].index);
        VarId const var =
            ctx.b.addVar(value.name, "input", value.dtype, shape,
                         wanted != ctx.feedLayouts.end() ? wanted->second
                                                         : ctx.b.linear(shape.size() < 2 ? 1 : rows, shape.size() < 2 ? rows * cols : cols,
                                                                        value.dtype, ctx.ipu(node.stage)));
        ctx.bind(node.outputs[i], var);
        auto const name = node.name + "/" + value.name;
        if (ctx.loopFeeds) ctx.loopFeeds->in.push_back({name, var, static_cast<int>(i), ctx.b.op()});
        else ctx.b.stream(name, var, true, static_cast<int>(i));
    }
    return {};
}

Status lowerOutfeed(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    std::vector<VertexFamily> copies;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        auto const name = node.name + "/" + ctx.graph.value(node.inputs[i]).name;
        VarId var = ctx.var(node.inputs[i]);
        if (!ctx.loopFeeds) {
            ctx.b.stream(name, var, false, static_cast<int>(i));
            continue;
        }
        // The output leaves after the round: until then a later node may change a variable, and the next feeds arrive meanwhile.
        bool const isFeed = std::ranges::find(ctx.loopFeeds->in, var, &lowering::LoopFeeds::Feed::var) != ctx.loopFeeds->in.end();
        if (ctx.isVariable(var) || isFeed) {
            auto const source = ctx.b.var(var);
            VarId const kept = ctx.b.addVar(name + "/kept", source.role, source.dtype, source.shape, source.layout);
            copies.push_back(ctx.b.family("Copy", {{kept, Access::Write}, {var, Access::Read}}));
            var = kept;
        }
        ctx.loopFeeds->out.push_back({name, var, static_cast<int>(i), ctx.b.op()});
    }
    if (!copies.empty()) ctx.b.execute(node.name + "/Copy", std::move(copies));
    return {};
}

OpDef simple(char const *name, OpSpec spec, std::function<Status(lowering::LowerContext &, NodeId)> lower, char const *help)
{
    OpDef def;
    def.name = name;
    def.spec = std::move(spec);
    def.lowering.lower = std::move(lower);
    def.help = help;
    return def;
}

} // namespace

void addState(std::vector<OpDef> &all)
{
    auto const queue = optionalAttr("queue", AttrType::Text, "name of the queue on the host");
    all.push_back(simple("variable.read", {.operands = 0}, lowerRead, "value of a variable"));
    all.push_back(simple("variable.assign", {.operands = 1, .hasEffect = true}, lowerAssign, "stores into a variable"));
    all.push_back(
        simple("constant",
               {.operands = 0,
                .attributes = {optionalAttr(graph::kWritten, AttrType::Text, "name of a value that the host writes (graph/written.h)"),
                               optionalAttr("value", AttrType::Real, "of all elements, where there are no values"),
                               optionalAttr("values", AttrType::Reals, "of each element, row-major")}},
               lowerConstant, "a fixed tensor"));
    auto const update = [](int operands, std::vector<AttrSpec> attributes) {
        return OpSpec{
            .infer = inferSame, .operands = operands, .attributes = std::move(attributes), .inPlaceCandidates = {{0, 0}}, .updates = true};
    };
    all.push_back(simple("fill_like", update(1, {{"value", AttrType::Real, "of all elements"}}), lowerFill, "overwrites with one value"));
    all.push_back(simple("increment", update(1, {{"by", AttrType::Integer, "number to add"}}), lowerIncrement, "adds to a counter"));
    auto sum = update(2, {{"scale", AttrType::Real, "factor of the gradient"}});
    sum.flops = accumulateFlops;
    all.push_back(simple("accumulate", sum, lowerAccumulate, "adds a gradient to its accumulator"));
    auto mean = update(3, {});
    mean.flops = accumulateFlops;
    all.push_back(simple("accumulate_running", mean, lowerAccumulate, "running mean of gradients"));
    all.push_back(simple("infeed", {.operands = 0, .attributes = {queue}, .hasEffect = true, .isRandom = true}, lowerInfeed,
                         "next element of the infeed queue"));
    all.push_back(simple("outfeed", {.attributes = {queue}, .hasEffect = true}, lowerOutfeed, "appends to the outfeed queue"));
}

} // namespace tilewright::ops
