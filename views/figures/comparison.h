#pragma once

#include "views/common/table_model.h"
#include "views/reports/report_ptr.h"
#include "views/wording/run_costs.h"

#include <QString>
#include <QToolButton>

#include <functional>
#include <optional>
#include <vector>

// Comparison of two reports in views of costs. The other report is the session's baseline; engine/report/match.h pairs the rows.
namespace tilewright::views {

class Session;

/// The session's baseline if it is whole and differs from the displayed report; else none.
ReportPtr comparedReport(Session const &session);
/// "run 3", or its title or file if that distinguishes it from the displayed report.
QString comparedName(Session const &session);

/// Switches a view's comparison; its tooltip names the other report. Hidden without one.
class CompareButton : public QToolButton {
    Q_OBJECT
public:
    explicit CompareButton(QWidget *parent = nullptr);
    void offer(Session const &session);
    /// Null while switched off.
    ReportPtr report() const;
    QString name() const { return m_name; }

private:
    ReportPtr m_report;
    QString m_name;
};

/// Marks a view for `render`: it shows the session's baseline beside its report.
void comparesReports(QWidget &view);
bool doesCompareReports(QWidget const &view);

/// One amount in both reports; less is better. nullopt: missing in that report.
struct ComparedAmount {
    std::optional<double> before, now;
    bool fair = true; ///< false: the amounts cannot be judged
    double difference() const { return now.value_or(0) - before.value_or(0); }
    int verdict() const; ///< +1 better, -1 worse, 0 neither
    bool operator==(ComparedAmount const &) const = default;
};

/// Whether both runs have cycles of the IPU (kNone: of all IPUs).
bool haveCycles(RunFrame const &now, RunFrame const &before, int ipu);

enum class AmountUnit { Cycles, Bytes };
QString amountText(AmountUnit unit, double amount);
/// "+1,234", "−12 KiB", "0".
QString amountDifferenceText(AmountUnit unit, ComparedAmount const &amount);
/// "+12 %", "added", "removed", "same".
QString amountChangeText(ComparedAmount const &amount);
/// Columns with the baseline's amount, the difference with a swatch for better or worse, and the change in percent. `what`: full name of
/// the amount; `baseline`: the other report.
std::vector<Column> comparedColumns(QString const &what, QString const &baseline, AmountUnit unit,
                                    std::function<ComparedAmount(int row)> amount);

/// "operations: 2 added, 1 removed"; "" without changes. `changed`: items of both with other cycles.
QString changedText(QString const &things, int added, int removed, int changed = 0);

/// "a step takes 1,234 cycles (12 %) less than in run 3 (modelled)".
QString stepDifferenceText(report::ReportData const &now, RunFrame const &frame, report::ReportData const &before,
                           RunFrame const &frameBefore, QString const &name);

} // namespace tilewright::views
