#pragma once

#include "engine/report/run_tables.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::report {

/// Time that the IPUs of a pipeline lose between its stage tasks. Shares are of the batch: from the start of the first task to the end of
/// the last one, times the number of IPUs. The time before and after, the weight update, is not a bubble.
struct BubbleShares {
    int stages = 0, ipus = 0;
    Cycles cycles = 0;                     ///< of the batch, on each IPU
    double all = 0;                        ///< without a task; the sum of the causes
    std::map<std::string, double> byCause; ///< ramp_up, ramp_down, imbalance, schedule, transfer, host
    double outside = 0;                    ///< time outside the batch, as a share of the whole pattern
    double theory = 0;   ///< empty places in the schedule's table: per IPU and slot, as many places as an IPU has tasks at most
    int culprit = kNone; ///< the IPU that others wait for most in an imbalance
    double share(char const *cause) const
    {
        auto const it = byCause.find(cause);
        return it == byCause.end() ? 0.0 : it->second;
    }
    double ramps() const { return share("ramp_up") + share("ramp_down"); }
};
/// `pattern` kNone: all pipelined patterns together.
BubbleShares bubbleShares(std::vector<StageTaskRow> const &tasks, std::vector<BubbleRow> const &bubbles, int pattern = kNone);

} // namespace tilewright::report
