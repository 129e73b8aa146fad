#pragma once

#include "views/memory/memory_facts.h"
#include "views/reports/report_ptr.h"
#include "views/tiles/column_painter.h"
#include "views/tiles/tile_scale.h"

#include <memory>
#include <vector>

// From a report and a person's choices to what profile and floor plan draw. Pure; runs on a worker.
namespace tilewright::views {

/// What the colours and columns stand for.
enum class MemoryShow { Whole, AtStep, Variables, Received, Sent };

struct MemoryOptions {
    MemoryShow show = MemoryShow::Whole;
    Breakdown by = Breakdown::Role;
    bool gaps = false;
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
    std::vector<int> variables; ///< of the selection: the floor plan shades their bytes, MemoryShow::Variables stacks them
    QString selection;          ///< what is selected, in words; empty: nothing that has bytes
};

struct MemoryPicture {
    std::shared_ptr<ColumnScene const> scene = std::make_shared<ColumnScene const>();
    std::vector<int> order;           ///< tile by position in the profile
    std::vector<int> positionOf;      ///< by tile; -1: not shown
    std::vector<std::int64_t> values; ///< by tile
    TileScale scale;
    QString title; ///< what is drawn, in words, with "modelled" where it is
    QString axisTitle;
    QString note; ///< of a comparison, or why something is not there
    /// What the floor plan colours: the same values, or the bytes of what is selected.
    struct Map {
        QString title;
        std::vector<std::int64_t> values;
        TileScale scale;
        bool ofSelection = false;
    } map;
};
MemoryPicture memoryPicture(MemoryRequest const &request);

} // namespace tilewright::views
