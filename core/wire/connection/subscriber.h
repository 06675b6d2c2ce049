#pragma once

#include "core/kernel/async/task.h"
#include "core/wire/connection/connection.h"
#include "core/wire/connection/heartbeat.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::wire {

/// The second connection to a server, which hears of changed keys. In RESP2 a subscription takes a
/// connection of its own; the tracking of another connection is redirected to it. Reconnects for
/// ever, like every Connection.
class Subscriber final : public QObject {
    Q_OBJECT
public:
    Subscriber(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock, Rng rng,
               QObject* parent = nullptr);

    void open();
    void close();
    bool isOpen() const { return m_connection.state() != Connection::State::Closed; }

    /// What CLIENT TRACKING … REDIRECT wants; 0 while there is no subscription.
    std::int64_t clientId() const { return m_clientId; }
    const store::Problem& problem() const { return m_problem; }
    /// The server was asked and does not want to: there is no point in waiting for ready().
    bool isRefused() const { return m_isRefused; }
    /// What this connection asked since the last call.
    Connection::Traffic takeTraffic() { return m_connection.takeTraffic(); }
    /// Whether the server still answers on this connection.
    const Heartbeat& heartbeat() const { return m_heartbeat; }

    /// Also listens to keyspace events of the database, of the keys that match one of the glob
    /// patterns, and of no others: the channel of a key is "__keyspace@0__:" and the key.
    async::Task<store::Problem> listenToKeyspace(int database, std::vector<std::string> patterns);

Q_SIGNALS:
    /// Subscribed to invalidations, clientId() is known.
    void ready();
    /// The subscription ended or could not be made; ready() may come again.
    void lost();
    void keysChanged(const std::vector<lockscope::Bytes>& keys);
    /// FLUSHALL or FLUSHDB: every key.
    void everythingChanged();

private:
    void follow();
    async::Task<void> subscribe();
    async::Task<store::Problem> trySubscribing();
    void takeMessage(const store::Reply& message);

    async::Executor& m_executor;
    Clock& m_clock;
    Connection m_connection;
    Heartbeat m_heartbeat; // a subscription is silent while nothing changes
    std::int64_t m_clientId = 0;
    std::vector<std::string> m_patterns; // subscribed to
    store::Problem m_problem;
    bool m_isRefused = false;
    async::BackgroundTask m_setUp;
};

} // namespace lockscope::wire
