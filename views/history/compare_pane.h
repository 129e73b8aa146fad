#pragma once

#include "views/history/compare_reports.h"
#include "views/session/report_snapshot.h"

#include <QWidget>

class QLabel;

namespace tilewright::views {

class CompareCurves;
class Session;
class TablePane;

/// A run by the name the list gives it.
struct NamedReport {
    QString name;
    ReportPtr report;
    bool operator==(NamedReport const &) const = default;
};

/// The differences of the report on show against the baseline, by kind, and the curves of both. Compares in the
/// background.
class ComparePane : public QWidget {
    Q_OBJECT
public:
    ComparePane(Session &session, QObject *origin, QWidget *parent = nullptr);
    /// Null: nothing to compare. Does nothing when both are those it shows already.
    void compare(ReportPtr source, ReportPtr target);
    /// Runs that somebody chose, in the order of the list: the curves of all, the differences of the last from the first.
    void compareChosen(std::vector<NamedReport> runs);
    bool isSettled() const { return !m_comparing; }
    ReportComparison const *comparison() const { return m_rows ? &m_rows->comparison : nullptr; }
    ReportSnapshot const *source() const { return m_rows ? m_rows->source.get() : nullptr; }
    ReportSnapshot const *target() const { return m_rows ? m_rows->target.get() : nullptr; }
    TablePane &table() { return *m_table; }
    CompareCurves &curves() { return *m_curves; }
    void follow();
Q_SIGNALS:
    void compared();
private:
    struct Rows {
        ReportPtr source, target;
        ReportComparison comparison;
        std::vector<int> parents, difference; ///< by table row; difference -1: a kind's heading
        std::vector<ComparedKind> kinds;
        std::vector<int> members;
    };
    static std::shared_ptr<Rows> arrange(ReportPtr source, ReportPtr target);
    void showRows(std::shared_ptr<Rows> rows);
    void pick(int row);
    Session &m_session;
    QObject *m_origin;
    std::shared_ptr<Rows> m_rows;
    ReportPtr m_source, m_target; ///< asked for
    std::vector<NamedReport> m_chosen; ///< empty: baseline and what is on show
    QLabel *m_title = nullptr, *m_note = nullptr;
    TablePane *m_table = nullptr;
    CompareCurves *m_curves = nullptr;
    bool m_comparing = false;
};

} // namespace tilewright::views
