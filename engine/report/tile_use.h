#pragma once

#include "engine/report/tables.h"

#include <span>
#include <vector>

// Memory use of a replica's tiles: the worst tiles, the distribution of use, the use per IPU. Use, gaps and need of a tile are defined in
// quantities.h; the values by tile come from the tile metrics without_gaps and with_gaps.
namespace tilewright::report {

/// The worst tiles in the order of a verdict: by the highest used address (`withGaps`), ties by number. Of tiles [first, end); negative
/// `end`: all.
std::vector<int> worstTiles(std::span<std::int64_t const> withGaps, int most, int first = 0, int end = -1);

/// Tiles with a use in [from, to) bytes.
struct UseBin {
    Bytes from = 0, to = 0;
    std::vector<int> tiles; ///< ascending
    bool operator==(UseBin const &) const = default;
};
/// Bins of equal width, a power of two, from 0 bytes to the largest use: at most `most`, and more than half as many if possible. Empty
/// without tiles.
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
/// By IPU of the replica. `used`: the metric without_gaps of the replica's tiles; empty: unknown.
std::vector<IpuUse> useByIpu(ReportData const &data, std::span<std::int64_t const> used);

} // namespace tilewright::report
