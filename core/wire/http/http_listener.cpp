#include "core/wire/http/http_listener.h"

#include <QTcpSocket>

#include <poll.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockscope::wire {

namespace {

/// How many clients may wait in the queue of the system. A client beyond them tries again after a
/// second, which is too late for some scrapers.
constexpr int kWaitingMax = 1024;
constexpr auto kPauseAfterError = std::chrono::milliseconds(200);

std::string_view reasonOf(int status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 431: return "Request Header Fields Too Large";
    case 505: return "HTTP Version Not Supported";
    default: return "Error";
    }
}

HttpAnswer refusal(int status)
{
    return {status, HttpAnswer().contentType, std::string(reasonOf(status)) + '\n'};
}

std::string bytesOf(const HttpAnswer& answer, bool hasBody)
{
    std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) + ' ';
    bytes += reasonOf(answer.status);
    bytes += "\r\nContent-Type: " + answer.contentType;
    bytes += "\r\nContent-Length: " + std::to_string(answer.body.size());
    bytes += answer.status == 405 ? "\r\nAllow: GET, HEAD" : "";
    bytes += "\r\nConnection: close\r\n\r\n";
    bytes += hasBody ? answer.body : std::string();
    return bytes;
}

/// True if bytes have arrived that were not read yet.
bool hasNews(const QTcpSocket& socket)
{
    pollfd file{static_cast<int>(socket.socketDescriptor()), POLLIN, 0};
    return ::poll(&file, 1, 0) == 1;
}

} // namespace

HttpListener::HttpListener(Handler handler, Duration patience, QObject* parent)
    : QObject(parent),
      m_handler(std::move(handler)),
      m_patience(patience),
      m_server(this),
      m_makeRoom(this)
{
    m_server.setListenBacklogSize(kWaitingMax);
    connect(&m_server, &QTcpServer::newConnection, this, &HttpListener::acceptAll);
    // QTcpServer has paused itself, for example because too many files are open.
    connect(&m_server, &QTcpServer::acceptError, this, [this] {
        QTimer::singleShot(kPauseAfterError, &m_server, &QTcpServer::resumeAccepting);
    });
    m_makeRoom.setSingleShot(true);
    connect(&m_makeRoom, &QTimer::timeout, this, &HttpListener::makeRoom);
}

HttpListener::~HttpListener()
{
    for (const Client& client : m_clients) {
        disconnect(client.socket, nullptr, this, nullptr);
    }
}

std::string HttpListener::listen(const QHostAddress& address, std::uint16_t port)
{
    return m_server.listen(address, port) ? std::string() : m_server.errorString().toStdString();
}

void HttpListener::acceptAll()
{
    while (m_clients.size() < kConnectionsMax && m_server.hasPendingConnections()) {
        serve(*m_server.nextPendingConnection());
    }
    if (m_server.hasPendingConnections()) {
        m_makeRoom.start(0);
    }
}

void HttpListener::makeRoom()
{
    const auto isIdle = [](const Client& client) {
        return !client.isAnswered && !hasNews(*client.socket);
    };
    while (m_clients.size() >= kConnectionsMax && m_server.hasPendingConnections()) {
        const auto idle = std::ranges::find_if(m_clients, isIdle);
        if (idle != m_clients.end()) {
            drop(*idle->socket);
        } else if (std::ranges::all_of(m_clients, &Client::isAnswered)) {
            drop(*m_clients.front().socket);
        } else {
            m_makeRoom.start(0); // after the requests that have arrived were read
            return;
        }
    }
}

void HttpListener::serve(QTcpSocket& socket)
{
    m_clients.push_back({&socket});
    socket.setReadBufferSize(static_cast<qint64>(kHttpHeadBytesMax) * 2);
    connect(&socket, &QTcpSocket::readyRead, this, [this, &socket] { read(socket); });
    connect(&socket, &QTcpSocket::disconnected, this, [this, &socket] { drop(socket); });
    const auto patience = std::chrono::ceil<std::chrono::milliseconds>(m_patience);
    QTimer::singleShot(patience, &socket, [this, &socket] { drop(socket); });
    // Its signals may have been sent before they were connected.
    if (socket.state() == QAbstractSocket::ConnectedState) {
        read(socket);
    } else {
        drop(socket);
    }
}

/// The one way out of the list of clients, for each reason; `socket` may have left already.
void HttpListener::drop(QTcpSocket& socket)
{
    if (std::erase_if(m_clients, [&](const Client& client) { return client.socket == &socket; })
        == 0) {
        return;
    }
    disconnect(&socket, nullptr, this, nullptr);
    socket.abort();
    socket.deleteLater();
    acceptAll();
}

void HttpListener::read(QTcpSocket& socket)
{
    const auto client = std::ranges::find(m_clients, &socket, &Client::socket);
    if (client == m_clients.end() || client->isAnswered) {
        socket.readAll(); // what comes after the request is not read
        return;
    }
    const QByteArray seen = socket.peek(static_cast<qint64>(kHttpHeadBytesMax) * 2);
    const auto asked = readHttpRequest({seen.data(), static_cast<std::size_t>(seen.size())});
    if (!asked) {
        return;
    }
    client->isAnswered = true;
    socket.readAll();
    const auto* const request = std::get_if<HttpRequest>(&*asked);
    const std::string bytes = bytesOf(answerTo(*asked),
                                      request == nullptr || request->method != "HEAD");
    socket.write(bytes.data(), static_cast<qint64>(bytes.size()));
    socket.flush(); // only a client that does not read keeps its place
    socket.disconnectFromHost();
}

HttpAnswer HttpListener::answerTo(const std::variant<HttpRequest, HttpRefusal>& asked) const
{
    if (const auto* const refused = std::get_if<HttpRefusal>(&asked)) {
        return refusal(refused->status);
    }
    const auto& request = std::get<HttpRequest>(asked);
    const bool isKnown = request.method == "GET" || request.method == "HEAD";
    return isKnown ? m_handler(request) : refusal(405);
}

} // namespace lockscope::wire
