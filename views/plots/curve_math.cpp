#include "views/plots/curve_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::views {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Smallest distance between neighbours; 1 without one.
double unitOf(std::span<double const> x)
{
    double unit = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < x.size(); ++i)
        if (double const d = x[i] - x[i - 1]; d > 0) unit = std::min(unit, d);
    return std::isfinite(unit) ? unit : 1.0;
}

/// The points of one pixel column.
struct ColumnPoints {
    std::size_t first = 0, least = 0, greatest = 0, last = 0;
    int finite = 0;
    bool missing = false;
    double missingAt = 0;

    void take(std::size_t i, double x, double y, std::span<double const> all)
    {
        if (!std::isfinite(y)) {
            missing = true;
            missingAt = x;
            return;
        }
        if (finite++ == 0) first = least = greatest = i;
        if (y < all[least]) least = i;
        if (y > all[greatest]) greatest = i;
        last = i;
    }

    void flush(DrawnPoints &out, std::span<double const> x, std::span<double const> y)
    {
        if (finite > 0) {
            std::size_t const order[] = {first, std::min(least, greatest), std::max(least, greatest), last};
            std::size_t before = static_cast<std::size_t>(-1);
            for (auto const i : order) {
                if (i == before) continue;
                out.x.push_back(x[i]);
                out.y.push_back(y[i]);
                before = i;
            }
        }
        if (missing) {
            out.x.push_back(finite > 0 ? std::max(missingAt, x[last]) : missingAt);
            out.y.push_back(kMissing);
        }
        *this = {};
    }
};

} // namespace

std::vector<double> smoothed(std::span<double const> x, std::span<double const> y, double weight)
{
    std::vector<double> out(y.begin(), y.end());
    if (!(weight > 0)) return out;
    weight = std::min(weight, 0.999);
    double const unit = unitOf(x);
    double sum = 0, norm = 0, lastX = 0;
    bool any = false;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (!std::isfinite(y[i])) {
            out[i] = kMissing;
            continue;
        }
        double const distance = any ? (x[i] - lastX) / unit : 0;
        double const keep = !any ? 0 : distance == 1 ? weight : std::pow(weight, distance);
        sum = sum * keep + y[i];
        norm = norm * keep + 1;
        out[i] = sum / norm;
        lastX = x[i];
        any = true;
    }
    return out;
}

std::vector<double> smoothedMeans(std::span<double const> means, std::span<double const> counts, double weight)
{
    std::vector<double> out(means.begin(), means.end());
    if (!(weight > 0)) return out;
    weight = std::min(weight, 0.999);
    double sum = 0, norm = 0;
    for (std::size_t i = 0; i < means.size(); ++i) {
        double const keep = counts[i] == 1 ? weight : std::pow(weight, counts[i]);
        double const enters = (1 - keep) / (1 - weight); // 1 + w + w² …
        sum *= keep;
        norm *= keep;
        if (!std::isfinite(means[i])) {
            out[i] = kMissing;
            continue;
        }
        sum += means[i] * enters;
        norm += enters;
        out[i] = sum / norm;
    }
    return out;
}

DrawnPoints thinned(std::span<double const> x, std::span<double const> y, double begin, double end, int columns)
{
    DrawnPoints out;
    if (x.empty() || !(end > begin) || columns < 1) return out;
    auto from = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), begin) - x.begin());
    auto to = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), end) - x.begin());
    if (from > 0) --from;
    if (to < x.size()) ++to;
    if (to - from <= static_cast<std::size_t>(columns) * 2) {
        out.x.assign(x.begin() + static_cast<std::ptrdiff_t>(from), x.begin() + static_cast<std::ptrdiff_t>(to));
        out.y.reserve(to - from);
        for (std::size_t i = from; i < to; ++i) out.y.push_back(std::isfinite(y[i]) ? y[i] : kMissing);
        return out;
    }
    double const scale = columns / (end - begin);
    ColumnPoints column;
    double present = -std::numeric_limits<double>::infinity();
    for (std::size_t i = from; i < to; ++i) {
        double const at = std::floor((x[i] - begin) * scale);
        if (at != present) {
            column.flush(out, x, y);
            present = at;
        }
        column.take(i, x[i], y[i], y);
    }
    column.flush(out, x, y);
    return out;
}

std::pair<double, double> valueRange(std::span<double const> x, std::span<double const> y, double begin, double end, bool positiveOnly)
{
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    auto const from = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), begin) - x.begin());
    auto const to = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), end) - x.begin());
    for (std::size_t i = from; i < to; ++i) {
        if (!std::isfinite(y[i]) || (positiveOnly && y[i] <= 0)) continue;
        least = std::min(least, y[i]);
        greatest = std::max(greatest, y[i]);
    }
    return {least, greatest};
}

std::size_t nearestPoint(std::span<double const> x, double at)
{
    if (x.empty()) return 0;
    auto const i = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
    if (i == 0) return 0;
    if (i == x.size()) return i - 1;
    return at - x[i - 1] <= x[i] - at ? i - 1 : i;
}

} // namespace tilewright::views
