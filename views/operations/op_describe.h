#pragma once

#include "views/subjects/facts.h"
#include "views/operations/op_columns.h"
#include "views/widgets/stacked_bar.h"

namespace tilewright::views {

/// Facts about one row: kind, cost, place, and the planner's choice with alternatives.
QList<FactSection> describeOperation(OpTableView const &view, int row);

/// The plan of a product against its actual cycles; empty without a plan.
FactSection planSection(std::string const &planJson, double mean, bool measured = false);

/// One bar of phases for the chosen rows, one for all displayed rows.
QList<Bar> breakdownBars(OpTableView const &view, std::vector<int> const &chosen, std::vector<int> const &shown);

/// "3 of 57 operations: 12 040 cycles, 14 % (modelled) · 1.2 MiB moved · 40 KiB code".
QString totalsText(OpTableView const &view, std::vector<int> const &rows, QString const &what);

} // namespace tilewright::views
