#include "core/wire/http/http_listener.h"

#include <QTcpSocket>
#include <QTimer>

#include <string_view>
#include <utility>

namespace lockscope::wire {

namespace {

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

} // namespace

HttpListener::HttpListener(Handler handler, Duration patience, QObject* parent)
    : QObject(parent),
      m_handler(std::move(handler)),
      m_patience(patience),
      m_server(this)
{
    connect(&m_server, &QTcpServer::newConnection, this, &HttpListener::acceptAll);
    // Too many open files, say: QTcpServer has stopped listening to whoever comes.
    connect(&m_server, &QTcpServer::acceptError, this, [this] {
        QTimer::singleShot(kPauseAfterError, &m_server, &QTcpServer::resumeAccepting);
    });
}

HttpListener::~HttpListener()
{
    for (const auto* const socket : m_server.findChildren<QTcpSocket*>()) {
        disconnect(socket, nullptr, this, nullptr);
    }
}

std::string HttpListener::listen(const QHostAddress& address, std::uint16_t port)
{
    return m_server.listen(address, port) ? std::string() : m_server.errorString().toStdString();
}

void HttpListener::acceptAll()
{
    while (m_connectionCount < kConnectionsMax) {
        QTcpSocket* const socket = m_server.nextPendingConnection();
        if (socket == nullptr) {
            return;
        }
        serve(socket);
    }
    m_server.pauseAccepting(); // the system keeps the others
}

void HttpListener::serve(QTcpSocket* socket)
{
    ++m_connectionCount;
    socket->setReadBufferSize(static_cast<qint64>(kHttpHeadBytesMax) * 2);
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QObject::destroyed, this, [this] {
        --m_connectionCount;
        m_server.resumeAccepting();
        acceptAll();
    });
    const auto patience = std::chrono::ceil<std::chrono::milliseconds>(m_patience);
    QTimer::singleShot(patience, socket, [socket] { socket->abort(); });
}

void HttpListener::read(QTcpSocket& socket)
{
    if (socket.state() != QAbstractSocket::ConnectedState) {
        socket.readAll(); // after the answer: nobody wants to know
        return;
    }
    const QByteArray seen = socket.peek(static_cast<qint64>(kHttpHeadBytesMax) * 2);
    const auto asked = readHttpRequest({seen.data(), static_cast<std::size_t>(seen.size())});
    if (!asked) {
        return;
    }
    socket.readAll();
    const auto* const request = std::get_if<HttpRequest>(&*asked);
    const std::string bytes = bytesOf(answerTo(*asked),
                                      request == nullptr || request->method != "HEAD");
    socket.write(bytes.data(), static_cast<qint64>(bytes.size()));
    socket.disconnectFromHost(); // when it is written
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
