#pragma once

#include "engine/report/quantities.h"
#include "views/wording/quantity.h"

#include <QString>

// The memory of a tile in words. engine/report/quantities.h defines the four figures.
namespace tilewright::views {

enum class TileFigure { Need, Placed, Gaps, Limit };

/// "Placed".
QString tileFigureName(TileFigure figure);
/// Its definition in one sentence, for tooltips.
QString tileFigureHelp(TileFigure figure);

/// The headline: placed as a share of the limit, "34 %".
QString placedShareText(report::TileMemory const &memory);
/// "worst tile 34 %".
QString worstTileText(report::TileMemory const &memory);
/// "211 / 624 KiB placed".
QString placedText(report::TileMemory const &memory);
/// "Largest at its peak: dense/kernel 1.00 KiB, …", of report::liveOnTile. `variables`: the list in words.
QString largestAtPeakText(QString const &variables);
/// The largest variables of the report's worst tile at its peak, as the compile found them; empty if the report has no layouts.
struct LargestAtPeak {
    int tile = report::kNone, step = report::kNone;
    std::vector<report::VariableOnTile> variables;
    Bytes live = 0;
};
LargestAtPeak largestOnWorstTile(report::ReportData const &data);
/// Placed as a share of the limit, with its origin and source.
Quantity placedQuantity(report::TileMemory const &memory);
/// The known figures with their exact bytes and definitions, one a line; tileMemoryTip adds origin and source.
QString tileFiguresText(report::TileMemory const &memory);
QString tileMemoryTip(report::TileMemory const &memory);

} // namespace tilewright::views
