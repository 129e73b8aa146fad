#include "engine/lowering/pipeline.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;
using graph::NodeKind;
using graph::ValueId;

namespace {

/// Part of a micro-batch on one IPU: forward or backward of a stage.
struct StageTask {
    std::vector<NodeId> nodes;
    StepId body;
    bool exists() const { return body.valid(); }
};

class PipelineLowering {
public:
    PipelineLowering(LowerContext &ctx, graph::Node const &node)
        : m_ctx(ctx), m_node(node), m_stages(static_cast<int>(node.attrs.integer("stages"))),
          m_count(graph::countOf(node)), m_forward(static_cast<std::size_t>(m_stages)),
          m_backward(static_cast<std::size_t>(m_stages))
    {
    }

    Status run()
    {
        TW_TRY(checkForks());
        classify();
        PipelineFacts const facts{m_stages, m_training};
        TW_TRY(checkPipelineDepth(facts, m_count, "gradient accumulation steps"));
        findStashed();
        for (int s = 0; s < m_stages; ++s) TW_TRY(lowerTask(s, false));
        if (m_training)
            for (int s = m_stages; s-- > 0;) TW_TRY(lowerTask(s, true));
        lowerSlotEnd();
        emitSlots(facts);
        return {};
    }

private:
    bool isBackward(graph::Node const &node) const
    {
        return node.pass == graph::Pass::Backward || node.pass == graph::Pass::Update;
    }
    std::vector<StageTask> &tasks(bool backward) { return backward ? m_backward : m_forward; }

    /// What a micro-batch keeps for its backward pass is found among the nodes of the region itself.
    Status checkForks() const
    {
        auto const visit = [&](auto &&self, graph::RegionId region, NodeId fork) -> Status {
            for (auto id : m_ctx.graph.region(region).nodes) {
                auto const &node = m_ctx.graph.node(id);
                if (fork.valid() && node.variable.valid())
                    return makeError(ErrorKind::Invalid, "lowering.condition", m_ctx.graph.node(fork).name,
                                     "variables inside a branch or a loop of a pipeline are not available yet.", "Read and assign them around it.");
                for (auto sub : node.regions) TW_TRY(self(self, sub, graph::dependsOnData(node) ? id : fork));
            }
            return {};
        };
        return visit(visit, m_node.regions[0], {});
    }

    void classify()
    {
        for (auto id : m_ctx.graph.region(m_node.regions[0]).nodes) {
            auto const &node = m_ctx.graph.node(id);
            bool const backward = isBackward(node);
            m_training = m_training || backward;
            // A copy belongs to the task whose result it carries; it runs at the end of the slot.
            int const stage = graph::is(node, NodeKind::IpuCopy) ? static_cast<int>(node.attrs.integer("from")) : node.stage;
            tasks(backward)[static_cast<std::size_t>(stage)].nodes.push_back(id);
            for (auto output : node.outputs) m_home[output.index] = {graph::is(node, NodeKind::IpuCopy) ? node.stage : stage, backward};
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

    /// Values that a stage's forward makes (or receives) and its backward needs.
    void findStashed()
    {
        for (int s = 0; s < m_stages; ++s)
            for (auto id : m_backward[static_cast<std::size_t>(s)].nodes)
                for (auto input : graph::reads(m_ctx.graph, id)) {
                    auto const value = source(input);
                    if (!value.valid()) continue;
                    auto const home = m_home.find(value.index);
                    if (home == m_home.end() || home->second.second) continue;
                    // A counter that the same task's backward itself updates is read where it is used.
                    auto const &producer = m_ctx.graph.node(m_ctx.graph.value(value).producer);
                    if (graph::is(producer, NodeKind::VariableRead) && isBackward(producer)) continue;
                    m_stashed[s].insert(value.index);
                }
    }

    Status lowerTask(int stage, bool backward)
    {
        auto &task = tasks(backward)[static_cast<std::size_t>(stage)];
        std::map<std::uint32_t, VarId> saved;
        if (backward)
            for (auto id : task.nodes)
                for (auto input : graph::reads(m_ctx.graph, id)) rebind(stage, input, saved);
        std::string const name = (backward ? "backward/stage" : "forward/stage") + std::to_string(stage);
        task.body = m_ctx.b.beginDetached(StepKind::Sequence, name);
        for (auto id : task.nodes) {
            auto const &node = m_ctx.graph.node(id);
            if (graph::is(node, NodeKind::IpuCopy)) {
                m_ctx.b.flush();
                lowerCopy(node);
                continue;
            }
            // Views were bound to the fresh value; the backward sees what comes out of the stash.
            TW_TRY(m_ctx.lowerNode(id));
            if (!backward) keepCounters(stage, node);
        }
        m_ctx.b.endBlock();
        for (auto const &[value, var] : saved) m_ctx.bind(ValueId(value), var);
        return {};
    }

    /// A counter that this micro-batch will change: its value as read is kept apart for the backward.
    void keepCounters(int stage, graph::Node const &node)
    {
        if (!graph::is(node, NodeKind::VariableRead) || !m_stashed[stage].contains(node.outputs[0].index)) return;
        VarId const from = m_ctx.var(node.outputs[0]);
        auto const source = m_ctx.b.var(from);
        VarId const copy = m_ctx.b.addVar(source.name + "/read", "temporary", source.dtype, source.shape, source.layout);
        m_ctx.b.execute(node.name + "/Copy", {m_ctx.b.family("Copy", {{copy, Access::Write}, {from, Access::Read}})});
        m_ctx.bind(node.outputs[0], copy);
    }

    void lowerCopy(graph::Node const &node)
    {
        VarId const from = m_ctx.var(node.inputs[0]);
        auto const source = m_ctx.b.var(from);
        Layout const layout = m_ctx.b.movedTo(source.layout, m_ctx.ipu(static_cast<int>(node.attrs.integer("to"))));
        if (layout == source.layout) {
            m_ctx.bind(node.outputs[0], from);
            return;
        }
        auto const &value = m_ctx.graph.value(node.outputs[0]);
        VarId const to = m_ctx.b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, layout);
        m_copies.push_back(m_ctx.b.whole(passedOn(from), to));
        m_received.insert(to);
        m_ctx.bind(node.outputs[0], to);
    }

    /// What a stage only passes on arrives in the same exchange in which it leaves: the one before waits in a
    /// register, so that each slot moves it by one stage.
    VarId passedOn(VarId from)
    {
        if (!m_received.contains(from)) return from;
        auto const source = m_ctx.b.var(from);
        VarId const held = m_ctx.b.addVar(source.name + "/held", source.role, source.dtype, source.shape, source.layout);
        m_stash.push_back(m_ctx.b.family("Copy", {{held, Access::Write}, {from, Access::Read}}));
        return held;
    }

    void rebind(int stage, ValueId input, std::map<std::uint32_t, VarId> &saved)
    {
        auto const value = source(input);
        if (!value.valid() || !m_stashed[stage].contains(value.index)) return;
        // Read by an earlier node of this task: then it is bound to its stash already.
        auto const before = saved.find(value.index);
        VarId const fresh = before != saved.end() ? before->second : m_ctx.var(value);
        VarId const out = stashOf(stage, value, fresh);
        if (out == fresh) return;
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
        PipelineFacts const facts{m_stages, m_training};
        int const depth = facts.stashDepth(stage);
        auto const source = m_ctx.b.var(fresh);
        bool const received = graph::is(m_ctx.graph.node(m_ctx.graph.value(value).producer), NodeKind::IpuCopy);
        VarId out = fresh;
        if (depth > 0 || received) {
            out = m_ctx.b.addVar(source.name + "/stash", "activation", source.dtype, source.shape, source.layout);
            if (depth == 0) {
                // Overwritten by the next micro-batch's copy before this one's backward: passed through a register.
                m_stash.push_back(m_ctx.b.family("Copy", {{out, Access::Write}, {fresh, Access::Read}}));
            } else {
                Layout ring = source.layout;
                ring.addOuter(cut(depth, depth, 0, DimKind::Slot));
                VarId const slots = m_ctx.b.addVar(source.name + "/ring", "activation", source.dtype, source.shape, ring);
                Layout const one = besideBlocks(source.layout, 1);
                VarId const counter = m_ctx.b.addVar(source.name + "/ring/counter", "other", DType::I32, {one.rows(), one.cols()}, one);
                m_counters.push_back(m_ctx.b.family("Fill", {{counter, Access::Write}}, {0.0}));
                m_stash.push_back(m_ctx.b.family("Fifo", {{out, Access::Write}, {slots, Access::Update}, {counter, Access::Update},
                                                          {fresh, Access::Read}}));
            }
        }
        m_out[fresh.index] = out;
        return out;
    }

    /// What every slot ends with: stashes move on, then tensors cross to the next IPU.
    void lowerSlotEnd()
    {
        Op op;
        op.name = m_node.name + "/SlotEnd";
        op.kind = "pipeline_slot_end";
        op.level = "graph";
        op.parent = m_ctx.layerOps.at("");
        m_ctx.b.setOp(m_ctx.b.addOp(std::move(op)));
        m_slotEnd = m_ctx.b.beginDetached(StepKind::Sequence, m_node.name + "/SlotEnd");
        if (!m_stash.empty()) m_ctx.b.execute(m_node.name + "/Stash", std::move(m_stash));
        // All at once: what travels on was put into its register above.
        if (!m_copies.empty()) m_ctx.b.exchange(m_node.name + "/InterIpuCopy", std::move(m_copies), {}, true);
        m_ctx.b.endBlock();
    }

    void emitTask(int stage, bool backward, std::int64_t microBatch)
    {
        auto const &body = tasks(backward)[static_cast<std::size_t>(stage)].body;
        StepId const id = m_ctx.b.beginBlock(StepKind::Sequence, m_ctx.b.step(body).name);
        auto &step = m_ctx.b.step(id);
        step.stage = stage;
        step.slot = m_ctx.ipu(stage);
        step.microBatch = static_cast<int>(microBatch);
        step.pass = backward ? "backward" : "forward";
        m_ctx.b.call(body, m_ctx.b.step(body).name);
        m_ctx.b.endBlock();
    }

    void emitSlot(PipelineFacts const &facts, std::int64_t slot)
    {
        StepId const id = m_ctx.b.beginBlock(StepKind::Parallel, "slot " + std::to_string(slot));
        m_ctx.b.step(id).slot = static_cast<int>(slot);
        // Backward first: it frees what the forward of a later micro-batch writes again.
        if (m_training)
            for (int s = m_stages; s-- > 0;) {
                std::int64_t const micro = slot - (2 * m_stages - 1 - s);
                if (micro >= 0 && micro < m_count) emitTask(s, true, micro);
            }
        for (int s = 0; s < m_stages; ++s) {
            std::int64_t const micro = slot - s;
            if (micro >= 0 && micro < m_count) emitTask(s, false, micro);
        }
        m_ctx.b.endBlock();
        (void)facts;
        m_ctx.b.call(m_slotEnd, m_ctx.b.step(m_slotEnd).name);
    }

    void emitSlots(PipelineFacts const &facts)
    {
        m_ctx.b.beginBlock(StepKind::Sequence, m_node.name);
        if (!m_counters.empty()) m_ctx.b.execute(m_node.name + "/ZeroCounters", std::move(m_counters));
        std::int64_t const ramp = facts.positions() - 1;
        m_ctx.b.beginBlock(StepKind::Sequence, m_node.name + "/RampUp");
        for (std::int64_t t = 0; t < ramp; ++t) emitSlot(facts, t);
        m_ctx.b.endBlock();
        m_ctx.b.beginBlock(StepKind::Repeat, m_node.name + "/Steady", m_count - ramp);
        emitSlot(facts, ramp);
        m_ctx.b.endBlock();
        m_ctx.b.beginBlock(StepKind::Sequence, m_node.name + "/RampDown");
        for (std::int64_t t = m_count; t < facts.slotCount(m_count); ++t) emitSlot(facts, t);
        m_ctx.b.endBlock();
        m_ctx.b.endBlock();
    }

    LowerContext &m_ctx;
    graph::Node const &m_node;
    int m_stages;
    std::int64_t m_count;
    bool m_training = false;
    std::vector<StageTask> m_forward, m_backward;
    std::map<std::uint32_t, std::pair<int, bool>> m_home; ///< stage and direction of each value
    std::set<std::uint32_t> m_assigned;                   ///< variables that a micro-batch changes
    std::map<int, std::set<std::uint32_t>> m_stashed;     ///< by stage
    std::map<std::uint32_t, VarId> m_out;                 ///< by fresh storage: what the backward reads
    std::vector<VertexFamily> m_stash, m_counters;
    std::vector<Transfer> m_copies;
    std::set<VarId> m_received; ///< filled by a copy from another IPU
    StepId m_slotEnd;
};

} // namespace

Status checkPipelineDepth(PipelineFacts const &facts, std::int64_t count, std::string const &what)
{
    std::int64_t const multiple = facts.positions();
    if (count >= multiple && count % multiple == 0) return {};
    return makeError(ErrorKind::Invalid, "training.accumulation", what,
                     std::to_string(count) + " micro-batches do not fill a Grouped pipeline of " + std::to_string(facts.stages)
                         + " stages: the count must be a multiple of " + std::to_string(multiple) + ".",
                     "Set training.gradient_accumulation_steps to " + std::to_string(roundUp(std::max(count, multiple), multiple)) + ".");
}

Status lowerPipeline(LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const schedule = node.attrs.text("schedule", "grouped");
    if (schedule != "grouped")
        return makeError(ErrorKind::Invalid, "pipeline.schedule", "training.pipeline_schedule",
                         "the '" + schedule + "' schedule is not available yet.", "Use 'grouped'.");
    return PipelineLowering(ctx, node).run();
}

} // namespace tilewright::lowering
