#pragma once

#include "engine/core/pipeline_schedule.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tilewright {

/// A stage's times for one micro-batch, in any unit shared by all stages.
struct StageTimes {
    double forward = 0;
    double recompute = 0; ///< 0: no recomputation
    double backward = 0;
    double all() const { return forward + recompute + backward; }
    bool operator==(StageTimes const &) const = default;
};

/// One stage's work on one micro-batch.
struct StageTask {
    int stage = 0;
    std::int64_t microBatch = 0;
    StagePass pass = StagePass::Forward;
    double start = 0, end = 0;
    bool operator==(StageTask const &) const = default;
};

/// The slots of a pipeline in time. A slot ends for all stages with the slowest one. The transfer to other stages then takes `exchange`.
struct PipelineTimes {
    std::vector<StageTask> tasks;
    std::vector<double> slotEnds;
    double busy = 0; ///< sum over all stages
};
/// `ipus`: the IPU of each stage; stages on one IPU run one after the other in a slot. Empty: each stage has its own IPU. Requires: one
/// time per stage; microBatches >= 1.
PipelineTimes pipelineTimes(PipelineSlots const &slots, std::span<StageTimes const> times, std::int64_t microBatches, double exchange = 0,
                            std::span<int const> ipus = {});

/// Number of micro-batches in a preview: both ramps and a part of the steady state. Each further micro-batch adds the time of the last one.
inline std::int64_t shownMicroBatches(int stages, std::int64_t microBatches)
{
    return std::min<std::int64_t>(microBatches, 4 * static_cast<std::int64_t>(stages) + 2);
}

/// End of the last slot, as in pipelineTimes but without building the tasks.
double pipelineEnd(PipelineSlots const &slots, std::span<StageTimes const> times, std::int64_t microBatches, double exchange = 0,
                   std::span<int const> ipus = {});

} // namespace tilewright
