#pragma once

#include "views/reports/report_snapshot.h"
#include "views/tiles/column_painter.h"

#include <QString>

#include <vector>

// Liveness steps as places on an axis and as what the program does then.
namespace tilewright::views {

struct StepFacts {
    QString name;        ///< of the program
    QString kind;        ///< translated: compute, exchange, …
    QString layer, pass; ///< may be empty; pass translated
    QString brief;       ///< "dense_1 backward", or the program's name
    int program = -1, op = -1, stage = -1;
    std::int64_t vertices = 0; ///< of a compute set
    std::int64_t cycles = -1;  ///< of one execution, modelled; -1 not known
    bool isCompute = false;
};
StepFacts stepFacts(ReportSnapshot const &report, int step);

/// Modelled cycles of one execution of the leaf of each step; steps whose cycles the report does not tell take 0.
std::vector<std::int64_t> stepCycles(ReportSnapshot const &report);

/// Side by side, or as long as their cycles.
PositionAxis stepAxis(ReportSnapshot const &report, bool cycles);

/// Strips of what steps belong to: passes, and stages where there are several.
std::vector<std::vector<ColumnSpan>> stepLanes(ReportSnapshot const &report);

/// Steps that the one filter language finds by what they are called: name, kind, layer, pass, stage. Ascending; all of them for
/// an empty filter. `error`: what of it cannot be read, empty otherwise; then none are found.
std::vector<int> stepsNamed(ReportSnapshot const &report, QString const &filter, QString *error);

/// The next peak after a step, in the order of steps, going round; -1 without peaks.
int nextPeak(std::vector<int> const &peakSteps, int step, bool backwards = false);

QString passText(std::string_view pass); ///< translated

} // namespace tilewright::views
