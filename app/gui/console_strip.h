#pragma once

#include "views/common/theme.h"

#include <QFrame>

class QTimer;
class QToolButton;

namespace tilewright::views {
class Session;
class SteadyLabel;
} // namespace tilewright::views

namespace tilewright::app {

/// Height of the strip, and of a one-line message over it.
inline constexpr int kStripHeight = views::kRowHeight + 2 * views::kGrid;

/// The closed console in one line: the last message and the numbers of errors and warnings.
class ConsoleStrip : public QFrame {
    Q_OBJECT
public:
    ConsoleStrip(views::Session &session, QWidget *parent);
    void setOpen(bool open);
    QString text() const;
signals:
    /// `front`: id of the requested view, "" for any.
    void toggled(QString const &front);

protected:
    void changeEvent(QEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    void refresh();
    void restyle();
    views::Session &m_session;
    QTimer *m_timer = nullptr;
    QToolButton *m_arrow = nullptr, *m_counts = nullptr;
    views::SteadyLabel *m_last = nullptr;
    bool m_open = false;
    int m_errors = 0, m_warnings = 0;
};

} // namespace tilewright::app
