#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/watch/copy_progress.h"
#include "core/wire/connection/connection.h"
#include "core/wire/connection/heartbeat.h"
#include "core/wire/connection/subscriber.h"
#include "core/wire/watch/change_feed.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

namespace lockscope::wire {

/// News of changed keys from one master of a cluster, for as long as it is one. The connection is
/// given up when this ends: a former master goes on tracking keys for nobody. Runs on one thread.
class NodeFeed final : public QObject {
    Q_OBJECT
public:
    /// Everything handed over by reference outlives the feed. `connection` is open.
    NodeFeed(Connection& connection, async::Executor& executor, Clock& clock,
             std::function<ChangeFeed::Interest()> interest, Rng rng, QObject* parent = nullptr);
    ~NodeFeed() override;

    const Connection& connection() const { return m_connection; }
    /// News come, or it is known that there will be none: see feed().live().
    bool isAttached() const { return m_isAttached; }
    /// The node cannot be asked for now; kind None: it can, or the attempt is under way.
    store::Problem loss() const;
    /// What was written until then is on a replica, too; nullopt: nothing is known to be.
    std::optional<Instant> copiedUntil() const { return m_copies.copiedUntil(); }
    ChangeFeed& feed() { return m_feed; }
    const ChangeFeed& feed() const { return m_feed; }
    Connection::Traffic takeSubscriberTraffic() { return m_subscriber.takeTraffic(); }
    /// Once a second.
    void endSecond() { m_feed.endSecond(m_writesPerSecond); }

Q_SIGNALS:
    /// News come from now on; some may have been missed before.
    void attached();
    /// loss() or isAttached() is another one.
    void changed();
    /// The news come in another way, or about other keys.
    void scopeChanged();
    void keysChanged(const std::vector<lockscope::Bytes>& keys);
    void everythingChanged();

private:
    void follow();
    void detach();
    void startAnew();
    async::Task<void> setUp();
    async::Task<void> keepAsking();
    async::Task<void> askAboutNode();

    Connection& m_connection;
    async::Executor& m_executor;
    Clock& m_clock;
    Subscriber m_subscriber;
    ChangeFeed m_feed;
    Heartbeat m_heartbeat;
    async::Gate m_subscriberGate;
    bool m_isSubscriberAwaited = false;
    bool m_isAttached = false;
    double m_writesPerSecond = 0;
    inspect::CopyProgress m_copies;
    async::BackgroundTask m_setUp;
    async::BackgroundTask m_asking;
};

} // namespace lockscope::wire
