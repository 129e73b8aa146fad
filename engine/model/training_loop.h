#pragma once

#include "engine/model/optimizers.h"

#include <string>
#include <vector>

namespace tilewright::model {

using tilewright::toText; // the overloads of core stay visible beside ours

struct ResolvedModel;
struct TrainingPlan;

/// One block of a training loop that a person wrote. A loop starts with a micro-batch (input, model, loss); its blocks say what
/// becomes of the loss, in their order. As JSON:
///   "gradients"                                 of the loss, for every trained weight
///   "accumulate"                                over training.gradient_accumulation_steps micro-batches
///   "all_reduce"                                sums over replicas
///   {"clip": {"global_norm": 1.0}}              or "norm" (each weight's), or "value" (each element)
///   {"apply": {"weights": ["dense/*"], "optimizer": "sgd"}}
///       updates these trained weights ("*" stands for any characters); without weights: those of no other block;
///       without an optimizer: by training.optimizer
///   {"while": {"loss_above": 0.1}}              until the loss of a micro-batch is not above it, at most
///                                               training.steps_per_execution micro-batches an execution
struct LoopBlock {
    enum class Kind { Gradients, Accumulate, AllReduce, Clip, Apply, While };
    Kind kind = Kind::Gradients;
    Clipping clipping;                ///< Clip
    std::vector<std::string> weights; ///< Apply; empty: those of no other block
    std::vector<Optimizer> optimizer; ///< Apply: none or one; none: the plan's
    double lossAbove = 0;             ///< While
    bool operator==(LoopBlock const &) const = default;
};
/// "gradients", "apply", …
std::string_view toText(LoopBlock::Kind kind);

using TrainingLoop = std::vector<LoopBlock>; ///< empty: Keras's fit

OrderedJson trainingLoopJson(TrainingLoop const &loop);
/// null or []: no loop of its own. Error model.bad-argument, its subject "training.loop[2]".
Result<TrainingLoop> parseTrainingLoop(Json const &json);

/// Whether a weight of this name ("dense/kernel") is updated by block `index`. Requires: an Apply block.
bool appliesTo(TrainingLoop const &loop, std::size_t index, std::string_view weight);
/// The optimizer that updates a weight: the plan's, or its block's.
Optimizer const &optimizerOf(TrainingPlan const &plan, std::string_view weight);
/// What the loss is multiplied by for its gradients: the loss_scale_factor of the plan's optimizer, or of all that a loop applies.
double lossScaleOf(TrainingPlan const &plan);

/// Whether the blocks make a loop for this model. Errors: training.loop, its subject "training.loop[2]": gradients missing,
/// twice or late; accumulation that the plan does not have, or has and the loop not; clipping behind an update; a weight
/// that no block updates, or two; a pattern that fits no weight; the plan's optimizer unused; different loss scales; while not last.
Status checkTrainingLoop(TrainingPlan const &plan, ResolvedModel const &model);

} // namespace tilewright::model
