// Kinds optimizer and schedule: the update ops alone, with gradients from the feed.
#include "engine/conformance/case_run.h"
#include "engine/layers/forward.h"
#include "engine/model/optimizers.h"
#include "engine/model/schedules.h"
#include "engine/ops/op_def.h"
#include "engine/training/step_passes.h"

namespace tilewright::conformance {

namespace {

/// One update per run; the feed brings a gradient per weight.
Result<layers::StepGraph> updateGraph(model::Optimizer const &optimizer, std::span<Tensor const> weights)
{
    layers::StepGraph step;
    step.graph.name = "optimizer";
    graph::addRegion(step.graph, "main");
    model::ResolvedModel const none;
    layers::BuildContext c(none, step.graph, ops::opLookup(), 1, true);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        graph::Variable variable;
        variable.layer = "w" + std::to_string(i);
        variable.name = variable.layer + "/kernel";
        variable.shape = weights[i].shape;
        variable.role = graph::Role::Weight;
        variable.trainable = true;
        step.weights.push_back(graph::addVariable(step.graph, std::move(variable)));
        step.infeed.push_back({"grad" + std::to_string(i), weights[i].shape, DType::F32});
    }
    step.trainable = step.weights;
    step.gradients = layers::buildInfeed(c, step.infeed);
    for (auto const &pass :
         {training::clipGradients(optimizer.clipping()), training::applyOptimizer(optimizer), training::loop("update", 1)})
        TW_TRY(pass.run(step, ops::opLookup()));
    TW_TRY(graph::verify(step.graph, ops::opLookup()));
    return step;
}

} // namespace

Status runOptimizerCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(json, {"format", "id", "kind", "note", "provenance", "tolerance", "optimizer", "init_weights", "grads", "expected"}));
    TW_ASSIGN(auto const *optimizerJson, require(json, "optimizer"));
    TW_ASSIGN(auto const optimizer, model::parseOptimizer(*optimizerJson));
    TW_ASSIGN(auto const *weightsJson, requireArray(json, "init_weights"));
    TW_ASSIGN(auto const weights, tensorsOf(run.file, *weightsJson, "init_weights", run.job));
    TW_ASSIGN(auto const *gradients, requireArray(json, "grads"));
    TW_ASSIGN(auto const *expected, requireArray(json, "expected"));
    TW_ASSIGN(auto step, updateGraph(optimizer, weights));
    TW_ASSIGN(auto const runner, run.runner(std::move(step)));
    TW_TRY(runner->writeWeights(weights));
    auto const tolerance = toleranceOf(find(json, "tolerance"));
    std::size_t compared = 0;
    for (std::size_t k = 0; k < gradients->size(); ++k) {
        TW_ASSIGN(auto const element, tensorsOf(run.file, (*gradients)[k], "grads", run.job));
        TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));
        for (auto const &entry : *expected) {
            if (integerOr(entry, "step", -1) != static_cast<std::int64_t>(k + 1)) continue;
            TW_ASSIGN(auto const *list, requireArray(entry, "weights"));
            TW_ASSIGN(auto const wanted, tensorsOf(run.file, *list, "weights", run.job));
            auto const now = runner->readWeights();
            if (now.size() != wanted.size()) return caseError("expected", Message::of("the number of weights differs."));
            for (std::size_t i = 0; i < now.size(); ++i)
                run.check.values("step_" + std::to_string(k + 1) + "_weights_" + std::to_string(i), now[i], wanted[i], tolerance);
            ++compared;
        }
    }
    if (compared != expected->size()) return caseError("expected", Message::of("a step is expected for which there are no gradients."));
    return {};
}

/// The rate that a device computes for each number of updates before.
Status runScheduleCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(json, {"format", "id", "kind", "note", "provenance", "tolerance", "schedule", "steps", "expected"}));
    TW_ASSIGN(auto const *scheduleJson, require(json, "schedule"));
    TW_ASSIGN(auto const schedule, model::normalizeSchedule(*scheduleJson, "schedule"));
    TW_ASSIGN(auto const *steps, requireArray(json, "steps"));
    TW_ASSIGN(auto const *expected, requireArray(json, "expected"));
    if (steps->size() != expected->size()) return caseError("expected", Message::of("there is not one rate for each of the steps."));
    layers::StepGraph step;
    step.graph.name = "schedule";
    graph::addRegion(step.graph, "main");
    model::ResolvedModel const none;
    layers::BuildContext c(none, step.graph, ops::opLookup(), 1, true);
    step.infeed.push_back({"updates", {}, DType::I32});
    auto const updates = layers::buildInfeed(c, step.infeed);
    auto const rate = c.op("opt.step_size", {updates[0]},
                           {{"kind", std::string("constant")}, {"schedule", model::scheduleNumbers(schedule)}}, "StepSize");
    layers::buildOutfeed(c, {rate});
    step.outfeed.push_back({"rate", {}, DType::F32});
    TW_TRY(graph::verify(step.graph, ops::opLookup()));
    TW_ASSIGN(auto const runner, run.runner(std::move(step)));
    auto const tolerance = toleranceOf(find(json, "tolerance"));
    for (std::size_t i = 0; i < steps->size(); ++i) {
        if (!(*steps)[i].is_number_integer() || !(*expected)[i].is_number())
            return caseError("steps", Message::of("a step is no integer, or a rate no number."));
        Element const element{Tensor{DType::I32, {}, {(*steps)[i].get<double>()}}};
        TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));
        run.check.values("step_" + std::to_string((*steps)[i].get<std::int64_t>()), results.front().front(),
                         Tensor{DType::F32, {}, {(*expected)[i].get<double>()}}, tolerance);
    }
    return {};
}

} // namespace tilewright::conformance
