#include "tests/support/live/weak_line.h"

#include <QTimer>

namespace lockscope::testing {

WeakLine::WeakLine(const store::Endpoint& server)
    : m_serverPath(QString::fromStdString(server.socketPath))
{
    connect(&m_listener, &QTcpServer::newConnection, this, &WeakLine::welcome);
    m_listener.listen(QHostAddress::LocalHost);
}

WeakLine::~WeakLine()
{
    for (const Wire& wire : m_wires) {
        wire.client->disconnect();
        wire.server->disconnect();
    }
}

store::Endpoint WeakLine::endpoint() const
{
    store::Endpoint endpoint;
    endpoint.port = m_listener.serverPort();
    return endpoint;
}

void WeakLine::forget()
{
    for (Wire& wire : m_wires) {
        wire.isDead = true;
    }
}

void WeakLine::forget(std::size_t index)
{
    m_wires[index].isDead = true;
}

void WeakLine::cut()
{
    forget();
    m_isCut = true;
}

void WeakLine::mend()
{
    m_isCut = false;
}

void WeakLine::welcome()
{
    while (QTcpSocket* const client = m_listener.nextPendingConnection()) {
        auto* const server = new QLocalSocket(this);
        client->setParent(this);
        const std::size_t index = m_wires.size();
        m_wires.push_back({client, server, m_isCut, {}, {}});
        connect(client, &QTcpSocket::readyRead, this, [this, index] {
            Wire& wire = m_wires[index];
            pass(wire, *wire.client, *wire.server, wire.toServer);
        });
        connect(server, &QLocalSocket::readyRead, this, [this, index] {
            Wire& wire = m_wires[index];
            pass(wire, *wire.server, *wire.client, wire.toClient);
        });
        connect(server, &QLocalSocket::disconnected, client, [this, index, client] {
            if (!m_wires[index].isDead) {
                client->disconnectFromHost();
            }
        });
        connect(client, &QTcpSocket::disconnected, server, &QLocalSocket::disconnectFromServer);
        server->connectToServer(m_serverPath);
    }
}

/// Each piece that comes in sends the oldest one on after the delay, so that none overtakes another
/// when the delay changes.
void WeakLine::pass(const Wire& wire, QIODevice& from, QIODevice& to,
                    std::deque<QByteArray>& underWay)
{
    const QByteArray bytes = from.readAll();
    if (wire.isDead) {
        return;
    }
    if (m_delayMs == 0 && underWay.empty()) {
        to.write(bytes);
        return;
    }
    underWay.push_back(bytes);
    QTimer::singleShot(m_delayMs, &to, [&to, &underWay] {
        to.write(underWay.front());
        underWay.pop_front();
    });
}

} // namespace lockscope::testing
