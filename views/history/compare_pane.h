#pragma once

#include "views/history/compare_reports.h"
#include "views/reports/report_snapshot.h"

#include <QWidget>

class QLabel;

namespace tilewright::views {

class CompareCurves;
class Session;
class TablePane;
struct Column;

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
    /// Runs that somebody chose, oldest first: the curves of all, a column for each, differences from the first. `notShown`:
    /// chosen, too, but too many to be told apart.
    void compareChosen(std::vector<NamedReport> runs, int notShown);
    bool isSettled() const { return !m_comparing; }
    ReportComparison const *comparison() const { return m_rows ? &m_rows->comparison : nullptr; }
    std::vector<ReportPtr> const &compared() const { return m_shown; } ///< what comparison() is of
    TablePane &table() { return *m_table; }
    CompareCurves &curves() { return *m_curves; }
    void follow();
Q_SIGNALS:
    void finished();

private:
    struct Rows {
        std::vector<ReportPtr> reports;          ///< two or more, the first is what the others are compared with
        std::vector<ReportComparison> fromFirst; ///< of each of the others
        ReportComparison comparison;             ///< everything in which any of them differs
        std::vector<std::vector<int>> places;    ///< of its rows in each of fromFirst
        std::vector<int> parents, difference;    ///< by table row; difference -1: a kind's heading
        std::vector<ComparedKind> kinds;
        std::vector<int> members;
        ReportDifference const *differenceOf(int row) const;                  ///< null: a kind's heading
        ReportDifference const *differenceOf(int row, std::size_t run) const; ///< of that report from the first; null: none
        std::vector<Column> nameColumns() const;
    };
    static std::shared_ptr<Rows> arrange(std::vector<ReportPtr> reports);
    void compareAll(std::vector<ReportPtr> reports);
    std::vector<Column> columnsOfTwo(std::shared_ptr<Rows> const &rows) const;
    std::vector<Column> columnsOfSeveral(std::shared_ptr<Rows> const &rows) const;
    void showRows(std::shared_ptr<Rows> rows);
    void pick(int row);
    Session &m_session;
    QObject *m_origin;
    std::shared_ptr<Rows> m_rows;
    std::vector<ReportPtr> m_asked, m_shown;
    std::vector<NamedReport> m_chosen; ///< empty: baseline and what is on show
    int m_notShown = 0;
    QLabel *m_title = nullptr, *m_note = nullptr;
    TablePane *m_table = nullptr;
    CompareCurves *m_curves = nullptr;
    bool m_comparing = false;
};

} // namespace tilewright::views
