#pragma once

#include "engine/layers/step_graph.h"
#include "engine/passes/pass.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Passes make a training step: each receives the step of the previous pass (layers/step_graph.h) and adds one thing. The plan determines
/// the passes and their order.
namespace tilewright::training {

struct StepPass {
    std::string name;
    std::string help; ///< one line
    std::function<Status(layers::StepGraph &, graph::OpLookup const &)> run;
};

/// Selects trained weights by name ("dense/kernel"); empty: all.
using WeightFilter = std::function<bool(std::string_view)>;

/// The gradient of the objective, times the loss scale, for every trained weight. Error: Invalid "autodiff.no-gradient".
StepPass differentiate(model::LossScaling scaling = {});
/// Divides gradients by the loss scale and makes them float32, because small float16 gradients would vanish.
/// Before that it counts the large ones for an automatic scale, which it adapts.
StepPass unscale(model::LossScaling scaling);
/// Advances the counters of random operations for the next micro-batch.
StepPass advanceCounters();
/// Sums gradients over `steps` micro-batches ("sum", "mean", "running_mean"). The entry region becomes the body of a loop "micro_batch", or
/// of a `pipeline` if `schedule` is not empty. Accumulators are zeroed before the loop and read after it. `outputs`: the mean of the
/// micro-batches' losses and metrics is sent after the loop, instead of each in it. Requires: gradients.
StepPass accumulate(std::int64_t steps, std::string reduction, std::string schedule, bool outputs = false);
/// Sums gradients over replicas, with one collective per stage.
StepPass reduceOverReplicas();
/// Clips gradients: by value, then each by its norm, or all by their global norm (ops_layers 5: on the summed gradients).
StepPass clipGradients(model::Clipping clipping, WeightFilter which = {});
/// The optimizer's update of these weights. Several optimizers may update different weights, each with its own counter of updates. Error:
/// Invalid "layers.optimizer".
StepPass applyOptimizer(model::Optimizer optimizer, WeightFilter which = {});
/// The constraints of these weights, on their new values. Requires: the optimizer has updated them.
StepPass constrainWeights(WeightFilter which = {});
/// The entry region becomes the body of a loop of `count`, or of a `pipeline` if `schedule` is not empty. `outputs`: as accumulate().
StepPass loop(std::string label, std::int64_t count, std::string schedule = {}, bool outputs = false);
/// The same, until the loss of a micro-batch (its mean over replicas) is not above a bound, at most `limit` times. The end survives
/// executions of the same run: an ended loop stays ended. Requires: a loss that is fed out.
StepPass loopWhile(std::string label, double lossAbove, std::int64_t limit, int replicas);

/// The passes that turn `step`, one micro-batch with loss, into the plan's training, or into evaluation or prediction of `steps`
/// micro-batches.
///   training, N = gradient accumulation steps, K = steps per execution:
///     repeat(K/N) "update" { N = 1, one stage: the micro-batch itself;
///                            else: zero accumulators, repeat(N) or pipeline(N) "micro_batch";
///                            all_reduce (replicas > 1), unscale (with a loss scale), clip, optimizer, constraints }
///   A custom loop (model::TrainingLoop) uses these passes in the order of its blocks. With a while block, the outermost
///   loop is while(K) "update" { the micro-batch }.
///   evaluation, prediction: repeat(K) or pipeline(K) "micro_batch".
/// Error: Invalid "training.loop" (replicas whose gradients the blocks do not sum).
Result<std::vector<StepPass>> trainingPasses(model::TrainingPlan const &plan, layers::StepGraph const &step);
/// `outputs`: the mean of the micro-batches' losses and metrics is sent once.
std::vector<StepPass> inferencePasses(std::int64_t steps, std::string const &schedule, bool outputs = false);
/// The schedule of a pipeline; empty: one stage, or layers sharded over the IPUs without a pipeline.
std::string scheduleOf(model::TrainingPlan const &plan, int stages);

/// Wraps the passes as passes of a compile: timed, verified, dumped and stopped like the others. `step` receives their results, except the
/// graph, which passes from one to the next.
std::vector<passes::Pass> asGraphPasses(std::vector<StepPass> steps, std::shared_ptr<layers::StepGraph> step);

/// Runs the builders and the passes. Errors: those of checkTrainingPlan, of layers::buildJudged and of the passes.
Result<layers::StepGraph> buildTraining(model::ResolvedModel const &model, model::TrainingPlan const &plan, graph::OpLookup const &ops);
/// Loss and metrics without training, `steps` micro-batches of plan.batchSize. Requires: steps >= 1.
Result<layers::StepGraph> buildEvaluation(model::ResolvedModel const &model, model::TrainingPlan const &plan, std::int64_t steps,
                                          graph::OpLookup const &ops);
/// `steps` micro-batches of `batch` samples; outfeeds the model's outputs. Requires: steps, batch >= 1.
Result<layers::StepGraph> buildPrediction(model::ResolvedModel const &model, std::int64_t batch, std::int64_t steps,
                                          graph::OpLookup const &ops, std::string const &schedule = "grouped");

/// One micro-batch without loss, for comparison with reference cases. Infeed: inputs, then a cotangent per output. Outfeed: outputs,
/// gradients of the floating-point inputs, gradients of the weights in Keras's order (names "output:…", "grad:…"). A missing gradient is
/// zeros. `training` enables dropout.
Result<layers::StepGraph> buildWithCotangents(model::ResolvedModel const &model, std::int64_t batch, bool training,
                                              graph::OpLookup const &ops);

} // namespace tilewright::training
