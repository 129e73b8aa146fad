#pragma once

#include "engine/core/job_context.h"
#include "engine/model/training_plan.h"

#include <cstdint>

namespace tilewright::model {

/// Steps of an epoch per replica by the rules of Keras on IPUs: every micro-batch is full (except on the host target), every replica gets
/// the same number, and steps_per_execution divides them. Training refuses everything else, so no proposal may contain it. Errors:
/// data.batch and data.replicas (Data), training.steps-per-execution (Invalid: a field of the project); their remedies obey the rules.
/// `samples`: training samples, after `heldOut`, the fraction of the data for validation.
Result<std::int64_t> stepsPerEpoch(model::TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated,
                                   JobContext const &job, double heldOut = 0);

/// The steps_per_execution nearest to `wanted` that divides the steps of an epoch and holds whole weight updates; not above `wanted` if
/// possible. 0: none exists.
std::int64_t executableSteps(std::int64_t epochSteps, std::int64_t updateSteps, std::int64_t wanted);

/// The largest batch not above `batch` that divides the samples; at least 1.
std::int64_t dividingBatch(std::int64_t samples, std::int64_t batch);

} // namespace tilewright::model
