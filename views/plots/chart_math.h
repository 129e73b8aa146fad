#pragma once

#include <vector>

// Computations of charts before drawing: pure functions of ranges.
namespace tilewright::views {

enum class AxisKind {
    Linear,
    Whole,  ///< classes, tiles, steps: whole numbers only
    Binary, ///< bytes in KiB, MiB
    Logarithmic
};

struct Span {
    double lower = 0, upper = 1;
    bool operator==(Span const &) const = default;
    double size() const { return upper - lower; }
};

/// Limits of zooming an axis.
struct ZoomLimits {
    Span home;          ///< the full range; nothing outside is shown
    double closest = 0; ///< the smallest visible distance (on logarithmic axes: factor); 0: a thousandth of all
    bool operator==(ZoomLimits const &) const = default;
};

/// The range nearest to `wanted` within the limits: the same middle if possible, never outside of home.
Span limitedSpan(Span wanted, ZoomLimits const &limits, AxisKind kind);

/// Multiples of 1, 2 or 5 times a power of ten that are whole numbers, at most `most`.
std::vector<double> wholeTicks(Span range, int most);
/// The same with powers of 1024.
std::vector<double> binaryTicks(Span range, int most);
/// Powers of ten if there are three; else 1, 2 and 5 times them; below that linear steps. At most `most`.
std::vector<double> logTicks(Span range, int most);
/// Expands a positive range to whole powers of ten.
Span wholeDecades(double least, double most);

} // namespace tilewright::views
