#pragma once

#include "engine/report/program_tree.h"
#include "engine/report/tables.h"

#include <vector>

// What in one report is what in another: the one place where operations and steps of two compiles are paired. By meaning, never by
// row: whoever compares two reports asks here, and all of them show the same pairs.
//
//   operations  by level, pass and name, which holds the path of the layer, below the operations above them that are pairs themselves
//   steps       by kind, name and branch below steps that are pairs; a step that stands elsewhere in the program (its part was put into
//               a loop, say) is still the same step
//   equal names in order; where one report has more of them, those with the same neighbours first
//
// Each row of either report is in exactly one pair, so what is summed over pairs is what is summed over each report.
namespace tilewright::report {

/// Rows of two reports that are the same thing; kNone: the other report has none.
struct RowPair {
    int before = kNone, now = kNone;
    bool both() const { return before >= 0 && now >= 0; }
    bool operator==(RowPair const &) const = default;
};

/// A row for each operation of either report: those of `now` in their order, then those that only `before` has.
std::vector<RowPair> matchOperations(ReportData const &before, ReportData const &now);

/// Names of the layers around an operation, the outermost first, separated by '/'; of what belongs to no layer "".
std::string layerPath(ReportData const &data, int op);

/// A step of either program. Rows are a tree: in the order of `now`, and what only `before` has where it stood there.
struct StepPair : RowPair {
    int parent = kNone; ///< row, before its children
};
std::vector<StepPair> matchSteps(ReportData const &before, ProgramTree const &treeBefore, ReportData const &now,
                                 ProgramTree const &treeNow);

/// Of a step; 0: not known.
double samplesOfStep(ReportData const &data);
/// Whether a step of both makes as many samples; else what a step takes is no matter of better or worse.
bool sameSamples(ReportData const &before, ReportData const &now);

} // namespace tilewright::report
