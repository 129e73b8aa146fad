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

/// All gaps between the tasks of each IPU that has tasks, so that tasks and bubbles fill the pattern. Causes: waiting inside a slot for a
/// slower IPU (imbalance); for work to reach or leave the IPU (ramps: the slot has a task kind that this IPU lacks, such as a forward
/// without a backward); for its turn when one IPU works at a time (schedule); global exchanges and time between slots (transfer); host
/// streams (host); the time before the first slot and after the last one, when accumulators are cleared and weights updated (update).
/// Sorted by IPU and start. Requires: tasks of an IPU do not overlap.
std::vector<BubbleSpan> findBubbles(lowering::Timeline const &timeline, int ipus);

/// Tasks and bubbles of a schedule as rows of pattern 0, one replica.
struct PipelineRows {
    std::vector<StageTaskRow> tasks;
    std::vector<BubbleRow> bubbles;
};
PipelineRows pipelineRows(lowering::Timeline const &timeline, int ipus);

} // namespace tilewright::report
