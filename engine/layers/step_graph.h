#pragma once

#include "engine/layers/build_context.h"
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

/// A state tensor of the optimizer that Keras knows by name ("rms" of "dense/kernel").
struct SlotVariable {
    std::string slot;
    graph::VariableId weight;
    graph::VariableId variable;
    bool operator==(SlotVariable const &) const = default;
};

/// A program of steps in the making. The builders below make one micro-batch in the entry region: infeed("infeed") of
/// inputs then labels, the model, and outfeed("outfeed"): scalars loss and metrics, or the predictions. The passes of
/// `engine/training` make of it what a person's plan says: gradients, accumulation, collectives, updates, loops.
struct StepGraph {
    graph::Graph graph;
    std::vector<StreamSpec> infeed;            ///< in the order of the infeed's outputs
    std::vector<StreamSpec> outfeed;           ///< in the order of the outfeed's inputs; names as Keras logs them
    std::vector<graph::VariableId> weights;    ///< Keras's get_weights order
    std::vector<graph::VariableId> trainable;  ///< the trained ones, same order
    std::vector<graph::VariableId> iterations; ///< counters of updates, one per stage; equal values
    std::vector<SlotVariable> optimizerSlots;
    std::vector<graph::VariableId> keptStates; ///< what layers keep from batch to batch
    graph::VariableId reached;                 ///< not zero once the loop's while has ended it; invalid: there is none

    /// What the passes hand on. All of it stands in the entry region or, once a loop was made of that, in its body.
    graph::ValueId objective;                    ///< the scalar whose gradient trains; invalid: none
    std::vector<RandomCounter> counters;         ///< which have not been advanced yet
    std::vector<graph::ValueId> gradients;       ///< by `trainable`; empty before there are any
    int optimizers = 0;                          ///< that were applied
    std::vector<graph::VariableId> accumulators; ///< of the gradients, by `trainable`; empty: they are not accumulated
};

/// The model with losses and metrics. Errors: layers.batch (an input fixes another batch size), layers.unsupported,
/// layers.metric. `training` picks dropout and the like.
Result<StepGraph> buildJudged(model::ResolvedModel const &model, model::TrainingPlan const &plan, bool training,
                              graph::OpLookup const &ops);
/// The model on `batch` samples; outfeeds its outputs. Requires: batch >= 1.
Result<StepGraph> buildOutputs(model::ResolvedModel const &model, std::int64_t batch, graph::OpLookup const &ops);

} // namespace tilewright::layers
