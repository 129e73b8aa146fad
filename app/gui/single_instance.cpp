#include "app/gui/single_instance.h"

#include <QDataStream>
#include <QLocalServer>
#include <QLocalSocket>

#include <unistd.h>

namespace tilewright::app {

namespace {

/// One per user and display.
QString serverName()
{
    QString display = qEnvironmentVariable("WAYLAND_DISPLAY", qEnvironmentVariable("DISPLAY"));
    display.replace(QLatin1Char('/'), QLatin1Char('_')).replace(QLatin1Char(':'), QLatin1Char('_'));
    QString const folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
    QString const name = QStringLiteral("tilewright-workbench-%1%2").arg(getuid()).arg(display);
    return folder.isEmpty() ? name : folder + QLatin1Char('/') + name;
}

} // namespace

bool SingleInstance::handOver(QStringList const &files)
{
    QLocalSocket socket;
    socket.connectToServer(serverName());
    if (!socket.waitForConnected(200)) return false;
    QByteArray block;
    QDataStream out(&block, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << files;
    socket.write(block);
    if (!socket.waitForBytesWritten(500)) return false;
    // The other one answers, so that a dead server's socket does not swallow the files.
    return socket.waitForReadyRead(1500);
}

void SingleInstance::listen()
{
    m_server = new QLocalServer(this);
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    if (!m_server->listen(serverName())) {
        QLocalServer::removeServer(serverName());
        if (!m_server->listen(serverName())) return;
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
