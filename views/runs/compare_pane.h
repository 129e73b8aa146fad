#pragma once

#include "views/runs/compare_reports.h"
#include "views/reports/report_snapshot.h"

#include <QWidget>

class QLabel;

namespace tilewright::views {

class CompareCurves;
class Session;
class TablePane;
struct Column;

/// A run with its name in the list.
struct NamedReport {
    QString name;
    ReportPtr report;
    bool operator==(NamedReport const &) const = default;
};

/// The differences of the displayed report from the baseline, by kind, and the curves of both. Compares in the background.
class ComparePane : public QWidget {
    Q_OBJECT
public:
    ComparePane(Session &session, QObject *origin, QWidget *parent = nullptr);
    /// Null: nothing to compare. Does nothing if both are already displayed.
    void compare(ReportPtr source, ReportPtr target);
    /// Chosen runs, oldest first: the curves of all, a column each, differences from the first. `notShown`: number of further chosen runs.
    void compareChosen(std::vector<NamedReport> runs, int notShown);
    bool isSettled() const { return !m_comparing; }
    ReportComparison const *comparison() const { return m_rows ? &m_rows->comparison : nullptr; }
    std::vector<ReportPtr> const &compared() const { return m_shown; } ///< the reports of comparison()
    TablePane &table() { return *m_table; }
    CompareCurves &curves() { return *m_curves; }
    void follow();
Q_SIGNALS:
    void finished();

private:
    struct Rows {
        std::vector<ReportPtr> reports;          ///< two or more; the others are compared with the first
        std::vector<ReportComparison> fromFirst; ///< of each of the others
        ReportComparison comparison;             ///< all differences of any of them
        std::vector<std::vector<int>> places;    ///< of its rows in each of fromFirst
        std::vector<int> parents, difference;    ///< by table row; difference -1: heading of a kind
        std::vector<ComparedKind> kinds;
        std::vector<int> members;
        ReportDifference const *differenceOf(int row) const;                  ///< null: heading of a kind
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
    std::vector<NamedReport> m_chosen; ///< empty: baseline and displayed report
    int m_notShown = 0;
    QLabel *m_title = nullptr, *m_note = nullptr;
    TablePane *m_table = nullptr;
    CompareCurves *m_curves = nullptr;
    bool m_comparing = false;
};

} // namespace tilewright::views
