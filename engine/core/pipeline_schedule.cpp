#include "engine/core/pipeline_schedule.h"

#include <algorithm>
#include <array>
#include <span>

namespace tilewright {

namespace {

constexpr std::array<std::string_view, 3> kSchedules{"grouped", "interleaved", "sequential"};
constexpr std::array<std::string_view, 3> kPasses{"forward", "recompute", "backward"};

template <typename E> std::optional<E> among(std::span<std::string_view const> names, std::string_view text)
{
    auto const it = std::find(names.begin(), names.end(), text);
    return it == names.end() ? std::nullopt : std::optional(static_cast<E>(it - names.begin()));
}

} // namespace

std::string_view toText(PipelineSchedule schedule) { return kSchedules[static_cast<std::size_t>(schedule)]; }
std::string_view toText(StagePass pass) { return kPasses[static_cast<std::size_t>(pass)]; }
std::optional<PipelineSchedule> pipelineScheduleOf(std::string_view text) { return among<PipelineSchedule>(kSchedules, text); }
std::optional<StagePass> stagePassOf(std::string_view text) { return among<StagePass>(kPasses, text); }

int PipelineSlots::interval() const
{
    switch (schedule) {
    case PipelineSchedule::Grouped: return 1;
    case PipelineSchedule::Interleaved: return training ? 2 : 1;
    case PipelineSchedule::Sequential: break;
    }
    return positions();
}

std::optional<std::int64_t> PipelineSlots::microBatchAt(int position, std::int64_t slot) const
{
    std::int64_t const since = slot - position;
    if (since % interval() != 0) return std::nullopt;
    return since / interval();
}

int PipelineSlots::multiple() const
{
    switch (schedule) {
    case PipelineSchedule::Grouped: return positions();
    case PipelineSchedule::Interleaved: return stages;
    case PipelineSchedule::Sequential: break;
    }
    return 1;
}

int PipelineSlots::stashDepth(int stage) const
{
    if (!training) return 0;
    int const wait = positionOf(stage, true) - positionOf(stage, false);
    return (wait + interval() - 1) / interval() - 1;
}

} // namespace tilewright
