#pragma once

#include <QString>

#include <algorithm>
#include <cstdint>
#include <vector>

// Time is counted in whole ticks: cycles of a device, nanoseconds of a host, or steps. Doubles are used for pixels only.
namespace tilewright::views {

/// Half open: includes begin, excludes end.
struct TimeSpan {
    std::int64_t begin = 0, end = 0;
    std::int64_t length() const { return end - begin; }
    bool isEmpty() const { return end <= begin; }
    bool contains(std::int64_t time) const { return time >= begin && time < end; }
    bool operator==(TimeSpan const &) const = default;
};

/// A window of time on a row of pixel columns. A value: zooming and panning create a new axis.
struct TimeAxis {
    TimeSpan window{0, 1};
    int width = 1; ///< pixels

    double ticksPerPixel() const { return static_cast<double>(window.length()) / width; }
    double toPixel(std::int64_t time) const
    {
        return static_cast<double>(time - window.begin) * width / static_cast<double>(window.length());
    }
    /// The tick at the left edge of pixel `x`, or the previous one.
    std::int64_t toTime(double x) const;
    /// Column of the tick's left edge; below 0 or at least `width` for ticks outside the window.
    std::int64_t column(std::int64_t time) const;
    /// The first tick in `column` or later: columns have no gaps and no overlaps.
    std::int64_t columnStart(std::int64_t column) const;
    bool operator==(TimeAxis const &) const = default;
};

/// The column borders of an axis as a table, for fast look-ups during a frame.
class ColumnGrid {
public:
    explicit ColumnGrid(TimeAxis const &axis);
    TimeAxis const &axis() const { return m_axis; }
    int width() const { return m_axis.width; }
    std::int64_t start(int column) const { return m_starts[static_cast<std::size_t>(column)]; }
    /// Clamped to 0 … width.
    int column(std::int64_t time) const
    {
        if (time <= m_axis.window.begin) return 0;
        if (time >= m_axis.window.end) return m_axis.width;
        int guess = std::min(static_cast<int>(static_cast<double>(time - m_axis.window.begin) * m_scale), m_axis.width - 1);
        while (guess > 0 && start(guess) > time) --guess;
        while (guess + 1 <= m_axis.width && start(guess + 1) <= time) ++guess;
        return guess;
    }
    /// The same with a likely column. Requires: 0 <= guess < width.
    int column(std::int64_t time, int guess) const { return start(guess) <= time && time < start(guess + 1) ? guess : column(time); }

private:
    TimeAxis m_axis;
    double m_scale = 1;
    std::vector<std::int64_t> m_starts; ///< width + 1
};

/// Shortest window, in ticks.
inline constexpr std::int64_t kShortestWindow = 8;

/// Moves and shrinks `window` into `extent`. Keeps its length if possible.
TimeSpan clampWindow(TimeSpan window, TimeSpan extent);
/// Zooms by `factor` (below 1: in). `anchor` stays at its pixel.
TimeSpan zoomWindow(TimeSpan window, std::int64_t anchor, double factor, TimeSpan extent);
TimeSpan panWindow(TimeSpan window, std::int64_t ticks, TimeSpan extent);

enum class TimeUnit { Cycles, Seconds, Steps };

/// Meaning of ticks.
struct TimeScale {
    TimeUnit unit = TimeUnit::Cycles;
    std::int64_t ticksPerSecond = 0; ///< clock in Hz; 10^9 for nanoseconds; 0: unknown
    std::int64_t ticksPerStep = 0;   ///< 0: no steps
    std::int64_t firstStep = 0;      ///< number of the step at tick 0
    bool host = false;               ///< ticks are measured nanoseconds, not modelled cycles
    bool operator==(TimeScale const &) const = default;
};

struct TimeTick {
    std::int64_t time = 0;
    QString label; ///< empty: a minor tick
};

/// Round values of the scale's unit, labels at least `minimumSpacing` pixels apart.
std::vector<TimeTick> timeTicks(TimeAxis const &axis, TimeScale const &scale, double minimumSpacing);
/// A moment in the scale's unit: "85,917", "64.6 µs", "step 12.5".
QString timeText(std::int64_t time, TimeScale const &scale);
/// A duration with its exact ticks: "85 917 cycles (64.6 µs modelled)", "1.2 ms here".
QString durationText(std::int64_t ticks, TimeScale const &scale);
/// Parses typed text: "12000", "1.5 ms", "step 3". Returns false for other text.
bool parseTime(QString const &text, TimeScale const &scale, std::int64_t &time);

} // namespace tilewright::views
