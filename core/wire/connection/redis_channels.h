#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/store/channels.h"
#include "core/wire/connection/connection.h"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace lockscope::wire {

/// The pub/sub side of one server: one connection, opened with the first subscription, on which any
/// number of contenders of one thread listen. Channels are subscribed to again after a
/// reconnection.
class RedisChannels final : public QObject, public store::Channels {
    Q_OBJECT
public:
    RedisChannels(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock, Rng rng,
                  QObject* parent = nullptr);

    store::Subscription subscribe(Bytes channel, async::Gate& bell) override;

private:
    struct Channel {
        std::vector<std::shared_ptr<store::Mailbox>> mailboxes;
        bool isListening = false; // confirmed by the server
        bool isAsked = false;     // SUBSCRIBE is under way
    };

    void follow();
    void ask(const Bytes& name);
    async::Task<void> askServer(Bytes name);
    async::Task<void> leave(Bytes name);
    async::Task<void> keepAlive();
    void takeMessage(const store::Reply& message);
    /// Drops those whose subscription ended.
    static void prune(Channel& channel);

    Clock& m_clock;
    Connection m_connection;
    std::map<Bytes, Channel> m_channels;
    async::TaskScope m_tasks;
    async::BackgroundTask m_keepAlive;
};

} // namespace lockscope::wire
