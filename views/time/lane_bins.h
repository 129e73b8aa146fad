#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::views {

/// Equal stretches of time over a row of events, at widths that double: how many events each begins and which is
/// the longest. Where many events share a pixel column, the column is read from the two to four bins it covers, one
/// after the other in memory, and no single event is looked at.
class LaneBins {
public:
    static constexpr std::int64_t kDense = 8; ///< events in a column from which its border may move to that of a bin

    /// Columns of equal length, sorted by start, never overlapping.
    void build(std::span<std::int64_t const> start, std::span<std::int64_t const> duration, std::span<std::int64_t const> type);
    /// Events that it knows of: those there were when it was built.
    std::int64_t size() const { return m_size; }
    /// The level whose bins are at most half a column wide; -1: even the finest are wider.
    int levelFor(std::int64_t ticksPerColumn) const;

    struct Dense {
        std::int64_t head = 0;    ///< events before this one are in no bin of the column: the caller looks at them
        std::int64_t to = 0;      ///< the column ends before this event
        std::int64_t longest = 0; ///< the longest from `head` on
        std::int64_t ticks = -1;  ///< of it; a smaller number when it takes 2^32 or more; -1: there is none
        int type = 0;             ///< of it
        std::int64_t bin = 0;     ///< where the next column goes on
    };
    /// The first bin in which no event before `index` begins; `start`: when that event begins.
    std::int64_t binFrom(int level, std::int64_t index, std::int64_t start) const;
    /// The column that begins with event `index`, then takes bins from `bin` on, and ends at about `border`; nothing when
    /// it is not dense, or the event after it begins at `limit` or later, or the row ends before.
    std::optional<Dense> column(int level, std::int64_t index, std::int64_t bin, std::int64_t border, std::int64_t limit) const;

private:
    struct Bin {
        std::uint32_t first = 0;   ///< first event that begins in it or later
        std::uint32_t longest = 0; ///< of those that begin in it
        std::uint32_t ticks = 0;   ///< of that event, and one; 0: none begins here
        std::int32_t type = 0;     ///< of that event
    };
    static void take(Bin &best, Bin const &other);
    std::vector<std::vector<Bin>> m_levels; ///< finest first; each ends with a bin that holds no events
    std::int64_t m_origin = 0, m_size = 0;
    int m_shift = 0; ///< the finest bins are 2^m_shift ticks wide
};

} // namespace tilewright::views
