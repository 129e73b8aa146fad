#pragma once

#include "engine/model/optimizers.h"

#include <string>
#include <vector>

namespace tilewright::model {

using tilewright::toText; // keeps the overloads of core visible

struct ResolvedModel;
struct TrainingPlan;

/// One block of a custom training loop. A loop starts with a micro-batch (input, model, loss). Its blocks then run in order. As JSON:
///   "gradients"                                 of the loss, for every trained weight
///   "accumulate"                                over training.gradient_accumulation_steps micro-batches
///   "all_reduce"                                sums over replicas
///   {"clip": {"global_norm": 1.0}}              or "norm" (of each weight), or "value" (of each element)
///   {"apply": {"weights": ["dense/*"], "optimizer": "sgd"}}
///       updates these trained weights ("*" matches any characters); without weights: those of no other block;
///       without an optimizer: by training.optimizer
///   {"while": {"loss_above": 0.1}}              ends when the loss of a micro-batch is not above the bound, or after
///                                               training.steps_per_execution micro-batches of an execution
struct LoopBlock {
    enum class Kind { Gradients, Accumulate, AllReduce, Clip, Apply, While };
    Kind kind = Kind::Gradients;
    Clipping clipping;                ///< Clip
    std::vector<std::string> weights; ///< Apply; empty: those of no other block
    std::vector<Optimizer> optimizer; ///< Apply: at most one; empty: the plan's
    double lossAbove = 0;             ///< While
    bool operator==(LoopBlock const &) const = default;
};
/// "gradients", "apply", …
std::string_view toText(LoopBlock::Kind kind);

using TrainingLoop = std::vector<LoopBlock>; ///< empty: Keras's fit

OrderedJson trainingLoopJson(TrainingLoop const &loop);
/// null or []: no custom loop. Error model.bad-argument with subject "training.loop[2]".
Result<TrainingLoop> parseTrainingLoop(Json const &json);

/// Whether block `index` updates a weight of this name ("dense/kernel"). Requires: an Apply block.
bool appliesTo(TrainingLoop const &loop, std::size_t index, std::string_view weight);
/// The optimizer of a weight: the plan's, or its block's.
Optimizer const &optimizerOf(TrainingPlan const &plan, std::string_view weight);
/// The scale of the loss for gradients: that of the plan's optimizer, or of all optimizers of the loop.
LossScaling lossScalingOf(TrainingPlan const &plan);

/// Checks the blocks for this model. Error training.loop with subject "training.loop[2]": gradients missing, repeated or late; accumulation
/// in the plan or the loop only; clipping after an update; a weight updated by no block or by two; a pattern without matching weights; the
/// plan's optimizer unused; different loss scales; while not last.
Status checkTrainingLoop(TrainingPlan const &plan, ResolvedModel const &model);

} // namespace tilewright::model
