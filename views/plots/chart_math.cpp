#include "views/plots/chart_math.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr double kFarthest = 1000; ///< default maximum zoom
constexpr double kSmall = 1e-9;    ///< tolerance between a range and a tick, relative to the range

/// The smallest of 1, 2 or 5 times a power of ten that is at least `step`.
double niceStep(double step)
{
    double const power = std::pow(10.0, std::floor(std::log10(step)));
    for (double const times : {1.0, 2.0, 5.0})
        if (power * times >= step * (1 - kSmall)) return power * times;
    return power * 10;
}

std::vector<double> multiples(Span range, double step)
{
    std::vector<double> ticks;
    double const slack = range.size() * kSmall;
    auto const last = static_cast<long long>(std::floor((range.upper + slack) / step));
    for (auto i = static_cast<long long>(std::ceil((range.lower - slack) / step)); i <= last; ++i)
        ticks.push_back(static_cast<double>(i) * step);
    return ticks;
}

} // namespace

Span limitedSpan(Span wanted, ZoomLimits const &limits, AxisKind kind)
{
    bool const logarithmic = kind == AxisKind::Logarithmic;
    Span home = limits.home;
    if (!(home.size() > 0) || !std::isfinite(wanted.lower) || !std::isfinite(wanted.upper) || wanted.size() <= 0) return home;
    double closest = limits.closest;
    if (logarithmic) {
        if (wanted.lower <= 0 || home.lower <= 0) return home;
        home = {std::log10(home.lower), std::log10(home.upper)};
        wanted = {std::log10(wanted.lower), std::log10(wanted.upper)};
        closest = closest > 1 ? std::log10(closest) : 0;
    }
    if (closest <= 0) closest = home.size() / kFarthest;
    double const size = std::min(std::max(wanted.size(), closest), home.size());
    if (size >= home.size()) return limits.home;
    double const lower = std::clamp((wanted.lower + wanted.upper - size) / 2, home.lower, home.upper - size);
    return logarithmic ? Span{std::pow(10.0, lower), std::pow(10.0, lower + size)} : Span{lower, lower + size};
}

std::vector<double> wholeTicks(Span range, int most)
{
    if (!(range.size() > 0)) return {};
    return multiples(range, std::max(1.0, niceStep(range.size() / std::max(1, most))));
}

std::vector<double> binaryTicks(Span range, int most)
{
    if (!(range.size() > 0)) return {};
    double const step = range.size() / std::max(1, most);
    double unit = 1;
    while (step > 512 * unit) unit *= 1024; // "1 MiB" rather than "1000 KiB"
    return multiples(range, niceStep(step / unit) * unit);
}

std::vector<double> logTicks(Span range, int most)
{
    if (!(range.lower > 0) || !(range.size() > 0)) return {};
    most = std::max(1, most);
    int const first = static_cast<int>(std::ceil(std::log10(range.lower) - kSmall)),
              last = static_cast<int>(std::floor(std::log10(range.upper) + kSmall));
    std::vector<double> ticks;
    if (last - first >= 2) {
        int const every = (last - first + most) / most;
        for (int power = first; power <= last; power += every) ticks.push_back(std::pow(10.0, power));
        return ticks;
    }
    for (int power = first - 1; power <= last; ++power)
        for (double const times : {1.0, 2.0, 5.0})
            if (double const tick = times * std::pow(10.0, power); tick >= range.lower * (1 - kSmall) && tick <= range.upper * (1 + kSmall))
                ticks.push_back(tick);
    if (static_cast<int>(ticks.size()) > most) {
        // The powers of ten if there are two; otherwise as many of all ticks as there is room for.
        std::vector<double> powers;
        for (int power = first; power <= last; ++power) powers.push_back(std::pow(10.0, power));
        if (powers.size() >= 2 && static_cast<int>(powers.size()) <= most) return powers;
        std::vector<double> some;
        for (std::size_t i = 0, every = (ticks.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
             i < ticks.size(); i += every)
            some.push_back(ticks[i]);
        return some;
    }
    if (ticks.size() >= 3) return ticks;
    return multiples(range, niceStep(range.size() / most));
}

Span wholeDecades(double least, double most)
{
    auto const positive = [](double value) { return std::max(value, 1e-9); };
    double const lower = std::pow(10.0, std::floor(std::log10(positive(least))));
    return {lower, std::max(std::pow(10.0, std::ceil(std::log10(positive(most)) + 1e-9)), lower * 10)};
}

} // namespace tilewright::views
