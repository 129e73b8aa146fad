#include "views/tiles/column_stats.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

int PositionAxis::positionAt(double coordinate) const
{
    if (count <= 0) return -1;
    if (edges.empty()) return std::clamp(static_cast<int>(std::floor(std::clamp(coordinate, -1.0, count + 1.0))), 0, count - 1);
    auto const above = std::upper_bound(edges.begin(), edges.end(), coordinate);
    return std::clamp(static_cast<int>(above - edges.begin()) - 1, 0, count - 1);
}

double leastWindow(PositionAxis const &axis) { return axis.count > 0 ? std::min(axis.length() / axis.count / 5, axis.length()) : 0; }

namespace {

AxisWindow clampedWindow(AxisWindow window, PositionAxis const &axis)
{
    double const whole = axis.length();
    double const span = std::clamp(window.to - window.from, leastWindow(axis), whole);
    window.from = std::clamp(window.from, 0.0, whole - span);
    window.to = window.from + span;
    return window;
}

} // namespace

AxisWindow zoomed(AxisWindow window, PositionAxis const &axis, double at, double factor)
{
    double const before = window.to - window.from;
    double const span = std::clamp(before * factor, leastWindow(axis), axis.length());
    double const share = before > 0 ? (at - window.from) / before : 0.5;
    window.from = at - span * share;
    window.to = window.from + span;
    return clampedWindow(window, axis);
}

AxisWindow panned(AxisWindow window, PositionAxis const &axis, double by)
{
    window.from += by;
    window.to += by;
    return clampedWindow(window, axis);
}

std::vector<ColumnStat> columnStats(std::span<std::int64_t const> values, PositionAxis const &axis, AxisWindow const &window)
{
    std::vector<ColumnStat> columns(static_cast<std::size_t>(std::max(0, window.pixels)));
    int const count = std::min(axis.count, static_cast<int>(values.size()));
    if (count <= 0 || window.to <= window.from) return columns;
    int next = axis.positionAt(window.from);
    // A position without length is at its left edge, together with its neighbours there.
    while (next > 0 && axis.edge(next) >= window.from) --next;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        double const from = window.coordinateOf(static_cast<double>(c)), to = window.coordinateOf(static_cast<double>(c) + 1);
        auto &column = columns[c];
        double covered = 0, sum = 0;
        int p = next;
        while (p < count && axis.edge(p + 1) <= from && !(axis.edge(p) == axis.edge(p + 1) && axis.edge(p) >= from)) ++p;
        next = p;
        for (; p < count && axis.edge(p) < to; ++p) {
            double const part = std::min(to, axis.edge(p + 1)) - std::max(from, axis.edge(p));
            auto const value = values[static_cast<std::size_t>(p)];
            if (column.first < 0) {
                column.first = p;
                column.min = column.max = value;
            }
            column.last = p;
            column.min = std::min(column.min, value);
            column.max = std::max(column.max, value);
            covered += std::max(0.0, part);
            sum += std::max(0.0, part) * static_cast<double>(value);
        }
        if (column.first >= 0) column.mean = covered > 0 ? sum / covered : static_cast<double>(column.max);
    }
    return columns;
}

BandSums::BandSums(std::span<std::int64_t const> values, PositionAxis const &axis) : m_values(values.begin(), values.end())
{
    m_values.resize(static_cast<std::size_t>(std::max(0, axis.count)));
    m_sums.resize(m_values.size() + 1, 0);
    for (std::size_t i = 0; i < m_values.size(); ++i)
        m_sums[i + 1] =
            m_sums[i] + static_cast<double>(m_values[i]) * (axis.edge(static_cast<int>(i) + 1) - axis.edge(static_cast<int>(i)));
}

double BandSums::upTo(PositionAxis const &axis, double coordinate) const
{
    int const p = axis.positionAt(coordinate);
    if (p < 0) return 0;
    auto const i = static_cast<std::size_t>(p);
    return m_sums[i] + static_cast<double>(m_values[i]) * (std::clamp(coordinate, axis.edge(p), axis.edge(p + 1)) - axis.edge(p));
}

double BandSums::mean(PositionAxis const &axis, double from, double to) const
{
    if (m_values.empty()) return 0;
    from = std::max(from, 0.0);
    to = std::min(to, axis.length());
    if (to <= from) {
        int const p = axis.positionAt(from);
        return p < 0 ? 0 : static_cast<double>(m_values[static_cast<std::size_t>(p)]);
    }
    return (upTo(axis, to) - upTo(axis, from)) / (to - from);
}

} // namespace tilewright::views
