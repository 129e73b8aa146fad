#pragma once

#include "views/reports/report_snapshot.h"

#include <QWidget>

class QLabel;

namespace tilewright::views {

class Session;
class TablePane;

/// The rows of an insight's query, as a table. Queries in the background.
class EvidencePane : public QWidget {
    Q_OBJECT
public:
    EvidencePane(Session &session, QWidget *parent = nullptr);
    void ask(ReportPtr report, QString const &title, QString const &sql);
    bool isSettled() const { return !m_asking; }
    TablePane &table() { return *m_table; }
Q_SIGNALS:
    void closed();

private:
    void showRows(Result<SqlRows> rows);
    Session &m_session;
    QLabel *m_title = nullptr, *m_note = nullptr;
    TablePane *m_table = nullptr;
    bool m_asking = false;
};

} // namespace tilewright::views
