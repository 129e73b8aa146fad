#include "views/runcontrol/detached_run.h"

#include <QFileInfo>
#include <QTimer>

#include <cerrno>
#include <csignal>
#include <utility>

namespace tilewright::views {

DetachedRun::DetachedRun(qint64 process, QString report, int intervalMs, QObject *parent)
    : QObject(parent), m_process(process), m_report(std::move(report)), m_timer(new QTimer(this))
{
    connect(m_timer, &QTimer::timeout, this, &DetachedRun::look);
    m_timer->start(intervalMs);
}

void DetachedRun::look()
{
    // In this order: a process may write its report and end between two looks.
    bool const lives = ::kill(static_cast<pid_t>(m_process), 0) == 0 || errno == EPERM;
    bool const found = QFileInfo::exists(m_report);
    if (lives && !found) return;
    m_timer->stop();
    if (found) emit reportFound(m_report);
    else emit endedWithoutReport();
}

} // namespace tilewright::views
