#include "views/config/schedule_preview.h"

#include "engine/model/resolve.h"

#include <algorithm>
#include <map>

namespace tilewright::views {

namespace {

constexpr double kBackwardCost = 2; ///< two products where the forward has one

PipelineSlots slotsOf(std::string const &schedule, int stages)
{
    return {pipelineScheduleOf(schedule).value_or(PipelineSchedule::Grouped), stages, true};
}

/// The tasks of `microBatches` in time, and how long the steps are.
struct Simulation {
    std::vector<PreviewTask> tasks;
    std::vector<double> stepEnds;
    double busy = 0;
};

Simulation simulate(PipelineSlots const &table, std::vector<double> const &costs, std::int64_t microBatches, bool recompute)
{
    std::vector<std::vector<PreviewTask>> byStep(static_cast<std::size_t>(table.slotCount(microBatches)));
    for (std::int64_t batch = 0; batch < microBatches; ++batch)
        for (int stage = 0; stage < table.stages; ++stage)
            for (auto const pass : {StagePass::Forward, StagePass::Recompute, StagePass::Backward})
                if (pass != StagePass::Recompute || (recompute && stage + 1 < table.stages))
                    byStep[static_cast<std::size_t>(table.slotOf(stage, goesBack(pass), batch))].push_back({stage, batch, pass, 0, 0});
    Simulation out;
    double now = 0;
    for (auto &step : byStep) {
        std::vector<double> reached(costs.size(), now);
        std::ranges::stable_sort(step, {}, [](PreviewTask const &task) { return task.pass == StagePass::Forward; }); // the way back comes first
        for (auto &task : step) {
            auto &at = reached[static_cast<std::size_t>(task.stage)];
            double const cost = costs[static_cast<std::size_t>(task.stage)] * (task.pass == StagePass::Backward ? kBackwardCost : 1);
            task.start = at;
            task.end = at += cost;
            out.busy += cost;
            out.tasks.push_back(task);
        }
        now = std::ranges::max(reached);
        out.stepEnds.push_back(now);
    }
    return out;
}

} // namespace

SchedulePreview previewSchedule(std::string const &schedule, std::vector<double> const &forwardCosts, std::int64_t microBatches, bool recompute)
{
    SchedulePreview out;
    out.recompute = recompute;
    out.stages = static_cast<int>(forwardCosts.size());
    out.microBatches = microBatches;
    out.schedule = schedule;
    auto const table = slotsOf(schedule, out.stages);
    out.multiple = table.multiple();
    out.allowed = table.accepts(microBatches);
    // A stage without multiply-adds still takes its turn.
    std::vector<double> costs = forwardCosts;
    double const largest = std::max(1.0, std::ranges::max(costs));
    for (auto &cost : costs) cost = std::max(cost, largest * 0.02);

    std::int64_t const enough = 4 * static_cast<std::int64_t>(out.stages) + 2; // ramps and a bit of the steady state
    out.shown = std::min(microBatches, enough);
    auto const drawn = simulate(table, costs, out.shown, recompute);
    out.tasks = drawn.tasks;
    out.steps = table.slotCount(microBatches);

    out.rampUpSteps = out.rampDownSteps = std::min<std::int64_t>(table.rampSlots(), out.steps / 2);
    out.steadySteps = out.steps - out.rampUpSteps - out.rampDownSteps;
    auto const endOf = [&](std::int64_t step) { return step <= 0 ? 0.0 : drawn.stepEnds[static_cast<std::size_t>(std::min<std::int64_t>(step, std::ssize(drawn.stepEnds)) - 1)]; };
    auto const drawnSteps = std::ssize(drawn.stepEnds);
    out.rampUpEnd = endOf(out.rampUpSteps);
    out.rampDownStart = endOf(drawnSteps - out.rampDownSteps);
    out.end = drawn.stepEnds.back();

    // Micro-batches that are not drawn add steady steps: each as many as one more micro-batch among those that are.
    double total = out.end, busy = drawn.busy;
    if (microBatches > out.shown) {
        auto const more = simulate(table, costs, out.shown + 1, recompute);
        auto const rest = static_cast<double>(microBatches - out.shown);
        total += (more.stepEnds.back() - out.end) * rest;
        busy += (more.busy - drawn.busy) * rest;
    }
    out.bubbleShare = total > 0 ? 1.0 - busy / (total * out.stages) : 0;

    // What waits, and the micro-batch at work.
    for (int stage = 0; stage < out.stages; ++stage) out.copies.push_back(static_cast<int>(std::min<std::int64_t>(microBatches, table.stashDepth(stage) + 1)));
    return out;
}

std::vector<double> stageCosts(project::Project const &project)
{
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok() || !resolved->pipelined()) return {};
    std::vector<double> costs(static_cast<std::size_t>(resolved->stages()), 0.0);
    for (auto const &call : resolved->calls)
        if (call.stage >= 0) costs[static_cast<std::size_t>(call.stage)] += call.multiplyAdds;
    return costs;
}

} // namespace tilewright::views
