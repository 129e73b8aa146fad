#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Many values over few pixels: values per pixel column, without losing extremes.
namespace tilewright::views {

/// Positions on an axis: one unit each, or between given edges (steps over cycles).
struct PositionAxis {
    int count = 0;
    std::vector<double> edges; ///< count + 1, ascending; empty: 0, 1, 2, …

    double edge(int i) const { return edges.empty() ? i : edges[static_cast<std::size_t>(i)]; }
    double length() const { return count > 0 ? edge(count) : 0; }
    /// The position at `coordinate`, clamped; -1 without positions.
    int positionAt(double coordinate) const;
    double middle(int i) const { return (edge(i) + edge(i + 1)) / 2; }
};

/// The visible part of an axis over pixels.
struct AxisWindow {
    double from = 0, to = 0;
    int pixels = 0;
    double coordinateOf(double pixel) const { return pixels > 0 ? from + (to - from) * pixel / pixels : from; }
    double pixelOf(double coordinate) const { return to > from ? (coordinate - from) / (to - from) * pixels : 0; }
};

/// Length of the shortest visible part: a fifth of a column, 0 without columns.
double leastWindow(PositionAxis const &axis);

/// Zooms by `factor` with `at` fixed; never outside the axis and never narrower than a fifth of a position.
AxisWindow zoomed(AxisWindow window, PositionAxis const &axis, double at, double factor);
AxisWindow panned(AxisWindow window, PositionAxis const &axis, double by);

struct ColumnStat {
    int first = -1, last = -2; ///< positions that touch the column, inclusive
    std::int64_t min = 0, max = 0;
    double mean = 0; ///< weighted by each position's part of the column
};
/// By column. Positions of zero length count at their place, so that no extreme is lost.
std::vector<ColumnStat> columnStats(std::span<std::int64_t const> values, PositionAxis const &axis, AxisWindow const &window);

/// Running sums of one band: the mean over any stretch in O(log n).
class BandSums {
public:
    BandSums() = default;
    BandSums(std::span<std::int64_t const> values, PositionAxis const &axis);
    double mean(PositionAxis const &axis, double from, double to) const;

private:
    double upTo(PositionAxis const &axis, double coordinate) const;
    std::vector<double> m_sums; ///< m_sums[i]: of all positions before i
    std::vector<std::int64_t> m_values;
};

} // namespace tilewright::views
