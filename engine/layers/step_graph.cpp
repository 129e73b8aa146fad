#include "engine/layers/step_graph.h"

#include "engine/layers/forward.h"
#include "engine/layers/loss_builder.h"
#include "engine/layers/metric_builder.h"
#include "engine/layers/penalties.h"

#include <algorithm>

namespace tilewright::layers {

using namespace graph;

namespace {

StepGraph newStep(model::ResolvedModel const &model, std::string const &purpose)
{
    StepGraph step;
    step.graph.name = model.name + "/" + purpose;
    addRegion(step.graph, "main");
    return step;
}

/// The infeed of the specs, of which the first `inputs` are the model's inputs. Returns the values in the types of the specs; the specs
/// become those of the stream.
std::vector<ValueId> feed(BuildContext &c, std::vector<FeedSpec> &specs, std::size_t inputs, InputFeeds const &how)
{
    std::vector<DType> wanted;
    for (auto &spec : specs) {
        wanted.push_back(spec.dtype);
        if (how.byteScale && wanted.size() <= inputs && isFloating(spec.dtype)) spec.dtype = DType::U8;
    }
    auto values = buildInfeed(c, specs);
    for (std::size_t i = 0; i < inputs; ++i) {
        if (specs[i].dtype == wanted[i]) continue;
        c.b.layer = specs[i].name;
        auto const wide = c.cast(values[i], DType::F32);
        values[i] = c.cast(*how.byteScale == 1 ? wide : c.scaled(wide, *how.byteScale, "Scale"), wanted[i]);
    }
    return values;
}

/// A value for the log.
struct Reported {
    std::string name;
    ValueId value;
    Tally tally = {};
};

bool hasName(std::vector<Reported> const &results, std::string const &name)
{
    return std::ranges::find(results, name, &Reported::name) != results.end();
}

/// The metrics of all outputs, `weighted` or not, in the order of the outputs.
Status addMetrics(BuildContext &c, model::TrainingPlan const &plan, std::vector<Prediction> &predictions, bool weighted,
                  std::vector<Reported> &results)
{
    auto const &model = c.resolved;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        auto const output = outputName(model, i);
        for (auto const &metric : weighted ? plan.weightedMetricsOf(i, output) : plan.metricsOf(i, output)) {
            if (metric.className == "loss") continue;
            auto const name = predictions.size() == 1 ? metric.displayName : output + "_" + metric.displayName;
            c.b.layer = name;
            c.b.stage = std::max(0, model.calls[model.outputs[i]].stage);
            TW_ASSIGN(auto const figures, buildMetric(c, metric, predictions[i], weighted));
            for (auto const &figure : figures) {
                // Keras logs one of two metrics with the same name.
                bool const taken = weighted && hasName(results, name + figure.suffix);
                results.push_back({(taken ? "weighted_" : "") + name + figure.suffix, figure.sums, figure.tally});
            }
        }
    }
    return {};
}

void finish(StepGraph &step, BuildContext const &c)
{
    step.weights = c.weights();
    step.trainable = c.trainable();
    step.counters = c.randomCounters();
    step.keptStates = c.keptStates();
    for (std::size_t layer = 0; layer < c.resolved.layers.size(); ++layer)
        for (std::size_t i = 0; i < c.resolved.layers[layer].weights.size(); ++i)
            if (auto const &weight = c.resolved.layers[layer].weights[i]; weight.trainable && weight.constraint)
                step.constraints.push_back({c.variableOf(layer, i), *weight.constraint});
}

} // namespace

Result<StepGraph> buildJudged(model::ResolvedModel const &model, model::TrainingPlan const &plan, bool training, OpLookup const &ops,
                              InputFeeds const &feeds, int normReplicas)
{
    TW_TRY(checkBatch(model, plan.batchSize));
    StepGraph judged = newStep(model, training ? "training" : "evaluation");
    BuildContext c(model, judged.graph, ops, plan.batchSize, training);
    c.recurrentCheckpoints = plan.recurrentCheckpoints;
    c.normReplicas = normReplicas;
    if (training) {
        c.recomputes = plan.recomputes;
        c.checkpointLayers = plan.recomputationCheckpoints;
    }
    judged.infeed = inputSpecs(c);
    std::size_t const inputs = judged.infeed.size(), outputs = model.outputs.size();
    for (std::size_t i = 0; i < outputs; ++i) {
        auto const type = labelType(plan.lossOf(i, outputName(model, i)), c.shapeOf(model.calls[model.outputs[i]]));
        judged.infeed.push_back({outputs == 1 ? "labels" : outputName(model, i) + "/labels", type.shape, type.dtype});
    }
    bool const weighted = training ? plan.weighsSamples() : plan.sampleWeights; // classes have weights in training only
    if (weighted) judged.infeed.push_back({"/sample_weight", {plan.batchSize}, DType::F32});
    c.b.pass = Pass::Forward;
    c.penalizes = true;
    auto const fed = feed(c, judged.infeed, inputs, feeds);
    TW_ASSIGN(auto const forward, buildForward(c, std::span(fed).first(inputs)));

    std::vector<Prediction> predictions;
    ValueId trained, reported;
    std::vector<Reported> results;
    int const last = c.graph().stages - 1;
    for (std::size_t i = 0; i < outputs; ++i) {
        auto const &call = model.calls[model.outputs[i]];
        Prediction prediction{i,
                              forward.outputs[i],
                              c.logits(model.outputs[i]),
                              fed[inputs + i],
                              forward.masks[model.outputs[i]],
                              weighted ? fed.back() : ValueId(),
                              {}};
        c.b.layer = outputs == 1 ? "loss" : outputName(model, i) + "_loss";
        c.b.stage = std::max(0, call.stage);
        auto loss = buildLoss(c, plan.lossOf(i, outputName(model, i)), prediction);
        predictions.push_back(prediction);
        if (outputs > 1) results.push_back({c.b.layer, loss.reported});
        double const weight = plan.lossWeight(i, outputName(model, i));
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
    auto const penalty = totalPenalty(c);
    if (penalty.valid()) {
        bool const same = trained == reported;
        c.b.layer = "loss";
        trained = c.op("add", {trained, penalty}, {}, "Penalties");
        reported = same ? trained : c.op("add", {reported, penalty}, {}, "Penalties");
    }
    results.insert(results.begin(), {"loss", reported});
    for (bool const byWeight : {false, true}) TW_TRY(addMetrics(c, plan, predictions, byWeight, results));
    if (penalty.valid()) {
        std::string name = kPenaltyName;
        while (hasName(results, name)) name += "_"; // of an output
        results.push_back({name, penalty});
    }
    std::vector<ValueId> values;
    for (auto &[name, value, tally] : results) {
        // The host reads losses and metrics as float32, whatever the outputs are.
        c.b.layer = name;
        value = c.cast(value, DType::F32);
        judged.outfeed.push_back({name, c.value(value).shape, DType::F32, tally});
        values.push_back(value);
        c.graph().value(value).role = Role::Output;
    }
    buildOutfeed(c, values);
    judged.objective = trained;
    finish(judged, c);
    TW_TRY(graph::verify(judged.graph, ops));
    return judged;
}

Result<StepGraph> buildOutputs(model::ResolvedModel const &model, std::int64_t batch, OpLookup const &ops, InputFeeds const &feeds,
                               std::int64_t recurrentCheckpoints)
{
    TW_CHECK(batch >= 1, "prediction needs a sample");
    TW_TRY(checkBatch(model, batch));
    StepGraph step = newStep(model, "prediction");
    BuildContext c(model, step.graph, ops, batch, false);
    c.recurrentCheckpoints = recurrentCheckpoints;
    c.b.pass = Pass::Forward;
    step.infeed = inputSpecs(c);
    auto const fed = feed(c, step.infeed, step.infeed.size(), feeds);
    TW_ASSIGN(auto const forward, buildForward(c, fed));
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) {
        auto &value = c.graph().value(forward.outputs[i]);
        step.outfeed.push_back({outputName(model, i), value.shape, value.dtype});
        if (value.role == Role::Activation) value.role = Role::Output;
    }
    buildOutfeed(c, forward.outputs);
    finish(step, c);
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

} // namespace tilewright::layers
