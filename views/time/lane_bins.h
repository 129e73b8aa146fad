#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::views {

/// Bins of equal time over a row of events, with widths that double: the number of events that begin in each bin, and the longest of them.
/// A pixel column with many events is read from its two to four adjacent bins, without visiting single events.
class LaneBins {
public:
    static constexpr std::int64_t kDense = 8; ///< events in a column from which its border may move to the border of a bin

    /// Columns of equal length, sorted by start, never overlapping.
    void build(std::span<std::int64_t const> start, std::span<std::int64_t const> duration, std::span<std::int64_t const> type);
    /// Number of events when it was built.
    std::int64_t size() const { return m_size; }
    /// The level whose bins are at most half a column wide; -1: the finest bins are wider.
    int levelFor(std::int64_t ticksPerColumn) const;

    struct Dense {
        std::int64_t head = 0;    ///< earlier events of the column are in no bin: the caller reads them
        std::int64_t to = 0;      ///< the column ends before this event
        std::int64_t longest = 0; ///< the longest from `head` on
        std::int64_t ticks = -1;  ///< its length, smaller if it takes 2^32 or more; -1: none
        int type = 0;             ///< of it
        std::int64_t bin = 0;     ///< start of the next column
    };
    /// The first bin in which no event before `index` begins; `start`: start of that event.
    std::int64_t binFrom(int level, std::int64_t index, std::int64_t start) const;
    /// The column that begins with event `index`, continues with bins from `bin` on, and ends at about `border`. nullopt if it is not
    /// dense, or if the next event begins at `limit` or later, or if the row ends before.
    std::optional<Dense> column(int level, std::int64_t index, std::int64_t bin, std::int64_t border, std::int64_t limit) const;

private:
    struct Bin {
        std::uint32_t first = 0;   ///< first event that begins in it or later
        std::uint32_t longest = 0; ///< of those that begin in it
        std::uint32_t ticks = 0;   ///< of that event, plus one; 0: none begins here
        std::int32_t type = 0;     ///< of that event
    };
    static void take(Bin &best, Bin const &other);
    std::vector<std::vector<Bin>> m_levels; ///< finest first; each ends with an empty bin
    std::int64_t m_origin = 0, m_size = 0;
    int m_shift = 0; ///< the finest bins are 2^m_shift ticks wide
};

} // namespace tilewright::views
