#pragma once

#include "engine/report/program_tree.h"
#include "engine/report/tables.h"

#include <vector>

// Pairs operations and steps of two reports. All comparisons use these pairs. Rows are matched by meaning, never by number:
//
//   operations  by level, pass and name (which holds the path of the layer), below operations that are a pair
//   steps       by kind, name and branch below steps that are a pair; a step at another place in the program
//               (moved into a loop, for example) is still the same step
//   equal names in order; if one report has more of them, those with equal neighbours first
//
// Each row of either report is in exactly one pair, so sums over pairs equal the sums over each report.
namespace tilewright::report {

/// The same thing in two reports; kNone: missing in that report.
struct RowPair {
    int before = kNone, now = kNone;
    bool both() const { return before >= 0 && now >= 0; }
    bool operator==(RowPair const &) const = default;
};

/// A row per operation of either report: those of `now` in order, then those that only `before` has.
std::vector<RowPair> matchOperations(ReportData const &before, ReportData const &now);

/// Names of the layers around an operation, outermost first, separated by '/'; "" outside layers.
std::string layerPath(ReportData const &data, int op);

/// A step of either program. Rows form a tree in the order of `now`; steps that only `before` has are at their place there.
struct StepPair : RowPair {
    int parent = kNone; ///< row, before its children
};
std::vector<StepPair> matchSteps(ReportData const &before, ProgramTree const &treeBefore, ReportData const &now,
                                 ProgramTree const &treeNow);

/// Samples of a step; 0: unknown.
double samplesOfStep(ReportData const &data);
/// Whether a step of both reports processes the same number of samples. Otherwise step times cannot be called better or worse.
bool sameSamples(ReportData const &before, ReportData const &now);

} // namespace tilewright::report
