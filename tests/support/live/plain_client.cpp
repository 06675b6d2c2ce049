#include "tests/support/live/plain_client.h"

#include <QDeadlineTimer>
#include <QLocalSocket>
#include <QTcpSocket>

#include <stdexcept>

namespace lockscope::testing {

namespace {

constexpr int kConnectTimeoutMs = 10'000;

std::unique_ptr<QIODevice> connected(const store::Endpoint& endpoint)
{
    if (endpoint.transport == store::Endpoint::Transport::UnixSocket) {
        auto socket = std::make_unique<QLocalSocket>();
        socket->connectToServer(QString::fromStdString(endpoint.socketPath));
        if (!socket->waitForConnected(kConnectTimeoutMs)) {
            throw std::runtime_error(socket->errorString().toStdString());
        }
        return socket;
    }
    auto socket = std::make_unique<QTcpSocket>();
    socket->connectToHost(QString::fromStdString(endpoint.host), endpoint.port);
    if (!socket->waitForConnected(kConnectTimeoutMs)) {
        throw std::runtime_error(socket->errorString().toStdString());
    }
    return socket;
}

} // namespace

PlainClient::PlainClient(const store::Endpoint& endpoint) : m_device(connected(endpoint))
{
    if (!endpoint.password.empty()) {
        const std::string user = endpoint.user.empty() ? "default" : endpoint.user;
        (*this)("AUTH", user, endpoint.password);
    }
    if (endpoint.database != 0) {
        (*this)("SELECT", endpoint.database);
    }
}

store::Reply PlainClient::ask(const store::Command& command)
{
    send(command);
    std::optional<store::Reply> reply = listen();
    if (!reply) {
        throw std::runtime_error("no answer to " + toText(command));
    }
    return std::move(*reply);
}

void PlainClient::send(const store::Command& command)
{
    std::string bytes;
    wire::appendEncoded(bytes, command);
    write(bytes);
}

void PlainClient::sendAll(const std::vector<store::Command>& commands)
{
    std::string bytes;
    for (const store::Command& command : commands) {
        wire::appendEncoded(bytes, command);
    }
    write(bytes);
}

void PlainClient::write(const std::string& bytes)
{
    m_device->write(bytes.data(), static_cast<qint64>(bytes.size()));
    while (m_device->bytesToWrite() > 0 && m_device->waitForBytesWritten(kConnectTimeoutMs)) {}
}

std::optional<store::Reply> PlainClient::listen(int timeoutMs)
{
    const QDeadlineTimer deadline(timeoutMs);
    while (true) {
        if (std::optional<store::Reply> reply = m_reader.next()) {
            return reply;
        }
        if (m_device->bytesAvailable() == 0
            && !m_device->waitForReadyRead(static_cast<int>(deadline.remainingTime()))) {
            return std::nullopt;
        }
        const QByteArray bytes = m_device->readAll();
        m_reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
}

} // namespace lockscope::testing
