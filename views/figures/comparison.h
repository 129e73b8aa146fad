#pragma once

#include "views/common/table_model.h"
#include "views/reports/report_ptr.h"
#include "views/wording/run_costs.h"

#include <QString>
#include <QToolButton>

#include <functional>
#include <optional>
#include <vector>

// Two reports beside each other, as views of costs show it. There is one report to compare with in a window, the session's baseline;
// what in it is what here, engine/report/match.h says.
namespace tilewright::views {

class Session;

/// What the report on show can be compared with: the session's baseline, when it is whole and another one; else none.
ReportPtr comparedReport(Session const &session);
/// "run 3", or what tells it from the report on show: “its title”, “its file”.
QString comparedName(Session const &session);

/// Switches a view's comparison on and off; says in its tip with what. Hidden where there is nothing to compare with.
class CompareButton : public QToolButton {
    Q_OBJECT
public:
    explicit CompareButton(QWidget *parent = nullptr);
    void offer(Session const &session);
    /// None while it is off.
    ReportPtr report() const;
    QString name() const { return m_name; }

private:
    ReportPtr m_report;
    QString m_name;
};

/// For `render`: a view that shows the session's baseline beside its report.
void comparesReports(QWidget &view);
bool doesCompareReports(QWidget const &view);

/// One amount in both reports, of which less is better; empty: it is not there.
struct ComparedAmount {
    std::optional<double> before, now;
    bool fair = true; ///< false: nobody can say what is better
    double difference() const { return now.value_or(0) - before.value_or(0); }
    int verdict() const; ///< +1 better, -1 worse, 0 neither
    bool operator==(ComparedAmount const &) const = default;
};

/// Whether both runs have cycles of the IPU (kNone: of all).
bool haveCycles(RunFrame const &now, RunFrame const &before, int ipu);

enum class AmountUnit { Cycles, Bytes };
QString amountText(AmountUnit unit, double amount);
/// "+1,234", "−12 KiB", "0".
QString amountDifferenceText(AmountUnit unit, ComparedAmount const &amount);
/// "+12 %", "added", "removed", "same".
QString amountChangeText(ComparedAmount const &amount);
/// The baseline's amount, the difference with a swatch of better or worse, the change in percent. `what` names the amount in
/// full, `baseline` the other report.
std::vector<Column> comparedColumns(QString const &what, QString const &baseline, AmountUnit unit,
                                    std::function<ComparedAmount(int row)> amount);

/// "operations: 2 added, 1 removed"; "" where nothing is. `changed`: that both have, with other cycles.
QString changedText(QString const &things, int added, int removed, int changed = 0);

/// "a step takes 1,234 cycles (12 %) less than in run 3 (modelled)".
QString stepDifferenceText(report::ReportData const &now, RunFrame const &frame, report::ReportData const &before,
                           RunFrame const &frameBefore, QString const &name);

} // namespace tilewright::views
