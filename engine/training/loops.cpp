#include "engine/graph/node_kind.h"
#include "engine/training/step_passes.h"

#include "engine/graph/control.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tilewright::training {

using namespace graph;
using layers::StepGraph;

namespace {

/// Moves the nodes of the entry region to a new region, the body of a loop under construction, and returns it.
RegionId moveIntoBody(Graph &graph, std::string const &label)
{
    auto const body = addRegion(graph, label);
    graph.region(body).nodes = std::exchange(graph.region(RegionId(0)).nodes, {});
    return body;
}

/// The loss that the micro-batch in the entry region sends to the host.
ValueId lossOf(Graph const &graph)
{
    for (auto id : graph.region(RegionId(0)).nodes)
        if (is(graph.node(id), NodeKind::Outfeed) && !graph.node(id).inputs.empty()) return graph.node(id).inputs[0];
    return {};
}

/// Mean over replicas: one number, so that all replicas decide equally.
ValueId meanOverReplicas(OpBuilder &c, ValueId loss, int replicas)
{
    if (replicas <= 1) return loss;
    auto const own = c.op("copy", {loss}, {}, "Loss"); // the sum reuses the storage of its operand
    auto const sum = c.b.one("all_reduce", {own}, {}, c.value(own).dtype, {}, "AllReduceLoss");
    return c.scaled(sum, 1.0 / replicas, "MeanLoss");
}

/// Appends the loop to the entry region.
void addLoop(Graph &graph, RegionId body, std::int64_t count, bool training, std::string const &schedule)
{
    Attrs attrs{{"count", count}};
    bool const pipelined = !schedule.empty();
    if (pipelined) {
        attrs.set("stages", std::int64_t{graph.stages});
        attrs.set("schedule", schedule);
        attrs.set("training", training);
    }
    Builder b(graph, RegionId(0));
    b.pass = Pass::Other;
    b.add(pipelined ? "pipeline" : "repeat", {}, {}, std::move(attrs), graph.region(body).label);
    graph.nodes.back().regions.push_back(body);
}

/// Gradient accumulation: clears before the loop, adds at the end of its body, reads after it.
class Accumulation {
public:
    Accumulation(StepGraph &step, OpLookup const &ops, std::int64_t steps, std::string const &reduction)
        : m_step(step), m_running(reduction == "running_mean"), m_scale(reduction == "mean" ? 1.0 / static_cast<double>(steps) : 1.0),
          c(step.graph, RegionId(0), ops)
    {
        for (auto id : step.trainable) {
            Variable const weight = step.graph.variable(id);
            step.accumulators.push_back(
                c.addState(weight.name + "/accumulator", weight.shape, weight.dtype, Role::Accumulator, weight.layer, weight.stage));
            if (m_running && !m_counters.contains(weight.stage)) {
                std::string const name = "accumulated" + (weight.stage ? "_" + std::to_string(weight.stage) : std::string());
                m_counters[weight.stage] = c.addState(name, {}, DType::I32, Role::Accumulator, "", weight.stage);
            }
        }
    }

    void zero()
    {
        c.b.pass = Pass::Update;
        for (auto id : m_step.accumulators) zero(id);
        for (auto const &[stage, id] : m_counters) zero(id);
    }

    /// End of the micro-batch: add its gradients.
    void addIn(RegionId body)
    {
        c.b.setRegion(body);
        c.b.pass = Pass::Backward;
        std::map<int, ValueId> counts;
        for (auto const &[stage, id] : m_counters) {
            stamp(id);
            counts[stage] = c.b.read(id);
        }
        for (std::size_t i = 0; i < m_step.accumulators.size(); ++i) {
            auto const id = m_step.accumulators[i];
            auto const gradient = m_step.gradients[i];
            stamp(id);
            auto const before = c.b.read(id);
            auto const after = m_running ? c.op("accumulate_running", {before, gradient, counts[c.b.stage]}, {}, leaf(id))
                                         : c.op("accumulate", {before, gradient}, {{"scale", m_scale}}, leaf(id));
            c.b.assign(id, after);
        }
        for (auto const &[stage, id] : m_counters) {
            stamp(id);
            c.b.assign(id, c.op("increment", {counts[stage]}, {{"by", std::int64_t{1}}}, "Count"));
        }
        c.b.setRegion(RegionId(0));
    }

    /// After the loop: the sums are the gradients.
    void read()
    {
        c.b.pass = Pass::Update;
        for (std::size_t i = 0; i < m_step.accumulators.size(); ++i) {
            stamp(m_step.accumulators[i]);
            m_step.gradients[i] = c.b.read(m_step.accumulators[i]);
        }
    }

private:
    void stamp(VariableId id)
    {
        c.b.layer = c.graph().variable(id).layer;
        c.b.stage = c.graph().variable(id).stage;
        c.b.role = Role::Accumulator;
    }
    std::string leaf(VariableId id) const
    {
        auto const &variable = m_step.graph.variable(id);
        return variable.layer.empty() ? variable.name : variable.name.substr(variable.layer.size() + 1);
    }
    void zero(VariableId id)
    {
        stamp(id);
        c.b.assign(id, c.op("fill_like", {c.b.read(id)}, {{"value", 0.0}}, leaf(id) + "/Zero"));
    }

    StepGraph &m_step;
    bool m_running;
    double m_scale;
    OpBuilder c;
    std::map<int, VariableId> m_counters; ///< of micro-batches, by stage
};

/// training.accumulate_outfeed: the mean of what the micro-batches send is sent once, after their loop.
class OutputMeans {
public:
    OutputMeans(StepGraph &step, OpLookup const &ops, RegionId body) : c(step.graph, RegionId(0), ops), m_body(body)
    {
        c.b.stage = step.graph.stages - 1;
        auto &nodes = step.graph.region(body).nodes;
        auto const sent = std::ranges::find_if(nodes, [&](NodeId id) { return is(step.graph.node(id), NodeKind::Outfeed); });
        TW_CHECK(sent != nodes.end(), "a micro-batch without outputs");
        m_sent = step.graph.node(*sent);
        nodes.erase(sent);
        for (std::size_t i = 0; i < m_sent.inputs.size(); ++i) {
            auto const type = c.value(m_sent.inputs[i]);
            m_means.push_back(c.addState(step.outfeed[i].name + "/mean", type.shape, type.dtype, Role::Accumulator, "", c.b.stage));
        }
    }

    void zero()
    {
        begin(Pass::Update);
        for (auto id : m_means) c.b.assign(id, c.op("fill_like", {c.b.read(id)}, {{"value", 0.0}}, c.graph().variable(id).name + "/Zero"));
    }

    void addIn(std::int64_t steps)
    {
        c.b.setRegion(m_body);
        begin(Pass::Forward);
        for (std::size_t i = 0; i < m_means.size(); ++i)
            c.b.assign(m_means[i],
                       c.op("accumulate", {c.b.read(m_means[i]), m_sent.inputs[i]}, {{"scale", 1.0 / static_cast<double>(steps)}},
                            c.graph().variable(m_means[i]).name));
        c.b.setRegion(RegionId(0));
    }

    void send()
    {
        begin(Pass::Other);
        std::vector<ValueId> values;
        for (auto id : m_means) values.push_back(c.b.read(id));
        c.b.add("outfeed", std::move(values), {}, m_sent.attrs, m_sent.name);
    }

private:
    void begin(Pass pass)
    {
        c.b.pass = pass;
        c.b.role = Role::Accumulator;
        c.b.layer.clear();
    }

    OpBuilder c;
    RegionId m_body;
    Node m_sent;
    std::vector<VariableId> m_means;
};

} // namespace

StepPass accumulate(std::int64_t steps, std::string reduction, std::string schedule, bool outputs)
{
    return {"accumulate", "sums gradients over the micro-batches of an update", [=](StepGraph &step, OpLookup const &ops) -> Status {
                TW_CHECK(step.gradients.size() == step.trainable.size(), "accumulation without gradients");
                auto const body = moveIntoBody(step.graph, "micro_batch");
                Accumulation accumulation(step, ops, steps, reduction);
                std::optional<OutputMeans> means;
                if (outputs) means.emplace(step, ops, body);
                accumulation.zero();
                if (means) means->zero();
                addLoop(step.graph, body, steps, true, schedule);
                if (means) means->addIn(steps);
                accumulation.addIn(body);
                if (means) means->send();
                accumulation.read();
                return {};
            }};
}

StepPass loopWhile(std::string label, double lossAbove, std::int64_t limit, int replicas)
{
    return {"loop", "repeats what stands there on the device until the loss is low enough",
            [=](StepGraph &step, OpLookup const &ops) -> Status {
                auto const loss = lossOf(step.graph);
                TW_CHECK(loss.valid(), "a loop without a loss");
                OpBuilder c(step.graph, RegionId(0), ops);
                c.b.pass = Pass::Other;
                c.b.role = Role::Other;
                c.b.layer = "loss";
                // Initially zero, and between executions the last loss.
                auto const reached = step.reached = c.addState(label + "/reached", {}, DType::F32, Role::Temporary, "loss", 0);
                auto const judged = c.cast(meanOverReplicas(c, loss, replicas), DType::F32);
                c.b.assign(reached, c.op("greater_equal", {c.b.constant(lossAbove), judged}, {}, "Reached"));
                c.b.layer.clear(); // the loop belongs to no layer
                auto microBatch = std::exchange(step.graph.region(RegionId(0)).nodes, {});
                WhileBuilder loop(c.b, label, limit);
                auto const goesOn = c.op("equal", {c.b.read(reached), c.b.constant(0.0)}, {}, "GoesOn");
                loop.repeatedly(goesOn);
                step.graph.region(c.b.region()).nodes = std::move(microBatch);
                loop.finish();
                return {};
            }};
}

StepPass loop(std::string label, std::int64_t count, std::string schedule, bool outputs)
{
    return {"loop", "repeats what stands there on the device", [=](StepGraph &step, OpLookup const &ops) -> Status {
                auto const body = moveIntoBody(step.graph, label);
                std::optional<OutputMeans> means;
                if (outputs) means.emplace(step, ops, body);
                if (means) means->zero();
                addLoop(step.graph, body, count, false, schedule);
                if (means) means->addIn(count);
                if (means) means->send();
                return {};
            }};
}

} // namespace tilewright::training
