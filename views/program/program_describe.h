#pragma once

#include "engine/report/program_tree.h"
#include "views/subjects/facts.h"
#include "views/reports/report_snapshot.h"
#include "views/wording/run_costs.h"

namespace tilewright::views {

using report::NodeCost;
using report::nodeCosts;
using report::ProgramNode;
using report::ProgramTree;
using report::programTree;

/// Facts about one step by its kind: costs, actions, accessed variables, origin up to the layer.
QList<FactSection> describeStep(ReportSnapshot const &report, ProgramNode const &node, NodeCost const &cost, RunCost const &ofProgram,
                                RunFrame const &frame, int ipu = report::kNone);

/// "412 steps in 6 functions · 1,875 × training step".
/// `functions`: shown at the top of the tree.
QString programHeadline(report::ReportData const &data, RunFrame const &frame, int functions);

/// Displayed name of a node: a function's or a step's name, with a branch's label.
QString nodeTitle(report::ReportData const &data, ProgramNode const &node);

} // namespace tilewright::views
