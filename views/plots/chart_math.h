#pragma once

#include <vector>

// What charts compute before they draw: pure functions of ranges.
namespace tilewright::views {

enum class AxisKind {
    Linear,
    Whole,  ///< classes, tiles, steps: nothing between two numbers
    Binary, ///< bytes in KiB, MiB
    Logarithmic
};

struct Span {
    double lower = 0, upper = 1;
    bool operator==(Span const &) const = default;
    double size() const { return upper - lower; }
};

/// How far a person may zoom an axis.
struct ZoomLimits {
    Span home;          ///< all there is; nothing outside of it is shown
    double closest = 0; ///< the least distance shown, on logarithmic axes the least factor; 0: a thousandth of all
    bool operator==(ZoomLimits const &) const = default;
};

/// The range nearest to `wanted` that the limits allow: about the same middle where there is room, never outside of home.
Span limitedSpan(Span wanted, ZoomLimits const &limits, AxisKind kind);

/// Multiples of 1, 2 or 5 times a power of ten that are whole numbers, at most so many.
std::vector<double> wholeTicks(Span range, int most);
/// Such multiples of a power of 1024.
std::vector<double> binaryTicks(Span range, int most);
/// Powers of ten while there are three; then 1, 2 and 5 times them; of less than that steps as on a linear axis. At most so many.
std::vector<double> logTicks(Span range, int most);
/// From one power of ten to another, so that both ends are in; of positive values.
Span wholeDecades(double least, double most);

} // namespace tilewright::views
