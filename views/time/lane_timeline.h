#pragma once

#include "views/time/lane_lod.h"

#include <functional>
#include <memory>
#include <vector>

namespace tilewright::views {

/// `repeats` copies of a block of events, the k-th at start + k * period.
struct LanePlacement {
    std::shared_ptr<LaneLod const> block;
    std::int64_t start = 0, repeats = 1, period = 0;
};

/// A run of pixel columns of a lane: one event, or several in a single column.
struct LaneBox {
    int x0 = 0, x1 = 0;     ///< columns, half open
    std::int64_t first = 0; ///< first event in it
    std::int64_t count = 1; ///< events in it
    std::int64_t event = 0; ///< the one event, or the longest of those merged
    int type = 0;           ///< of `event`
    bool operator==(LaneBox const &) const = default;
};

/// A lane as one long row of events numbered from 0, made of repeated blocks: billions of events of an unrolled run cost no more than one
/// block. Requires: placements in order of time, without overlaps; a block fits its period.
class LaneTimeline {
public:
    LaneTimeline() = default;
    explicit LaneTimeline(std::vector<LanePlacement> placements);

    std::int64_t size() const { return m_size; }
    TimeSpan span(std::int64_t event) const;
    int type(std::int64_t event) const;
    LanePhase phase(std::int64_t event) const;
    LanePhase phaseOfType(int type) const;
    /// Index of the event in its block, from 0; equal for all repetitions.
    std::int64_t indexInBlock(std::int64_t event) const;
    LaneLod const *blockOf(std::int64_t event) const;  ///< null for an unknown event
    std::int64_t repetition(std::int64_t event) const; ///< of its placement

    /// First event that starts at `time` or later; size() if there is none.
    std::int64_t lowerBound(std::int64_t time) const;
    /// First event that has not ended at `time`.
    std::int64_t firstNotEnded(std::int64_t time) const;
    /// The event at `time`; -1: none.
    std::int64_t eventAt(std::int64_t time) const;
    /// The nearest later (direction 1) or earlier (-1) event of the same type, within the events of one period; -1: none.
    std::int64_t sameType(std::int64_t event, int direction) const;
    std::int64_t longest(std::int64_t first, std::int64_t last) const;
    PhaseTicks busy(TimeSpan span) const;
    std::vector<std::int64_t> countByType() const;
    TimeSpan extent() const;

    /// At most one box per pixel column. Every event of the window is in exactly one box. An event that crosses a column border has its own
    /// box, unless earlier shorter events use that column, or eight or more others share its columns (LaneBins::kDense).
    std::vector<LaneBox> boxes(ColumnGrid const &grid) const;
    void boxes(ColumnGrid const &grid, std::vector<LaneBox> &boxes) const; ///< into existing memory

    /// Cuts events [first, last) into stretches of blocks: `times` whole or partial copies of [from, to), starting at `base`.
    struct Stretch {
        LaneLod const *block = nullptr;
        std::int64_t from = 0, to = 0, times = 1, base = 0;
        std::size_t placement = 0;
        std::int64_t event = 0; ///< number of its first event
    };
    void stretches(std::int64_t first, std::int64_t last, std::function<void(Stretch const &)> const &visit) const;
    std::vector<LanePlacement> const &placements() const { return m_placements; }

private:
    struct Place {
        std::size_t placement = 0;
        std::int64_t repetition = 0, index = 0;
    };
    Place placeOf(std::int64_t event) const;
    std::int64_t base(Place const &place) const;
    std::int64_t number(Place const &place) const;
    Place normal(Place place) const;
    Place lowerPlace(std::int64_t time, Place from) const;
    PhaseTicks busyBefore(std::int64_t time) const;

    std::vector<LanePlacement> m_placements;
    std::vector<std::int64_t> m_first; ///< number of the first event, by placement, and the end
    std::vector<PhaseTicks> m_busy;    ///< before each placement, and all
    std::int64_t m_size = 0;
};

/// Adjacent merged columns, for one mark and one count each.
struct MergedRun {
    int x0 = 0, x1 = 0;
    std::int64_t count = 0;
    bool operator==(MergedRun const &) const = default;
};
std::vector<MergedRun> mergedRuns(std::vector<LaneBox> const &boxes, int nearness = 2);

} // namespace tilewright::views
