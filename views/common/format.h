#pragma once

#include <QString>

#include <cstdint>

class QFontMetrics;

// Formats of numbers and names in every view. Texts follow the program's locale (QLocale()). Files always use the C locale, so these
// functions are not for files.
namespace tilewright::views {

enum class ByteUnits { Binary, Decimal, Plain };
void setByteUnits(ByteUnits units);
ByteUnits byteUnits();

/// "171 KiB", "2.10 MiB": three significant digits.
QString bytesText(std::int64_t bytes);
/// "171 of 624 KiB".
QString bytesOfText(std::int64_t bytes, std::int64_t of);
/// "175,104 B": the exact count, for tooltips.
QString bytesExact(std::int64_t bytes);
/// Digits in groups.
QString countText(std::int64_t count);
/// Argument for plural forms. Counts beyond int saturate.
int pluralOf(std::int64_t count);
/// "1.2 M": three significant digits.
QString shortCount(double count);
/// "85 917 cycles", thin spaces between groups.
QString cyclesText(std::int64_t cycles);
/// "85 917 cycles (64.6 µs modelled)".
QString cyclesWithTime(std::int64_t cycles, std::int64_t clockHz);
/// "64.6 µs", "1.1 s".
QString secondsText(double seconds);
/// "41 %", "9.3 %": one decimal under 10.
QString shareText(double share);
/// The relative change from a nonzero value: "+12.5 %", "−3 %", from ten times on "19.8 times".
QString changeShareText(double before, double now);
/// "0.0278", "1.3e-05": four significant digits.
/// The change of a share: "−0.03 points", not a percentage of a percentage.
QString changePointsText(double before, double now);
QString numberText(double value);
/// Cuts the middle of a text wider than `width`, at path separators if possible.
QString elidePath(QString const &text, QFontMetrics const &metrics, int width);

} // namespace tilewright::views
