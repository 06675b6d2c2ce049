#pragma once

#include "core/kernel/store/endpoint.h"

#include <QByteArray>
#include <QLocalSocket>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>

#include <deque>

namespace lockscope::testing {

/// A line to a real server on a unix socket that can be bad in ways that neither end notices.
/// Needs a running event loop.
class WeakLine final : public QObject {
    Q_OBJECT
public:
    explicit WeakLine(const store::Endpoint& server);
    ~WeakLine() override;

    store::Endpoint endpoint() const;

    /// The connections that there are carry nothing any more, in either direction, and are not
    /// closed (half-open). `index`: only the one that was opened as the index-th. New ones work.
    void forget();
    void forget(std::size_t index);
    /// Neither do new ones, until it is mended. What was forgotten stays so.
    void cut();
    void mend();
    /// Each piece takes so much longer in each direction.
    void delay(int milliseconds) { m_delayMs = milliseconds; }

    std::size_t connectionCount() const { return m_wires.size(); } // opened so far

private:
    struct Wire {
        QTcpSocket* client = nullptr;
        QLocalSocket* server = nullptr;
        bool isDead = false;
        std::deque<QByteArray> toClient; // under way, oldest first
        std::deque<QByteArray> toServer;
    };

    void welcome();
    void pass(const Wire& wire, QIODevice& from, QIODevice& to, std::deque<QByteArray>& underWay);

    QTcpServer m_listener;
    QString m_serverPath;
    std::deque<Wire> m_wires; // stay where they are
    bool m_isCut = false;
    int m_delayMs = 0;
};

} // namespace lockscope::testing
