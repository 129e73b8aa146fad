#include "views/time/series_lod.h"

#include <cmath>

namespace tilewright::views {

void SeriesStat::add(SeriesStat const &other, std::int64_t times)
{
    if (other.count == 0 || times <= 0) return;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum += other.sum * static_cast<double>(times);
    count += other.count * times;
}

void SeriesStat::add(double value)
{
    if (std::isnan(value)) return;
    min = std::min(min, value);
    max = std::max(max, value);
    sum += value;
    ++count;
}

SeriesLod::SeriesLod(std::vector<double> values) : m_values(std::move(values)) { extend(0); }

void SeriesLod::append(std::span<double const> values)
{
    std::int64_t const before = size();
    m_values.insert(m_values.end(), values.begin(), values.end());
    extend(before);
}

void SeriesLod::extend(std::int64_t from)
{
    std::size_t below = m_values.size(), first = static_cast<std::size_t>(from);
    for (std::size_t k = 0; below > 1; ++k) {
        if (k == m_levels.size()) {
            m_levels.emplace_back();
            first = 0;
        }
        std::size_t const nodes = (below + 7) / 8;
        auto &level = m_levels[k];
        level.resize(nodes);
        first /= 8;
        for (std::size_t node = first; node < nodes; ++node) {
            SeriesStat stat;
            for (std::size_t i = node * 8; i < std::min(below, node * 8 + 8); ++i) {
                if (k == 0) stat.add(m_values[i]);
                else stat.add(m_levels[k - 1][i]);
            }
            level[node] = stat;
        }
        below = nodes;
    }
}

SeriesStat SeriesLod::stat(std::int64_t first, std::int64_t last) const
{
    SeriesStat sum;
    auto a = static_cast<std::size_t>(std::max<std::int64_t>(0, first)),
         b = static_cast<std::size_t>(std::clamp<std::int64_t>(last, 0, size()));
    for (std::size_t k = 0; a < b; ++k) {
        auto const offer = [&](std::size_t i) {
            if (k == 0) sum.add(m_values[i]);
            else sum.add(m_levels[k - 1][i]);
        };
        bool const top = b - a < 16 || k >= m_levels.size();
        for (; a < b && (top || a % 8 != 0); ++a) offer(a);
        while (!top && b % 8 != 0) offer(--b);
        a /= 8;
        b /= 8;
        if (top) break;
    }
    return sum;
}

SeriesStat LaneSeries::stat(std::int64_t first, std::int64_t last) const
{
    SeriesStat sum;
    events->stretches(first, last, [&](LaneTimeline::Stretch const &part) {
        if (part.placement < values.size() && values[part.placement]) sum.add(values[part.placement]->stat(part.from, part.to), part.times);
    });
    return sum;
}

std::vector<SeriesStat> LaneSeries::columns(ColumnGrid const &grid) const
{
    std::vector<SeriesStat> columns(static_cast<std::size_t>(grid.width()));
    if (!events || events->size() == 0) return columns;
    for (auto const &box : events->boxes(grid)) {
        SeriesStat const stat = this->stat(box.first, box.first + box.count);
        for (int x = box.x0; x < box.x1; ++x) columns[static_cast<std::size_t>(x)] = stat;
    }
    return columns;
}

std::vector<SeriesStat> pointColumns(std::span<std::int64_t const> x, SeriesLod const &y, ColumnGrid const &grid)
{
    std::vector<SeriesStat> columns(static_cast<std::size_t>(grid.width()));
    auto begin = std::ranges::lower_bound(x, grid.start(0));
    for (int c = 0; c < grid.width() && begin != x.end(); ++c) {
        auto const end = std::lower_bound(begin, x.end(), grid.start(c + 1));
        columns[static_cast<std::size_t>(c)] = y.stat(begin - x.begin(), end - x.begin());
        begin = end;
    }
    return columns;
}

} // namespace tilewright::views
