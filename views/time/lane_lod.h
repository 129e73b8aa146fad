#pragma once

#include "views/time/lane_bins.h"
#include "views/time/time_axis.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::views {

/// What a lane's time is spent on. The order is the order of stacks and legends.
enum class LanePhase : std::uint8_t { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle, Other };
inline constexpr int kLanePhases = 7;
using PhaseTicks = std::array<std::int64_t, kLanePhases>;

/// Columns of events, of equal length, sorted by start, never overlapping. Duration 0 marks an instant.
struct EventSpans {
    std::span<std::int64_t const> start, duration, type;
};

/// The events of one lane with zoom levels: the longest event of any index range and the busy ticks of any time
/// range cost a few dozen steps, whatever the number of events. Counts need no level: they are differences of
/// indices. Reads columns in place; copies them once something is appended.
class LaneLod {
public:
    LaneLod() = default;
    /// `phaseOfType`: by type; missing ones are Other. `keep` owns the columns (null: they outlive this object).
    /// Broken columns (unsorted, overlapping, of unequal length) are copied and put right.
    LaneLod(EventSpans events, std::vector<LanePhase> phaseOfType, std::shared_ptr<void const> keep);
    LaneLod(LaneLod const &) = delete;
    LaneLod &operator=(LaneLod const &) = delete;

    /// Goes on after what there is. Requires: sorted, not before the end of the last event.
    void append(EventSpans events);

    std::int64_t size() const { return static_cast<std::int64_t>(m_events.start.size()); }
    std::int64_t start(std::int64_t i) const { return m_events.start[static_cast<std::size_t>(i)]; }
    std::int64_t duration(std::int64_t i) const { return m_events.duration[static_cast<std::size_t>(i)]; }
    std::int64_t end(std::int64_t i) const { return start(i) + duration(i); }
    int type(std::int64_t i) const { return static_cast<int>(m_events.type[static_cast<std::size_t>(i)]); }
    LanePhase phase(std::int64_t i) const { return phaseOfType(type(i)); }
    LanePhase phaseOfType(int type) const;
    std::int64_t lastEnd() const { return size() == 0 ? 0 : end(size() - 1); }

    /// First event that starts at `time` or later. `from`: no earlier one will do (a cursor's place).
    std::int64_t lowerBound(std::int64_t time, std::int64_t from = 0) const;
    /// The longest of [first, last), on a tie always the same one. Requires: first < last.
    struct Longest {
        std::int64_t index = 0, ticks = 0;
        int type = 0;
    };
    Longest longest(std::int64_t first, std::int64_t last) const;

    /// Of the events there are, or of nearly all of them while they grow.
    LaneBins const &bins() const { return m_bins; }
    /// Ticks by phase before `time`; an event under way counts with what is past.
    PhaseTicks busyBefore(std::int64_t time) const;
    /// Ticks by phase of the first `count` events.
    PhaseTicks busyOf(std::int64_t count) const;
    /// How many events there are of each type.
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
        std::vector<Best> best; ///< that event; its type is here to spare a look at it
    };
    void own();
    void repair();
    void extend(std::int64_t from);

    EventSpans m_events;
    std::vector<std::int64_t> m_start, m_duration, m_type; ///< only when owned
    std::vector<LanePhase> m_phaseOfType;
    std::vector<Level> m_levels; ///< nodes of 8, 64, 512, … events
    LaneBins m_bins;
    std::vector<PhaseTicks> m_busy; ///< before each node of 8: prefix sums need no walk up and down
    std::vector<std::int64_t> m_typeCount;
    std::shared_ptr<void const> m_keep;
    bool m_owned = false;
};

} // namespace tilewright::views
