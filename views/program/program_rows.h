#pragma once

#include "engine/report/match.h"
#include "views/common/table_model.h"
#include "views/figures/comparison.h"
#include "views/program/program_describe.h"
#include "views/reports/report_ptr.h"

#include <QIcon>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::views {

/// One report's program and what its steps cost.
struct ProgramSide {
    ReportPtr report;
    RunFrame frame;
    ProgramTree tree;
    std::vector<RunCost> byProgram;
    std::vector<NodeCost> costs; ///< by node
};

/// What the table shows; shared with its columns. A row is a node of the program on show; where another report is compared, rows of
/// steps that only that one has stand among them.
struct ProgramRows {
    ProgramSide now, before;             ///< `before` has no report: nothing is compared
    std::vector<report::StepPair> pairs; ///< by row
    QString beforeName;
    bool fair = true;        ///< a step does as much work in both
    bool knowsCycles = true; ///< both have cycles of the IPUs shown
    int ipu = report::kNone;
    double cycles = 0; ///< of the run on the IPUs shown
    int stands = -1;   ///< program that a paused run has done last
    QIcon playhead;
    std::map<std::string, QIcon> icons;

    int count() const { return static_cast<int>(pairs.size()); }
    bool compared() const { return bool(before.report); }
    bool isGone(int row) const { return pair(row).now < 0; }
    report::StepPair const &pair(int row) const { return pairs[static_cast<std::size_t>(row)]; }
    /// Where the row stands: in the report on show, or, where that has none, in the other.
    ProgramSide const &side(int row) const { return isGone(row) ? before : now; }
    ProgramNode const &node(int row) const
    {
        return side(row).tree.nodes[static_cast<std::size_t>(isGone(row) ? pair(row).before : pair(row).now)];
    }
    NodeCost cost(int row) const;         ///< in the report on show; of a step that is gone nothing
    ComparedAmount amount(int row) const; ///< cycles of a step
    report::ProgramRow const &program(int row) const;
    std::string const &kind(int row) const;
    QString title(int row) const;
    QString layer(int row) const;
    std::int64_t ofStep(Cycles ofRun) const;
    Bytes bytesOfStep(int row) const;
    std::vector<int> parents() const;
};

std::shared_ptr<ProgramRows> makeProgramRows(ReportPtr const &report, ReportPtr const &before, QString const &beforeName, int run, int ipu);
std::vector<Column> programColumns(ProgramRows const &rows);

/// "a step takes … less than in run 3 (modelled) · 2 steps added · 14 of 88 take another time".
QString programComparisonText(ProgramRows const &rows);

} // namespace tilewright::views
