#pragma once

#include <span>
#include <vector>

namespace tilewright::data {

/// A point of a pen's way, in a square of 10 × 10 units, y downwards.
struct GlyphPoint {
    float x = 0, y = 0;
    bool operator==(GlyphPoint const &) const = default;
};

/// One way to write a digit. A stroke is a smooth curve through its points; the same point twice in a row is
/// a corner; a stroke that ends where it began is a closed curve. Points at the same place move together.
struct Glyph {
    int digit = 0;
    float weight = 1; ///< how often, relative to the other ways to write this digit
    std::vector<std::vector<GlyphPoint>> strokes;
};

/// Every way of every digit, ordered by digit.
std::span<Glyph const> digitGlyphs();

} // namespace tilewright::data
