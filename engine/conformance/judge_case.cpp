// Kinds loss and metric: a graph whose model is its input, the prediction itself.
#include "engine/conformance/case_run.h"
#include "engine/layers/forward.h"
#include "engine/layers/loss_builder.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/resolve.h"
#include "engine/ops/op_def.h"
#include "engine/training/step_passes.h"
#include "engine/passes/autodiff.h"

#include <algorithm>
#include <map>

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

    Result<layers::StepGraph> finish(std::vector<std::pair<std::string, ValueId>> const &results)
    {
        std::vector<ValueId> values;
        for (auto const &[name, value] : results) {
            auto const &v = step.graph.value(value);
            step.outfeed.push_back({name, v.shape, v.dtype});
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

/// The metric over `rows` samples as evaluation computes it; the runner takes y_pred and y_true.
Result<std::unique_ptr<StepRunner>> metricRunner(CaseRun &run, model::Metric const &metric, Tensor const &prediction, Tensor const &labels,
                                                 std::int64_t rows)
{
    Tensor part{prediction.dtype, prediction.shape, {}};
    part.shape[0] = rows;
    TW_ASSIGN(auto const resolved, passThrough(part.shape));
    bool const classes = model::resolveMetric(metric, labels.shape, prediction.shape).className.starts_with("Sparse");
    std::int64_t const wanted = elementCount(prediction.shape) / (classes ? std::max<std::int64_t>(1, prediction.shape.back()) : 1);
    if (classes ? elementCount(labels.shape) != wanted : labels.shape != prediction.shape)
        return caseError("y_true",
                         Message::of("labels of shape %1 do not go with predictions of shape %2.", tilewright::toText(labels.shape),
                                     tilewright::toText(prediction.shape)));
    layers::LabelType type{labels.shape, classes ? DType::I32 : DType::F32};
    type.shape[0] = rows;
    Judge judge(resolved, rows, feedsOf(part, type));
    layers::Prediction made{0, judge.fed[0], {}, judge.fed[1], {}, {}};
    TW_ASSIGN(auto const value, layers::buildMetric(judge.context, metric, made));
    TW_ASSIGN(auto step, judge.finish({{"metric", value}}));
    return run.runner(std::move(step));
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
    double total = 0, count = 0;                                 // the state of Keras's mean metrics
    std::map<std::int64_t, std::unique_ptr<StepRunner>> runners; // by number of samples
    for (std::size_t u = 0; u < updates->size(); ++u) {
        auto const &update = (*updates)[u];
        TW_TRY(allowOnly(update, {"y_true", "y_pred", "sample_weight", "result_after"}));
        TW_ASSIGN(auto const *predictionJson, require(update, "y_pred"));
        TW_ASSIGN(auto const *labelJson, require(update, "y_true"));
        TW_ASSIGN(auto const prediction, tensorOf(run.file, *predictionJson, "y_pred", run.job));
        TW_ASSIGN(auto const labels, tensorOf(run.file, *labelJson, "y_true", run.job));
        if (prediction.shape.empty() || labels.shape.empty() || prediction.shape[0] < 1 || prediction.shape[0] != labels.shape[0])
            return caseError("y_pred", Message::of("predictions and labels have not the same samples."));
        std::int64_t const samples = prediction.shape[0];
        std::vector<double> weights{static_cast<double>(samples)};
        std::int64_t rows = samples;
        if (auto const *weightJson = find(update, "sample_weight")) {
            // A weight for each sample: the metric of each sample alone, weighted here.
            TW_ASSIGN(auto const weight, tensorOf(run.file, *weightJson, "sample_weight", run.job));
            if (weight.shape != Shape{samples}) return notYet(Message::of("sample weights of shape %1", tilewright::toText(weight.shape)));
            weights = weight.v;
            rows = 1;
        }
        auto &runner = runners[rows];
        if (!runner) { TW_ASSIGN(runner, metricRunner(run, metric, prediction, labels, rows)); }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            auto const begin = static_cast<std::int64_t>(i) * rows;
            Element const element{rowsOf(prediction, begin, rows), rowsOf(labels, begin, rows)};
            TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));
            total += weights[i] * results.at(0).at(0).v.at(0);
            count += weights[i];
        }
        TW_ASSIGN(auto const *after, require(update, "result_after"));
        if (!after->is_number()) return notYet(Message::of("a metric with several results"));
        run.check.values("result_after_" + std::to_string(u), scalarTensor(count != 0 ? total / count : 0.0),
                         scalarTensor(after->get<double>()), tolerance);
    }
    return {};
}

} // namespace tilewright::conformance
