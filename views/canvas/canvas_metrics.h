#pragma once

#include "views/common/theme.h"

// Sizes of the drawing at 100 %, on the grid of the theme. Text heights come from the fonts.
namespace tilewright::views::canvas {

inline constexpr double kPadding = 2 * kGrid;
inline constexpr double kStripe = 6;         ///< width of the family's colour
inline constexpr double kLetter = 4 * kGrid; ///< box of the family's letter
inline constexpr double kTextLeft = kStripe + kLetter + 3 * kGrid;
inline constexpr double kTextRight = 3 * kGrid;
inline constexpr double kLeastWidth = 40 * kGrid;
inline constexpr double kMostWidth = 66 * kGrid;
inline constexpr double kRadius = 6;        ///< of a node's corners
inline constexpr double kPort = 4;          ///< radius of an output port
inline constexpr double kBadge = 5 * kGrid; ///< diameter of the problem mark
inline constexpr double kFrameMargin = 3 * kGrid;
inline constexpr double kLaneMargin = 22 * kGrid;    ///< beside the nodes, for the lane's name
inline constexpr double kRankGapAcross = 22 * kGrid; ///< between ranks of a left-to-right drawing: room for shapes

// Level of detail by zoom.
inline constexpr double kDetailZoom = 0.6; ///< below: names only
inline constexpr double kTextZoom = 0.4;   ///< below: no text
inline constexpr double kBoxZoom = 0.15;   ///< below: plain boxes
inline constexpr double kLeastZoom = 0.02;
inline constexpr double kMostZoom = 4;
// Initial view: the whole model if its names are readable at that zoom, otherwise its beginning at this zoom.
inline constexpr double kReadableZoom = 0.7;

} // namespace tilewright::views::canvas
