#include "engine/lowering/overlapped_loop.h"

#include "engine/graph/checkpoint.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/lowering/lower_graph.h"
#include "engine/lowering/walk.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;
using graph::NodeKind;

namespace {

/// Bytes of a round's feeds and outputs.
Bytes roundBytes(graph::Graph const &g, graph::Node const &loop)
{
    Bytes bytes = 0;
    auto const add = [&](graph::ValueId id) {
        auto const &value = g.value(id);
        bytes += elementCount(value.shape) * sizeOf(value.dtype);
    };
    for (auto id : g.region(loop.regions[0]).nodes) {
        auto const &node = g.node(id);
        if (graph::is(node, NodeKind::Infeed)) std::ranges::for_each(node.outputs, add);
        if (graph::is(node, NodeKind::Outfeed)) std::ranges::for_each(node.inputs, add);
    }
    return bytes;
}

class OverlapLowering {
public:
    OverlapLowering(LowerContext &ctx, graph::Node const &node)
        : m_ctx(ctx), b(ctx.b), m_node(node), m_name(node.name), m_count(graph::countOf(node))
    {
    }

    Status run()
    {
        int const op = b.op();
        m_body = b.beginDetached(StepKind::Sequence, m_name + "/Body");
        m_ctx.loopFeeds = &m_feeds;
        auto const lowered = m_ctx.lowerRegion(m_node.regions[0]);
        m_ctx.loopFeeds = nullptr;
        TW_TRY(lowered);
        b.endBlock();
        FeedBuffers buffers(b, m_name);
        std::vector<Transfer> loads, unloads;
        m_fill = buffers.streams(m_feeds.in, true, loads);
        m_drain = buffers.streams(m_feeds.out, false, unloads);
        b.setOp(op);
        m_load = buffers.exchange("/Load", loads);
        m_unload = buffers.exchange("/Unload", unloads);
        if (m_unload.valid()) {
            loads.insert(loads.end(), unloads.begin(), unloads.end());
            m_swap = buffers.exchange("/Swap", std::move(loads));
        }

        b.beginBlock(StepKind::Sequence, m_name);
        b.call(m_fill, m_name + "/Fill");
        round("/First", 1, true, false);
        if (m_count > 2) round("/Steady", m_count - 2, true, true);
        round("/Last", 1, false, true);
        if (m_drain.valid()) {
            b.call(m_unload, m_name + "/Unload");
            b.call(m_drain, m_name + "/Drain");
        }
        b.endBlock();
        return {};
    }

private:
    void round(char const *part, std::int64_t count, bool fills, bool drains)
    {
        b.beginBlock(count > 1 ? StepKind::Repeat : StepKind::Sequence, m_name + part, count);
        drains = drains && m_drain.valid();
        if (drains) b.call(m_swap, m_name + "/Swap");
        else b.call(m_load, m_name + "/Load");
        if (fills || drains) {
            b.beginBlock(StepKind::Parallel, m_name + part + "/Lanes");
            b.step(b.beginBlock(StepKind::Sequence, m_name + part + "/Compute")).lane = b.workTiles(0);
            b.call(m_body, m_name + "/Body");
            b.endBlock();
            b.step(b.beginBlock(StepKind::Sequence, m_name + part + "/Transfers")).lane = b.ioTiles(0);
            if (fills) b.call(m_fill, m_name + "/Fill");
            if (drains) b.call(m_drain, m_name + "/Drain");
            b.endBlock();
            b.endBlock();
        } else {
            b.call(m_body, m_name + "/Body");
        }
        b.endBlock();
    }

    LowerContext &m_ctx;
    ProgramBuilder &b;
    graph::Node const &m_node;
    std::string m_name;
    std::int64_t m_count;
    LoopFeeds m_feeds;
    StepId m_body, m_fill, m_load, m_swap, m_unload, m_drain;
};

} // namespace

StepId FeedBuffers::streams(std::vector<LoopFeeds::Feed> const &feeds, bool in, std::vector<Transfer> &moves)
{
    if (feeds.empty()) return {};
    StepId const body = b.beginDetached(StepKind::Sequence, m_name + (in ? "/Fill" : "/Drain"));
    for (auto const &feed : feeds) {
        b.setOp(feed.op);
        VarId const there = buffer(feed.var);
        b.stream(feed.name, there, in, feed.queueIndex);
        moves.push_back(in ? b.whole(there, feed.var) : b.whole(feed.var, there));
    }
    b.endBlock();
    return body;
}

StepId FeedBuffers::exchange(char const *part, std::vector<Transfer> moves)
{
    if (moves.empty()) return {};
    StepId const body = b.beginDetached(StepKind::Sequence, m_name + part);
    b.exchange(m_name + part, std::move(moves));
    b.endBlock();
    return body;
}

VarId FeedBuffers::buffer(VarId like)
{
    auto const source = b.var(like);
    auto const rc = graph::rowsCols(source.shape);
    auto const on = b.ioTiles(source.layout.on.ipu);
    auto &next = m_nextTile[on.ipu];
    Layout layout = linearLayout(rc.rows, rc.cols, source.dtype, on, 0);
    layout.first = next % on.count;
    next += static_cast<int>(layout.blocks());
    return b.addVar(source.name + "/io", source.role, source.dtype, source.shape, layout);
}

bool mayOverlap(graph::Graph const &g, graph::Node const &node, int ipusPerReplica)
{
    bool const pipeline = graph::is(node, NodeKind::Pipeline);
    bool const loop = graph::is(node, NodeKind::Repeat) && graph::repeatForm(node).isLoopOverVariables() && ipusPerReplica == 1;
    if (!(pipeline || loop) || graph::countOf(node) < 2) return false;
    // Copies from and to streaming memory take turns with feeds on the link of the IPU.
    if (std::ranges::any_of(g.variables, [](auto const &variable) { return variable.home != Home::Tiles; })) return false;
    if (node.attrs.integer(graph::kRemoteStash) > 0) return false;
    bool feeds = false, decides = false;
    for (auto id : g.region(node.regions[0]).nodes) feeds = feeds || graph::is(g.node(id), NodeKind::Infeed);
    if (feeds) forEachNode(g, node.regions[0], [&](NodeId id) { decides = decides || graph::dependsOnData(g.node(id)); });
    return feeds && !decides;
}

IoTilesUse ioTilesUse(std::vector<NamedGraph> const &entries, target::Machine const &machine, int ipusPerReplica, Options const &options)
{
    IoTilesUse use;
    if (options.ioTiles == 0 || !options.feedsOnIoTiles) return use;
    for (auto const &entry : entries) {
        auto const &g = *entry.graph;
        forEachNode(g, graph::RegionId(0), [&](NodeId id) {
            if (mayOverlap(g, g.node(id), ipusPerReplica)) use.bytes = std::max(use.bytes, roundBytes(g, g.node(id)));
        });
    }
    if (use.bytes == 0) return use;
    use.room = static_cast<Bytes>(options.ioMemoryProportion * static_cast<double>(options.ioTiles * machine.chip.bytesPerTile));
    use.placed = use.bytes < use.room;
    return use;
}

bool isIoExchange(Program const &program, Step const &step)
{
    if (step.kind != StepKind::Exchange || program.ioTilesPerIpu == 0) return false;
    auto const onIoTiles = [&](VarId id) {
        auto const &on = program.var(id).layout.on;
        return on.begin >= (on.ipu + 1) * program.tilesPerIpu - program.ioTilesPerIpu;
    };
    return std::ranges::any_of(program.exchanges[step.exchange.index].transfers,
                               [&](Transfer const &t) { return onIoTiles(t.src) != onIoTiles(t.dst); });
}

Status lowerOverlappedLoop(LowerContext &ctx, NodeId id) { return OverlapLowering(ctx, ctx.graph.node(id)).run(); }

} // namespace tilewright::lowering
