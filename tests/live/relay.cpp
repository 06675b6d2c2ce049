#include "tests/live/relay.h"

#include <utility>

namespace lockscope::testing {

Relay::Relay(const store::Endpoint& server, Watch beforePassingOn)
    : m_serverPath(QString::fromStdString(server.socketPath)),
      m_beforePassingOn(std::move(beforePassingOn))
{
    connect(&m_listener, &QTcpServer::newConnection, this, &Relay::welcome);
    m_listener.listen(QHostAddress::LocalHost);
}

QString Relay::url() const
{
    return QStringLiteral("redis://127.0.0.1:%1").arg(m_listener.serverPort());
}

void Relay::welcome()
{
    while (QTcpSocket* const client = m_listener.nextPendingConnection()) {
        auto* const server = new QLocalSocket(client);
        connect(client, &QTcpSocket::readyRead, server, [this, client, server] {
            const QByteArray sent = client->readAll();
            m_beforePassingOn(sent);
            server->write(sent);
        });
        connect(server, &QLocalSocket::readyRead, client,
                [client, server] { client->write(server->readAll()); });
        connect(server, &QLocalSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        server->connectToServer(m_serverPath);
    }
}

} // namespace lockscope::testing
