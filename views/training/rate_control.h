#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace tilewright::views {

class Session;

/// The learning rate of the training that runs or stands: shows it, and sets it for the steps that follow.
class RateControl : public QWidget {
    Q_OBJECT
public:
    explicit RateControl(Session &session, QWidget *parent = nullptr);
    void refresh();

private:
    void apply();
    Session &m_session;
    QLineEdit *m_rate = nullptr;
    QToolButton *m_set = nullptr;
    QLabel *m_note = nullptr; ///< what is wanted, or why it was refused
    QString m_refusal;
};

} // namespace tilewright::views
