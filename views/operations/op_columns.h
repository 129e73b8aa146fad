#pragma once

#include "views/common/table_model.h"
#include "views/figures/comparison.h"
#include "views/operations/op_table.h"
#include "views/reports/report_snapshot.h"

#include <QIcon>

namespace tilewright::views {

/// A table with its report, shared with the columns' functions.
struct OpTableView {
    ReportPtr report;
    RunFrame frame;
    OpTable table;
    ReportPtr before; ///< the compared report, or none
    RunFrame frameBefore;
    QString beforeName;
    bool fair = true;           ///< both steps process equal numbers of samples
    bool knowsCycles = true;    ///< both have cycles of the displayed IPUs
    int stands = report::kNone; ///< row of the operation at the playhead
    QIcon playhead;             ///< beside it
    OpTableRow const &row(int i) const { return table.rows[static_cast<std::size_t>(i)]; }
    report::OpRow const *op(int i) const { return row(i).op >= 0 ? &report->data().ops[static_cast<std::size_t>(row(i).op)] : nullptr; }
    QString title(int i) const { return opTitle(table, report->data(), i, before ? &before->data() : nullptr); }
    ComparedAmount cycles(int i) const;
    ComparedAmount bytes(int i, double now, double before) const; ///< code or variables of a row
    double share(int i) const { return table.ofStep(row(i).cost.cycles).share(); }
};

/// Index of the column for initial sorting.
inline constexpr int kCyclesColumn = 1;
/// Empty without stages.
int stageColumn(OpTableView const &view);

std::vector<Column> opColumns(std::shared_ptr<OpTableView const> view);

} // namespace tilewright::views
