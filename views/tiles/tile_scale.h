#pragma once

#include "views/common/theme.h"

#include <QRgb>

#include <array>
#include <cstdint>
#include <span>

namespace tilewright::views {

enum class ScaleKind { Linear, Logarithmic, ShareOfLimit, Diverging };

/// Maps values to colours. All IPUs of a picture share one scale.
struct TileScale {
    ScaleKind kind = ScaleKind::Linear;
    std::int64_t min = 0, max = 0;
    std::int64_t limit = 0; ///< greater values exceed the limit; 0: no limit
    bool operator==(TileScale const &) const = default;

    /// Between 0 and 1; greater than 1 above the limit; between -1 and 1 for differences.
    double shareOf(std::int64_t value) const;
    bool isOver(std::int64_t value) const { return kind != ScaleKind::Diverging && limit > 0 && value > limit; }
    /// Inverse of shareOf, for the marks of a legend.
    std::int64_t valueAt(double share) const;
};

/// Scale that covers all `values`: from zero, or symmetric about zero for differences. A linear scale begins at the least value if that is
/// more than half of the largest: from zero, such a picture would be of one colour.
TileScale scaleFor(ScaleKind kind, std::span<std::int64_t const> values, std::int64_t limit);

/// The colours of a scale in one theme, as a table for hundreds of thousands of look-ups.
class ScaleColors {
public:
    ScaleColors(TileScale const &scale, Theme const &theme);
    QRgb operator()(std::int64_t value) const;

private:
    TileScale m_scale;
    std::array<QRgb, 257> m_colors;
    QRgb m_over = 0;
};

} // namespace tilewright::views
