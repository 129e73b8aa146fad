#pragma once

#include "views/time/lane_timeline.h"

#include <limits>

namespace tilewright::views {

/// Lowest, highest and mean of values; NaN is ignored.
struct SeriesStat {
    double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity(), sum = 0;
    std::int64_t count = 0;
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN(); }
    void add(SeriesStat const &other, std::int64_t times = 1);
    void add(double value);
};

/// A row of values with zoom levels of 8, 64, … values: extremes are exact at any zoom, so that no spike is lost.
class SeriesLod {
public:
    SeriesLod() = default;
    explicit SeriesLod(std::vector<double> values);
    void append(std::span<double const> values);
    std::int64_t size() const { return static_cast<std::int64_t>(m_values.size()); }
    double value(std::int64_t i) const { return m_values[static_cast<std::size_t>(i)]; }
    /// Of the values [first, last).
    SeriesStat stat(std::int64_t first, std::int64_t last) const;

private:
    void extend(std::int64_t from);
    std::vector<double> m_values;
    std::vector<std::vector<SeriesStat>> m_levels;
};

/// One value per event of a timeline, for example bytes per cycle of each exchange.
struct LaneSeries {
    std::shared_ptr<LaneTimeline const> events;
    std::vector<std::shared_ptr<SeriesLod const>> values; ///< by placement of `events`, one value per event of the block
    /// Of the events [first, last).
    SeriesStat stat(std::int64_t first, std::int64_t last) const;
    /// By pixel column: the values of all events in it (count 0: none).
    std::vector<SeriesStat> columns(ColumnGrid const &grid) const;
};

/// By pixel column: the points (`x` ascending) that lie in it.
std::vector<SeriesStat> pointColumns(std::span<std::int64_t const> x, SeriesLod const &y, ColumnGrid const &grid);

} // namespace tilewright::views
