#pragma once

#include "views/common/theme.h"

#include <QRgb>

#include <array>
#include <cstdint>
#include <span>

namespace tilewright::views {

enum class ScaleKind { Linear, Logarithmic, ShareOfLimit, Diverging };

/// How a value becomes a colour. One scale serves all IPUs of a picture.
struct TileScale {
    ScaleKind kind = ScaleKind::Linear;
    std::int64_t min = 0, max = 0;
    std::int64_t limit = 0; ///< values above it are over the limit; 0: there is none
    bool operator==(TileScale const &) const = default;

    /// 0 … 1; above 1 for a share over the limit; -1 … 1 for differences.
    double shareOf(std::int64_t value) const;
    bool isOver(std::int64_t value) const { return kind != ScaleKind::Diverging && limit > 0 && value > limit; }
    /// The value whose share this is, for the marks of a legend.
    std::int64_t valueAt(double share) const;
};

/// The scale that shows all of `values`: from zero, symmetric about zero for differences.
TileScale scaleFor(ScaleKind kind, std::span<std::int64_t const> values, std::int64_t limit);

/// The colours of a scale in one theme, ready for hundred thousands of look-ups.
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
