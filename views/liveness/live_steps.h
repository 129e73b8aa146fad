#pragma once

#include "views/reports/report_snapshot.h"
#include "views/tiles/column_painter.h"

#include <QString>

#include <vector>

// Liveness steps on an axis, with the program's action at each step.
namespace tilewright::views {

struct StepFacts {
    QString name;        ///< of the program
    QString kind;        ///< translated: compute, exchange, …
    QString layer, pass; ///< may be empty; pass translated
    QString brief;       ///< "dense_1 backward", or the program's name
    int program = -1, op = -1, stage = -1;
    std::int64_t vertices = 0; ///< of a compute set
    std::int64_t cycles = -1;  ///< of one execution, modelled; -1 unknown
    bool isCompute = false;
};
StepFacts stepFacts(ReportSnapshot const &report, int step);

/// Modelled cycles of one execution of each step's leaf; 0 if unknown.
std::vector<std::int64_t> stepCycles(ReportSnapshot const &report);

/// Axis with equal widths, or with widths by cycles.
PositionAxis stepAxis(ReportSnapshot const &report, bool cycles);

/// Strips above the steps: passes, and stages if there are several.
std::vector<std::vector<ColumnSpan>> stepLanes(ReportSnapshot const &report);

/// Steps that match the filter by name, kind, layer, pass or stage. Ascending; all steps for an empty filter. `error`: a syntax error, in
/// which case no step is found; empty otherwise.
std::vector<int> stepsNamed(ReportSnapshot const &report, QString const &filter, QString *error);

/// The next peak after a step, cyclically; -1 without peaks.
int nextPeak(std::vector<int> const &peakSteps, int step, bool backwards = false);

QString passText(std::string_view pass); ///< translated

} // namespace tilewright::views
