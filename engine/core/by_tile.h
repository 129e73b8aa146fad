#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tilewright {

/// Values by tile of a replica, stored for one stretch of tiles. All other tiles have 0 and take no memory. Most compute sets and exchanges
/// concern one IPU out of up to 64.
template <typename T> class ByTile {
public:
    /// Tiles from `begin` to before `end`.
    struct Stretch {
        std::size_t begin = 0, end = 0;
        /// The shortest stretch that contains both.
        Stretch with(Stretch other) const
        {
            if (begin == end) return other;
            if (other.begin == other.end) return *this;
            return {std::min(begin, other.begin), std::max(end, other.end)};
        }
    };

    ByTile() = default;
    /// All values 0, for `tiles` tiles. Requires: the stretch is within them.
    ByTile(std::size_t tiles, Stretch stretch) : m_tiles(tiles), m_begin(stretch.begin), m_values(stretch.end - stretch.begin, T()) {}

    /// The shortest stretch of a vector outside of which all values are 0.
    static ByTile trimmed(std::size_t tiles, std::size_t begin, std::span<T const> values)
    {
        std::size_t first = 0, last = values.size();
        while (last > first && values[last - 1] == T()) --last;
        while (first < last && values[first] == T()) ++first;
        ByTile made(tiles, first == last ? Stretch{} : Stretch{begin + first, begin + last});
        std::ranges::copy(values.subspan(first, last - first), made.m_values.begin());
        return made;
    }

    std::size_t size() const { return m_tiles; }
    Stretch stretch() const { return {m_begin, m_begin + m_values.size()}; }
    std::span<T const> values() const { return m_values; } ///< values of the stretch
    T operator[](std::size_t tile) const { return tile - m_begin < m_values.size() ? m_values[tile - m_begin] : T(); }
    /// Requires: the tile is in the stretch.
    T &at(std::size_t tile) { return m_values[tile - m_begin]; }
    void zero() { std::ranges::fill(m_values, T()); }
    std::vector<T> all() const
    {
        std::vector<T> values(m_tiles, T());
        std::ranges::copy(m_values, values.begin() + static_cast<std::ptrdiff_t>(m_begin));
        return values;
    }
    /// The largest value in [first, last) and the first tile that has it. Requires: first < last.
    struct Largest {
        T value = T();
        std::size_t tile = 0;
    };
    Largest largest(std::size_t first, std::size_t last) const
    {
        Largest found{(*this)[first], first};
        for (std::size_t tile = std::max(first, m_begin); tile < std::min(last, m_begin + m_values.size()); ++tile)
            if (m_values[tile - m_begin] > found.value) found = {m_values[tile - m_begin], tile};
        return found;
    }
    /// Compares the stretches too.
    bool operator==(ByTile const &) const = default;
    bool operator==(std::vector<T> const &other) const { return all() == other; }

private:
    std::size_t m_tiles = 0, m_begin = 0;
    std::vector<T> m_values;
};

} // namespace tilewright
