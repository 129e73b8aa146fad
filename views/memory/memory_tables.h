#pragma once

#include "views/common/table_model.h"
#include "views/memory/memory_facts.h"
#include "views/memory/tile_values.h"
#include "views/reports/report_ptr.h"
#include "views/tiles/tile_sums.h"

#include <memory>
#include <vector>

// The tables below the map. Sums over tiles are precomputed on a worker thread.
namespace tilewright::views {

/// A table for a TablePane; ids map its rows to rows of the report.
struct FilledTable {
    std::vector<Column> columns;
    int rows = 0;
    std::vector<int> parents;
    std::shared_ptr<void const> keep;
    std::vector<int> ids;
};

/// One line of the details tree: the sums over the chosen tiles and over all tiles.
struct DetailRow {
    QString name, tip;
    int parent = -1;
    std::int64_t chosen = 0, all = 0, largest = 0;
    int largestTile = -1;
};
std::vector<DetailRow> detailRows(ReportSnapshot const &report, std::vector<int> const &tiles);

using Report = ReportPtr;
FilledTable detailTable(ReportSnapshot const &report, std::vector<int> const &tiles);
FilledTable variableTable(Report const &report, std::shared_ptr<TileSums const> const &sums);
FilledTable computeSetTable(Report const &report, std::shared_ptr<TileSums const> const &sums);
FilledTable vertexTable(Report const &report, std::shared_ptr<TileSums const> const &sums);
FilledTable exchangeTable(Report const &report, std::shared_ptr<TileSums const> const &sums);
FilledTable reasonTable(std::vector<TileReason> reasons);
FilledTable valuesTable(Report const &report, TileReading reading);

} // namespace tilewright::views
