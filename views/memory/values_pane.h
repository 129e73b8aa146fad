#pragma once

#include "views/memory/memory_tables.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace tilewright::views {

class Session;
class TablePane;

/// Values on the chosen tile while a tile-mode run waits at a superstep; otherwise an explanation.
class ValuesPane : public QWidget {
    Q_OBJECT
public:
    explicit ValuesPane(Session &session, QWidget *parent = nullptr);
    void setReport(Report report, std::shared_ptr<TileContents const> contents);
    void setTile(int tile);
    /// Reads again.
    void update();
    /// The same while it is visible, otherwise when it is shown: the run advanced, paused or ended.
    void updateShown();
    TablePane &table() { return *m_table; }
    bool isShowingValues() const { return m_showing; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void explain(QString const &text);
    Session &m_session;
    Report m_report;
    std::shared_ptr<TileContents const> m_contents;
    int m_tile = -1;
    bool m_showing = false, m_due = false;
    QLabel *m_text = nullptr, *m_senders = nullptr;
    QPushButton *m_back = nullptr, *m_superstep = nullptr;
    TablePane *m_table = nullptr;
};

} // namespace tilewright::views
