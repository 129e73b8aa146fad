#include "views/config/schedule_preview.h"

#include "engine/model/resolve.h"
#include "engine/model/stages.h"

#include <algorithm>
#include <map>

namespace tilewright::views {

namespace {

constexpr double kBackwardCost = 2; ///< two products where the forward has one

/// When a task runs, in steps of the schedule.
std::int64_t stepOf(std::string const &schedule, int stages, int stage, std::int64_t microBatch, PreviewPass pass)
{
    bool const forward = pass == PreviewPass::Forward;
    std::int64_t const position = forward ? stage : 2 * stages - 1 - stage; // along the way through all stages and back
    if (schedule == "sequential") return microBatch * 2 * stages + position;
    if (schedule == "interleaved") return microBatch * 2 + position;
    return microBatch + position; // grouped: a stage's forward and backward share a step
}

std::int64_t stepCount(std::string const &schedule, int stages, std::int64_t microBatches)
{
    return stepOf(schedule, stages, 0, microBatches - 1, PreviewPass::Backward) + 1;
}

/// The tasks of `microBatches` in time, and how long the steps are.
struct Simulation {
    std::vector<PreviewTask> tasks;
    std::vector<double> stepEnds;
    double busy = 0;
};

Simulation simulate(std::string const &schedule, std::vector<double> const &costs, std::int64_t microBatches)
{
    int const stages = static_cast<int>(costs.size());
    auto const steps = static_cast<std::size_t>(stepCount(schedule, stages, microBatches));
    std::vector<std::vector<PreviewTask>> byStep(steps);
    for (std::int64_t batch = 0; batch < microBatches; ++batch)
        for (int stage = 0; stage < stages; ++stage)
            for (auto const pass : {PreviewPass::Forward, PreviewPass::Backward})
                byStep[static_cast<std::size_t>(stepOf(schedule, stages, stage, batch, pass))].push_back({stage, batch, pass, 0, 0});
    Simulation out;
    double now = 0;
    for (auto &step : byStep) {
        std::vector<double> reached(costs.size(), now);
        std::ranges::stable_sort(step, {}, &PreviewTask::pass);
        for (auto &task : step) {
            auto &at = reached[static_cast<std::size_t>(task.stage)];
            double const cost = costs[static_cast<std::size_t>(task.stage)] * (task.pass == PreviewPass::Forward ? 1 : kBackwardCost);
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

SchedulePreview previewSchedule(std::string const &schedule, std::vector<double> const &forwardCosts, std::int64_t microBatches)
{
    SchedulePreview out;
    out.stages = static_cast<int>(forwardCosts.size());
    out.microBatches = microBatches;
    out.schedule = schedule;
    out.multiple = model::pipelineDepthMultiple(schedule, out.stages, true);
    out.allowed = microBatches % out.multiple == 0;
    // A stage without multiply-adds still takes its turn.
    std::vector<double> costs = forwardCosts;
    double const largest = std::max(1.0, std::ranges::max(costs));
    for (auto &cost : costs) cost = std::max(cost, largest * 0.02);

    std::int64_t const enough = 4 * static_cast<std::int64_t>(out.stages) + 2; // ramps and a bit of the steady state
    out.shown = std::min(microBatches, enough);
    auto const drawn = simulate(schedule, costs, out.shown);
    out.tasks = drawn.tasks;
    out.steps = stepCount(schedule, out.stages, microBatches);

    // The steady state begins when the first micro-batch is through and ends with the last one's entry.
    std::int64_t const through = 2 * static_cast<std::int64_t>(out.stages) - 1;
    if (schedule == "sequential") out.rampUpSteps = out.rampDownSteps = 0;
    else out.rampUpSteps = out.rampDownSteps = std::min(through, out.steps / 2);
    out.steadySteps = out.steps - out.rampUpSteps - out.rampDownSteps;
    auto const endOf = [&](std::int64_t step) { return step <= 0 ? 0.0 : drawn.stepEnds[static_cast<std::size_t>(std::min<std::int64_t>(step, std::ssize(drawn.stepEnds)) - 1)]; };
    auto const drawnSteps = std::ssize(drawn.stepEnds);
    out.rampUpEnd = endOf(out.rampUpSteps);
    out.rampDownStart = endOf(drawnSteps - out.rampDownSteps);
    out.end = drawn.stepEnds.back();

    // Micro-batches that are not drawn add steady steps: two steps back a whole period is over in every schedule.
    double total = out.end, busy = drawn.busy;
    if (microBatches > out.shown) {
        auto const more = simulate(schedule, costs, out.shown + 1);
        auto const rest = static_cast<double>(microBatches - out.shown);
        total += (more.stepEnds.back() - out.end) * rest;
        busy += (more.busy - drawn.busy) * rest;
    }
    out.bubbleShare = total > 0 ? 1.0 - busy / (total * out.stages) : 0;

    for (int stage = 0; stage < out.stages; ++stage) {
        auto const wait = stepOf(schedule, out.stages, stage, 0, PreviewPass::Backward) - stepOf(schedule, out.stages, stage, 0, PreviewPass::Forward);
        std::int64_t const period = schedule == "sequential" ? 2 * out.stages : schedule == "interleaved" ? 2 : 1;
        out.copies.push_back(static_cast<int>(std::min<std::int64_t>(microBatches, ceilDiv(wait, period))));
    }
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
