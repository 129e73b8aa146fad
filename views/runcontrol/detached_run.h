#pragma once

#include <QObject>
#include <QString>

class QTimer;

namespace tilewright::views {

/// A run in a process of its own. Its report begins when the program has compiled, which may take long.
class DetachedRun : public QObject {
    Q_OBJECT
public:
    /// Looks for the report every `intervalMs` for as long as the process lives.
    DetachedRun(qint64 process, QString report, int intervalMs, QObject *parent);
signals:
    void reportFound(QString const &report);
    void endedWithoutReport();

private:
    void look();
    qint64 m_process;
    QString m_report;
    QTimer *m_timer;
};

} // namespace tilewright::views
