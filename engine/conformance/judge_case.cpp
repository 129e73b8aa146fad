// Kinds loss and metric: a graph whose model is its input, the prediction itself.
#include "engine/conformance/case_run.h"
#include "engine/layers/forward.h"
#include "engine/layers/loss_builder.h"
#include "engine/layers/metric_builder.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/resolve.h"
#include "engine/ops/op_def.h"
#include "engine/training/step_passes.h"
#include "engine/passes/autodiff.h"
#include "engine/runtime/metric_totals.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tilewright::conformance {

namespace {

using graph::ValueId;
using layers::BuildContext;

/// A model that hands its input on: nothing before it, so no logits to be found either.
Result<model::ResolvedModel> passThrough(Shape const &shape)
{
    if (shape.empty()) return caseError("y_pred", Message::of("there is no batch."));
    model::Model m;
    m.name = "judge";
    m.kind = model::ModelKind::Functional;
    m.layers.push_back(model::makeInput("y_pred", Shape(shape.begin() + 1, shape.end())));
    m.inputs = m.outputs = {{"y_pred", 0, 0}};
    return model::resolve(m);
}

/// A graph of one micro-batch in the making: prediction, labels and (optionally) sample weights come in.
struct Judge {
    Judge(model::ResolvedModel const &model, std::int64_t batch, std::vector<graph::FeedSpec> feeds)
        : start(startGraph(step)), context(model, step.graph, ops::opLookup(), batch, true)
    {
        step.graph.name = "judge";
        step.infeed = std::move(feeds);
        fed = layers::buildInfeed(context, step.infeed);
        context.b.layer = "judge";
    }

    struct Output {
        std::string name;
        ValueId value;
        Tally tally = {};
    };
    Result<layers::StepGraph> finish(std::vector<Output> const &results)
    {
        std::vector<ValueId> values;
        for (auto const &[name, value, tally] : results) {
            auto const &v = step.graph.value(value);
            step.outfeed.push_back({name, v.shape, v.dtype, tally});
            values.push_back(value);
        }
        layers::buildOutfeed(context, values);
        TW_TRY(training::loop("micro_batch", 1).run(step, ops::opLookup()));
        TW_TRY(graph::verify(step.graph, ops::opLookup()));
        return std::move(step);
    }

    layers::StepGraph step;
    bool start;
    BuildContext context;
    std::vector<ValueId> fed;

private:
    /// The entry region must be there before the context looks at it.
    static bool startGraph(layers::StepGraph &step)
    {
        graph::addRegion(step.graph, "main");
        return true;
    }
};

std::vector<graph::FeedSpec> feedsOf(Tensor const &prediction, layers::LabelType const &labels)
{
    return {{"y_pred", prediction.shape, DType::F32}, {"y_true", labels.shape, labels.dtype}};
}

/// Weighted losses and their reduction, as Keras's compute_weighted_loss: the mean divides by the number of
/// losses, not by the sum of weights.
ValueId reduceWeighted(BuildContext &c, model::Loss const &loss, ValueId weighted)
{
    if (loss.reduction() == model::Reduction::None) return weighted;
    if (loss.reduction() == model::Reduction::SumOverBatchSize) return c.mean(weighted);
    return c.op("reduce_sum", {weighted}, {}, "Sum");
}

Result<Tensor> expectedValue(CaseRun &run, Json const &expected)
{
    TW_ASSIGN(auto const *value, require(expected, "value"));
    if (value->is_number()) return scalarTensor(value->get<double>());
    return tensorOf(run.file, *value, "value", run.job);
}

} // namespace

Status runLossCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(json,
                     {"format", "id", "kind", "note", "provenance", "tolerance", "loss", "y_true", "y_pred", "sample_weight", "expected"}));
    TW_ASSIGN(auto const *lossJson, require(json, "loss"));
    TW_ASSIGN(auto const loss, model::parseLoss(*lossJson));
    TW_ASSIGN(auto const *predictionJson, require(json, "y_pred"));
    TW_ASSIGN(auto const prediction, tensorOf(run.file, *predictionJson, "y_pred", run.job));
    TW_ASSIGN(auto const *labelJson, require(json, "y_true"));
    TW_ASSIGN(auto const labels, tensorOf(run.file, *labelJson, "y_true", run.job));
    TW_ASSIGN(auto const *expected, require(json, "expected"));
    TW_TRY(allowOnly(*expected, {"per_sample", "value", "grad_y_pred"}));
    TW_ASSIGN(auto const resolved, passThrough(prediction.shape));
    TW_TRY(model::checkLabels(loss, labels.shape, prediction.shape));

    auto feeds = feedsOf(prediction, layers::labelType(loss, prediction.shape));
    Element element{prediction, labels};
    auto const *weightJson = find(json, "sample_weight");
    if (weightJson) {
        TW_ASSIGN(auto weight, tensorOf(run.file, *weightJson, "sample_weight", run.job));
        Shape const samples(prediction.shape.begin(), prediction.shape.end() - 1);
        if (weight.shape != samples) return notYet(Message::of("sample weights of shape %1", tilewright::toText(weight.shape)));
        feeds.push_back({"sample_weight", weight.shape, DType::F32});
        element.push_back(std::move(weight));
    }
    Judge judge(resolved, prediction.shape[0], std::move(feeds));
    auto &c = judge.context;
    layers::Prediction made{0, judge.fed[0], {}, judge.fed[1], {}, {}};
    auto const perSample = layers::buildSampleLoss(c, loss, made);
    ValueId value, trained;
    if (weightJson || loss.reduction() == model::Reduction::None) {
        auto const weighted = weightJson ? c.op("mul", {perSample, judge.fed[2]}, {}, "Weighted") : perSample;
        value = reduceWeighted(c, loss, weighted);
        trained = loss.reduction() == model::Reduction::None ? c.op("reduce_sum", {weighted}, {}, "Sum") : value;
    } else {
        // What training itself builds.
        layers::Prediction again{0, judge.fed[0], {}, judge.fed[1], {}, {}};
        value = trained = layers::buildLoss(c, loss, again).trained;
    }
    auto const one = c.b.constant(1.0);
    std::vector<passes::GradientSeed> const seeds{{trained, one}};
    std::vector<ValueId> const wanted{judge.fed[0]};
    TW_ASSIGN(auto const gradients, passes::appendGradients(c.b, c.ops, {seeds, {}, wanted, false}));
    auto const gradient = gradients.values[0].valid() ? gradients.values[0] : c.b.constant(0.0, prediction.shape);
    TW_ASSIGN(auto step, judge.finish({{"per_sample", perSample}, {"value", value}, {"grad_y_pred", gradient}}));
    TW_ASSIGN(auto const runner, run.runner(std::move(step)));
    TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));

    auto const tolerance = toleranceOf(find(json, "tolerance"));
    auto const &got = results.at(0);
    TW_ASSIGN(auto const wantedValue, expectedValue(run, *expected));
    run.check.computed("per_sample", got[0]);
    if (auto const *samples = find(*expected, "per_sample")) {
        TW_ASSIGN(auto const wantedSamples, tensorOf(run.file, *samples, "per_sample", run.job));
        run.check.values("per_sample", got[0], wantedSamples, tolerance);
    }
    run.check.values("value", got[1], wantedValue, tolerance);
    run.check.computed("grad_y_pred", got[2]);
    if (auto const *gradientJson = find(*expected, "grad_y_pred")) {
        TW_ASSIGN(auto const wantedGradient, tensorOf(run.file, *gradientJson, "grad_y_pred", run.job));
        run.check.values("grad_y_pred", got[2], wantedGradient, tolerance);
    }
    return {};
}

namespace {

/// One update of a metric: `values` alone stand for predictions whose labels are not read.
struct Update {
    Tensor prediction, labels;
    std::optional<Tensor> weights;

    Element element() const
    {
        Element all{prediction, labels};
        if (weights) all.push_back(*weights);
        return all;
    }
};

Result<Update> updateOf(CaseRun &run, Json const &json)
{
    TW_TRY(allowOnly(json, {"y_true", "y_pred", "values", "sample_weight", "result_after"}));
    Update update;
    TW_ASSIGN(auto const *predictionJson, require(json, json.contains("values") ? "values" : "y_pred"));
    TW_ASSIGN(update.prediction, tensorOf(run.file, *predictionJson, "y_pred", run.job));
    update.labels = update.prediction;
    if (!json.contains("values")) {
        TW_ASSIGN(auto const *labelJson, require(json, "y_true"));
        TW_ASSIGN(update.labels, tensorOf(run.file, *labelJson, "y_true", run.job));
    }
    auto const &prediction = update.prediction.shape, &labels = update.labels.shape;
    if (prediction.empty() || labels.empty() || prediction[0] < 1 || prediction[0] != labels[0])
        return caseError("y_pred", Message::of("predictions and labels have not the same samples."));
    if (auto const *weightJson = find(json, "sample_weight")) {
        TW_ASSIGN(update.weights, tensorOf(run.file, *weightJson, "sample_weight", run.job));
        if (update.weights->shape != Shape{prediction[0]})
            return notYet(Message::of("sample weights of shape %1", tilewright::toText(update.weights->shape)));
    }
    return update;
}

/// The metric over the samples of an update as an evaluation computes it; the runner takes the update's element.
Result<std::unique_ptr<StepRunner>> metricRunner(CaseRun &run, model::Metric const &metric, Update const &update)
{
    auto const &prediction = update.prediction, &labels = update.labels;
    TW_ASSIGN(auto const resolved, passThrough(prediction.shape));
    auto const *spec = model::findMetricSpec(model::resolveMetric(metric, labels.shape, prediction.shape).className);
    bool const classes = spec && spec->labels == model::MetricLabels::ClassNumbers;
    std::int64_t const wanted = elementCount(prediction.shape) / (classes ? std::max<std::int64_t>(1, prediction.shape.back()) : 1);
    if (classes ? elementCount(labels.shape) != wanted : labels.shape != prediction.shape)
        return caseError("y_true",
                         Message::of("labels of shape %1 do not go with predictions of shape %2.", tilewright::toText(labels.shape),
                                     tilewright::toText(prediction.shape)));
    auto feeds = feedsOf(prediction, {labels.shape, classes ? DType::I32 : DType::F32});
    if (update.weights) feeds.push_back({"sample_weight", update.weights->shape, DType::F32});
    Judge judge(resolved, prediction.shape[0], std::move(feeds));
    layers::Prediction made{0, judge.fed[0], {}, judge.fed[1], {}, update.weights ? judge.fed[2] : ValueId(), {}};
    TW_ASSIGN(auto const figures, layers::buildMetric(judge.context, metric, made, update.weights.has_value()));
    // The first output of a step is its loss.
    std::vector<Judge::Output> outputs{{"loss", judge.context.b.constant(0.0)}};
    for (auto const &figure : figures) outputs.push_back({"metric" + figure.suffix, figure.sums, figure.tally});
    TW_ASSIGN(auto step, judge.finish(outputs));
    return run.runner(std::move(step));
}

Result<std::vector<double>> figuresAfter(Json const &update)
{
    TW_ASSIGN(auto const *after, require(update, "result_after"));
    if (after->is_number()) return std::vector<double>{after->get<double>()};
    return numbersOf(*after, "result_after");
}

} // namespace

Status runMetricCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(json, {"format", "id", "kind", "note", "provenance", "tolerance", "metric", "updates"}));
    TW_ASSIGN(auto const *metricJson, require(json, "metric"));
    TW_ASSIGN(auto const metric, model::parseMetric(*metricJson));
    TW_ASSIGN(auto const *updates, requireArray(json, "updates"));
    auto const tolerance = toleranceOf(find(json, "tolerance"));
    std::map<std::pair<std::int64_t, bool>, std::unique_ptr<StepRunner>> runners; // by number of samples, and whether they have weights
    std::vector<graph::FeedSpec> outputs;
    std::optional<runtime::MetricTotals> totals; // the state of Keras's metric
    for (std::size_t u = 0; u < updates->size(); ++u) {
        TW_ASSIGN(auto const update, updateOf(run, (*updates)[u]));
        std::int64_t const samples = update.prediction.shape[0];
        auto &runner = runners[{samples, update.weights.has_value()}];
        if (!runner) { TW_ASSIGN(runner, metricRunner(run, metric, update)); }
        if (!totals) {
            outputs = runner->step().outfeed;
            totals.emplace(outputs);
        }
        if (runner->step().outfeed != outputs) return notYet(Message::of("a metric with weights in some updates only"));
        auto const element = update.element();
        TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            auto const &values = results.at(0).at(i).v;
            totals->add(i, std::vector<float>(values.begin(), values.end()), static_cast<double>(samples));
        }
        TW_ASSIGN(auto const wanted, figuresAfter((*updates)[u]));
        std::vector<double> figures;
        for (auto const &[name, figure] : totals->metrics()) figures.push_back(figure);
        run.check.values("result_after_" + std::to_string(u), vectorTensor(figures), vectorTensor(wanted), tolerance);
    }
    return {};
}

} // namespace tilewright::conformance
