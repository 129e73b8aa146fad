#pragma once

#include "engine/core/job_context.h"
#include "engine/model/training_plan.h"

#include <cstdint>
#include <optional>

namespace tilewright::model {

/// Steps of an epoch per replica by the rules of Keras on IPUs: every micro-batch is full (but on the host target),
/// every replica gets as many, and steps_per_execution divides them; more steps per execution than an epoch has are a warning. What
/// training refuses, and so what nobody may propose. Errors are data.batch and data.replicas (Data), and training.steps-per-execution
/// (Invalid: a field of the project); their remedies obey the rules. `samples` are those that are trained on, after `heldOut`, the fraction
/// of the data that validates.
Result<std::int64_t> stepsPerEpoch(model::TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated,
                                   JobContext const &job, double heldOut = 0);

/// The warning about an execution that is longer than an epoch, if whole weight updates make up the epoch: it ends with the epoch, as in
/// Keras.
std::optional<Diagnostic> shortEpoch(TrainingPlan const &plan, std::int64_t epochSteps);

/// The steps_per_execution nearest to `wanted`, not above it if there is one so small, that divides the steps of an
/// epoch and holds whole weight updates; 0: there is none.
std::int64_t executableSteps(std::int64_t epochSteps, std::int64_t updateSteps, std::int64_t wanted);

/// The largest batch not above `batch` that divides the samples; at least 1.
std::int64_t dividingBatch(std::int64_t samples, std::int64_t batch);

} // namespace tilewright::model
