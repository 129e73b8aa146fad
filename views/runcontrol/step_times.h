#pragma once

#include "engine/report/tables.h"
#include "views/runcontrol/run_controller.h"

#include <cstdint>
#include <vector>

namespace tilewright::views {

/// Durations of the host's calls of the program, by step, measured here. The device's own steps are all equal.
struct StepTimes {
    /// One call executes one step or `steps_per_execution` of them.
    struct Call {
        std::int64_t firstStep = 0, steps = 1; ///< steps count from 0
        std::int64_t begin = 0, end = 0;       ///< ns since the recording began
        double seconds() const { return static_cast<double>(end - begin) * 1e-9 / static_cast<double>(steps); } ///< per step
    };
    std::vector<Call> calls;
    std::vector<int> slow; ///< unusually long calls, in order of time; at most kMostSlow, the longest
    std::int64_t slowInAll = 0;
    double median = 0, longest = 0; ///< seconds per step
    static constexpr std::size_t kMostSlow = 50;
    bool empty() const { return calls.empty(); }
};

/// From the events of type `executeType` on the lane of calls; an event's argument is its first step. `stepsInAll`: of the run, 0 if
/// unknown. Slow: beyond the third quartile by more than three times the distance of the quartiles (Tukey's outer fence), and at least 1.5
/// times the median.
StepTimes stepTimes(report::EventColumns const &calls, int executeType, std::int64_t stepsInAll);
/// The event type of the host's calls of the program; -1: there were none.
int executeType(report::ReportData const &data);
/// The lane of those calls; -1: the report has none.
int callsLane(report::ReportData const &data);
/// Steps per second over the last minute of the run, as a run that goes on shows it. Long gaps between calls are pauses.
std::vector<SpeedPoint> speedOf(StepTimes const &times);

} // namespace tilewright::views
