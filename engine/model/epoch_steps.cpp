#include "engine/model/epoch_steps.h"

#include "engine/core/held_out.h"
#include "engine/core/text.h"

#include <algorithm>

namespace tilewright::model {

namespace {

/// A limit on the data not above what there is, that leaves whole batches behind the split; whole executions on all replicas, where there
/// are as many. The largest, or one little smaller that holds out whole batches too, which are then validated as fast. 0: there is none.
std::int64_t wholeLimit(TrainingPlan const &plan, std::int64_t samples, int replicas, double heldOut)
{
    std::int64_t const batch = plan.batchSize,
                       execution = batch * std::max(1, replicas) * std::max<std::int64_t>(1, plan.stepsPerExecution);
    std::int64_t const unit = samples >= execution ? execution : batch, most = samples / unit * unit;
    std::int64_t largest = 0;
    for (std::int64_t kept = most; kept > 0 && (largest == 0 || kept >= most - most / 64); kept -= unit) {
        auto const all = samplesToKeep(kept, heldOut);
        if (all > 0 && (all - kept) % batch == 0) return all;
        if (largest == 0) largest = all;
    }
    return largest;
}

} // namespace

Result<std::int64_t> stepsPerEpoch(model::TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated,
                                   JobContext const &job, double heldOut)
{
    std::int64_t const batch = plan.batchSize;
    std::int64_t steps = samples / batch; // plain Keras: what is left is a smaller last batch
    if (emulated) {
        if (samples % batch != 0) {
            std::int64_t const fits = dividingBatch(samples, batch), whole = wholeLimit(plan, samples, replicas, heldOut);
            return makeError(ErrorKind::Data, "data.batch", "training.batch_size",
                             Message::of("%1 samples are not a multiple of the batch size %2: the last batch would have %3 samples, and "
                                         "shapes on the device are fixed.",
                                         samples, batch, samples % batch),
                             whole > 0 ? Message::of("Use a batch size that divides the data, such as %1, or set data.limit to %2.",
                                                     std::to_string(fits), std::to_string(whole))
                                       : Message::of("Use a batch size that divides the data, such as %1.", std::to_string(fits)));
        }
        if (steps < replicas)
            return makeError(ErrorKind::Data, "data.replicas", "data",
                             Message::of("%1 batches are fewer than the %2 replicas.", steps, replicas),
                             Message::of("Give each replica at least one batch."));
        if (steps % replicas)
            job.warn(makeWarning(
                "data.replicas", "data",
                Message::of("%1 batches at the end of each epoch are dropped: they do not fill all replicas.", steps % replicas)));
        steps /= replicas;
    }
    if (steps % plan.stepsPerExecution == 0) return steps;
    auto const fits = executableSteps(steps, plan.gradientAccumulationSteps, plan.stepsPerExecution);
    return makeError(ErrorKind::Invalid, "training.steps-per-execution", "training.steps_per_execution",
                     Message::of("%1 does not divide the %2 steps of an epoch.", plan.stepsPerExecution, steps),
                     fits > 0 ? Message::of("Use %1, or a data set of another size (data.limit).", std::to_string(fits))
                              : Message::of("No number of whole weight updates divides them: change data.limit, training.batch_size or "
                                            "training.gradient_accumulation_steps."));
}

std::int64_t executableSteps(std::int64_t epochSteps, std::int64_t updateSteps, std::int64_t wanted)
{
    updateSteps = std::max<std::int64_t>(1, updateSteps);
    if (epochSteps < 1 || epochSteps % updateSteps != 0) return 0;
    std::int64_t const updates = epochSteps / updateSteps;
    for (std::int64_t n = std::clamp<std::int64_t>(wanted / updateSteps, 1, updates); n >= 1; --n)
        if (updates % n == 0) return n * updateSteps;
    return updateSteps;
}

std::int64_t dividingBatch(std::int64_t samples, std::int64_t batch)
{
    for (std::int64_t b = std::min(batch, samples); b > 1; --b)
        if (samples % b == 0) return b;
    return 1;
}

} // namespace tilewright::model
