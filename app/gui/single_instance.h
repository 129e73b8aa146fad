#pragma once

#include <QObject>
#include <QStringList>

class QLocalServer;

namespace tilewright::app {

/// A second start passes its files to the first window and exits.
class SingleInstance : public QObject {
    Q_OBJECT
public:
    explicit SingleInstance(QObject *parent = nullptr) : QObject(parent) {}
    /// Returns true if another process took the files.
    bool handOver(QStringList const &files);
    void listen();
signals:
    void filesReceived(QStringList const &files);

private:
    QLocalServer *m_server = nullptr;
};

} // namespace tilewright::app
