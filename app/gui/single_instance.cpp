#include "app/gui/single_instance.h"

#include "engine/core/files.h"

#include <QDataStream>
#include <QLocalServer>
#include <QLocalSocket>

namespace tilewright::app {

namespace {

/// The socket of this user's window on this display. It lies in the run folder, which nobody else may write into (runFolder()); empty:
/// there is no such folder, and then every start opens a window of its own.
QString serverName()
{
    auto const folder = runFolder();
    if (!folder.ok() || !requirePrivateFolder(*folder).ok()) return {};
    QString display = qEnvironmentVariable("WAYLAND_DISPLAY", qEnvironmentVariable("DISPLAY"));
    display.replace(QLatin1Char('/'), QLatin1Char('_')).replace(QLatin1Char(':'), QLatin1Char('_'));
    return QString::fromStdString(folder->string()) + QStringLiteral("/workbench-") + display;
}

} // namespace

bool SingleInstance::handOver(QStringList const &files)
{
    QString const name = serverName();
    if (name.isEmpty()) return false;
    QLocalSocket socket;
    socket.connectToServer(name);
    if (!socket.waitForConnected(200)) return false;
    QByteArray block;
    QDataStream out(&block, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << files;
    socket.write(block);
    if (!socket.waitForBytesWritten(500)) return false;
    // The first window answers, so that a dead server's socket does not swallow the files.
    return socket.waitForReadyRead(1500);
}

void SingleInstance::listen()
{
    QString const name = serverName();
    if (name.isEmpty()) return;
    m_server = new QLocalServer(this);
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    if (!m_server->listen(name)) {
        QLocalServer::removeServer(name);
        if (!m_server->listen(name)) return;
    }
    connect(m_server, &QLocalServer::newConnection, this, [this] {
        auto *socket = m_server->nextPendingConnection();
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            QDataStream in(socket);
            in.setVersion(QDataStream::Qt_6_4);
            in.startTransaction();
            QStringList files;
            in >> files;
            if (!in.commitTransaction()) return;
            socket->write("1");
            socket->flush();
            emit filesReceived(files);
        });
    });
}

} // namespace tilewright::app
