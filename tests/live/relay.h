#pragma once

#include "core/kernel/store/endpoint.h"

#include <QByteArray>
#include <QLocalSocket>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>

#include <functional>

namespace lockscope::testing {

/// Stands between a client under test and a real server on a unix socket, and lets the test act at
/// an exact moment: when the client has just sent something, before the server hears it. Needs a
/// running event loop.
class Relay final : public QObject {
    Q_OBJECT
public:
    using Watch = std::function<void(const QByteArray& sent)>;

    /// `beforePassingOn` sees what the client sent, piece by piece.
    Relay(const store::Endpoint& server, Watch beforePassingOn);

    /// "redis://127.0.0.1:PORT", where the client has to connect to.
    QString url() const;

private:
    void welcome();

    QTcpServer m_listener;
    QString m_serverPath;
    Watch m_beforePassingOn;
};

} // namespace lockscope::testing
