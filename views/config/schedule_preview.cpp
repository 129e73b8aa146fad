#include "views/config/schedule_preview.h"

#include <algorithm>
#include <set>

namespace tilewright::views {

SchedulePreview previewSchedule(std::string const &schedule, std::vector<model::StageCost> const &stages, std::int64_t microBatches,
                                model::CutCosts const &costs, std::vector<int> const &ipus)
{
    SchedulePreview out;
    out.unit = costs.unit;
    out.stages = static_cast<int>(stages.size());
    out.microBatches = microBatches;
    out.schedule = schedule;
    PipelineSlots const table{pipelineScheduleOf(schedule).value_or(PipelineSchedule::Grouped), out.stages, true};
    out.multiple = table.multiple();
    out.allowed = table.accepts(microBatches);
    auto times = model::timesOf(stages);
    out.recompute = std::ranges::any_of(times, [](StageTimes const &time) { return time.recompute > 0; });
    if (costs.unit == model::CostUnit::MultiplyAdds) { // a stage without any still has its turn
        double const least = 0.02 * std::max(1.0, std::ranges::max(times, {}, &StageTimes::forward).forward);
        for (auto &time : times) time = {std::max(time.forward, least), time.recompute, std::max(time.backward, least)};
    }
    auto crossing = stages; // stages on one IPU need no link
    for (std::size_t stage = 0; stage + 1 < ipus.size() && stage < crossing.size(); ++stage)
        if (ipus[stage] == ipus[stage + 1]) crossing[stage].on = crossing[stage].back = 0;
    double const exchange = model::exchangeOf(costs, crossing);

    out.shown = shownMicroBatches(out.stages, microBatches); // ramps and part of the steady state
    auto const drawn = pipelineTimes(table, times, out.shown, exchange, ipus);
    out.tasks = drawn.tasks;
    out.steps = table.slotCount(microBatches);

    out.rampUpSteps = out.rampDownSteps = std::min<std::int64_t>(table.rampSlots(), out.steps / 2);
    out.steadySteps = out.steps - out.rampUpSteps - out.rampDownSteps;
    auto const endOf = [&](std::int64_t step) {
        return step <= 0 ? 0.0 : drawn.slotEnds[static_cast<std::size_t>(std::min<std::int64_t>(step, std::ssize(drawn.slotEnds)) - 1)];
    };
    auto const drawnSteps = std::ssize(drawn.slotEnds);
    out.rampUpEnd = endOf(out.rampUpSteps);
    out.rampDownStart = endOf(drawnSteps - out.rampDownSteps);
    out.end = drawn.slotEnds.back();

    double const total = pipelineEnd(table, times, microBatches, exchange, ipus), each = drawn.busy / static_cast<double>(out.shown);
    auto const working = ipus.empty() ? static_cast<std::size_t>(out.stages) : std::set<int>(ipus.begin(), ipus.end()).size();
    out.bubbleShare = total > 0 ? 1.0 - each * static_cast<double>(microBatches) / (total * static_cast<double>(working)) : 0;

    // Waiting micro-batches, and the one at work.
    for (int stage = 0; stage < out.stages; ++stage)
        out.copies.push_back(static_cast<int>(std::min<std::int64_t>(microBatches, table.stashDepth(stage) + 1)));
    return out;
}

} // namespace tilewright::views
