#include "views/runcontrol/step_times.h"

#include "views/runcontrol/run_worker.h"

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr double kFence = 3, kLongerThanMedian = 1.5;

/// The q-th quantile; reorders.
double quantile(std::vector<double> &values, double q)
{
    auto const place = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// An event records the begin of its call; the next event gives its end. The end of the last call comes from the run's total.
void countSteps(std::vector<StepTimes::Call> &calls, std::int64_t stepsInAll)
{
    std::int64_t before = 0;
    for (std::size_t i = 0; i + 1 < calls.size(); ++i) {
        before = std::max<std::int64_t>(1, calls[i + 1].firstStep - calls[i].firstStep);
        calls[i].steps = before;
    }
    auto &last = calls.back();
    std::int64_t const left = stepsInAll - (last.firstStep - calls.front().firstStep);
    // A full recording ends long before its run.
    last.steps = left >= 1 && (before == 0 || left <= before) ? left : std::max<std::int64_t>(1, before);
}

} // namespace

StepTimes stepTimes(report::EventColumns const &events, int executeType, std::int64_t stepsInAll)
{
    StepTimes times;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events.type[i] == executeType)
            times.calls.push_back({events.argument[i], 1, events.start[i], events.start[i] + events.duration[i]});
    if (times.calls.empty()) return times;
    countSteps(times.calls, stepsInAll);

    std::vector<double> seconds;
    for (auto const &call : times.calls) seconds.push_back(call.seconds());
    auto sorted = seconds;
    double const lower = quantile(sorted, 0.25), upper = quantile(sorted, 0.75);
    times.median = quantile(sorted, 0.5);
    times.longest = *std::ranges::max_element(seconds);
    double const fence = std::max(upper + kFence * (upper - lower), kLongerThanMedian * times.median);
    for (std::size_t i = 0; i < seconds.size(); ++i)
        if (seconds[i] > fence) times.slow.push_back(static_cast<int>(i));
    times.slowInAll = static_cast<std::int64_t>(times.slow.size());
    if (times.slow.size() > StepTimes::kMostSlow) {
        std::ranges::stable_sort(times.slow, std::greater{}, [&](int i) { return seconds[static_cast<std::size_t>(i)]; });
        times.slow.resize(StepTimes::kMostSlow);
        std::ranges::sort(times.slow);
    }
    return times;
}

int executeType(report::ReportData const &data)
{
    auto const found =
        std::ranges::find_if(data.eventTypes, [](auto const &type) { return type.name == "Execute" && type.program < 0 && type.op < 0; });
    return found == data.eventTypes.end() ? -1 : static_cast<int>(found - data.eventTypes.begin());
}

int callsLane(report::ReportData const &data)
{
    auto const found = std::ranges::find(data.lanes, "Calls", &report::LaneRow::name);
    return found == data.lanes.end() ? -1 : static_cast<int>(found - data.lanes.begin());
}

std::vector<SpeedPoint> speedOf(StepTimes const &times)
{
    constexpr double kPause = 1; ///< seconds between two calls beyond which nobody worked
    LiveRun run;
    run.firstStep = times.calls.empty() ? 0 : times.calls.front().firstStep;
    std::int64_t before = times.calls.empty() ? 0 : times.calls.front().begin;
    for (auto const &call : times.calls) {
        double const gap = static_cast<double>(call.begin - before) * 1e-9;
        run.hostSeconds += static_cast<double>(call.end - call.begin) * 1e-9 + (gap < kPause ? std::max(0.0, gap) : 0);
        run.step = call.firstStep + call.steps;
        before = call.end;
        appendSpeed(run);
    }
    return run.speed;
}

} // namespace tilewright::views
