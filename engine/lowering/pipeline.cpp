#include "engine/lowering/pipeline.h"

#include "engine/core/pipeline_schedule.h"
#include "engine/graph/checkpoint.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/lowering/overlapped_loop.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;
using graph::NodeKind;
using graph::ValueId;

namespace {

/// Part of a micro-batch in one stage.
struct StageTask {
    std::vector<NodeId> nodes;
    StepId body;
};

class PipelineLowering {
public:
    PipelineLowering(LowerContext &ctx, graph::Node const &node)
        : m_ctx(ctx), m_node(node), m_stages(static_cast<int>(node.attrs.integer("stages"))), m_count(graph::countOf(node)),
          m_interleaved(node.attrs.flag(graph::kInterleaved))
    {
        for (auto &tasks : m_tasks) tasks.resize(static_cast<std::size_t>(m_stages));
    }

    Status run()
    {
        TW_TRY(checkForks());
        classify();
        TW_TRY(checkDepth());
        TW_TRY(checkCopies());
        findStashed();
        m_stash.resize(static_cast<std::size_t>(m_slots.interval()));
        m_copies.resize(m_stash.size());
        m_handed.resize(m_stash.size());
        m_plain.resize(m_stash.size());
        m_remote.resize(m_stash.size());
        m_onIoTiles = m_ctx.b.options().feedsOnIoTiles && mayOverlap(m_ctx.graph, m_node, m_ctx.b.program().ipus);
        m_ctx.loopFeeds = m_onIoTiles ? &m_feeds : nullptr;
        auto const lowered = lowerTasks();
        m_ctx.loopFeeds = nullptr;
        TW_TRY(lowered);
        lowerSlotEnds();
        if (m_onIoTiles) lowerFeeds();
        emitSlots();
        return {};
    }

private:
    Status lowerTasks()
    {
        for (int s = 0; s < m_stages; ++s) TW_TRY(lowerTask(s, StagePass::Forward));
        if (!m_slots.training) return {};
        for (int s = m_stages; s-- > 0;)
            for (auto part : {StagePass::Recompute, StagePass::Backward})
                if (part == StagePass::Backward || !task(s, part).nodes.empty()) TW_TRY(lowerTask(s, part));
        return {};
    }

    StagePass partOf(graph::Node const &node) const
    {
        if (node.pass == graph::Pass::Backward || node.pass == graph::Pass::Update) return StagePass::Backward;
        if (node.pass == graph::Pass::Recompute && m_interleaved) return StagePass::Backward;
        return node.pass == graph::Pass::Recompute ? StagePass::Recompute : StagePass::Forward;
    }
    StageTask &task(int stage, StagePass part) { return m_tasks[static_cast<std::size_t>(part)][static_cast<std::size_t>(stage)]; }
    /// Ends of slots in which this part of a stage may have run: that many intervals apart.
    std::size_t endOf(int stage, StagePass part) const
    {
        return static_cast<std::size_t>(m_slots.positionOf(stage, goesBack(part)) % m_slots.interval());
    }

    /// What a micro-batch keeps for its backward pass is found among the nodes of the region itself.
    Status checkForks() const
    {
        auto const visit = [&](auto &&self, graph::RegionId region, NodeId fork) -> Status {
            for (auto id : m_ctx.graph.region(region).nodes) {
                auto const &node = m_ctx.graph.node(id);
                if (fork.valid() && node.variable.valid())
                    return makeError(ErrorKind::Invalid, "lowering.condition", m_ctx.graph.node(fork).name,
                                     Message::of("variables inside a branch or a loop of a pipeline are not available yet."),
                                     Message::of("Read and assign them around it."));
                for (auto sub : node.regions) TW_TRY(self(self, sub, graph::dependsOnData(node) ? id : fork));
            }
            return {};
        };
        return visit(visit, m_node.regions[0], {});
    }

    Status checkDepth() const
    {
        if (m_slots.accepts(m_count)) return {};
        std::int64_t const multiple = m_slots.multiple();
        return makeError(
            ErrorKind::Invalid, "training.accumulation", "gradient accumulation steps",
            Message::of("%1 micro-batches do not fill a pipeline of %2 stages under the %3 schedule: the count must be a multiple of %4.",
                        m_count, m_stages, std::string(toText(m_slots.schedule)), multiple),
            Message::of("Set training.gradient_accumulation_steps to %1.", std::to_string(roundUp(std::max(m_count, multiple), multiple))));
    }

    /// What a stage's forward made and an earlier stage's way back reads would have to wait on the way: no layer makes such values.
    Status checkCopies() const
    {
        for (auto id : m_ctx.graph.region(m_node.regions[0]).nodes) {
            auto const &node = m_ctx.graph.node(id);
            if (!graph::is(node, NodeKind::IpuCopy) || !goesBack(partOf(node))) continue;
            auto const made = m_onTheWayBack.find(source(node.inputs[0]).index);
            if (made != m_onTheWayBack.end() && !made->second)
                return makeError(ErrorKind::Internal, "lowering.pipeline", node.name,
                                 Message::of("a result of a stage's forward pass is wanted by the backward pass of one before it."));
        }
        return {};
    }

    void classify()
    {
        m_slots = {pipelineScheduleOf(m_node.attrs.text("schedule")).value_or(PipelineSchedule::Grouped), m_stages, false};
        for (auto id : m_ctx.graph.region(m_node.regions[0]).nodes) {
            auto const &node = m_ctx.graph.node(id);
            auto const part = partOf(node);
            m_slots.training = m_slots.training || goesBack(part);
            // A copy belongs to the task whose result it carries; it runs at the end of the slot.
            int const stage = graph::is(node, NodeKind::IpuCopy) ? static_cast<int>(node.attrs.integer("from")) : node.stage;
            task(stage, part).nodes.push_back(id);
            for (auto output : node.outputs) m_onTheWayBack[output.index] = goesBack(part);
            if (graph::is(node, NodeKind::VariableAssign)) m_assigned.insert(node.variable.index);
        }
    }

    /// Storage behind a value, through views; invalid when it is a variable that no micro-batch changes.
    ValueId source(ValueId value) const
    {
        for (;;) {
            auto const &producer = m_ctx.graph.node(m_ctx.graph.value(value).producer);
            if (graph::is(producer, NodeKind::Constant)) return {};
            if (graph::is(producer, NodeKind::VariableRead)) return m_assigned.contains(producer.variable.index) ? value : ValueId();
            if (!graph::is(producer, NodeKind::Reshape)) return value;
            value = producer.inputs[0];
        }
    }

    /// Values that a stage's forward makes (or receives) and its way back needs.
    void findStashed()
    {
        for (int s = 0; s < m_stages; ++s)
            for (auto part : {StagePass::Recompute, StagePass::Backward})
                for (auto id : task(s, part).nodes)
                    for (auto input : graph::reads(m_ctx.graph, id)) {
                        auto const value = source(input);
                        if (!value.valid()) continue;
                        // (A counter that the way back itself updates is read there, where it is used.)
                        auto const made = m_onTheWayBack.find(value.index);
                        if (made != m_onTheWayBack.end() && !made->second) m_stashed[s].insert(value.index);
                    }
    }

    Status lowerTask(int stage, StagePass part)
    {
        auto &task = this->task(stage, part);
        std::map<std::uint32_t, VarId> saved;
        if (goesBack(part))
            for (auto id : task.nodes)
                for (auto input : graph::reads(m_ctx.graph, id)) rebind(stage, input, saved);
        std::string const name = std::string(toText(part)) + "/stage" + std::to_string(stage);
        task.body = m_ctx.b.beginDetached(StepKind::Sequence, name);
        for (auto id : m_ctx.withLateCopies(task.nodes)) {
            auto const &node = m_ctx.graph.node(id);
            if (graph::is(node, NodeKind::IpuCopy)) {
                m_ctx.b.flush();
                lowerCopy(node, endOf(stage, part));
                continue;
            }
            // Views were bound to the fresh value; the way back sees what comes out of the stash.
            TW_TRY(m_ctx.lowerNode(id));
            if (!goesBack(part)) keepCounters(stage, node);
        }
        m_ctx.b.endBlock();
        for (auto const &[value, var] : saved) m_ctx.bind(ValueId(value), var);
        return {};
    }

    /// A counter that this micro-batch will change: its value as read is kept apart for the way back. Whoever reads it on the way
    /// forward, and updates it in place, has the variable itself.
    void keepCounters(int stage, graph::Node const &node)
    {
        if (!graph::is(node, NodeKind::VariableRead) || !m_stashed[stage].contains(node.outputs[0].index)) return;
        VarId const from = m_ctx.var(node.outputs[0]);
        auto const source = m_ctx.b.var(from);
        VarId const copy = m_ctx.b.addVar(source.name + "/read", "temporary", source.dtype, source.shape, source.layout);
        m_ctx.b.execute(node.name + "/Copy", {m_ctx.b.family("Copy", {{copy, Access::Write}, {from, Access::Read}})});
        m_kept[node.outputs[0].index] = copy;
    }

    void lowerCopy(graph::Node const &node, std::size_t slotEnd)
    {
        VarId const from = m_ctx.var(node.inputs[0]);
        auto const source = m_ctx.b.var(from);
        Layout const layout = m_ctx.b.movedTo(source.layout, m_ctx.ipu(static_cast<int>(node.attrs.integer("to"))));
        auto const &value = m_ctx.graph.value(node.outputs[0]);
        VarId const to = m_ctx.b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, layout);
        VarId const sent = passedOn(from, slotEnd);
        // A stage on the same IPU takes it from its own tiles, when the slot is over: until then what it had is in use.
        if (layout == source.layout) m_handed[slotEnd].push_back(m_ctx.b.family("Copy", {{to, Access::Write}, {sent, Access::Read}}));
        else m_copies[slotEnd].push_back(m_ctx.b.whole(sent, to));
        m_received[to] = slotEnd;
        m_ctx.bind(node.outputs[0], to);
    }

    /// What a stage passes on in the same exchange in which the next one arrives waits in a register, so that each slot moves
    /// it by one stage.
    VarId passedOn(VarId from, std::size_t slotEnd)
    {
        auto const arrives = m_received.find(from);
        if (arrives == m_received.end() || arrives->second != slotEnd) return from;
        auto const source = m_ctx.b.var(from);
        VarId const held = m_ctx.b.addVar(source.name + "/held", source.role, source.dtype, source.shape, source.layout);
        m_stash[slotEnd].push_back(m_ctx.b.family("Copy", {{held, Access::Write}, {from, Access::Read}}));
        return held;
    }

    void rebind(int stage, ValueId input, std::map<std::uint32_t, VarId> &saved)
    {
        auto const value = source(input);
        if (!value.valid() || !m_stashed[stage].contains(value.index)) return;
        // Read by an earlier node of this task: then it is bound to its stash already.
        auto const before = saved.find(value.index);
        VarId const bound = before != saved.end() ? before->second : m_ctx.var(value);
        auto const kept = m_kept.find(value.index);
        VarId const out = stashOf(stage, value, kept != m_kept.end() ? kept->second : bound);
        if (out == bound) return;
        // The value itself and every view of it that the backward reads.
        for (ValueId v : {value, input}) {
            if (!m_ctx.isBound(v) || saved.contains(v.index)) continue;
            saved[v.index] = m_ctx.var(v);
            m_ctx.bind(v, out);
        }
    }

    VarId stashOf(int stage, ValueId value, VarId fresh)
    {
        if (auto const it = m_out.find(fresh.index); it != m_out.end()) return it->second;
        int const depth = m_slots.stashDepth(stage);
        auto source = m_ctx.b.var(fresh);
        std::size_t const slotEnd = endOf(stage, StagePass::Forward);
        auto &stash = m_stash[slotEnd];
        // What was received, the next micro-batch's copy overwrites: a slot before its forward.
        auto const &producer = m_ctx.graph.node(m_ctx.graph.value(value).producer);
        bool const received = graph::is(producer, NodeKind::IpuCopy) || (m_onIoTiles && graph::is(producer, NodeKind::Infeed));
        bool const overwritten = received && m_slots.slotOf(stage, true, 0) >= m_slots.slotOf(stage, false, 1);
        VarId out = fresh, kept = fresh;
        if (depth > 0 && source.layout.rank == kMaxDims) {
            // No dimension is left for the slots: what goes into the ring is first brought into a plain order.
            auto const [rows, cols] = graph::rowsCols(source.shape);
            source.layout = m_ctx.b.linear(rows, cols, source.dtype, m_ctx.ipu(stage));
            kept = m_ctx.b.addVar(source.name + "/plain", "activation", source.dtype, source.shape, source.layout);
            m_plain[slotEnd].emplace_back(fresh, kept);
        }
        if (depth > 0 || overwritten) {
            out = m_ctx.b.addVar(source.name + "/stash", "activation", source.dtype, source.shape, source.layout);
            if (depth == 0) {
                stash.push_back(m_ctx.b.family("Copy", {{out, Access::Write}, {fresh, Access::Read}}));
            } else if (isOffloaded(source)) {
                Layout ring = source.layout;
                ring.addOuter(cut(depth, depth, 0, DimKind::Slot));
                VarId const slots = m_ctx.b.addVar(source.name + "/ring", "activation", source.dtype, source.shape, ring);
                m_ctx.b.var(slots).home = Home::Streaming;
                m_ctx.b.var(slots).alwaysLive = true; // no bytes on the tiles
                m_remote[slotEnd].push_back({out, slots, kept, remoteCounter(stage, slotEnd)});
            } else {
                Layout ring = source.layout;
                ring.addOuter(cut(depth, depth, 0, DimKind::Slot));
                VarId const slots = m_ctx.b.addVar(source.name + "/ring", "activation", source.dtype, source.shape, ring);
                Layout const one = besideBlocks(source.layout, 1);
                VarId const counter = m_ctx.b.addVar(source.name + "/ring/counter", "other", DType::I32, {one.rows(), one.cols()}, one);
                m_counters.push_back(m_ctx.b.family("Fill", {{counter, Access::Write}}, {0.0}));
                stash.push_back(m_ctx.b.family(
                    "Fifo", {{out, Access::Write}, {slots, Access::Update}, {counter, Access::Update}, {kept, Access::Read}}));
            }
        }
        m_out[fresh.index] = out;
        return out;
    }

    bool isOffloaded(Variable const &source) const
    {
        auto const least = m_node.attrs.integer(graph::kRemoteStash);
        return least > 0 && elementCount(source.shape) * sizeOf(source.dtype) >= least;
    }

    /// The counter of a stage's rings in streaming memory: all have the same number of slots and advance together.
    VarId remoteCounter(int stage, std::size_t slotEnd)
    {
        auto const known = m_remoteCounters.find(stage);
        if (known != m_remoteCounters.end()) return known->second.var;
        Layout const one = m_ctx.b.oneTile(1, 1, m_ctx.ipu(stage));
        VarId const counter = m_ctx.b.addVar("stage" + std::to_string(stage) + "/ring/counter", "other", DType::I32, {1, 1}, one);
        m_counters.push_back(m_ctx.b.family("Fill", {{counter, Access::Write}}, {0.0}));
        m_remoteCounters[stage] = {counter, slotEnd};
        return counter;
    }

    /// Of each ring in streaming memory the oldest tensor comes back, and the new one takes its slot.
    void lowerRemote(std::size_t slotEnd, std::string const &number)
    {
        for (auto const &ring : m_remote[slotEnd]) {
            auto const name = m_ctx.b.var(ring.slots).name;
            m_ctx.b.remoteCopy(name + "/Load", ring.out, ring.slots, true, ring.counter);
            m_ctx.b.remoteCopy(name + "/Store", ring.kept, ring.slots, false, ring.counter);
        }
        std::vector<VertexFamily> counts;
        for (auto const &[stage, counter] : m_remoteCounters)
            if (counter.slotEnd == slotEnd) counts.push_back(m_ctx.b.family("Increment", {{counter.var, Access::Update}}, {1.0}));
        if (!counts.empty()) m_ctx.b.execute(m_node.name + "/RemoteSlots" + number, std::move(counts));
    }

    /// What slots end with, by their place in an interval: stashes move on, then tensors go to the next stage.
    void lowerSlotEnds()
    {
        Op op;
        op.name = m_node.name + "/SlotEnd";
        op.kind = "pipeline_slot_end";
        op.level = "graph";
        op.parent = m_ctx.layerOps.at("");
        m_ctx.b.setOp(m_ctx.b.addOp(std::move(op)));
        for (std::size_t i = 0; i < m_stash.size(); ++i) {
            std::string const number = m_stash.size() > 1 ? "/" + std::to_string(i) : "";
            m_slotEnds.push_back(m_ctx.b.beginDetached(StepKind::Sequence, m_node.name + "/SlotEnd" + number));
            for (auto const &[from, to] : m_plain[i]) m_ctx.b.transfer(m_ctx.b.whole(from, to), m_node.name + "/ToStash" + number);
            lowerRemote(i, number);
            if (!m_stash[i].empty()) m_ctx.b.execute(m_node.name + "/Stash" + number, std::move(m_stash[i]));
            // All at once: what travels on was put into its register above.
            if (!m_handed[i].empty()) m_ctx.b.execute(m_node.name + "/HandOver" + number, std::move(m_handed[i]));
            exchangeCopies(std::move(m_copies[i]), m_node.name + "/InterIpuCopy" + number);
            m_ctx.b.endBlock();
        }
    }

    /// All pairs of IPUs copy at the same time. Between two IPUs tensors go together up to the limit of the options.
    void exchangeCopies(std::vector<Transfer> copies, std::string const &name)
    {
        std::map<std::pair<int, int>, GroupsUpTo> between;
        std::vector<std::vector<Transfer>> rounds;
        for (auto &copy : copies) {
            auto const &from = m_ctx.b.var(copy.src), &to = m_ctx.b.var(copy.dst);
            auto &groups = between.try_emplace({from.layout.on.ipu, to.layout.on.ipu}, m_ctx.b.options().ipuCopyBytes).first->second;
            auto const round = groups.add(elementCount(from.shape) * sizeOf(from.dtype));
            rounds.resize(std::max(rounds.size(), round + 1));
            rounds[round].push_back(std::move(copy));
        }
        for (std::size_t round = 0; round < rounds.size(); ++round)
            m_ctx.b.exchange(rounds.size() == 1 ? name : name + "/" + std::to_string(round), std::move(rounds[round]), {}, true);
    }

    void emitTask(int stage, StagePass part, std::int64_t microBatch)
    {
        auto const &body = task(stage, part).body;
        if (!body.valid()) return;
        StepId const id = m_ctx.b.beginBlock(StepKind::Sequence, m_ctx.b.step(body).name);
        auto &step = m_ctx.b.step(id);
        step.stage = stage;
        step.ipu = m_ctx.ipu(stage);
        step.microBatch = static_cast<int>(microBatch);
        step.pass = toText(part);
        m_ctx.b.call(body, m_ctx.b.step(body).name);
        m_ctx.b.endBlock();
    }

    /// The micro-batch of this run that is at a stage in a slot.
    std::optional<std::int64_t> microBatchAt(int stage, bool backward, std::int64_t slot) const
    {
        auto const number = m_slots.microBatchAt(m_slots.positionOf(stage, backward), slot);
        return number && *number >= 0 && *number < m_count ? number : std::nullopt;
    }

    /// What the IO tiles do in a slot and at its end: they receive the feeds of the micro-batch that begins in the next slot, and send the
    /// outputs of the one that ended in the slot before.
    struct SlotFeeds {
        bool fills = false, drains = false, unloads = false;
        bool operator==(SlotFeeds const &) const = default;
    };
    SlotFeeds feedsOf(std::int64_t slot) const
    {
        SlotFeeds feeds;
        if (!m_onIoTiles) return feeds;
        feeds.fills = microBatchAt(0, false, slot + 1).has_value();
        if (!m_drain.valid()) return feeds;
        feeds.unloads = microBatchAt(m_stages - 1, false, slot).has_value();
        feeds.drains = slot > 0 && microBatchAt(m_stages - 1, false, slot - 1).has_value();
        return feeds;
    }
    std::vector<SlotFeeds> feedsOfInterval(std::int64_t first) const
    {
        std::vector<SlotFeeds> all;
        for (int i = 0; i < m_slots.interval(); ++i) all.push_back(feedsOf(first + i));
        return all;
    }

    void lowerFeeds()
    {
        FeedBuffers buffers(m_ctx.b, m_node.name);
        int const op = m_ctx.b.op();
        std::vector<Transfer> loads, unloads;
        m_fill = buffers.streams(m_feeds.in, true, loads);
        m_drain = buffers.streams(m_feeds.out, false, unloads);
        m_ctx.b.setOp(op);
        m_load = buffers.exchange("/Load", std::move(loads));
        m_unload = buffers.exchange("/Unload", std::move(unloads));
    }

    /// The lanes of the IO tiles in a slot: of the first and of the last stage's IPU.
    void emitLanes(SlotFeeds const &feeds)
    {
        auto &b = m_ctx.b;
        int const first = m_ctx.ipu(0), last = m_ctx.ipu(m_stages - 1);
        auto const lane = [&](int ipu, bool fills, bool drains) {
            if (!fills && !drains) return;
            b.step(b.beginBlock(StepKind::Sequence, m_node.name + "/Transfers")).lane = b.ioTiles(ipu);
            if (fills) b.call(m_fill, b.step(m_fill).name);
            if (drains) b.call(m_drain, b.step(m_drain).name);
            b.endBlock();
        };
        lane(first, feeds.fills, feeds.drains && first == last);
        if (first != last) lane(last, false, feeds.drains);
    }

    void emitSlot(std::int64_t slot)
    {
        auto const feeds = feedsOf(slot);
        StepId const id = m_ctx.b.beginBlock(StepKind::Parallel, "slot " + std::to_string(slot));
        m_ctx.b.step(id).slot = static_cast<int>(slot);
        // Backward first: it frees what the forward of a later micro-batch writes again.
        if (m_slots.training)
            for (int s = m_stages; s-- > 0;)
                if (auto const micro = microBatchAt(s, true, slot)) {
                    emitTask(s, StagePass::Recompute, *micro);
                    emitTask(s, StagePass::Backward, *micro);
                }
        for (int s = 0; s < m_stages; ++s)
            if (auto const micro = microBatchAt(s, false, slot)) emitTask(s, StagePass::Forward, *micro);
        emitLanes(feeds);
        m_ctx.b.endBlock();
        if (feeds.unloads) m_ctx.b.call(m_unload, m_ctx.b.step(m_unload).name);
        auto const &end = m_slotEnds[static_cast<std::size_t>(slot % m_slots.interval())];
        if (!m_ctx.b.step(end).children.empty()) m_ctx.b.call(end, m_ctx.b.step(end).name);
        if (feeds.fills) m_ctx.b.call(m_load, m_ctx.b.step(m_load).name);
    }

    void emitSlots()
    {
        m_ctx.b.beginBlock(StepKind::Sequence, m_node.name);
        if (!m_counters.empty()) m_ctx.b.execute(m_node.name + "/ZeroCounters", std::move(m_counters));
        std::int64_t const ramp = m_slots.rampSlots(), steady = m_slots.steadyIntervals(m_count), all = m_slots.slotCount(m_count);
        auto const slots = [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t t = from; t < to; ++t) emitSlot(t);
            m_ctx.b.endBlock();
        };
        if (m_onIoTiles) { // the first micro-batch's feeds come before its slot
            m_ctx.b.call(m_fill, m_ctx.b.step(m_fill).name);
            m_ctx.b.call(m_load, m_ctx.b.step(m_load).name);
        }
        if (ramp > 0) {
            m_ctx.b.beginBlock(StepKind::Sequence, m_node.name + "/RampUp");
            slots(0, ramp);
        }
        // One loop, except where the first or the last round transfers less.
        for (std::int64_t round = 0; round < steady;) {
            std::int64_t const first = ramp + round * m_slots.interval();
            std::int64_t count = 1;
            while (round + count < steady && feedsOfInterval(first + count * m_slots.interval()) == feedsOfInterval(first)) ++count;
            m_ctx.b.beginBlock(StepKind::Repeat, m_node.name + "/Steady", count);
            slots(first, first + m_slots.interval());
            round += count;
        }
        if (ramp > 0) {
            m_ctx.b.beginBlock(StepKind::Sequence, m_node.name + "/RampDown");
            slots(all - ramp, all);
        }
        if (feedsOf(all - 1).unloads) m_ctx.b.call(m_drain, m_ctx.b.step(m_drain).name);
        m_ctx.b.endBlock();
    }

    LowerContext &m_ctx;
    graph::Node const &m_node;
    int m_stages;
    std::int64_t m_count;
    bool m_interleaved; ///< the backward tasks compute again what they need
    PipelineSlots m_slots;
    std::array<std::vector<StageTask>, 3> m_tasks;    ///< by StagePass and stage
    std::map<std::uint32_t, bool> m_onTheWayBack;     ///< by value: made (or received) there
    std::set<std::uint32_t> m_assigned;               ///< variables that a micro-batch changes
    std::map<int, std::set<std::uint32_t>> m_stashed; ///< by stage
    std::map<std::uint32_t, VarId> m_kept;            ///< by value: counters as they were read
    std::map<std::uint32_t, VarId> m_out;             ///< by fresh storage: what the way back reads
    std::vector<VertexFamily> m_counters;
    std::vector<std::vector<VertexFamily>> m_stash;            ///< by place of the slot in an interval
    std::vector<std::vector<std::pair<VarId, VarId>>> m_plain; ///< value and its plain copy, moved before the stash; same places
    std::vector<std::vector<Transfer>> m_copies;               ///< the same
    std::vector<std::vector<VertexFamily>> m_handed;           ///< the same: to another stage on the same IPU
    std::vector<StepId> m_slotEnds;                            ///< the same
    bool m_onIoTiles = false;
    LoopFeeds m_feeds;
    StepId m_fill, m_load, m_unload, m_drain;
    struct RemoteRing {
        VarId out, slots, kept, counter;
    };
    struct RemoteCounter {
        VarId var;
        std::size_t slotEnd;
    };
    std::vector<std::vector<RemoteRing>> m_remote; ///< the same: rings in streaming memory
    std::map<int, RemoteCounter> m_remoteCounters; ///< by stage
    std::map<VarId, std::size_t> m_received;       ///< filled by a copy from another stage, at the end of which slot
};

} // namespace

Status lowerPipeline(LowerContext &ctx, NodeId id) { return PipelineLowering(ctx, ctx.graph.node(id)).run(); }

} // namespace tilewright::lowering
