#pragma once

#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"
#include "views/subjects/facts.h"

namespace tilewright::views {

/// Facts of a selection in words and numbers, with links.
struct Description {
    QString headline;
    QList<FactSection> sections;
};

/// Reads per-tile data of the report: call it on a worker thread. Unknown ids give a description that says so.
Description describe(ReportSnapshot const &report, Selected const &selected);

namespace detail {

inline constexpr int kListed = 8; ///< entries of a list of names; the rest is counted

QString text(std::string const &value);
/// `facts` for the first kListed of `ids`, then "and n more".
QList<Fact> listed(std::vector<int> const &ids, std::function<Fact(int id)> const &fact);
Fact opFact(report::ReportData const &data, QString const &label, int op);
Fact programFact(report::ReportData const &data, QString const &label, int program);
Fact variableFact(report::ReportData const &data, QString const &label, int variable);
Fact layerFact(ReportSnapshot const &report, int op); ///< label "" without a layer

Description describeOp(ReportSnapshot const &report, int id);
Description describeComputeSet(ReportSnapshot const &report, int id);
Description describeProgram(ReportSnapshot const &report, int id);
Description describeVertexType(ReportSnapshot const &report, int id);
Description describeRun(ReportSnapshot const &report, int id);
Description describeStage(ReportSnapshot const &report, int id);
Description describeTimeRange(ReportSnapshot const &report, std::int64_t begin, std::int64_t end);
Description describeVariable(ReportSnapshot const &report, int id);
Description describeTile(ReportSnapshot const &report, int id);
Description describeIpu(ReportSnapshot const &report, int id);
Description describeStep(ReportSnapshot const &report, int id);
Description describeSeveral(ReportSnapshot const &report, Selected const &selected);

} // namespace detail
} // namespace tilewright::views
