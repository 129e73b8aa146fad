#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace tilewright::views {

class Session;

/// The edits of the IPU configuration that are not applied, what applying them ends, and the buttons. Hidden without such edits.
class PendingChanges : public QFrame {
    Q_OBJECT
public:
    PendingChanges(Session &session, QWidget *parent);
    void refresh();

private:
    Session &m_session;
    QLabel *m_text;
    QPushButton *m_apply, *m_discard;
};

} // namespace tilewright::views
