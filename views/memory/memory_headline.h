#pragma once

#include "views/memory/memory_scene.h"

namespace tilewright::views {

/// What a profile shows, as far as its headline speaks of it.
struct MemoryChart {
    MemoryOptions options;
    int step = 0;                     ///< with MemoryShow::AtStep
    std::vector<std::int64_t> values; ///< by tile
    std::vector<int> tiles;           ///< those drawn
};
/// Of a picture that was asked for with `options` and `step`.
MemoryChart chartOf(MemoryPicture const &picture, MemoryOptions options, int step);
/// What is shown before anything is chosen: all tiles over the whole program, without gaps.
MemoryChart wholeProgramChart(ReportSnapshot const &report);

/// The drawn tile with the largest value, the first of several; with `options.compare` the one that changed most. -1: none.
int tallestTile(MemoryChart const &chart);

/// "worst tile 1307: 171 of 624 KiB used · gaps 40 KiB more · code 9 % · 62 tiles over average by half". The tile and the bytes
/// are those at which the profile peaks; where another tile reaches further with its gaps, that one is the worst, as everywhere, for
/// it decides whether the program fits, and is named first.
QString memoryHeadline(ReportSnapshot const &report, MemoryChart const &chart);

/// How many values are over 1.5 times their mean.
int tilesOverAverage(std::span<std::int64_t const> bytes);

} // namespace tilewright::views
