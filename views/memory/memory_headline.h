#pragma once

#include "views/memory/memory_scene.h"

namespace tilewright::views {

/// The displayed profile, for its headline.
struct MemoryChart {
    MemoryOptions options;
    int step = 0;                     ///< with MemoryShow::AtStep
    std::vector<std::int64_t> values; ///< by tile
    std::vector<int> tiles;           ///< those drawn
};
/// For a picture made with `options` and `step`.
MemoryChart chartOf(MemoryPicture const &picture, MemoryOptions options, int step);
/// The initial profile: all tiles over the whole program, gaps included.
MemoryChart wholeProgramChart(ReportSnapshot const &report);

/// The drawn tile with the largest value (ties: the first); with `options.compare` the one with the largest change. -1: none.
int tallestTile(MemoryChart const &chart);

/// The tile that memoryHeadline() names for the whole program: the drawn one with the most bytes placed. -1: none.
int worstDrawnTile(ReportSnapshot const &report, MemoryChart const &chart);

/// "worst tile 34 %: tile 1307, 211 / 624 KiB placed · gaps 40 KiB of it · code 9 % of its contents · 62 tiles over average by half". The
/// tile is the drawn one with the most bytes placed, as in all views. Profiles of a step, of variables or of exchanges name their peak.
QString memoryHeadline(ReportSnapshot const &report, MemoryChart const &chart);

/// Number of values above 1.5 times their mean.
int tilesOverAverage(std::span<std::int64_t const> bytes);

} // namespace tilewright::views
