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

/// One report's program with the costs of its steps.
struct ProgramSide {
    ReportPtr report;
    RunFrame frame;
    ProgramTree tree;
    std::vector<RunCost> byProgram;
    std::vector<NodeCost> costs; ///< by node
};

/// Content of the table, shared with its columns. A row is a node of the displayed program; with a comparison, also a step that only the
/// other report has.
struct ProgramRows {
    ProgramSide now, before;             ///< `before` without a report: no comparison
    std::vector<report::StepPair> pairs; ///< by row
    QString beforeName;
    bool fair = true;        ///< both steps process equal numbers of samples
    bool knowsCycles = true; ///< both have cycles of the displayed IPUs
    int ipu = report::kNone;
    int stands = -1; ///< program at the playhead
    QIcon playhead;
    std::map<std::string, QIcon> icons;

    int count() const { return static_cast<int>(pairs.size()); }
    bool compared() const { return bool(before.report); }
    bool isGone(int row) const { return pair(row).now < 0; }
    report::StepPair const &pair(int row) const { return pairs[static_cast<std::size_t>(row)]; }
    /// The report of the row: the displayed one if it has the step, else the other.
    ProgramSide const &side(int row) const { return isGone(row) ? before : now; }
    ProgramNode const &node(int row) const
    {
        return side(row).tree.nodes[static_cast<std::size_t>(isGone(row) ? pair(row).before : pair(row).now)];
    }
    NodeCost cost(int row) const;         ///< in the displayed report; zero for removed steps
    bool isStep(int row) const;           ///< a leaf of this report's program, as report::programSteps counts: no control flow, no function
    ComparedAmount amount(int row) const; ///< cycles of a step
    report::ProgramRow const &program(int row) const;
    std::string const &kind(int row) const;
    QString title(int row) const;
    QString layer(int row) const;
    std::int64_t ofStep(Cycles ofRun) const;
    Bytes bytesOfStep(int row) const;
    std::vector<int> parents() const;
    int functions() const; ///< at the top of the shown tree
};

std::shared_ptr<ProgramRows> makeProgramRows(ReportPtr const &report, ReportPtr const &before, QString const &beforeName, int run, int ipu);
std::vector<Column> programColumns(ProgramRows const &rows);

/// "a step takes … less than in run 3 (modelled) · 2 steps added · 14 of 88 take another time".
QString programComparisonText(ProgramRows const &rows);

} // namespace tilewright::views
