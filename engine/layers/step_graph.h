#pragma once

#include "engine/graph/op_table.h"
#include "engine/layers/optimizer_builder.h"
#include "engine/model/resolve.h"
#include "engine/model/training_plan.h"

#include <string>
#include <vector>

namespace tilewright::layers {

/// One tensor of a feed as it passes per micro-batch and replica.
struct StreamSpec {
    std::string name;
    Shape shape;
    DType dtype = DType::F32;
    bool operator==(StreamSpec const &) const = default;
};

/// A whole program of steps as a graph, device loop included, before any pass. Regions: "main" holds the loop.
///   training, N = gradient accumulation steps, K = steps per execution:
///     repeat(K/N) "update" { N = 1, one stage: the micro-batch itself;
///                            else: accumulators to zero, repeat(N) or pipeline(N) "micro_batch";
///                            all_reduce (replicas > 1), optimizer }
///   evaluation, prediction: repeat(K) or pipeline(K) "micro_batch".
/// A micro-batch is infeed("infeed") of inputs then labels, the model, and outfeed("outfeed"): scalars loss and
/// metrics, or the predictions.
struct StepGraph {
    graph::Graph graph;
    std::vector<StreamSpec> infeed;  ///< in the order of the infeed's outputs
    std::vector<StreamSpec> outfeed; ///< in the order of the outfeed's inputs; names as Keras logs them
    std::vector<graph::VariableId> weights;   ///< Keras's get_weights order
    std::vector<graph::VariableId> trainable; ///< the trained ones, same order
    std::vector<graph::VariableId> iterations; ///< counters of updates, one per stage; equal values
    std::vector<SlotVariable> optimizerSlots;
};

/// Errors: those of checkTrainingPlan, layers.batch (an input fixes another batch size), layers.unsupported,
/// layers.metric, layers.optimizer, autodiff.no-gradient.
Result<StepGraph> buildTraining(model::ResolvedModel const &model, model::TrainingPlan const &plan, graph::OpLookup const &ops);
/// Loss and metrics without training, `steps` micro-batches of plan.batchSize. Requires: steps >= 1.
Result<StepGraph> buildEvaluation(model::ResolvedModel const &model, model::TrainingPlan const &plan, std::int64_t steps,
                                  graph::OpLookup const &ops);
/// `steps` micro-batches of `batch` samples; outfeeds the model's outputs. Requires: steps, batch >= 1.
Result<StepGraph> buildPrediction(model::ResolvedModel const &model, std::int64_t batch, std::int64_t steps,
                                  graph::OpLookup const &ops, std::string const &schedule = "grouped");

/// One micro-batch, no loss: for comparing with reference cases. Infeed: inputs, then a cotangent per output.
/// Outfeed: outputs, gradients of the floating-point inputs, gradients of the weights in Keras's order
/// (names "output:…", "grad:…"). A gradient that does not exist is zeros. `training` picks dropout.
Result<StepGraph> buildWithCotangents(model::ResolvedModel const &model, std::int64_t batch, bool training,
                                      graph::OpLookup const &ops);

} // namespace tilewright::layers
