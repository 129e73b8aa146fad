#pragma once

#include "engine/report/run_tables.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::report {

/// What the IPUs of a pipeline lose between its stage tasks. Shares are of the batch: from the begin of the first task to the end
/// of the last one, times the IPUs. What is before and behind, the weight update, is no bubble: no task is under way.
struct BubbleShares {
    int stages = 0, ipus = 0;
    Cycles cycles = 0;                     ///< of the batch, on each IPU
    double all = 0;                        ///< without a task; the sum of the causes
    std::map<std::string, double> byCause; ///< ramp_up, ramp_down, imbalance, schedule, transfer, host
    double outside = 0;                    ///< what is outside the batch, of the whole pattern
    double theory = 0;   ///< empty places of the schedule's table: for each IPU in each slot as many as an IPU has passes at most
    int culprit = kNone; ///< the IPU that others wait for most in an imbalance
    double share(char const *cause) const
    {
        auto const it = byCause.find(cause);
        return it == byCause.end() ? 0.0 : it->second;
    }
    double ramps() const { return share("ramp_up") + share("ramp_down"); }
};
/// `pattern` kNone: of all pipelined patterns together.
BubbleShares bubbleShares(std::vector<StageTaskRow> const &tasks, std::vector<BubbleRow> const &bubbles, int pattern = kNone);

} // namespace tilewright::report
