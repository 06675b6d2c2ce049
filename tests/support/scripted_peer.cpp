#include "tests/support/scripted_peer.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>

namespace lockscope::testing {

ScriptedPeer::ScriptedPeer(QObject* parent) : QObject(parent)
{
    connect(&m_server, &QTcpServer::newConnection, this, &ScriptedPeer::welcome);
    m_server.listen(QHostAddress::LocalHost, 0);
}

void ScriptedPeer::answerIntroduction()
{
    answerWith([](const QByteArray& heard) {
        const auto lineCount = heard.count("SETNAME") + heard.count("NO-TOUCH");
        return QByteArrayLiteral("+OK\r\n").repeated(static_cast<int>(lineCount));
    });
}

void ScriptedPeer::welcome()
{
    while (QTcpSocket* const client = m_server.nextPendingConnection()) {
        ++m_clientCount;
        m_client = client;
        m_heard.clear();
        connect(client, &QTcpSocket::readyRead, this, &ScriptedPeer::listen);
        connect(client, &QTcpSocket::disconnected, this, [this, client] {
            if (m_client == client) {
                m_client = nullptr;
            }
            client->deleteLater();
        });
        say(m_greeting);
    }
}

void ScriptedPeer::listen()
{
    if (m_client == nullptr) {
        return;
    }
    const QByteArray bytes = m_client->readAll();
    m_heard += bytes;
    if (!m_answer) {
        return;
    }
    const QByteArray answer = m_answer(bytes);
    if (m_delay.count() == 0) {
        say(answer);
        return;
    }
    QTimer::singleShot(m_delay, m_client, [client = m_client, answer] {
        client->write(answer);
        client->flush();
    });
}

void ScriptedPeer::say(const QByteArray& bytes)
{
    if (m_client != nullptr && !bytes.isEmpty()) {
        m_client->write(bytes);
        m_client->flush();
    }
}

void ScriptedPeer::sayForever(const QByteArray& bytes)
{
    if (m_client == nullptr) {
        return;
    }
    constexpr qint64 kUnderWay = 1'000'000;
    const QByteArray piece = bytes.repeated(static_cast<int>(100'000 / bytes.size() + 1));
    const auto sayMore = [client = m_client, piece] {
        while (client->isOpen() && client->bytesToWrite() < kUnderWay) {
            client->write(piece);
        }
    };
    connect(m_client, &QTcpSocket::bytesWritten, m_client, sayMore, Qt::QueuedConnection);
    sayMore();
}

void ScriptedPeer::sayAndHangUp(const QByteArray& bytes)
{
    say(bytes);
    hangUp();
}

void ScriptedPeer::hangUp()
{
    if (m_client != nullptr) {
        m_client->disconnectFromHost();
    }
}

} // namespace lockscope::testing
