#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// The slots in which pipeline stages work. All IPUs end a slot together. The tables are those of the vendor's pipelining guide. Compiler,
/// checks and previews share them.
namespace tilewright {

/// Grouped: a slot holds a forward and a backward task of a stage, for different micro-batches. Interleaved: slots alternate between
/// forward and backward; half as many activations are stored. Sequential: one stage processes one micro-batch at a time.
enum class PipelineSchedule : std::uint8_t { Grouped, Interleaved, Sequential };
/// "grouped", "interleaved", "sequential".
std::string_view toText(PipelineSchedule schedule);
std::optional<PipelineSchedule> pipelineScheduleOf(std::string_view text);

/// A stage's task for a micro-batch. A recomputation runs in front of the backward task, at the same position.
enum class StagePass : std::uint8_t { Forward, Recompute, Backward };
/// "forward", "recompute", "backward", as in steps and reports.
std::string_view toText(StagePass pass);
std::optional<StagePass> stagePassOf(std::string_view text);
/// Whether the task belongs to the backward direction.
inline bool goesBack(StagePass pass) { return pass != StagePass::Forward; }

/// The slots of one pipeline. A micro-batch passes positions 0 … P-1, one per slot: the forward task of each stage, then, in training, the
/// backward task of each stage from the last to the first. Requires: 0 <= stage < stages.
struct PipelineSlots {
    PipelineSchedule schedule = PipelineSchedule::Grouped;
    int stages = 1;
    bool training = true;

    int positions() const { return training ? 2 * stages : stages; }
    int positionOf(int stage, bool backward) const { return backward ? 2 * stages - 1 - stage : stage; }
    /// Slots between the starts of two micro-batches.
    int interval() const;
    std::int64_t slotOf(int stage, bool backward, std::int64_t microBatch) const
    {
        return microBatch * interval() + positionOf(stage, backward);
    }
    /// The micro-batch at a position in a slot. Values below 0, or at least the number of micro-batches, mean that no micro-batch of this
    /// run is there.
    std::optional<std::int64_t> microBatchAt(int position, std::int64_t slot) const;
    std::int64_t slotCount(std::int64_t microBatches) const { return (microBatches - 1) * interval() + positions(); }
    /// Slots before the steady state, and the same number after it. The steady state is a whole number of intervals.
    int rampSlots() const { return positions() - interval(); }
    std::int64_t steadyIntervals(std::int64_t microBatches) const { return microBatches - rampSlots() / interval(); }
    /// The number of micro-batches must be a multiple of this if every stage has its own IPU: the number of positions (Grouped), the number
    /// of stages (Interleaved), 1 (Sequential).
    int multiple() const;
    bool accepts(std::int64_t microBatches) const { return microBatches >= multiple() && microBatches % multiple() == 0; }
    /// Micro-batches stored between a stage's forward and its backward task.
    int stashDepth(int stage) const;
};

} // namespace tilewright
