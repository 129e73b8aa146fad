#include "engine/layers/step_graph.h"

#include "engine/layers/forward.h"
#include "engine/layers/loss_builder.h"
#include "engine/passes/autodiff.h"

namespace tilewright::layers {

using namespace graph;

namespace {

/// What a micro-batch with labels gives.
struct Judged {
    ValueId trained; ///< the loss to differentiate
    std::vector<StreamSpec> infeed, outfeed;
};

/// Appends infeed, model, losses, metrics and outfeed in the builder's region.
Result<Judged> buildJudged(BuildContext &c, model::TrainingPlan const &plan)
{
    auto const &model = c.resolved;
    Judged judged;
    judged.infeed = inputSpecs(c);
    std::size_t const inputs = judged.infeed.size(), outputs = model.outputs.size();
    for (std::size_t i = 0; i < outputs; ++i) {
        auto const type = labelType(plan.lossOf(i), c.shapeOf(model.calls[model.outputs[i]]));
        judged.infeed.push_back({outputs == 1 ? "labels" : outputName(model, i) + "/labels", type.shape, type.dtype});
    }
    c.b.pass = Pass::Forward;
    auto const fed = buildInfeed(c, judged.infeed);
    TW_ASSIGN(auto const forward, buildForward(c, std::span(fed).first(inputs)));

    std::vector<Prediction> predictions;
    ValueId trained, reported;
    std::vector<std::pair<std::string, ValueId>> results;
    int const last = c.graph().stages - 1;
    for (std::size_t i = 0; i < outputs; ++i) {
        auto const &call = model.calls[model.outputs[i]];
        Prediction prediction{i, forward.outputs[i], c.logits(model.outputs[i]), fed[inputs + i], {}};
        c.b.layer = outputs == 1 ? "loss" : outputName(model, i) + "_loss";
        c.b.stage = std::max(0, call.stage);
        auto loss = buildLoss(c, plan.lossOf(i), prediction);
        predictions.push_back(prediction);
        if (outputs > 1) results.emplace_back(c.b.layer, loss.reported);
        double const weight = plan.lossWeight(i);
        c.b.layer = "loss";
        if (weight != 1.0) {
            bool const same = loss.trained == loss.reported;
            loss.trained = c.scaled(loss.trained, weight, "Weight");
            loss.reported = same ? loss.trained : c.scaled(loss.reported, weight, "Weight");
        }
        c.b.stage = last;
        bool const same = loss.trained == loss.reported && trained == reported;
        trained = trained.valid() ? c.op("add", {trained, loss.trained}, {}, "Total") : loss.trained;
        reported = same ? trained : reported.valid() ? c.op("add", {reported, loss.reported}, {}, "Total") : loss.reported;
    }
    results.insert(results.begin(), {"loss", reported});
    for (std::size_t i = 0; i < outputs; ++i)
        for (auto const &metric : plan.metrics) {
            if (metric.className == "loss") continue;
            c.b.layer = outputs == 1 ? metric.displayName : outputName(model, i) + "_" + metric.displayName;
            c.b.stage = std::max(0, model.calls[model.outputs[i]].stage);
            TW_ASSIGN(auto const value, buildMetric(c, metric, predictions[i]));
            results.emplace_back(c.b.layer, value);
        }
    std::vector<ValueId> values;
    for (auto &[name, value] : results) {
        // The host reads losses and metrics as float32, whatever the outputs are.
        c.b.layer = name;
        value = c.cast(value, DType::F32);
        judged.outfeed.push_back({name, {}, DType::F32});
        values.push_back(value);
        c.graph().value(value).role = Role::Output;
    }
    buildOutfeed(c, values);
    judged.trained = trained;
    return judged;
}

/// Appends a loop node to the builder's region and returns its body.
RegionId addLoop(BuildContext &c, std::string const &label, std::int64_t count, bool training,
                 std::string const &schedule, bool pipelined)
{
    Attrs attrs{{"count", count}};
    if (pipelined) {
        attrs.set("stages", std::int64_t{c.graph().stages});
        attrs.set("schedule", schedule);
        attrs.set("training", training);
    }
    c.b.layer.clear();
    c.b.stage = 0;
    auto const pass = c.b.pass;
    c.b.pass = Pass::Other;
    c.b.add(pipelined ? "pipeline" : "repeat", {}, {}, std::move(attrs), label);
    c.b.pass = pass;
    auto const node = NodeId(c.graph().nodes.size() - 1);
    auto const region = addRegion(c.graph(), label);
    c.graph().node(node).regions.push_back(region);
    return region;
}

/// Sums the gradients over replicas: one collective per stage.
void buildAllReduce(BuildContext &c, std::span<VariableId const> weights, std::vector<ValueId> &gradients)
{
    for (int stage = 0; stage < c.graph().stages; ++stage) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (c.graph().variable(weights[i]).stage == stage) members.push_back(i);
        if (members.empty()) continue;
        std::vector<ValueId> inputs;
        std::vector<Builder::Out> outs;
        for (auto i : members) {
            inputs.push_back(gradients[i]);
            outs.push_back({c.value(gradients[i]).shape, c.value(gradients[i]).dtype});
        }
        c.b.layer.clear();
        c.b.stage = stage;
        c.b.pass = Pass::Update;
        c.b.role = Role::Gradient;
        auto const sums = c.b.add("all_reduce", inputs, outs, {}, "AllReduce");
        for (std::size_t k = 0; k < members.size(); ++k) gradients[members[k]] = sums[k];
    }
}

/// Gradient accumulation: zeroing before the loop, adding at the end of its body, reading after it.
class Accumulation {
public:
    Accumulation(BuildContext &context, model::TrainingPlan const &plan, std::span<VariableId const> weights)
        : c(context), m_running(plan.gradientAccumulationReduction == "running_mean"),
          m_scale(plan.gradientAccumulationReduction == "mean" ? 1.0 / static_cast<double>(plan.gradientAccumulationSteps) : 1.0),
          m_weights(weights.begin(), weights.end())
    {
        for (auto id : m_weights) {
            Variable const weight = c.graph().variable(id);
            m_accumulators.push_back(
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
        for (auto id : m_accumulators) zero(id);
        for (auto const &[stage, id] : m_counters) zero(id);
    }

    /// In the micro-batch: its gradients join.
    void add(std::vector<ValueId> const &gradients)
    {
        c.b.pass = Pass::Backward;
        std::map<int, ValueId> counts;
        for (auto const &[stage, id] : m_counters) {
            stamp(id);
            counts[stage] = c.b.read(id);
        }
        for (std::size_t i = 0; i < m_accumulators.size(); ++i) {
            stamp(m_accumulators[i]);
            auto const before = c.b.read(m_accumulators[i]);
            auto const after = m_running
                ? c.op("accumulate_running", {before, gradients[i], counts[c.b.stage]}, {}, leaf(m_accumulators[i]))
                : c.op("accumulate", {before, gradients[i]}, {{"scale", m_scale}}, leaf(m_accumulators[i]));
            c.b.assign(m_accumulators[i], after);
        }
        for (auto const &[stage, id] : m_counters) {
            stamp(id);
            c.b.assign(id, c.op("increment", {counts[stage]}, {{"by", std::int64_t{1}}}, "Count"));
        }
    }

    /// After the loop.
    std::vector<ValueId> read()
    {
        std::vector<ValueId> values;
        c.b.pass = Pass::Update;
        for (auto id : m_accumulators) {
            stamp(id);
            values.push_back(c.b.read(id));
        }
        return values;
    }

    /// What the all-reduce made of the accumulators stays in their storage.
    void assign(std::vector<ValueId> const &values)
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            stamp(m_accumulators[i]);
            c.b.assign(m_accumulators[i], values[i]);
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
        auto const &name = c.graph().variable(id).name;
        auto const &layer = c.graph().variable(id).layer;
        return layer.empty() ? name : name.substr(layer.size() + 1);
    }
    void zero(VariableId id)
    {
        stamp(id);
        c.b.assign(id, c.op("fill_like", {c.b.read(id)}, {{"value", 0.0}}, leaf(id) + "/Zero"));
    }

    BuildContext &c;
    bool m_running;
    double m_scale;
    std::vector<VariableId> m_weights, m_accumulators;
    std::map<int, VariableId> m_counters; ///< of micro-batches, by stage
};

StepGraph newStep(model::ResolvedModel const &model, std::string const &purpose)
{
    StepGraph step;
    step.graph.name = model.name + "/" + purpose;
    addRegion(step.graph, "main");
    return step;
}

Result<std::vector<ValueId>> gradientsOf(BuildContext &c, ValueId loss, std::span<VariableId const> weights)
{
    c.b.layer = "loss";
    c.b.stage = c.graph().stages - 1;
    TW_ASSIGN(auto const byVariable, passes::appendGradients(c.b, c.ops, loss, weights));
    std::vector<ValueId> gradients;
    for (auto weight : weights) gradients.push_back(byVariable.at(weight));
    return gradients;
}

} // namespace

Result<StepGraph> buildTraining(model::ResolvedModel const &model, model::TrainingPlan const &plan, OpLookup const &ops)
{
    TW_TRY(model::checkTrainingPlan(plan, model));
    TW_TRY(checkBatch(model, plan.batchSize));
    StepGraph step = newStep(model, "training");
    BuildContext c(model, step.graph, ops, plan.batchSize, true);
    step.weights = c.weights();
    step.trainable = c.trainable();
    bool const pipelined = step.graph.stages > 1;
    std::int64_t const accumulate = plan.gradientAccumulationSteps;
    auto const update = addLoop(c, "update", plan.stepsPerExecution / accumulate, true, plan.pipelineSchedule, false);
    c.b.setRegion(update);
    std::vector<ValueId> gradients;
    if (accumulate == 1 && !pipelined) {
        TW_ASSIGN(auto const judged, buildJudged(c, plan));
        step.infeed = judged.infeed;
        step.outfeed = judged.outfeed;
        TW_ASSIGN(gradients, gradientsOf(c, judged.trained, step.trainable));
        c.advanceRandomCounters();
        if (plan.replicas > 1) buildAllReduce(c, step.trainable, gradients);
    } else {
        Accumulation accumulation(c, plan, step.trainable);
        accumulation.zero();
        auto const body = addLoop(c, "micro_batch", accumulate, true, plan.pipelineSchedule, pipelined);
        c.b.setRegion(body);
        TW_ASSIGN(auto const judged, buildJudged(c, plan));
        step.infeed = judged.infeed;
        step.outfeed = judged.outfeed;
        TW_ASSIGN(auto const parts, gradientsOf(c, judged.trained, step.trainable));
        accumulation.add(parts);
        c.b.pass = Pass::Forward;
        c.advanceRandomCounters();
        c.b.setRegion(update);
        gradients = accumulation.read();
        if (plan.replicas > 1) {
            buildAllReduce(c, step.trainable, gradients);
            accumulation.assign(gradients);
        }
    }
    TW_ASSIGN(auto state, buildOptimizer(c, plan.optimizer, step.trainable, gradients));
    step.iterations = std::move(state.iterations);
    step.optimizerSlots = std::move(state.optimizerSlots);
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

Result<StepGraph> buildEvaluation(model::ResolvedModel const &model, model::TrainingPlan const &plan, std::int64_t steps,
                                  OpLookup const &ops)
{
    TW_CHECK(steps >= 1, "evaluation needs a step");
    TW_TRY(checkBatch(model, plan.batchSize));
    StepGraph step = newStep(model, "evaluation");
    BuildContext c(model, step.graph, ops, plan.batchSize, false);
    step.weights = c.weights();
    step.trainable = c.trainable();
    c.b.setRegion(addLoop(c, "micro_batch", steps, false, plan.pipelineSchedule, step.graph.stages > 1));
    TW_ASSIGN(auto const judged, buildJudged(c, plan));
    step.infeed = judged.infeed;
    step.outfeed = judged.outfeed;
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

Result<StepGraph> buildPrediction(model::ResolvedModel const &model, std::int64_t batch, std::int64_t steps, OpLookup const &ops,
                                  std::string const &schedule)
{
    TW_CHECK(steps >= 1 && batch >= 1, "prediction needs a step and a sample");
    TW_TRY(checkBatch(model, batch));
    StepGraph step = newStep(model, "prediction");
    BuildContext c(model, step.graph, ops, batch, false);
    step.weights = c.weights();
    step.trainable = c.trainable();
    c.b.setRegion(addLoop(c, "micro_batch", steps, false, schedule, step.graph.stages > 1));
    c.b.pass = Pass::Forward;
    step.infeed = inputSpecs(c);
    auto const fed = buildInfeed(c, step.infeed);
    TW_ASSIGN(auto const forward, buildForward(c, fed));
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) {
        auto &value = c.graph().value(forward.outputs[i]);
        step.outfeed.push_back({outputName(model, i), value.shape, value.dtype});
        if (value.role == Role::Activation) value.role = Role::Output;
    }
    buildOutfeed(c, forward.outputs);
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

Result<StepGraph> buildWithCotangents(model::ResolvedModel const &model, std::int64_t batch, bool training, OpLookup const &ops)
{
    TW_TRY(checkBatch(model, batch));
    StepGraph step = newStep(model, "cotangents");
    BuildContext c(model, step.graph, ops, batch, training);
    step.weights = c.weights();
    step.trainable = c.trainable();
    // A plain loop even for a model with stages: one micro-batch needs no schedule.
    c.b.setRegion(addLoop(c, "micro_batch", 1, true, "", false));
    c.b.pass = Pass::Forward;
    step.infeed = inputSpecs(c);
    std::size_t const inputs = step.infeed.size();
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
        auto const &call = model.calls[model.outputs[i]];
        step.infeed.push_back({"cotangent:" + outputName(model, i), c.shapeOf(call), call.dtype});
    }
    auto const fed = buildInfeed(c, step.infeed);
    TW_ASSIGN(auto const forward, buildForward(c, std::span(fed).first(inputs)));
    std::vector<passes::GradientSeed> seeds;
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) seeds.push_back({forward.outputs[i], fed[inputs + i]});
    std::vector<ValueId> wanted;
    for (std::size_t i = 0; i < inputs; ++i)
        if (isFloating(step.infeed[i].dtype)) wanted.push_back(fed[i]);
    TW_ASSIGN(auto const gradients, passes::appendGradients(c.b, ops, {seeds, step.weights, wanted, false}));

    std::vector<ValueId> results;
    auto const give = [&](std::string name, ValueId value) {
        step.outfeed.push_back({std::move(name), c.value(value).shape, c.value(value).dtype});
        results.push_back(value);
    };
    auto const orZeros = [&](ValueId gradient, Shape const &shape, DType dtype) {
        return gradient.valid() ? gradient : c.b.constant(0.0, shape, dtype);
    };
    c.b.layer.clear();
    c.b.pass = Pass::Backward;
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) give("output:" + outputName(model, i), forward.outputs[i]);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto const shape = c.value(wanted[i]).shape;
        give("grad:" + c.value(wanted[i]).name, orZeros(gradients.values[i], shape, c.value(wanted[i]).dtype));
    }
    for (auto weight : step.weights) {
        auto const it = gradients.variables.find(weight);
        Variable const variable = c.graph().variable(weight);
        give("grad:" + variable.name, orZeros(it == gradients.variables.end() ? ValueId() : it->second, variable.shape, variable.dtype));
    }
    buildOutfeed(c, results);
    c.b.pass = Pass::Forward;
    c.advanceRandomCounters();
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

} // namespace tilewright::layers
