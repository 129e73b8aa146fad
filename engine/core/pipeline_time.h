#pragma once

#include "engine/core/pipeline_schedule.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tilewright {

/// What a stage takes for one micro-batch, in any unit that all stages share.
struct StageTimes {
    double forward = 0;
    double recompute = 0; ///< 0: it does not run again in front of its backward
    double backward = 0;
    double all() const { return forward + recompute + backward; }
    bool operator==(StageTimes const &) const = default;
};

/// One stage at work on one micro-batch.
struct StageTask {
    int stage = 0;
    std::int64_t microBatch = 0;
    StagePass pass = StagePass::Forward;
    double start = 0, end = 0;
    bool operator==(StageTask const &) const = default;
};

/// The slots of a pipeline in time. All stages end a slot together, with the slowest; then what crosses to other stages takes `exchange`.
struct PipelineTimes {
    std::vector<StageTask> tasks;
    std::vector<double> slotEnds;
    double busy = 0; ///< of all stages together
};
/// `ipus`: by stage; what stages of one IPU do in a slot they do one after the other. Empty: each has its own.
/// Requires: as many times as there are stages; microBatches >= 1.
PipelineTimes pipelineTimes(PipelineSlots const &slots, std::span<StageTimes const> times, std::int64_t microBatches, double exchange = 0,
                            std::span<int const> ipus = {});

/// Micro-batches that show a pipeline whole: both ramps and a bit of the steady state. Each further one adds what the last of them added.
inline std::int64_t shownMicroBatches(int stages, std::int64_t microBatches)
{
    return std::min<std::int64_t>(microBatches, 4 * static_cast<std::int64_t>(stages) + 2);
}

/// When the last slot ends: as pipelineTimes has it, without making the tasks.
double pipelineEnd(PipelineSlots const &slots, std::span<StageTimes const> times, std::int64_t microBatches, double exchange = 0,
                   std::span<int const> ipus = {});

} // namespace tilewright
