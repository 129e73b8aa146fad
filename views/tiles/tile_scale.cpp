#include "views/tiles/tile_scale.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

double TileScale::shareOf(std::int64_t value) const
{
    auto const number = static_cast<double>(value);
    switch (kind) {
    case ScaleKind::Linear:
        return max > min ? std::clamp((number - static_cast<double>(min)) / static_cast<double>(max - min), 0.0, 1.0) : 0;
    case ScaleKind::Logarithmic: {
        double const low = std::log2(static_cast<double>(std::max<std::int64_t>(min, 1)));
        double const high = std::log2(static_cast<double>(std::max<std::int64_t>(max, 1)));
        if (value < 1 || high <= low) return value < 1 || max < 1 ? 0 : high <= low ? 1 : 0;
        return std::clamp((std::log2(number) - low) / (high - low), 0.0, 1.0);
    }
    case ScaleKind::ShareOfLimit: return limit > 0 ? std::max(0.0, number / static_cast<double>(limit)) : 0;
    case ScaleKind::Diverging: return max > 0 ? std::clamp(number / static_cast<double>(max), -1.0, 1.0) : 0;
    }
    return 0;
}

std::int64_t TileScale::valueAt(double share) const
{
    switch (kind) {
    case ScaleKind::Linear: return min + std::llround(share * static_cast<double>(max - min));
    case ScaleKind::Logarithmic: {
        double const low = std::log2(static_cast<double>(std::max<std::int64_t>(min, 1)));
        double const high = std::log2(static_cast<double>(std::max<std::int64_t>(max, 1)));
        return std::llround(std::exp2(low + share * (high - low)));
    }
    case ScaleKind::ShareOfLimit: return std::llround(share * static_cast<double>(limit));
    case ScaleKind::Diverging: return std::llround(share * static_cast<double>(max));
    }
    return 0;
}

TileScale scaleFor(ScaleKind kind, std::span<std::int64_t const> values, std::int64_t limit)
{
    TileScale scale{kind, 0, 0, limit};
    std::int64_t smallestPositive = 0;
    for (auto const value : values) {
        scale.min = std::min(scale.min, value);
        scale.max = std::max(scale.max, kind == ScaleKind::Diverging ? std::abs(value) : value);
        if (value > 0 && (smallestPositive == 0 || value < smallestPositive)) smallestPositive = value;
    }
    if (kind == ScaleKind::Linear && !values.empty())
        if (auto const least = *std::ranges::min_element(values); least > scale.max / 2 && least < scale.max) scale.min = least;
    if (kind == ScaleKind::Diverging) scale.min = -scale.max;
    if (kind == ScaleKind::Logarithmic) scale.min = smallestPositive;
    if (kind == ScaleKind::ShareOfLimit && limit > 0) {
        scale.min = 0;
        scale.max = std::max(scale.max, limit);
    }
    return scale;
}

ScaleColors::ScaleColors(TileScale const &scale, Theme const &theme) : m_scale(scale)
{
    bool const diverging = scale.kind == ScaleKind::Diverging;
    for (std::size_t i = 0; i < m_colors.size(); ++i) {
        double const share = static_cast<double>(i) / 256;
        m_colors[i] = (diverging ? theme.diverging(2 * share - 1) : theme.sequential(share)).rgb();
    }
    m_over = theme[Token::Bad].rgb();
}

QRgb ScaleColors::operator()(std::int64_t value) const
{
    if (m_scale.isOver(value)) return m_over;
    double const share = m_scale.shareOf(value);
    double const at = m_scale.kind == ScaleKind::Diverging ? (share + 1) / 2 : share;
    return m_colors[static_cast<std::size_t>(std::lround(std::clamp(at, 0.0, 1.0) * 256))];
}

} // namespace tilewright::views
