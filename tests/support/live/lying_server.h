#pragma once

#include "core/wire/connection/codec.h"

#include <QByteArray>
#include <QObject>
#include <QTcpServer>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

class QTcpSocket;

namespace lockscope::testing {

/// A server on a loopback port that understands every command and answers some of them with
/// whatever the test likes, without end if need be. Any number of clients. Needs an event loop to
/// run.
class LyingServer final : public QObject {
    Q_OBJECT
public:
    /// What is said, and then over and over again until the client leaves.
    struct Lie {
        QByteArray once;
        QByteArray forEver;
    };
    using Answer = std::function<Lie(const store::Reply::Array& words)>;

    /// Answers like an empty server that has no idea of most commands.
    explicit LyingServer(QObject* parent = nullptr);

    std::uint16_t port() const { return m_server.serverPort(); }

    /// How a command is answered from now on; `name` in capital letters ("SCAN").
    void answer(const std::string& name, Answer answer) { m_answers[name] = std::move(answer); }
    void answer(const std::string& name, const QByteArray& bytes)
    {
        answer(name, [bytes](const auto&) { return Lie{bytes, {}}; });
    }

    int askedCount(const std::string& name) const;

    static QByteArray bulk(const QByteArray& bytes);
    static QByteArray page(const QByteArray& cursor, const QList<QByteArray>& names);

private:
    void welcome();
    void listen(QTcpSocket& client, wire::ReplyReader& reader);
    void say(QTcpSocket& client, const Lie& lie);

    QTcpServer m_server;
    std::map<std::string, Answer> m_answers;
    std::map<std::string, int> m_askedCounts;
};

} // namespace lockscope::testing
