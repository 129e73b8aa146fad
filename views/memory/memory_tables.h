#pragma once

#include "views/common/table_model.h"
#include "views/memory/memory_facts.h"
#include "views/memory/tile_values.h"
#include "views/reports/report_ptr.h"
#include "views/tiles/tile_sums.h"

#include <memory>
#include <vector>

// The tables under the map: what each column says. Sums over tiles are worked out beforehand, on a worker.
namespace tilewright::views {

/// A table ready for a TablePane; ids map its rows to rows of the report.
struct FilledTable {
    std::vector<Column> columns;
    int rows = 0;
    std::vector<int> parents;
    std::shared_ptr<void const> keep;
    std::vector<int> ids;
};

/// One line of the details tree: a sum over the chosen tiles beside the one over all.
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
