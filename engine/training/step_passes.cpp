#include "engine/training/step_passes.h"

#include <utility>

namespace tilewright::training {

using layers::StepGraph;

namespace {

/// The blocks of a person's loop. Requires: checkTrainingLoop.
Result<std::vector<StepPass>> loopPasses(model::TrainingPlan const &plan, StepGraph const &step, std::string const &schedule)
{
    using Kind = model::LoopBlock::Kind;
    std::vector<StepPass> passes;
    bool reduces = plan.replicas <= 1;
    auto const scaling = model::lossScalingOf(plan);
    bool scaled = scaling.any(); // as long as gradients are
    auto const toUnscaled = [&] {
        if (std::exchange(scaled, false)) passes.push_back(unscale(scaling));
    };
    for (std::size_t i = 0; i < plan.loop.size(); ++i) {
        auto const &block = plan.loop[i];
        auto const refuse = [&](Message message, Message remedy) {
            return makeError(ErrorKind::Invalid, "training.loop", "training.loop[" + std::to_string(i) + "]", std::move(message),
                             std::move(remedy));
        };
        switch (block.kind) {
        case Kind::Gradients:
            passes.push_back(differentiate(scaling));
            passes.push_back(advanceCounters());
            break;
        case Kind::Accumulate:
            passes.push_back(
                accumulate(plan.gradientAccumulationSteps, plan.gradientAccumulationReduction, schedule, plan.accumulateOutfeed));
            break;
        case Kind::AllReduce:
            if (plan.replicas > 1 && scaling.any() && !scaled)
                return refuse(Message::of("gradients are divided by the scale of the loss, for the clip, before replicas sum them"),
                              Message::of("put \"all_reduce\" before the clip"));
            if (plan.replicas > 1) passes.push_back(reduceOverReplicas());
            reduces = true;
            break;
        case Kind::Clip:
            toUnscaled();
            passes.push_back(clipGradients(block.clipping));
            break;
        case Kind::Apply: {
            if (!reduces)
                return refuse(Message::of("the weights of the %1 replicas would become different", plan.replicas),
                              Message::of("put \"all_reduce\" before the first apply, or train one replica"));
            toUnscaled();
            auto const &optimizer = block.optimizer.empty() ? plan.optimizer : block.optimizer.front();
            WeightFilter const which = [loop = plan.loop, i](std::string_view weight) { return model::appliesTo(loop, i, weight); };
            if (auto const clipping = optimizer.clipping(); clipping.any()) passes.push_back(clipGradients(clipping, which));
            passes.push_back(applyOptimizer(optimizer, which));
            if (!step.constraints.empty()) passes.push_back(constrainWeights(which));
            break;
        }
        case Kind::While:
            passes.push_back(loopWhile("update", block.lossAbove, plan.stepsPerExecution, plan.replicas));
            return passes; // the last block
        }
    }
    passes.push_back(loop("update", plan.stepsPerExecution / plan.gradientAccumulationSteps));
    return passes;
}

} // namespace

Result<std::vector<StepPass>> trainingPasses(model::TrainingPlan const &plan, StepGraph const &step)
{
    auto const schedule = scheduleOf(plan, step.graph.stages);
    if (!plan.loop.empty()) return loopPasses(plan, step, schedule);
    auto const scaling = model::lossScalingOf(plan);
    std::vector<StepPass> passes{differentiate(scaling), advanceCounters()};
    std::int64_t const steps = plan.gradientAccumulationSteps;
    if (steps > 1 || !schedule.empty())
        passes.push_back(accumulate(steps, plan.gradientAccumulationReduction, schedule, plan.accumulateOutfeed));
    if (plan.replicas > 1) passes.push_back(reduceOverReplicas());
    if (scaling.any()) passes.push_back(unscale(scaling));
    if (auto const clipping = plan.optimizer.clipping(); clipping.any()) passes.push_back(clipGradients(clipping));
    passes.push_back(applyOptimizer(plan.optimizer));
    if (!step.constraints.empty()) passes.push_back(constrainWeights());
    passes.push_back(loop("update", plan.stepsPerExecution / steps));
    return passes;
}

std::string scheduleOf(model::TrainingPlan const &plan, int stages)
{
    return stages > 1 && !plan.isSharded() ? plan.pipelineSchedule : std::string();
}

std::vector<StepPass> inferencePasses(std::int64_t steps, std::string const &schedule, bool outputs)
{
    return {loop("micro_batch", steps, schedule, outputs)};
}

std::vector<passes::Pass> asGraphPasses(std::vector<StepPass> steps, std::shared_ptr<StepGraph> step)
{
    std::vector<passes::Pass> all;
    for (auto &pass : steps)
        all.push_back(
            {pass.name, pass.help, [run = pass.run, step](graph::Graph graph, passes::PassContext const &context) -> Result<graph::Graph> {
                 step->graph = std::move(graph);
                 TW_TRY(run(*step, context.ops));
                 return std::move(step->graph);
             }});
    return all;
}

namespace {

Result<StepGraph> finished(StepGraph step, std::vector<StepPass> const &passes, graph::OpLookup const &ops)
{
    for (auto const &pass : passes) TW_TRY(pass.run(step, ops));
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

} // namespace

Result<StepGraph> buildTraining(model::ResolvedModel const &model, model::TrainingPlan const &plan, graph::OpLookup const &ops)
{
    TW_TRY(model::checkTrainingPlan(plan, model));
    TW_ASSIGN(auto step, layers::buildJudged(model, plan, true, ops));
    TW_ASSIGN(auto const passes, trainingPasses(plan, step));
    return finished(std::move(step), passes, ops);
}

Result<StepGraph> buildEvaluation(model::ResolvedModel const &model, model::TrainingPlan const &plan, std::int64_t steps,
                                  graph::OpLookup const &ops)
{
    TW_CHECK(steps >= 1, "evaluation needs a step");
    TW_ASSIGN(auto step, layers::buildJudged(model, plan, false, ops));
    int const stages = step.graph.stages;
    return finished(std::move(step), inferencePasses(steps, scheduleOf(plan, stages)), ops);
}

Result<StepGraph> buildPrediction(model::ResolvedModel const &model, std::int64_t batch, std::int64_t steps, graph::OpLookup const &ops,
                                  std::string const &schedule)
{
    TW_CHECK(steps >= 1, "prediction needs a step");
    TW_ASSIGN(auto step, layers::buildOutputs(model, batch, ops));
    int const stages = step.graph.stages;
    return finished(std::move(step), inferencePasses(steps, stages > 1 ? schedule : std::string()), ops);
}

} // namespace tilewright::training
