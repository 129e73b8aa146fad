#pragma once

#include "engine/lowering/schedule.h"
#include "engine/report/run_tables.h"

#include <string>
#include <vector>

namespace tilewright::report {

/// A stretch of a pipelined pattern in which an IPU (of the replica) has no stage task.
struct BubbleSpan {
    int ipu = 0;
    Cycles start = 0, end = 0;
    std::string cause;   ///< ramp_up, ramp_down, imbalance, schedule, transfer, host, update
    int waitingFor = -1; ///< IPU of the replica
    bool operator==(BubbleSpan const &) const = default;
};

/// Everything between the tasks of each IPU that has any, so that tasks and bubbles fill the pattern: waiting inside a
/// slot for a slower IPU (imbalance) or for work to reach or leave the IPU (ramps: the slot has a pass that the IPU has no task
/// for, as a forward without a backward) or for its turn, where one IPU works at a time (schedule); global exchanges and the
/// time between slots (transfer); host streams (host); what is before the first slot and behind the last,
/// where accumulators are cleared and weights updated (update). Sorted by IPU and start. Requires: tasks of an IPU do not overlap.
std::vector<BubbleSpan> findBubbles(lowering::Timeline const &timeline, int ipus);

/// Tasks and bubbles of a schedule as rows of pattern 0, one replica.
struct PipelineRows {
    std::vector<StageTaskRow> tasks;
    std::vector<BubbleRow> bubbles;
};
PipelineRows pipelineRows(lowering::Timeline const &timeline, int ipus);

} // namespace tilewright::report
