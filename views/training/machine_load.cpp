#include "views/training/machine_load.h"

#include "views/reports/report_snapshot.h"
#include "views/runcontrol/step_times.h"
#include "views/wording/insight_text.h"

#include <algorithm>

namespace tilewright::views {

namespace {

int phaseIndex(std::string_view phase)
{
    for (int i = 0; i < kPhases; ++i)
        if (phaseId(static_cast<Phase>(i)) == phase) return i;
    return -1;
}

std::int64_t stepsPerPatternOf(report::ReportData const &data, bool executions)
{
    for (auto const &option : data.options)
        if (option.scope == "training" && option.name == (executions ? "steps_per_execution" : "gradient_accumulation_steps"))
            return std::max<std::int64_t>(1, QString::fromStdString(option.value).toLongLong());
    return 1;
}

} // namespace

double MachineLoad::perStep(Bytes IpuLoad::*what) const
{
    double bytes = 0;
    for (auto const &load : ipus) bytes += static_cast<double>(load.*what);
    return bytes / static_cast<double>(std::max<std::int64_t>(1, stepsPerUpdate) * std::max(1, replicas));
}

double MachineLoad::exchangePerSecond() const
{
    if (clockHz <= 0 || cyclesPerUpdate <= 0) return 0;
    return exchangedPerStep() * static_cast<double>(stepsPerUpdate) * static_cast<double>(clockHz) / static_cast<double>(cyclesPerUpdate);
}

MachineLoad machineLoadOf(ReportSnapshot const &report)
{
    MachineLoad load;
    auto const &data = report.data();
    if (data.patterns.empty()) return load;
    load.cyclesPerUpdate = data.patterns.front().cycles;
    load.executions = patternIsExecution(data);
    load.stepsPerUpdate = stepsPerPatternOf(data, load.executions);
    load.clockHz = data.target.clockHz;
    load.replicas = data.target.replicas;
    load.bubbles = report::bubbleShares(data.stageTasks, data.bubbles);
    for (int lane = 0; lane < static_cast<int>(data.lanes.size()); ++lane) {
        auto const &row = data.lanes[static_cast<std::size_t>(lane)];
        if (row.kind != "ipu" || row.ipu < 0) continue;
        IpuLoad one;
        one.ipu = row.ipu;
        auto const kept = report.events(0, lane);
        auto const &events = *kept;
        Cycles busy = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            auto const type = static_cast<std::size_t>(events.type[i]);
            int const phase = type < data.eventTypes.size() ? phaseIndex(data.eventTypes[type].phase) : -1;
            if (phase < 0 || phase == static_cast<int>(Phase::Idle)) continue;
            one.cycles[static_cast<std::size_t>(phase)] += events.duration[i];
            busy += events.duration[i];
            if (phase == static_cast<int>(Phase::InternalExchange) || phase == static_cast<int>(Phase::GlobalExchange))
                one.exchanged += events.argument[i];
            if (phase == static_cast<int>(Phase::Stream)) one.streamed += events.argument[i];
        }
        one.cycles[static_cast<std::size_t>(Phase::Idle)] = std::max<Cycles>(0, load.cyclesPerUpdate - busy);
        load.ipus.push_back(one);
    }
    bool overlaps = false;
    for (int lane = 0; lane < static_cast<int>(data.lanes.size()); ++lane) {
        auto const &row = data.lanes[static_cast<std::size_t>(lane)];
        if (row.kind != "io_tiles") continue;
        overlaps = true;
        auto const kept = report.events(0, lane);
        for (auto &one : load.ipus)
            if (one.ipu == row.ipu)
                for (auto const bytes : kept->argument) one.streamed += bytes;
    }
    // The lane of the compute tiles alone does not show transfers that outlast them.
    if (auto const frame = runFrame(data); (frame.measured || overlaps) && frame.patterns > 0) {
        load.measured = frame.measured;
        load.cyclesPerUpdate = frame.cycles / frame.patterns;
        for (auto &one : load.ipus) {
            one.cycles = splitOf(data, frame.run, one.ipu);
            for (auto &cycles : one.cycles) cycles /= frame.patterns;
        }
    }
    std::sort(load.ipus.begin(), load.ipus.end(), [](auto const &a, auto const &b) { return a.ipu < b.ipu; });
    if (int const calls = callsLane(data); calls >= 0)
        load.speed = speedOf(stepTimes(*report.events(0, calls), executeType(data), data.runs.empty() ? 0 : data.runs.front().steps));
    return load;
}

} // namespace tilewright::views
