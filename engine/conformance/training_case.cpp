// Kinds training and fit: whole runs, compared by losses, metrics and final weights.
#include "engine/conformance/case_run.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"
#include "engine/model/training_plan.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/metric_totals.h"
#include "engine/training/step_passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace tilewright::conformance {

namespace {

constexpr double kAccuracyAtol = 1e-5; ///< of a share of samples, where a case sets none

/// What both kinds describe.
struct Run {
    model::ResolvedModel model;
    model::TrainingPlan plan;
    std::vector<Tensor> weights;
    std::vector<Tensor> data; ///< inputs, then labels
    std::int64_t samples = 0;
};

Result<Run> readRun(CaseRun &run)
{
    auto const &json = run.json();
    Run r;
    TW_ASSIGN(auto const *modelJson, require(json, "model"));
    TW_ASSIGN(auto const parsed, model::modelFromKeras(*modelJson));
    TW_ASSIGN(r.model, model::resolve(parsed));
    TW_ASSIGN(auto const *losses, requireArray(json, "losses"));
    r.plan.losses.clear();
    for (auto const &each : *losses) {
        TW_ASSIGN(auto loss, model::parseLoss(each));
        r.plan.losses.push_back(std::move(loss));
    }
    if (auto const *weights = find(json, "loss_weights")) { TW_ASSIGN(r.plan.lossWeights, numbersOf(*weights, "loss_weights")); }
    TW_ASSIGN(auto const *optimizer, require(json, "optimizer"));
    TW_ASSIGN(r.plan.optimizer, model::parseOptimizer(*optimizer));
    TW_ASSIGN(r.plan.batchSize, integerOf(json, "batch_size"));
    r.plan.shuffle = false;
    TW_ASSIGN(auto const *weightsJson, requireArray(json, "init_weights"));
    TW_ASSIGN(r.weights, tensorsOf(run.file, *weightsJson, "init_weights", run.job));
    TW_ASSIGN(auto const *x, requireArray(json, "x"));
    TW_ASSIGN(r.data, tensorsOf(run.file, *x, "x", run.job));
    TW_ASSIGN(auto const *y, requireArray(json, "y"));
    TW_ASSIGN(auto const labels, tensorsOf(run.file, *y, "y", run.job));
    r.data.insert(r.data.end(), labels.begin(), labels.end());
    if (r.data.empty() || r.plan.batchSize < 1) return caseError("x", Message::of("there is no data."));
    for (auto const &tensor : r.data)
        if (tensor.shape.empty() || tensor.shape[0] < 1 || tensor.shape[0] != r.data[0].shape[0])
            return caseError("x", Message::of("inputs and labels have not the same samples."));
    r.samples = r.data[0].shape[0];
    return r;
}

/// init_check: the first elements of generated weights.
Status checkInitial(CaseRun &run, std::vector<Tensor> const &weights)
{
    auto const *checks = find(run.json(), "init_check");
    if (!checks) return {};
    if (!checks->is_array()) return caseError("init_check", Message::of("is not a list."));
    for (std::size_t i = 0; i < std::min(checks->size(), weights.size()); ++i) {
        auto const *first = find((*checks)[i], "first4");
        if (!first) continue;
        TW_ASSIGN(auto const wanted, numbersOf(*first, "init_check"));
        for (std::size_t k = 0; k < std::min(wanted.size(), weights[i].v.size()); ++k)
            if (static_cast<float>(wanted[k]) != static_cast<float>(weights[i].v[k]))
                return caseError("init_weights", Message::of("weight %1 is not what 'init_check' says.", i));
    }
    return {};
}

Element elementOf(Run const &r, std::int64_t begin, std::int64_t count)
{
    Element element;
    for (auto const &tensor : r.data) element.push_back(rowsOf(tensor, begin, count));
    return element;
}

/// A sampled weight: mean, norm and 64 elements. The limits of mean and norm follow from that of the elements.
Status compareSampled(CaseRun &run, std::string const &name, Tensor const &weight, Json const &expected, double limit)
{
    run.check.computed(name, weight);
    TW_ASSIGN(auto const *shapeJson, require(expected, "shape"));
    TW_ASSIGN(auto const shape, shapeOf(*shapeJson, name));
    if (shape != weight.shape) {
        run.check.mismatch(name + " has shape " + tilewright::toText(weight.shape) + ", expected " + tilewright::toText(shape) + ".");
        return {};
    }
    TW_ASSIGN(auto const *indexJson, requireArray(expected, "sample_index"));
    TW_ASSIGN(auto const *valueJson, requireArray(expected, "sample_value"));
    TW_ASSIGN(auto const indices, numbersOf(*indexJson, name));
    TW_ASSIGN(auto const values, numbersOf(*valueJson, name));
    if (indices.size() != values.size()) return caseError(name, Message::of("samples and their places differ in number."));
    double error = 0, scale = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        auto const at = static_cast<std::size_t>(indices[i]);
        if (indices[i] < 0 || at >= weight.v.size()) return caseError(name, Message::of("a sample lies outside the tensor."));
        error = std::max(error, std::abs(weight.v[at] - values[i]));
        scale = std::max(scale, std::abs(values[i]));
    }
    for (double v : weight.v) {
        sum += v;
        squares += v * v;
    }
    auto const count = static_cast<double>(weight.v.size());
    if (!(scale > 0)) return caseError(name, Message::of("all samples are zero."));
    run.check.add(name + " samples relative to the largest", error / scale, limit);
    if (find(expected, "mean")) run.check.add(name + " mean", std::abs(sum / count - numberOr(expected, "mean", 0)) / scale, limit);
    if (find(expected, "l2"))
        run.check.add(name + " l2 norm", std::abs(std::sqrt(squares) - numberOr(expected, "l2", 0)) / (scale * std::sqrt(count)), limit);
    return {};
}

Status compareFinal(CaseRun &run, std::vector<Tensor> const &weights, double limit)
{
    auto const &expected = *find(run.json(), "expected");
    if (auto const *sampled = find(expected, "final_weights_sampled")) {
        if (!sampled->is_array() || sampled->size() != weights.size())
            return caseError("final_weights_sampled", Message::of("the number of weights differs."));
        for (std::size_t i = 0; i < weights.size(); ++i)
            TW_TRY(compareSampled(run, "final_weights_" + std::to_string(i), weights[i], (*sampled)[i], limit));
    }
    for (std::size_t i = 0; i < weights.size(); ++i) run.check.computed("final_weights_" + std::to_string(i), weights[i]);
    auto const *list = find(expected, "final_weights");
    if (!list) return {};
    TW_ASSIGN(auto const wanted, tensorsOf(run.file, *list, "final_weights", run.job));
    if (wanted.size() != weights.size()) return caseError("final_weights", Message::of("the number of weights differs."));
    for (std::size_t i = 0; i < weights.size(); ++i)
        run.check.relativeToMax("final_weights_" + std::to_string(i), weights[i], wanted[i], limit);
    return {};
}

void compareLosses(CaseRun &run, std::string const &name, std::vector<double> const &actual, std::vector<double> const &expected,
                   double rtol)
{
    run.check.computed(name, vectorTensor(actual));
    if (actual.size() != expected.size()) return run.check.mismatch(name + " has " + std::to_string(actual.size()) + " entries.");
    for (std::size_t k = 0; k < actual.size(); ++k) {
        double const scale = std::abs(expected[k]);
        double const error = std::abs(actual[k] - expected[k]);
        run.check.add(name + " of step " + std::to_string(k + 1), scale > 0 ? error / scale : error, rtol);
    }
}

} // namespace

Status runTrainingCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(json,
                     {"format",
                      "id",
                      "kind",
                      "note",
                      "provenance",
                      "tolerance",
                      "model",
                      "losses",
                      "loss_weights",
                      "optimizer",
                      "loop",
                      "class_weight",
                      "init_weights",
                      "init_check",
                      "x",
                      "y",
                      "batch_size",
                      "steps",
                      "gradient_accumulation",
                      "replicas",
                      "pair",
                      "expected"}));
    TW_ASSIGN(auto r, readRun(run));
    TW_TRY(checkInitial(run, r.weights));
    TW_ASSIGN(auto const steps, integerOf(json, "steps"));
    TW_ASSIGN(auto const *expected, require(json, "expected"));
    TW_TRY(allowOnly(*expected, {"loss", "accuracy", "final_weights", "final_weights_sampled"}));
    std::int64_t count = 1;
    if (auto const *accumulation = find(json, "gradient_accumulation")) {
        TW_TRY(allowOnly(*accumulation, {"count", "reduction"}));
        TW_ASSIGN(count, integerOf(*accumulation, "count"));
        auto const *reduction = find(*accumulation, "reduction");
        if (reduction && reduction->is_string()) r.plan.gradientAccumulationReduction = reduction->get<std::string>();
        static constexpr std::array<std::string_view, 3> kReductions{"sum", "mean", "running_mean"};
        if (std::ranges::find(kReductions, r.plan.gradientAccumulationReduction) == kReductions.end())
            return notYet(Message::of("accumulation by '%1'", r.plan.gradientAccumulationReduction));
    }
    if (steps < 1 || count < 1) return caseError("steps", Message::of("there is nothing to do."));
    // Micro-batches go to replicas where the machine has enough IPUs and gradients are added (replicas add
    // theirs, whatever the accumulation does); else one IPU takes them one after the other.
    std::int64_t replicas = integerOr(json, "replicas", 1);
    bool const spread = replicas > 1 && run.mode != Mode::Reference && run.machine.isEmulated() && run.machine.ipus >= replicas
        && count % replicas == 0 && r.plan.gradientAccumulationReduction == "sum";
    if (!spread) replicas = 1;
    r.plan.replicas = replicas;
    r.plan.gradientAccumulationSteps = r.plan.stepsPerExecution = count / replicas;
    if (auto const *loop = find(json, "loop")) { // blocks of a person's own, as a project's training.loop
        TW_ASSIGN(r.plan.loop, model::parseTrainingLoop(*loop));
        TW_TRY(model::checkTrainingLoop(r.plan, r.model));
    }
    if (auto const *weights = find(json, "class_weight")) { // Keras's: by class number as text
        if (!weights->is_object()) return caseError("class_weight", Message::of("is no object of classes and weights."));
        for (std::size_t i = 0; i < weights->size(); ++i) r.plan.classWeights.push_back(numberOr(*weights, std::to_string(i).c_str(), 1));
        TW_TRY(model::checkTrainingPlan(r.plan, r.model));
        auto const &labels = r.data.back();
        Tensor each{DType::F32, {r.samples}, {}};
        for (auto const label : labels.v) each.v.push_back(r.plan.classWeights.at(static_cast<std::size_t>(label)));
        r.data.push_back(std::move(each));
    }
    auto const *accuracies = find(*expected, "accuracy");
    if (accuracies) {
        TW_ASSIGN(auto metric, model::parseMetric("accuracy"));
        r.plan.metrics = {std::move(metric)};
    }
    TW_ASSIGN(auto step, training::buildTraining(r.model, r.plan, ops::opLookup()));
    TW_ASSIGN(auto const runner, run.runner(std::move(step), static_cast<int>(replicas)));
    TW_TRY(runner->writeWeights(r.weights));
    // Of several outputs the first with an accuracy is the one that is expected.
    std::size_t accuracyAt = 0;
    auto const &outfeed = runner->step().outfeed;
    while (accuracies && accuracyAt < outfeed.size() && !outfeed[accuracyAt].name.ends_with("accuracy")) ++accuracyAt;
    std::vector<double> losses, accuracy;
    std::int64_t next = 0;
    for (std::int64_t k = 0; k < steps; ++k) {
        if (run.job.cancelled()) return cancelledError("conformance");
        std::vector<Element> elements;
        for (std::int64_t m = 0; m < count; ++m, next = (next + r.plan.batchSize) % r.samples)
            elements.push_back(elementOf(r, next, r.plan.batchSize));
        TW_ASSIGN(auto const results, runner->run(elements, run.job));
        double loss = 0, hits = 0;
        for (auto const &element : results) {
            loss += element.at(0).v.at(0);
            if (accuracies) hits += element.at(accuracyAt).v.at(0);
        }
        losses.push_back(loss / static_cast<double>(count));
        accuracy.push_back(hits / static_cast<double>(count));
    }
    auto const *tolerance = find(json, "tolerance");
    TW_TRY(allowOnly(tolerance ? *tolerance : Json::object(), {"loss_rtol", "weights_rel_to_max"}));
    TW_ASSIGN(auto const *lossJson, requireArray(*expected, "loss"));
    TW_ASSIGN(auto const wantedLosses, numbersOf(*lossJson, "loss"));
    compareLosses(run, "loss", losses, wantedLosses, tolerance ? numberOr(*tolerance, "loss_rtol", 1e-4) : 1e-4);
    if (accuracies) {
        TW_ASSIGN(auto const wanted, numbersOf(*accuracies, "accuracy"));
        run.check.values("accuracy", vectorTensor(accuracy), vectorTensor(wanted), {0, kAccuracyAtol});
    }
    return compareFinal(run, runner->readWeights(), tolerance ? numberOr(*tolerance, "weights_rel_to_max", 1e-4) : 1e-4);
}

namespace {

/// Training or evaluation under Keras's own data rules: the last batch of an epoch is smaller, so there is a program
/// for each batch size; the state goes from one to the other.
class BatchPrograms {
public:
    BatchPrograms(CaseRun &run, Run const &r, bool training) : m_run(run), m_data(r), m_training(training) {}

    /// Samples [begin, end) in batches; `state` is read and, by training, brought up to date.
    /// Figures of all samples.
    Result<std::vector<std::pair<std::string, double>>> epoch(std::int64_t begin, std::int64_t end, State &state)
    {
        std::vector<graph::FeedSpec> outputs;
        std::optional<runtime::MetricTotals> totals;
        for (std::int64_t at = begin; at < end;) {
            if (m_run.job.cancelled()) return cancelledError("conformance");
            std::int64_t const size = std::min(m_data.plan.batchSize, end - at);
            TW_ASSIGN(auto *runner, program(size));
            runner->load(state);
            auto const element = elementOf(m_data, at, size);
            TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), m_run.job));
            if (!totals) {
                outputs = runner->step().outfeed;
                totals.emplace(outputs);
            }
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                auto const &values = results.at(0).at(i).v;
                totals->add(i, std::vector<float>(values.begin(), values.end()), static_cast<double>(size));
            }
            if (m_training) state = runner->state();
            at += size;
        }
        std::vector<std::pair<std::string, double>> figures;
        for (std::size_t i = 0; i < outputs.size(); ++i) figures.emplace_back(outputs[i].name, totals->figure(i));
        return figures;
    }
    /// The program of full batches.
    Result<StepRunner *> program(std::int64_t size)
    {
        auto &runner = m_runners[size];
        if (runner) return runner.get();
        auto plan = m_data.plan;
        plan.batchSize = size;
        auto built = m_training ? training::buildTraining(m_data.model, plan, ops::opLookup())
                                : training::buildEvaluation(m_data.model, plan, 1, ops::opLookup());
        if (!built.ok()) return built.error();
        TW_ASSIGN(runner, m_run.runner(std::move(built).value()));
        return runner.get();
    }

private:
    CaseRun &m_run;
    Run const &m_data;
    bool m_training;
    std::map<std::int64_t, std::unique_ptr<StepRunner>> m_runners; ///< by batch size
};

} // namespace

Status runFitCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(
        json, {"format",    "id",      "kind",         "note",       "provenance", "tolerance", "model",      "losses", "loss_weights",
               "optimizer", "metrics", "init_weights", "init_check", "x",          "y",         "batch_size", "epochs", "validation_split",
               "shuffle",   "expected"}));
    if (auto const *shuffle = find(json, "shuffle"); shuffle && shuffle->is_boolean() && shuffle->get<bool>())
        return notYet(Message::of("a shuffled run"));
    TW_ASSIGN(auto r, readRun(run));
    TW_TRY(checkInitial(run, r.weights));
    if (auto const *metrics = find(json, "metrics")) {
        if (!metrics->is_array()) return caseError("metrics", Message::of("is not a list."));
        for (auto const &each : *metrics) {
            TW_ASSIGN(auto metric, model::parseMetric(each));
            r.plan.metrics.push_back(std::move(metric));
        }
    }
    TW_ASSIGN(auto const epochs, integerOf(json, "epochs"));
    TW_ASSIGN(auto const *expected, require(json, "expected"));
    TW_TRY(allowOnly(*expected, {"history", "final_weights", "final_weights_sampled"}));
    TW_ASSIGN(auto const *history, require(*expected, "history"));
    double const split = numberOr(json, "validation_split", 0.0);
    if (split < 0 || split >= 1 || epochs < 1) return caseError("validation_split", Message::of("there is nothing to train on."));
    // Keras: the last part of the data, from the floor of what is left.
    auto const trained = split > 0 ? static_cast<std::int64_t>(std::floor(static_cast<double>(r.samples) * (1.0 - split))) : r.samples;
    if (trained < 1) return caseError("validation_split", Message::of("there is nothing to train on."));

    BatchPrograms training(run, r, true), validation(run, r, false);
    TW_ASSIGN(auto *first, training.program(std::min(r.plan.batchSize, trained)));
    TW_TRY(first->writeWeights(r.weights));
    State state = first->state();
    std::map<std::string, std::vector<double>> logs;
    auto const log = [&](std::string const &prefix, std::vector<std::pair<std::string, double>> const &figures) {
        for (auto const &[name, figure] : figures) logs[prefix + name].push_back(figure);
    };
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
        TW_ASSIGN(auto const means, training.epoch(0, trained, state));
        log("", means);
        if (trained == r.samples) continue;
        TW_ASSIGN(auto const judged, validation.epoch(trained, r.samples, state));
        log("val_", judged);
    }
    for (auto const &[name, values] : logs) run.check.computed("history_" + name, vectorTensor(values));
    auto const *tolerance = find(json, "tolerance");
    TW_TRY(allowOnly(tolerance ? *tolerance : Json::object(), {"loss_rtol", "metric_atol", "weights_rel_to_max"}));
    double const rtol = tolerance ? numberOr(*tolerance, "loss_rtol", 1e-4) : 1e-4;
    double const atol = tolerance ? numberOr(*tolerance, "metric_atol", kAccuracyAtol) : kAccuracyAtol;
    for (auto const &[name, list] : history->items()) {
        TW_ASSIGN(auto const wanted, numbersOf(list, "history " + name));
        auto const it = logs.find(name);
        if (it == logs.end()) {
            run.check.mismatch("the history has no '" + name + "'.");
            continue;
        }
        if (name.ends_with("loss")) compareLosses(run, "history_" + name, it->second, wanted, rtol);
        else run.check.values("history_" + name, vectorTensor(it->second), vectorTensor(wanted), {rtol, atol});
    }
    first->load(state);
    return compareFinal(run, first->readWeights(), tolerance ? numberOr(*tolerance, "weights_rel_to_max", 1e-4) : 1e-4);
}

} // namespace tilewright::conformance
