#pragma once

#include "views/time/lane_bins.h"
#include "views/time/time_axis.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::views {

/// Activity of a lane, in the order of stacks and legends.
enum class LanePhase : std::uint8_t { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle, Other };
inline constexpr int kLanePhases = 7;
using PhaseTicks = std::array<std::int64_t, kLanePhases>;

/// Columns of events, of equal length, sorted by start, never overlapping. Duration 0 marks an instant.
struct EventSpans {
    std::span<std::int64_t const> start, duration, type;
};

/// The events of one lane with zoom levels. The longest event of any index range and the busy ticks of any time range take a few dozen
/// steps, for any number of events. Counts are differences of indices. Reads columns in place; copies them when events are appended.
class LaneLod {
public:
    LaneLod() = default;
    /// `phaseOfType`: by type; missing types are Other. `keep` owns the columns (null: they outlive this object). Invalid columns
    /// (unsorted, overlapping, of unequal length) are copied and corrected.
    LaneLod(EventSpans events, std::vector<LanePhase> phaseOfType, std::shared_ptr<void const> keep);
    LaneLod(LaneLod const &) = delete;
    LaneLod &operator=(LaneLod const &) = delete;

    /// Appends events. Requires: sorted, not before the end of the last event.
    void append(EventSpans events);

    std::int64_t size() const { return static_cast<std::int64_t>(m_events.start.size()); }
    std::int64_t start(std::int64_t i) const { return m_events.start[static_cast<std::size_t>(i)]; }
    std::int64_t duration(std::int64_t i) const { return m_events.duration[static_cast<std::size_t>(i)]; }
    std::int64_t end(std::int64_t i) const { return start(i) + duration(i); }
    int type(std::int64_t i) const { return static_cast<int>(m_events.type[static_cast<std::size_t>(i)]); }
    LanePhase phase(std::int64_t i) const { return phaseOfType(type(i)); }
    LanePhase phaseOfType(int type) const;
    std::int64_t lastEnd() const { return size() == 0 ? 0 : end(size() - 1); }

    /// First event that starts at `time` or later, not before `from` (the position of a cursor).
    std::int64_t lowerBound(std::int64_t time, std::int64_t from = 0) const;
    /// The longest event of [first, last); ties have a fixed winner. Requires: first < last.
    struct Longest {
        std::int64_t index = 0, ticks = 0;
        int type = 0;
    };
    Longest longest(std::int64_t first, std::int64_t last) const;

    /// Bins of all events, or of nearly all while events are appended.
    LaneBins const &bins() const { return m_bins; }
    /// Ticks by phase before `time`, including the past part of the current event.
    PhaseTicks busyBefore(std::int64_t time) const;
    /// Ticks by phase of the first `count` events.
    PhaseTicks busyOf(std::int64_t count) const;
    /// Number of events of each type.
    std::vector<std::int64_t> const &countByType() const { return m_typeCount; }

private:
    static constexpr int kShift = 3; ///< fan-out 8
    struct Level {
        std::vector<std::int64_t> start; ///< of the first event of a node
        std::vector<std::int64_t> ticks; ///< of the longest event
        struct Best {
            std::int64_t index;
            int type;
        };
        std::vector<Best> best; ///< that event, with a copy of its type
    };
    void own();
    void repair();
    void extend(std::int64_t from);

    EventSpans m_events;
    std::vector<std::int64_t> m_start, m_duration, m_type; ///< only when owned
    std::vector<LanePhase> m_phaseOfType;
    std::vector<Level> m_levels; ///< nodes of 8, 64, 512, … events
    LaneBins m_bins;
    std::vector<PhaseTicks> m_busy; ///< prefix sums before each node of 8 events
    std::vector<std::int64_t> m_typeCount;
    std::shared_ptr<void const> m_keep;
    bool m_owned = false;
};

} // namespace tilewright::views
