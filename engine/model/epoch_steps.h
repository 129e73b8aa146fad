#pragma once

#include "engine/core/job_context.h"
#include "engine/model/training_plan.h"

#include <cstdint>
#include <optional>

namespace tilewright::model {

/// Steps of an epoch of each replica by the rules of Keras on IPUs: every micro-batch is full (except on the host target),
/// every replica gets the same number, and steps_per_execution divides them. Training refuses anything else.
/// Errors are data.batch and data.replicas (Data), and training.steps-per-execution (Invalid: a field of the project);
/// their remedies obey the rules. `samples` are the training samples, without those that `heldOut`, a fraction of the data,
/// keeps for validation.
Result<std::int64_t> stepsPerEpoch(model::TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated,
                                   JobContext const &job, double heldOut = 0);

/// The warning about an execution that is longer than an epoch, if whole weight updates make up the epoch: it ends with the epoch, as in
/// Keras.
std::optional<Diagnostic> shortEpoch(TrainingPlan const &plan, std::int64_t epochSteps);

/// The steps_per_execution nearest to `wanted` that divides the steps of an epoch and holds whole weight updates. Prefers values up to
/// `wanted`. 0 if no value exists.
std::int64_t executableSteps(std::int64_t epochSteps, std::int64_t updateSteps, std::int64_t wanted);

/// Constraints for fitEpoch().
struct EpochWish {
    bool keepsBatch = false;     ///< the batch size stays
    bool keepsExecution = false; ///< steps_per_execution stays
    std::int64_t batchAbove = 0; ///< another batch is larger than this
    std::int64_t batchBelow = 0; ///< and smaller than this; 0: any
    bool mayLimit = true;        ///< samples may be left out
};

/// Values for a plan that stepsPerEpoch() accepts.
struct EpochFit {
    std::int64_t batch = 1;
    std::int64_t execution = 1;
    std::int64_t limit = 0;   ///< of the data, held out samples included (data.limit); 0: as it is
    std::int64_t dropped = 0; ///< training samples that the limit leaves out
};

/// The values nearest to the plan's with which an epoch of `samples` holds whole executions of whole weight updates. In this order: the
/// batch as it is; a limit that leaves out at most 1 % of the samples; another batch within a factor of two; a limit that leaves out at
/// most 10 %; any smaller batch. nullopt if none of them is possible.
std::optional<EpochFit> fitEpoch(TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated, double heldOut,
                                 EpochWish const &wish = {});

/// The largest batch not above `batch` that divides the samples; at least 1.
std::int64_t dividingBatch(std::int64_t samples, std::int64_t batch);

} // namespace tilewright::model
