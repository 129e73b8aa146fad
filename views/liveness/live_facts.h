#pragma once

#include "views/reports/report_snapshot.h"
#include "views/tiles/part_keys.h"
#include "views/tiles/tile_contents.h"

#include <QString>

#include <set>
#include <string>
#include <vector>

// What is live when, as values: no widgets. Everything by step is worked out per class of lifetimes, so it costs
// classes and intervals, not tiles times steps.
namespace tilewright::views {

/// Which bytes count: all tiles of replica 0, those of one of its IPUs, or the variables of one stage.
struct LiveScope {
    enum Kind { All, Ipu, Stage };
    Kind kind = All;
    int id = 0;
    bool operator==(LiveScope const &) const = default;
};
std::string scopeName(LiveScope const &scope); ///< as the report's curves name it
QString scopeText(LiveScope const &scope);     ///< translated

/// One band of the stack: bytes by step.
struct LiveBand {
    PartKey key;
    int variable = -1; ///< when the band is one variable
    std::vector<std::int64_t> bytes;
};

/// What bands are made of, and what is left out.
struct LiveQuestion {
    LiveScope scope;
    Breakdown by = Breakdown::Role;
    int layer = -1;        ///< op of the layer whose variables are the bands; -1: by `by`
    std::set<int> without; ///< variables left out: what if they were gone
    bool operator==(LiveQuestion const &) const = default;
};
/// Bands that add up to the curve of the scope (without what is left out) at every step; zero ones are left out.
std::vector<LiveBand> liveBands(ReportSnapshot const &report, TileContents const &contents, LiveQuestion const &question);
/// Sum of the bands by step; behind the end of a band it has nothing.
std::vector<std::int64_t> curveOf(std::vector<LiveBand> const &bands, int steps);

/// Everything live at a step in a scope, largest first: by variable, the compiler's bytes by category.
std::vector<LiveItem> liveItems(ReportSnapshot const &report, TileContents const &contents, LiveScope const &scope, int step);

/// "peak at step 41 (dense_1 backward): 2.1 MiB live, 64 % activations (modelled)"
QString livenessHeadline(ReportSnapshot const &report, TileContents const *contents, LiveScope const &scope);

/// Variables of two steps side by side, by size of the difference.
struct LiveChange {
    int variable = -1;
    report::MemoryCategory category = report::MemoryCategory::Variable;
    Bytes before = 0, after = 0;
    Bytes difference() const { return after - before; }
};
std::vector<LiveChange> liveChanges(std::vector<LiveItem> const &before, std::vector<LiveItem> const &after);

/// "dense/kernel", or the kind of the compiler's bytes.
QString liveName(ReportSnapshot const &report, int variable, report::MemoryCategory category);

} // namespace tilewright::views
