#include "tests/support/live/lying_server.h"

#include <QHostAddress>
#include <QTcpSocket>

#include <memory>

namespace lockscope::testing {

namespace {

/// So much of an endless answer is on its way at once.
constexpr qint64 kUnderWay = 1'000'000;

} // namespace

LyingServer::LyingServer(QObject* parent) : QObject(parent)
{
    answer("CLIENT", "+OK\r\n");
    answer("SELECT", "+OK\r\n");
    answer("INFO", bulk("redis_version:7.0.15\r\nrole:master\r\n"));
    answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
    answer("DBSIZE", ":100\r\n");
    answer("SCAN", page("0", {}));
    answer("TYPE", "+none\r\n");
    answer("PTTL", ":-2\r\n");
    answer("GETRANGE", "$0\r\n\r\n");
    connect(&m_server, &QTcpServer::newConnection, this, &LyingServer::welcome);
    m_server.listen(QHostAddress::LocalHost, 0);
}

int LyingServer::askedCount(const std::string& name) const
{
    const auto entry = m_askedCounts.find(name);
    return entry != m_askedCounts.end() ? entry->second : 0;
}

QByteArray LyingServer::bulk(const QByteArray& bytes)
{
    return '$' + QByteArray::number(bytes.size()) + "\r\n" + bytes + "\r\n";
}

QByteArray LyingServer::page(const QByteArray& cursor, const QList<QByteArray>& names)
{
    QByteArray bytes = "*2\r\n" + bulk(cursor) + '*' + QByteArray::number(names.size()) + "\r\n";
    for (const QByteArray& name : names) {
        bytes += bulk(name);
    }
    return bytes;
}

void LyingServer::welcome()
{
    while (QTcpSocket* const client = m_server.nextPendingConnection()) {
        const auto reader = std::make_shared<wire::ReplyReader>();
        connect(client, &QTcpSocket::readyRead, this,
                [this, client, reader] { listen(*client, *reader); });
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    }
}

/// A command looks like a reply: an array of strings.
void LyingServer::listen(QTcpSocket& client, wire::ReplyReader& reader)
{
    const QByteArray bytes = client.readAll();
    reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    while (const std::optional<store::Reply> command = reader.next()) {
        const std::string name = *command->array()->front().text();
        ++m_askedCounts[name];
        const auto known = m_answers.find(name);
        say(client, known != m_answers.end() ? known->second(*command->array())
                                             : Lie{"-ERR unknown command\r\n", {}});
    }
}

void LyingServer::say(QTcpSocket& client, const Lie& lie)
{
    client.write(lie.once);
    if (lie.forEver.isEmpty()) {
        return;
    }
    const QByteArray piece = lie.forEver.repeated(static_cast<int>(100'000 / lie.forEver.size()
                                                                   + 1));
    const auto sayMore = [&client, piece] {
        while (client.isOpen() && client.bytesToWrite() < kUnderWay) {
            client.write(piece);
        }
    };
    connect(&client, &QTcpSocket::bytesWritten, &client, sayMore, Qt::QueuedConnection);
    sayMore();
}

} // namespace lockscope::testing
