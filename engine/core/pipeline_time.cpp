#include "engine/core/pipeline_time.h"

#include <utility>

namespace tilewright {

namespace {

std::size_t ipuOf(std::size_t stage, std::span<int const> ipus)
{
    return stage < ipus.size() ? static_cast<std::size_t>(ipus[stage]) : stage;
}
std::size_t ipuCount(std::size_t stages, std::span<int const> ipus)
{
    std::size_t count = 0;
    for (std::size_t stage = 0; stage < stages; ++stage) count = std::max(count, ipuOf(stage, ipus) + 1);
    return count;
}

} // namespace

PipelineTimes pipelineTimes(PipelineSlots const &slots, std::span<StageTimes const> times, std::int64_t microBatches, double exchange,
                            std::span<int const> ipus)
{
    std::vector<std::vector<StageTask>> bySlot(static_cast<std::size_t>(slots.slotCount(microBatches)));
    for (std::int64_t batch = 0; batch < microBatches; ++batch)
        for (int stage = 0; stage < slots.stages; ++stage)
            for (auto const pass : {StagePass::Recompute, StagePass::Backward, StagePass::Forward})
                if (pass != StagePass::Recompute || times[static_cast<std::size_t>(stage)].recompute > 0)
                    bySlot[static_cast<std::size_t>(slots.slotOf(stage, goesBack(pass), batch))].push_back({stage, batch, pass, 0, 0});
    PipelineTimes out;
    double now = 0;
    std::vector<double> reached(ipuCount(times.size(), ipus));
    for (auto &slot : bySlot) {
        std::ranges::fill(reached, now);
        std::ranges::stable_sort(slot, {}, [](StageTask const &task) {
            bool const forward = task.pass == StagePass::Forward; // the backward pass comes first, from the last stage
            return std::pair(forward, forward ? task.stage : -task.stage);
        });
        for (auto &task : slot) {
            auto const stage = static_cast<std::size_t>(task.stage);
            auto const &time = times[stage];
            double const length = task.pass == StagePass::Forward ? time.forward
                : task.pass == StagePass::Recompute               ? time.recompute
                                                                  : time.backward;
            auto &ipu = reached[ipuOf(stage, ipus)];
            task.start = ipu;
            task.end = ipu += length;
            out.busy += length;
            out.tasks.push_back(task);
        }
        now = std::ranges::max(reached);
        out.slotEnds.push_back(now);
        now += exchange;
    }
    return out;
}

double pipelineEnd(PipelineSlots const &slots, std::span<StageTimes const> times, std::int64_t microBatches, double exchange,
                   std::span<int const> ipus)
{
    std::vector<double> work(ipuCount(times.size(), ipus));
    auto const endOf = [&](std::int64_t count) {
        double end = -exchange; // no exchange after the last slot
        auto const inUse = [&](int stage, bool backward, std::int64_t slot) {
            auto const batch = slots.microBatchAt(slots.positionOf(stage, backward), slot);
            return batch && *batch >= 0 && *batch < count;
        };
        for (std::int64_t slot = 0; slot < slots.slotCount(count); ++slot) {
            std::ranges::fill(work, 0);
            for (int stage = 0; stage < slots.stages; ++stage) {
                auto const &time = times[static_cast<std::size_t>(stage)];
                work[ipuOf(static_cast<std::size_t>(stage), ipus)] +=
                    (inUse(stage, true, slot) ? time.recompute + time.backward : 0) + (inUse(stage, false, slot) ? time.forward : 0);
            }
            end += std::ranges::max(work) + exchange;
        }
        return end;
    };
    // From as many micro-batches as positions, each further one adds a steady interval.
    std::int64_t const full = slots.positions();
    if (microBatches <= full + 1) return endOf(microBatches);
    double const end = endOf(full);
    return end + (endOf(full + 1) - end) * static_cast<double>(microBatches - full);
}

} // namespace tilewright
