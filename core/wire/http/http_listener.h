#pragma once

#include "core/kernel/base/time.h"
#include "core/wire/http/http_request.h"

#include <QHostAddress>
#include <QObject>
#include <QTcpServer>
#include <QTimer>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

class QTcpSocket;

namespace lockscope::wire {

struct HttpAnswer {
    int status = 200;
    std::string contentType = "text/plain; charset=utf-8";
    std::string body;
};

/// Answers GET and HEAD, and nothing else. Meant for few clients that ask now and then: each
/// connection is for one request, and closed after the answer. A client that takes longer than the
/// patience, for whatever reason, is disconnected. A client beyond the most connections takes the
/// place of the oldest one that has not sent its request, or of the oldest one if all have: idle
/// and slow clients never delay the others. Runs on one thread, which also calls the handler.
class HttpListener final : public QObject {
    Q_OBJECT
public:
    using Handler = std::function<HttpAnswer(const HttpRequest& request)>;

    static constexpr std::size_t kConnectionsMax = 32;
    static constexpr Duration kPatience = std::chrono::seconds(10);

    explicit HttpListener(Handler handler, Duration patience = kPatience,
                          QObject* parent = nullptr);
    ~HttpListener() override;

    /// Returns the error in the words of the system; empty if it listens. Port 0 means any free
    /// port.
    std::string listen(const QHostAddress& address, std::uint16_t port);

    std::uint16_t port() const { return m_server.serverPort(); }
    std::size_t connectionCount() const { return m_clients.size(); }

private:
    struct Client {
        QTcpSocket* socket = nullptr;
        bool isAnswered = false;
    };

    void acceptAll();
    void makeRoom();
    void serve(QTcpSocket& socket);
    void drop(QTcpSocket& socket);
    void read(QTcpSocket& socket);
    HttpAnswer answerTo(const std::variant<HttpRequest, HttpRefusal>& asked) const;

    Handler m_handler;
    Duration m_patience;
    QTcpServer m_server;
    QTimer m_makeRoom;
    std::vector<Client> m_clients; // the oldest first
};

} // namespace lockscope::wire
