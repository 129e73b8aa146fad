#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers a `pipeline` node: the micro-batch region cut into stage tasks (forward and backward of each
/// stage), laid out in slots of the Grouped schedule: micro-batch i runs forward of stage s in slot i + s
/// and backward in slot i + 2S-1-s (training) where S is the number of stages. Ramp-up and ramp-down slots
/// hold the tasks that exist; the steady state is one repeated slot. Values a stage's backward needs are
/// stashed in rings of depth 2(S-1-s).
Status lowerPipeline(LowerContext &ctx, graph::NodeId id);

/// Schedule facts: number of slots, depth of a stage's stash. Requires: 0 <= stage < stages.
struct PipelineFacts {
    int stages = 1;
    bool training = true;
    int positions() const { return training ? 2 * stages : stages; }
    std::int64_t slotCount(std::int64_t microBatches) const { return microBatches + positions() - 1; }
    int stashDepth(int stage) const { return 2 * (stages - 1 - stage); }
};

/// keras_on_ipu 6.3: Grouped needs count >= L and a multiple of L, L = 2S in training, S in inference.
/// Error: Invalid "training.accumulation", as of the training plan, naming both numbers.
Status checkPipelineDepth(PipelineFacts const &facts, std::int64_t count, std::string const &what);

} // namespace tilewright::lowering
