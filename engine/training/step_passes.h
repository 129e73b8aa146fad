#pragma once

#include "engine/layers/step_graph.h"
#include "engine/passes/pass.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A step of training is made by passes: each takes the step as the one before left it (layers/step_graph.h) and does one
/// thing. Which ones, and in which order, is read off the plan.
namespace tilewright::training {

struct StepPass {
    std::string name;
    std::string help; ///< one line
    std::function<Status(layers::StepGraph &, graph::OpLookup const &)> run;
};

/// Which trained weights, by name ("dense/kernel"); empty: all.
using WeightFilter = std::function<bool(std::string_view)>;

/// The gradient of the objective, times `lossScale`, for every trained weight. Error: Invalid "autodiff.no-gradient".
StepPass differentiate(double lossScale = 1.0);
/// Divides gradients by the scale of the loss, and makes them float32: as float16 they might not survive it.
StepPass unscale(double lossScale);
/// A micro-batch counts on what its random operations drew.
StepPass advanceCounters();
/// Gradients are summed over `steps` micro-batches ("sum", "mean", "running_mean"): the entry region becomes the body of a
/// loop "micro_batch", a `pipeline` of `schedule` where the model has stages; accumulators are zeroed before it and read
/// behind it. Requires: gradients.
StepPass accumulate(std::int64_t steps, std::string reduction, std::string schedule);
/// Gradients are summed over replicas, one collective for each stage.
StepPass reduceOverReplicas();
/// Gradients are bounded: by value, then each by its norm or all by the norm of all (ops_layers 5: on the summed gradients).
StepPass clipGradients(model::Clipping clipping, WeightFilter which = {});
/// The optimizer's update of these weights; several take turns over different ones, each with its own count of updates.
/// Error: Invalid "layers.optimizer".
StepPass applyOptimizer(model::Optimizer optimizer, WeightFilter which = {});
/// The entry region becomes the body of a loop of `count`, a `pipeline` of `schedule` where it is not empty.
StepPass loop(std::string label, std::int64_t count, std::string schedule = {});
/// The same until the loss of a micro-batch (its mean over replicas) is not above a bound, at most `limit` times. What one
/// execution found, the next of the same run knows: a loop that has ended stays so. Requires: a loss that is fed out.
StepPass loopWhile(std::string label, double lossAbove, std::int64_t limit, int replicas);

/// What makes a plan's training of one judged micro-batch; evaluation or prediction of `steps` micro-batches.
///   training, N = gradient accumulation steps, K = steps per execution:
///     repeat(K/N) "update" { N = 1, one stage: the micro-batch itself;
///                            else: accumulators to zero, repeat(N) or pipeline(N) "micro_batch";
///                            all_reduce (replicas > 1), unscale (where the loss is scaled), clip, optimizer }
///   A loop of one's own (model::TrainingLoop) is these passes in the order of its blocks; with a while block the loop around
///   all is one as well: while(K) "update" { the micro-batch }.
///   evaluation, prediction: repeat(K) or pipeline(K) "micro_batch".
/// Error: Invalid "training.loop" (replicas whose gradients the blocks do not sum).
Result<std::vector<StepPass>> trainingPasses(model::TrainingPlan const &plan, int stages);
std::vector<StepPass> inferencePasses(std::int64_t steps, int stages, std::string const &schedule);

/// The passes as those of a compile: timed, verified, dumped and stopped like the others. `step` receives what they make,
/// but for the graph, which is handed from one to the next.
std::vector<passes::Pass> asGraphPasses(std::vector<StepPass> steps, std::shared_ptr<layers::StepGraph> step);

/// The builders and the passes at once. Errors: those of checkTrainingPlan, of layers::buildJudged and of the passes.
Result<layers::StepGraph> buildTraining(model::ResolvedModel const &model, model::TrainingPlan const &plan, graph::OpLookup const &ops);
/// Loss and metrics without training, `steps` micro-batches of plan.batchSize. Requires: steps >= 1.
Result<layers::StepGraph> buildEvaluation(model::ResolvedModel const &model, model::TrainingPlan const &plan, std::int64_t steps,
                                          graph::OpLookup const &ops);
/// `steps` micro-batches of `batch` samples; outfeeds the model's outputs. Requires: steps, batch >= 1.
Result<layers::StepGraph> buildPrediction(model::ResolvedModel const &model, std::int64_t batch, std::int64_t steps,
                                          graph::OpLookup const &ops, std::string const &schedule = "grouped");

/// One micro-batch, no loss: for comparing with reference cases. Infeed: inputs, then a cotangent per output.
/// Outfeed: outputs, gradients of the floating-point inputs, gradients of the weights in Keras's order
/// (names "output:…", "grad:…"). A gradient that does not exist is zeros. `training` picks dropout.
Result<layers::StepGraph> buildWithCotangents(model::ResolvedModel const &model, std::int64_t batch, bool training,
                                              graph::OpLookup const &ops);

} // namespace tilewright::training
