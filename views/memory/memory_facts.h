#pragma once

#include "views/tiles/part_keys.h"
#include "views/tiles/tile_contents.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <vector>

// What the memory view says, as values and texts: no widgets.
namespace tilewright::views {

/// One kind of bytes on every tile.
struct MemoryPart {
    PartKey key;
    bool gap = false;
    std::vector<std::int64_t> bytes; ///< by tile
};
/// Parts that add up to the bytes without gaps of every tile; with `gaps`, to the bytes with gaps. Parts that are
/// zero everywhere are left out.
std::vector<MemoryPart> wholeProgramParts(ReportSnapshot const &report, TileContents const &contents, Breakdown by, bool gaps);
/// Parts that add up to the bytes live on every tile at a liveness step.
std::vector<MemoryPart> partsAtStep(ReportSnapshot const &report, TileContents const &contents, Breakdown by, int step);
/// Sum of the parts by tile.
std::vector<std::int64_t> sumOf(std::vector<MemoryPart> const &parts, int tiles);

enum class TileOrder { Logical, Physical, Sorted };
/// Tiles in the order they are drawn: by number; by place on the die (rows, IPU after IPU); largest value first.
/// `ipu` < 0: all of them.
std::vector<int> orderedTiles(ReportSnapshot const &report, TileOrder order, std::span<std::int64_t const> values, int ipu);

/// What the compile says of all tiles together; null: nothing.
report::VerdictRow const *verdictOf(ReportSnapshot const &report);

/// What an out-of-memory report needs said first; empty when everything fits.
struct MemoryCause {
    QString text;       ///< what does not fit and why
    QStringList advice; ///< what would help, each one sentence
    int worstTile = -1;
    bool isEmpty() const { return text.isEmpty(); }
};
MemoryCause memoryCause(ReportSnapshot const &report);

/// Difference of two reports by tile: after minus before, for each part. Empty with a reason when the machines
/// are not the same.
struct MemoryDifference {
    std::vector<std::int64_t> bytes;
    QString note; ///< what is compared with what, or why it cannot be
    bool comparable = false;
};
MemoryDifference memoryDifference(ReportSnapshot const &report, ReportSnapshot const &before, char const *metric);

/// One reason why a tile holds more or less than the median tile of its IPU.
struct TileReason {
    QString name; ///< "weights of dense", "exchange code"
    Bytes here = 0, median = 0;
    int variable = -1; ///< of the report, when the reason is one variable
    Bytes difference() const { return here - median; }
};
/// Contributions against the median tile, by size of the difference. Bytes of a variable count in full; those of
/// the compiler by category. `medianTile`: the one compared with.
std::vector<TileReason> whyThisTile(ReportSnapshot const &report, TileContents const &contents, int tile, int *medianTile);

/// Exact figures of a tile for tooltips and copying.
QString tileTip(ReportSnapshot const &report, int tile);

} // namespace tilewright::views
