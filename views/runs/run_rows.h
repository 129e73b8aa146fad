#pragma once

#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/reports/report_snapshot.h"
#include "views/session/run_list.h"
#include "views/session/run_project.h"
#include "views/session/session.h"

#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::views {

/// A run of the project, or a report opened from elsewhere, with its known figures.
struct RunRow {
    qint64 id = 0; ///< of the project's list; 0: a report from elsewhere
    QString started, title, kind, state, report;
    std::optional<double> steps, loss;
    QMap<QString, double> metrics;
    std::optional<double> cyclesPerStep, samplesPerSecond, worstBytes, capacity; ///< modelled
    std::optional<bool> fits;
    std::optional<double> hostSeconds; ///< measured here
    Run::Life life = Run::Life::Over;
    QString reason; ///< why it failed or ended early, in the language of the window
    QString tags, notes;
    std::optional<qint64> reportBytes; ///< of the file; empty: there is none
    bool hasProject = false;           ///< the project of the run can be restored
    QString name() const;              ///< "Run 7", or the file's name
    QString fullName() const;          ///< with its title: "Run 7: mnist"
    bool isRunning() const { return life != Run::Life::Over || state == QLatin1String("running") || state == QLatin1String("paused"); }
};

/// The row from the entry of the list alone.
RunRow runRow(Run const &entry);
/// The row from the head of a report.
RunRow headRow(ReportSnapshot const &head);
/// Fills fields that the entry left open.
void fillFrom(RunRow &row, RunRow const &head);
/// Whether the entry lacks figures that its report may have.
bool lacksFigures(RunRow const &row);

/// A compile alone, without a run.
bool isCompile(RunRow const &row);

/// When the run began; invalid: unknown.
QDateTime startOf(RunRow const &row);
/// The rows with the reports `picked`, as a comparison reads: the baseline first, then the oldest first. Rows of equal start follow the
/// numbers of their runs; those whose start is unknown come last.
std::vector<int> comparisonOrder(std::vector<RunRow> const &rows, QStringList const &picked, QString const &baseline);

/// Colours of compared reports, by path.
using RunColors = std::map<QString, Token>;
/// What runs are at the moment, by the paths of their reports.
struct RunRoles {
    QString shown, baseline;
    bool isPinned = false; ///< the baseline
};
/// `colors` are looked up when a row is drawn.
std::vector<Column> runColumns(std::shared_ptr<std::vector<RunRow> const> rows, RunRoles const &roles,
                               std::shared_ptr<RunColors const> const &colors = {});
/// The value of a cell that may be unknown.
inline QVariant cellValue(std::optional<double> const &value) { return value ? QVariant(*value) : QVariant(); }
/// Columns that are empty in these rows.
std::vector<int> emptyColumns(std::vector<Column> const &columns, int rows);
/// Columns with equal cells in these rows.
std::vector<int> equalColumns(std::vector<Column> const &columns, int rows);

} // namespace tilewright::views
