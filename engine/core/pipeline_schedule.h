#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// When the stages of a pipeline work, in slots: all IPUs end a slot together. The tables of the vendor's pipelining guide,
/// which compiler, checks and previews share.
namespace tilewright {

/// Grouped: a stage's forward and its backward share a slot, of different micro-batches. Interleaved: a slot is either, in
/// turn; half as much is kept for the backward. Sequential: one stage of one micro-batch in the whole system.
enum class PipelineSchedule : std::uint8_t { Grouped, Interleaved, Sequential };
/// "grouped", "interleaved", "sequential".
std::string_view toText(PipelineSchedule schedule);
std::optional<PipelineSchedule> pipelineScheduleOf(std::string_view text);

/// What a stage does with a micro-batch. A recomputation has no position of its own: it stands in front of the backward.
enum class StagePass : std::uint8_t { Forward, Recompute, Backward };
/// "forward", "recompute", "backward", as steps and reports say it.
std::string_view toText(StagePass pass);
std::optional<StagePass> stagePassOf(std::string_view text);
/// Whether it is done on the way back through the stages.
inline bool goesBack(StagePass pass) { return pass != StagePass::Forward; }

/// The slots of one pipeline. A micro-batch goes through positions 0 … P-1: the forward of each stage, then, in training, the
/// backward of each from the last to the first; one position a slot. Requires: 0 <= stage < stages.
struct PipelineSlots {
    PipelineSchedule schedule = PipelineSchedule::Grouped;
    int stages = 1;
    bool training = true;

    int positions() const { return training ? 2 * stages : stages; }
    int positionOf(int stage, bool backward) const { return backward ? 2 * stages - 1 - stage : stage; }
    /// Slots from the start of one micro-batch to that of the next.
    int interval() const;
    std::int64_t slotOf(int stage, bool backward, std::int64_t microBatch) const
    {
        return microBatch * interval() + positionOf(stage, backward);
    }
    /// The micro-batch at a position in a slot; less than 0, or as many as there are and more: none of this run.
    std::optional<std::int64_t> microBatchAt(int position, std::int64_t slot) const;
    std::int64_t slotCount(std::int64_t microBatches) const { return (microBatches - 1) * interval() + positions(); }
    /// Slots before the steady state, and as many behind it; the steady state is a number of intervals.
    int rampSlots() const { return positions() - interval(); }
    std::int64_t steadyIntervals(std::int64_t microBatches) const { return microBatches - rampSlots() / interval(); }
    /// Of which the micro-batches have to be a multiple, where every stage has an IPU of its own: Grouped as many as there are
    /// positions, Interleaved as there are stages, Sequential 1.
    int multiple() const;
    bool accepts(std::int64_t microBatches) const { return microBatches >= multiple() && microBatches % multiple() == 0; }
    /// Micro-batches that wait between a stage's forward and its backward: those that its forward meets meanwhile, and that would
    /// overwrite what the first has left.
    int stashDepth(int stage) const;
};

} // namespace tilewright
