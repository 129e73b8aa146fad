#pragma once

#include "engine/report/tables.h"

#include <span>
#include <vector>

// How full the tiles of a replica are: which are the worst, how many are how full, what an IPU uses. What a tile uses, its
// gaps and its need are those of quantities.h; the numbers by tile come from the tile metrics without_gaps and with_gaps.
namespace tilewright::report {

/// The worst tiles, as a verdict finds the one: by the highest address in use (`withGaps`), of equal ones the first.
/// Of tiles [first, end); `end` negative: all.
std::vector<int> worstTiles(std::span<std::int64_t const> withGaps, int most, int first = 0, int end = -1);

/// Tiles that use as much: from `from` bytes to less than `to`.
struct UseBin {
    Bytes from = 0, to = 0;
    std::vector<int> tiles; ///< ascending
    bool operator==(UseBin const &) const = default;
};
/// Bins of equal width, a power of two, from 0 bytes to what the tile with most uses: as many as there may be at most, or
/// more than half of that. None without tiles.
std::vector<UseBin> useBins(std::span<std::int64_t const> used, int most);

/// The tiles of one IPU together.
struct IpuUse {
    int ipu = 0;                  ///< in the replica
    Bytes used = 0, capacity = 0; ///< of all its tiles, without gaps
    int worst = kNone;            ///< its worst tile, by number in the replica
    Bytes worstBytes = 0;         ///< with gaps, of that tile
    bool fits = true;
    double share() const { return capacity > 0 ? static_cast<double>(used) / static_cast<double>(capacity) : 0; }
    bool operator==(IpuUse const &) const = default;
};
/// By IPU of the replica. `used`: the metric without_gaps of the replica's tiles; empty where it is not known.
std::vector<IpuUse> useByIpu(ReportData const &data, std::span<std::int64_t const> used);

} // namespace tilewright::report
