#pragma once

#include "views/reports/report_snapshot.h"
#include "views/tiles/part_keys.h"
#include "views/tiles/tile_contents.h"

#include <QString>

#include <set>
#include <string>
#include <vector>

// Live bytes as values, without widgets. Data by step are computed per class of lifetimes, so the cost depends on classes and intervals,
// not on tiles times steps.
namespace tilewright::views {

/// The counted bytes: all tiles of replica 0, those of one of its IPUs, or the variables of one stage.
struct LiveScope {
    enum Kind { All, Ipu, Stage };
    Kind kind = All;
    int id = 0;
    bool operator==(LiveScope const &) const = default;
};
std::string scopeName(LiveScope const &scope); ///< name of the scope in the report's curves
QString scopeText(LiveScope const &scope);     ///< translated

/// One band of the stack: bytes by step.
struct LiveBand {
    PartKey key;
    int variable = -1; ///< when the band is one variable
    std::vector<std::int64_t> bytes;
};

/// Criterion of the bands, and exclusions.
struct LiveQuestion {
    LiveScope scope;
    Breakdown by = Breakdown::Role;
    int layer = -1;        ///< op of the layer whose variables are the bands; -1: by `by`
    std::set<int> without; ///< excluded variables, to see the effect of removing them
    bool operator==(LiveQuestion const &) const = default;
};
/// Bands that sum to the curve of the scope (without exclusions) at every step, without zero bands.
std::vector<LiveBand> liveBands(ReportSnapshot const &report, TileContents const &contents, LiveQuestion const &question);
/// Sum of the bands by step. A band counts as 0 after its end.
std::vector<std::int64_t> curveOf(std::vector<LiveBand> const &bands, int steps);

/// Everything live at a step in a scope, largest first: by variable, compiler-made bytes by category.
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
