#pragma once

#include "core/kernel/base/time.h"
#include "core/wire/http/http_request.h"

#include <QHostAddress>
#include <QObject>
#include <QTcpServer>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

class QTcpSocket;

namespace lockscope::wire {

struct HttpAnswer {
    int status = 200;
    std::string contentType = "text/plain; charset=utf-8";
    std::string body;
};

/// Answers GET and HEAD, and nothing else. Meant for few clients that ask now and then: each
/// connection is for one request, and closed after the answer. A client that takes longer than the
/// patience, for whatever reason, is disconnected; those beyond the most connections wait until one
/// is free. Runs on one thread, which also calls the handler.
class HttpListener final : public QObject {
    Q_OBJECT
public:
    using Handler = std::function<HttpAnswer(const HttpRequest& request)>;

    static constexpr int kConnectionsMax = 32;
    static constexpr Duration kPatience = std::chrono::seconds(10);

    explicit HttpListener(Handler handler, Duration patience = kPatience,
                          QObject* parent = nullptr);
    ~HttpListener() override;

    /// Ends with what is wrong, in the words of the system; empty: it listens. Port 0 is a free
    /// one.
    std::string listen(const QHostAddress& address, std::uint16_t port);

    std::uint16_t port() const { return m_server.serverPort(); }
    int connectionCount() const { return m_connectionCount; }

private:
    void acceptAll();
    void serve(QTcpSocket* socket);
    void read(QTcpSocket& socket);
    HttpAnswer answerTo(const std::variant<HttpRequest, HttpRefusal>& asked) const;

    Handler m_handler;
    Duration m_patience;
    QTcpServer m_server;
    int m_connectionCount = 0;
};

} // namespace lockscope::wire
