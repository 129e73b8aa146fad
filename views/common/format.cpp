#include "views/common/format.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tilewright::views {

namespace {

ByteUnits &units()
{
    static ByteUnits current = ByteUnits::Binary;
    return current;
}

/// Three significant digits; no trailing zeros for whole numbers above 100.
QString threeDigits(double value)
{
    double const size = std::abs(value);
    int const decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}

struct Scaled {
    double value;
    char const *unit;
};

Scaled scaled(double bytes)
{
    static constexpr std::array binary{"B", "KiB", "MiB", "GiB", "TiB"};
    static constexpr std::array decimal{"B", "kB", "MB", "GB", "TB"};
    auto const &names = byteUnits() == ByteUnits::Decimal ? decimal : binary;
    double const base = byteUnits() == ByteUnits::Decimal ? 1000.0 : 1024.0;
    std::size_t i = 0;
    while (std::abs(bytes) >= base * 0.9995 && i + 1 < names.size()) {
        bytes /= base;
        ++i;
    }
    return {bytes, names[i]};
}

} // namespace

void setByteUnits(ByteUnits value) { units() = value; }
ByteUnits byteUnits() { return units(); }

QString bytesExact(std::int64_t bytes) { return QLocale().toString(static_cast<qlonglong>(bytes)) + QStringLiteral(" B"); }

QString bytesText(std::int64_t bytes)
{
    if (byteUnits() == ByteUnits::Plain || std::abs(bytes) < 1000) return bytesExact(bytes);
    auto const s = scaled(static_cast<double>(bytes));
    return threeDigits(s.value) + QLatin1Char(' ') + QLatin1String(s.unit);
}

QString bytesOfText(std::int64_t bytes, std::int64_t of)
{
    if (byteUnits() == ByteUnits::Plain) return QLocale().toString(static_cast<qlonglong>(bytes)) + QStringLiteral(" / ") + bytesExact(of);
    auto const whole = scaled(static_cast<double>(of));
    double const factor = whole.value == 0 ? 1 : static_cast<double>(of) / whole.value;
    return threeDigits(static_cast<double>(bytes) / factor) + QStringLiteral(" / ") + threeDigits(whole.value) + QLatin1Char(' ')
        + QLatin1String(whole.unit);
}

QString countText(std::int64_t count) { return QLocale().toString(static_cast<qlonglong>(count)); }
int pluralOf(std::int64_t count) { return static_cast<int>(std::clamp<std::int64_t>(count, 0, std::numeric_limits<int>::max())); }

QString shortCount(double count)
{
    static constexpr std::array names{"", "k", "M", "G", "T", "P"};
    std::size_t i = 0;
    while (std::abs(count) >= 999.5 && i + 1 < names.size()) {
        count /= 1000;
        ++i;
    }
    if (i == 0) return QLocale().toString(count, 'g', 3);
    return threeDigits(count) + QChar(0x202F) + QLatin1String(names[i]);
}

QString cyclesText(std::int64_t cycles)
{
    // Grouped like all numbers beside it.
    return QCoreApplication::translate("views", "%1 cycles").arg(countText(cycles));
}

QString secondsText(double seconds)
{
    double const size = std::abs(seconds);
    if (size == 0) return QStringLiteral("0 s");
    if (size >= 3600) return QLocale().toString(seconds / 3600, 'f', 1) + QStringLiteral(" h");
    if (size >= 600) return QLocale().toString(seconds / 60, 'f', 0) + QStringLiteral(" min");
    if (size >= 0.9995) return threeDigits(seconds) + QStringLiteral(" s");
    if (size >= 0.9995e-3) return threeDigits(seconds * 1e3) + QStringLiteral(" ms");
    if (size >= 0.9995e-6) return threeDigits(seconds * 1e6) + QStringLiteral(" µs");
    return threeDigits(seconds * 1e9) + QStringLiteral(" ns");
}

QString cyclesWithTime(std::int64_t cycles, std::int64_t clockHz)
{
    if (clockHz <= 0) return cyclesText(cycles);
    return cyclesText(cycles) + QStringLiteral(" (") + secondsText(static_cast<double>(cycles) / static_cast<double>(clockHz))
        + QLatin1Char(')');
}

QString shareText(double share)
{
    double const percent = share * 100;
    int const decimals = std::abs(percent) < 9.95 && percent != 0 ? 1 : 0;
    return QLocale().toString(percent, 'f', decimals) + QStringLiteral(" %");
}

QString changeShareText(double before, double now)
{
    if (before > 0 && now >= 10 * before) return QCoreApplication::translate("views", "%1 times").arg(shortCount(now / before));
    double const percent = 100 * (now - before) / std::abs(before);
    if (percent == 0) return QStringLiteral("0 %");
    QString const sign = percent > 0 ? QStringLiteral("+") : QStringLiteral("−");
    double const size = std::abs(percent);
    if (size < 0.001) return sign + QLocale().toString(0.001) + QStringLiteral(" %"); // no exponents for very small shares
    return sign + (size < 100 ? QLocale().toString(size, 'g', 3) : QLocale().toString(size, 'f', 0)) + QStringLiteral(" %");
}

QString changePointsText(double before, double now)
{
    double const points = 100 * (now - before), size = std::abs(points);
    if (points == 0) return QCoreApplication::translate("views", "%1 points").arg(QStringLiteral("0"));
    QString const number = size < 0.001 ? QLocale().toString(0.001)
        : size < 100                    ? QLocale().toString(size, 'g', size < 1 ? 2 : 3)
                                        : QLocale().toString(size, 'f', 0);
    return (points > 0 ? QStringLiteral("+") : QStringLiteral("−")) + QCoreApplication::translate("views", "%1 points").arg(number);
}

QString numberText(double value)
{
    if (std::isnan(value)) return QStringLiteral("NaN");
    // Four significant digits; large numbers are grouped and have an exponent only beyond the countable range.
    double const size = std::abs(value);
    if (size >= 9999.5 && size < 1e15) return QLocale().toString(value, 'f', 0);
    return QLocale().toString(value, 'g', 4);
}

QString elidePath(QString const &text, QFontMetrics const &metrics, int width)
{
    if (metrics.horizontalAdvance(text) <= width) return text;
    auto const parts = text.split(QLatin1Char('/'));
    if (parts.size() > 2) {
        QString const last = parts.last();
        for (qsizetype keep = parts.size() - 2; keep >= 1; --keep) {
            QString const candidate = parts.mid(0, keep).join(QLatin1Char('/')) + QStringLiteral("/…/") + last;
            if (metrics.horizontalAdvance(candidate) <= width) return candidate;
        }
    }
    return metrics.elidedText(text, Qt::ElideMiddle, width);
}

} // namespace tilewright::views
