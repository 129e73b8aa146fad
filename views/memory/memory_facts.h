#pragma once

#include "views/tiles/part_keys.h"
#include "views/tiles/tile_contents.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <vector>

// Facts of the memory view as values and texts, without widgets.
namespace tilewright::views {

/// One kind of bytes on every tile.
struct MemoryPart {
    PartKey key;
    std::vector<std::int64_t> bytes; ///< by tile
};
/// Whether gaps are so much of the placed bytes that a picture with them shows little else.
bool gapsFillTiles(ReportSnapshot const &report);
/// Parts that sum to the bytes without gaps of every tile; with `gaps`, to the bytes with gaps. Without parts that are zero everywhere.
std::vector<MemoryPart> wholeProgramParts(ReportSnapshot const &report, TileContents const &contents, Breakdown by, bool gaps);
/// Parts that sum to the bytes live on every tile at a liveness step.
std::vector<MemoryPart> partsAtStep(ReportSnapshot const &report, TileContents const &contents, Breakdown by, int step);
/// Sum of the parts by tile.
std::vector<std::int64_t> sumOf(std::vector<MemoryPart> const &parts, int tiles);

enum class TileOrder { Logical, Physical, Sorted };
/// Tiles in drawing order: by number; by place on the die (rows, IPU after IPU); by value. `ipu` < 0: all.
std::vector<int> orderedTiles(ReportSnapshot const &report, TileOrder order, std::span<std::int64_t const> values, int ipu);

/// The cause of an out-of-memory report; empty if everything fits.
struct MemoryCause {
    QString text;       ///< what does not fit and why
    QStringList advice; ///< remedies, one sentence each
    int worstTile = -1;
    bool isEmpty() const { return text.isEmpty(); }
};
MemoryCause memoryCause(ReportSnapshot const &report);

/// Difference of two reports by tile and part: after minus before. Empty with a reason if the machines differ.
struct MemoryDifference {
    std::vector<std::int64_t> bytes;
    QString note; ///< the compared reports, or the reason why comparison is impossible
    bool comparable = false;
};
MemoryDifference memoryDifference(ReportSnapshot const &report, ReportSnapshot const &before, char const *metric);

/// A reason why a tile holds more or less than the median tile of its IPU.
struct TileReason {
    QString name; ///< "weights of dense", "exchange code"
    Bytes here = 0, median = 0;
    int variable = -1; ///< of the report, if the reason is one variable
    Bytes difference() const { return here - median; }
};
/// Differences from the median tile, by size. Variables count with all their bytes, compiler-made data by category. `medianTile`: the
/// compared tile.
std::vector<TileReason> whyThisTile(ReportSnapshot const &report, TileContents const &contents, int tile, int *medianTile);

/// Exact figures of a tile for tooltips and copying.
QString tileTip(ReportSnapshot const &report, int tile);

} // namespace tilewright::views
