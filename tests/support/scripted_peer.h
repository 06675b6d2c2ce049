#pragma once

#include <QByteArray>
#include <QObject>
#include <QTcpServer>

#include <chrono>
#include <cstdint>
#include <functional>

class QTcpSocket;

namespace lockscope::testing {

/// The other end of a TCP connection, in the hands of the test: says what the test says, byte by
/// byte, and remembers what it heard. Talks to one client at a time, the latest. Needs an event
/// loop to run.
class ScriptedPeer final : public QObject {
    Q_OBJECT
public:
    explicit ScriptedPeer(QObject* parent = nullptr);

    std::uint16_t port() const { return m_server.serverPort(); }

    /// Says this to every client as soon as it connects.
    void greetWith(const QByteArray& bytes) { m_greeting = bytes; }
    /// Says this each time it has heard something.
    void answerWith(std::function<QByteArray(const QByteArray& heard)> answer)
    {
        m_answer = std::move(answer);
    }
    /// Each answer takes so long, as over a slow line.
    void answerAfter(std::chrono::milliseconds delay) { m_delay = delay; }
    /// A server that says OK to the introduction of a connection, CLIENT SETNAME and whatever comes
    /// with it.
    void answerIntroduction();

    void say(const QByteArray& bytes);
    /// Says it over and over, as fast as the client takes it, until the client leaves.
    void sayForever(const QByteArray& bytes);
    /// Says it, and hangs up.
    void sayAndHangUp(const QByteArray& bytes);
    void hangUp();

    bool hasClient() const { return m_client != nullptr; }
    int clientCount() const { return m_clientCount; }
    const QByteArray& heard() const { return m_heard; }
    void forgetHeard() { m_heard.clear(); }

private:
    void welcome();
    void listen();

    QTcpServer m_server;
    QTcpSocket* m_client = nullptr;
    QByteArray m_greeting;
    QByteArray m_heard;
    std::function<QByteArray(const QByteArray&)> m_answer;
    std::chrono::milliseconds m_delay{0};
    int m_clientCount = 0;
};

} // namespace lockscope::testing
