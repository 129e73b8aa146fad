#pragma once

#include <span>
#include <vector>

namespace tilewright::data {

/// A point of a stroke, in a square of 10 × 10 units, y downwards.
struct GlyphPoint {
    float x = 0, y = 0;
    bool operator==(GlyphPoint const &) const = default;
};

/// One way to write a digit. A stroke is a smooth curve through its points. A repeated point is a corner. A stroke that ends at its start
/// is a closed curve. Points at the same place move together.
struct Glyph {
    int digit = 0;
    float weight = 1; ///< relative frequency among the ways to write this digit
    std::vector<std::vector<GlyphPoint>> strokes;
};

/// All ways of all digits, ordered by digit.
std::span<Glyph const> digitGlyphs();

} // namespace tilewright::data
