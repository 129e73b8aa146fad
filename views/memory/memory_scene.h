#pragma once

#include "views/memory/memory_facts.h"
#include "views/reports/report_ptr.h"
#include "views/tiles/column_painter.h"
#include "views/tiles/tile_scale.h"

#include <memory>
#include <vector>

// From a report and the user's choices to the content of profile and floor plan. Pure; runs on a worker thread.
namespace tilewright::views {

/// Quantity of colours and columns.
enum class MemoryShow { Whole, AtStep, Variables, Received, Sent };

struct MemoryOptions {
    MemoryShow show = MemoryShow::Whole;
    Breakdown by = Breakdown::Role;
    bool gaps = true; ///< as the headline, which decides whether a tile fits
    bool limit = false;
    TileOrder order = TileOrder::Logical;
    int ipu = -1; ///< -1: all
    ScaleKind scale = ScaleKind::Linear;
    bool compare = false;
    bool operator==(MemoryOptions const &) const = default;
};

struct MemoryRequest {
    ReportPtr report, baseline;
    std::shared_ptr<TileContents const> contents;
    MemoryOptions options;
    int step = 0;
    std::vector<int> variables; ///< of the selection: shaded in the floor plan, stacked by MemoryShow::Variables
    QString selection;          ///< the selection in words; empty: no bytes
};

struct MemoryPicture {
    std::shared_ptr<ColumnScene const> scene = std::make_shared<ColumnScene const>();
    std::vector<int> order;           ///< tile by position in the profile
    std::vector<int> positionOf;      ///< by tile; -1: hidden
    std::vector<std::int64_t> values; ///< by tile
    TileScale scale;
    QString title; ///< description, with "modelled" where it applies
    QString axisTitle;
    QString note; ///< of a comparison, or the reason for missing data
    /// Values of the floor plan: the same, or the bytes of the selection.
    struct Map {
        QString title;
        std::vector<std::int64_t> values;
        TileScale scale;
        bool ofSelection = false;
    } map;
};
MemoryPicture memoryPicture(MemoryRequest const &request);

} // namespace tilewright::views
