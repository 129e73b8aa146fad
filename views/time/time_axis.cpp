#include "views/time/time_axis.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <array>
#include <cmath>

namespace tilewright::views {

namespace {

__extension__ using Wide = __int128; // ticks times pixels exceed 64 bits for runs of weeks

std::int64_t floorDivide(Wide a, Wide b)
{
    Wide const q = a / b;
    return static_cast<std::int64_t>(a % b != 0 && a < 0 ? q - 1 : q);
}

QString translated(char const *text) { return QCoreApplication::translate("views", text); }

/// The smallest of 1, 2 or 5 times a power of ten that is at least `least`.
double niceStep(double least)
{
    double const power = std::pow(10.0, std::floor(std::log10(least)));
    for (double const factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

struct SecondUnit {
    double seconds;
    char const *text;
};
constexpr std::array<SecondUnit, 4> kSecondUnits{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};

SecondUnit const &unitFor(double seconds)
{
    for (auto const &unit : kSecondUnits)
        if (seconds >= unit.seconds) return unit;
    return kSecondUnits.back();
}

int decimalsFor(double step) { return step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9)); }

/// The unit to the precision that the scale can show.
TimeUnit usable(TimeScale const &scale)
{
    if (scale.unit == TimeUnit::Seconds && scale.ticksPerSecond <= 0) return TimeUnit::Cycles;
    if (scale.unit == TimeUnit::Steps && scale.ticksPerStep <= 0) return TimeUnit::Cycles;
    return scale.unit;
}

} // namespace

std::int64_t TimeAxis::toTime(double x) const
{
    return window.begin + static_cast<std::int64_t>(std::floor(x * static_cast<double>(window.length()) / width));
}

std::int64_t TimeAxis::column(std::int64_t time) const
{
    return floorDivide(static_cast<Wide>(time - window.begin) * width, window.length());
}

std::int64_t TimeAxis::columnStart(std::int64_t column) const
{
    return window.begin - floorDivide(-static_cast<Wide>(column) * window.length(), width);
}

ColumnGrid::ColumnGrid(TimeAxis const &axis) : m_axis(axis), m_scale(axis.width / static_cast<double>(axis.window.length()))
{
    m_starts.resize(static_cast<std::size_t>(axis.width) + 1);
    for (int c = 0; c <= axis.width; ++c) m_starts[static_cast<std::size_t>(c)] = axis.columnStart(c);
}

TimeSpan clampWindow(TimeSpan window, TimeSpan extent)
{
    std::int64_t const whole = std::max(extent.length(), kShortestWindow);
    std::int64_t const length = std::clamp(window.length(), kShortestWindow, whole);
    std::int64_t const begin = std::clamp(window.begin, extent.begin, extent.begin + whole - length);
    return {begin, begin + length};
}

TimeSpan zoomWindow(TimeSpan window, std::int64_t anchor, double factor, TimeSpan extent)
{
    double const length = std::clamp(static_cast<double>(window.length()) * factor, static_cast<double>(kShortestWindow),
                                     static_cast<double>(std::max(extent.length(), kShortestWindow)));
    double const share = static_cast<double>(anchor - window.begin) / static_cast<double>(window.length());
    auto const begin = anchor - std::llround(share * length);
    return clampWindow({begin, begin + std::llround(length)}, extent);
}

TimeSpan panWindow(TimeSpan window, std::int64_t ticks, TimeSpan extent)
{
    return clampWindow({window.begin + ticks, window.end + ticks}, extent);
}

std::vector<TimeTick> timeTicks(TimeAxis const &axis, TimeScale const &scale, double minimumSpacing)
{
    std::vector<TimeTick> ticks;
    if (axis.window.isEmpty() || axis.width <= 0) return ticks;
    TimeUnit const unit = usable(scale);
    // Values count in units of the scale; `origin` is the value at tick 0.
    double const ticksPerValue = unit == TimeUnit::Seconds ? static_cast<double>(scale.ticksPerSecond)
        : unit == TimeUnit::Steps                          ? static_cast<double>(scale.ticksPerStep)
                                                           : 1.0;
    double const origin = unit == TimeUnit::Steps ? static_cast<double>(scale.firstStep) : 0.0;
    double step = niceStep(minimumSpacing * axis.ticksPerPixel() / ticksPerValue);
    if (unit == TimeUnit::Cycles) step = std::max(step, 1.0);
    int const parts = std::abs(step / std::pow(10.0, std::floor(std::log10(step) + 1e-9)) - 2) < 0.5 ? 4 : 5;
    bool const minors = unit != TimeUnit::Cycles || step >= parts;
    SecondUnit const &seconds = unitFor(step);
    QLocale const locale;
    double const first = std::floor((origin + static_cast<double>(axis.window.begin) / ticksPerValue) / step);
    double const last = origin + static_cast<double>(axis.window.end) / ticksPerValue;
    for (double k = first; k * step <= last && ticks.size() < 10000; ++k) {
        for (int part = 0; part < (minors ? parts : 1); ++part) {
            double const value = (k + static_cast<double>(part) / parts) * step;
            auto const time = static_cast<std::int64_t>(std::llround((value - origin) * ticksPerValue));
            if (time < axis.window.begin || time >= axis.window.end) continue;
            QString label;
            if (part == 0 && unit == TimeUnit::Cycles) label = locale.toString(static_cast<qlonglong>(time));
            if (part == 0 && unit == TimeUnit::Seconds)
                label = locale.toString(value / seconds.seconds, 'f', decimalsFor(step / seconds.seconds)) + QChar(0x00A0)
                    + QString::fromUtf8(seconds.text);
            if (part == 0 && unit == TimeUnit::Steps) label = locale.toString(value, 'f', decimalsFor(step));
            ticks.push_back({time, label});
        }
    }
    return ticks;
}

QString timeText(std::int64_t time, TimeScale const &scale)
{
    QLocale const locale;
    switch (usable(scale)) {
    case TimeUnit::Seconds: return secondsText(static_cast<double>(time) / static_cast<double>(scale.ticksPerSecond));
    case TimeUnit::Steps:
        return translated("step %1").arg(locale.toString(
            static_cast<double>(scale.firstStep) + static_cast<double>(time) / static_cast<double>(scale.ticksPerStep), 'f', 3));
    case TimeUnit::Cycles: break;
    }
    return scale.host ? secondsText(static_cast<double>(time) * 1e-9) : locale.toString(static_cast<qlonglong>(time));
}

QString durationText(std::int64_t ticks, TimeScale const &scale)
{
    if (scale.host) return translated("%1 on this computer").arg(secondsText(static_cast<double>(ticks) * 1e-9));
    return scale.ticksPerSecond > 0 ? cyclesWithTime(ticks, scale.ticksPerSecond) : cyclesText(ticks);
}

bool parseTime(QString const &text, TimeScale const &scale, std::int64_t &time)
{
    static QRegularExpression const form(
        QStringLiteral(
            "^\\s*(step\\s+)?([0-9][0-9 ,.'\\x{2009}\\x{00A0}\\x{202F}]*(?:e[+-]?[0-9]+)?)\\s*(s|ms|us|µs|ns|cycles|steps?)?\\s*$"),
        QRegularExpression::CaseInsensitiveOption);
    auto const match = form.match(text);
    if (!match.hasMatch()) return false;
    QString digits = match.captured(2);
    for (QChar const gap : {QChar(' '), QChar('\''), QChar(0x2009), QChar(0x00A0), QChar(0x202F)}) digits.remove(gap);
    bool ok = false;
    double value = digits.toDouble(&ok);
    if (!ok) value = QLocale().toDouble(digits, &ok);
    if (!ok || !std::isfinite(value)) return false;
    QString const unit = match.captured(3).toLower();
    if (!match.captured(1).isEmpty() || unit.startsWith(QLatin1String("step"))) {
        if (scale.ticksPerStep <= 0) return false;
        value = (value - static_cast<double>(scale.firstStep)) * static_cast<double>(scale.ticksPerStep);
    } else if (!unit.isEmpty() && unit != QLatin1String("cycles")) {
        if (scale.ticksPerSecond <= 0) return false;
        double const factor = unit == QLatin1String("s") ? 1
            : unit == QLatin1String("ms")                ? 1e-3
            : unit == QLatin1String("ns")                ? 1e-9
                                                         : 1e-6;
        value *= factor * static_cast<double>(scale.ticksPerSecond);
    }
    if (std::abs(value) > 9e18) return false;
    time = std::llround(value);
    return true;
}

} // namespace tilewright::views
