#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers a `pipeline` node: the micro-batch region cut into stage tasks (forward, recomputation and backward of each
/// stage), laid out in the slots of its schedule (core/pipeline_schedule.h); a recomputation stands in the slot of its
/// backward, in front of it. Ramp-up and ramp-down slots hold the tasks that exist; the steady state is an interval of slots,
/// repeated. What a stage's backward side needs of its forward waits in rings of PipelineSlots::stashDepth.
/// Errors: "training.accumulation" for a count that does not fill the pipeline, "lowering.condition".
Status lowerPipeline(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
