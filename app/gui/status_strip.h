#pragma once

#include <QStatusBar>

class QProgressBar;
class QTimer;
class QToolButton;

namespace tilewright::views {
class SteadyLabel;
class Session;
} // namespace tilewright::views

namespace tilewright::app {

/// Device and clock, emulated time, host time and slowdown, memory, progress with Cancel.
class StatusStrip : public QStatusBar {
    Q_OBJECT
public:
    StatusStrip(views::Session &session, QWidget *parent);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void refreshJobs();
    views::Session &m_session;
    views::SteadyLabel *m_device = nullptr, *m_times = nullptr, *m_memory = nullptr, *m_selection = nullptr, *m_phase = nullptr;
    QProgressBar *m_progress = nullptr;
    QToolButton *m_cancel = nullptr;
    int m_job = 0;
};

/// Resident memory of this process in bytes; 0 if unknown.
qint64 residentBytes();

} // namespace tilewright::app
