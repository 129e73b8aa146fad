#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

/// Lowers a `pipeline` node. Cuts the micro-batch region into stage tasks (forward, recomputation and backward of each stage) and puts them
/// into the slots of its schedule (core/pipeline_schedule.h); a recomputation runs in the slot of its backward task, before it. Ramp-up and
/// ramp-down slots hold the tasks that exist; the steady state is a repeated interval of slots. Values that a stage's backward task needs
/// from its forward task wait in rings of PipelineSlots::stashDepth. Errors: "training.accumulation" for a count that does not fill the
/// pipeline, "lowering.condition".
Status lowerPipeline(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
