#pragma once

#include "views/execution/execution_data.h"
#include "views/session/selection.h"

namespace tilewright::views {

/// What an event stands for in other views: its program, else its stage, else its operation. `type`: of an event or
/// of a program's span in the nesting.
Selected eventSelection(report::ReportData const &data, int type);
/// A range of the run as cycles of the pattern; more than a period is all of it.
Selected rangeSelection(RunPlaces const &run, TimeSpan range);
/// Flags by event type, those of the nesting included; empty when none belongs to the lineage.
std::vector<char> highlightedTypes(Lineage const &lineage, report::ReportData const &data);

} // namespace tilewright::views
