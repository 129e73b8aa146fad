#pragma once

#include "engine/graph/feed.h"
#include "engine/layers/build_context.h"
#include "engine/model/training_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::layers {

/// A state tensor of the optimizer with its name in Keras ("rms" of "dense/kernel").
struct SlotVariable {
    std::string slot;
    graph::VariableId weight;
    graph::VariableId variable;
    bool operator==(SlotVariable const &) const = default;
};

/// A trained weight that keeps a rule.
struct ConstrainedWeight {
    graph::VariableId weight;
    model::Constraint constraint;
    bool operator==(ConstrainedWeight const &) const = default;
};

/// A step program under construction. The builders below make one micro-batch in the entry region: infeed("infeed") of inputs and labels,
/// the model, and outfeed("outfeed"): scalars loss and metrics, or the predictions. The passes of `engine/training` add the parts of the
/// training plan: gradients, accumulation, collectives, updates, loops.
struct StepGraph {
    graph::Graph graph;
    std::vector<graph::FeedSpec> infeed;        ///< in the order of the infeed's outputs
    std::vector<graph::FeedSpec> outfeed;       ///< in the order of the outfeed's inputs; with Keras's log names
    std::vector<graph::VariableId> weights;     ///< Keras's get_weights order
    std::vector<graph::VariableId> trainable;   ///< the trained ones, same order
    std::vector<ConstrainedWeight> constraints; ///< of trained weights, in the order of `trainable`
    std::vector<graph::VariableId> iterations;  ///< counters of updates, one per stage; equal values
    std::vector<SlotVariable> optimizerSlots;
    std::vector<graph::VariableId> keptStates; ///< states of layers that survive a batch
    graph::VariableId reached;                 ///< nonzero after the loop's `while` has ended it; invalid: no `while`

    /// State passed between the passes. Its values are in the entry region, or, after a loop was made of it, in the body.
    graph::ValueId objective;                    ///< the scalar whose gradient trains; invalid: none
    std::vector<RandomCounter> counters;         ///< counters that were not advanced yet
    std::vector<graph::ValueId> gradients;       ///< by `trainable`; empty before differentiation
    graph::VariableId lossScale;                 ///< that the device adapts; invalid: none
    graph::ValueId updates;                      ///< with it: 1, or 0 if the gradients are not finite and nothing is updated
    int optimizers = 0;                          ///< number of applied optimizers
    std::vector<graph::VariableId> accumulators; ///< of the gradients, by `trainable`; empty: no accumulation
};

/// What feeds the model's inputs.
struct InputFeeds {
    std::optional<double> byteScale; ///< inputs of floating-point type arrive as uint8; the device multiplies them by this
};

/// The model with losses, penalties and metrics. The reported loss includes the penalties; their sum is the last output, if the model has
/// any. Errors: layers.batch (an input fixes another batch size), layers.unsupported, layers.metric. `training` enables dropout and similar
/// layers. `normReplicas`: replicas whose batches have one mean and variance in a batch normalisation.
Result<StepGraph> buildJudged(model::ResolvedModel const &model, model::TrainingPlan const &plan, bool training, graph::OpLookup const &ops,
                              InputFeeds const &inputs = {}, int normReplicas = 1);
/// The model on `batch` samples; feeds out its outputs. `recurrentCheckpoints`: of the training plan, so that its products have the shapes
/// of the training. Requires: batch >= 1.
Result<StepGraph> buildOutputs(model::ResolvedModel const &model, std::int64_t batch, graph::OpLookup const &ops,
                               InputFeeds const &inputs = {}, std::int64_t recurrentCheckpoints = 0);

} // namespace tilewright::layers
