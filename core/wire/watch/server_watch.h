#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/inspect/watch/lock_watcher.h"
#include "core/kernel/store/metered_store.h"
#include "core/service/lock_monitor.h"
#include "core/wire/connection/connection.h"
#include "core/wire/connection/heartbeat.h"
#include "core/wire/connection/subscriber.h"
#include "core/wire/watch/change_feed.h"
#include "core/wire/watch/endpoint_watch.h"
#include "core/wire/watch/watch_account.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::wire {

/// Watches one server: keeps the two connections, and runs a LockWatcher on the news of a
/// ChangeFeed while connected. While the server does not answer, what is known of its locks is not
/// confirmed. Server configuration is only read, never changed. Runs on one thread.
class ServerWatch final : public EndpointWatch {
    Q_OBJECT
public:
    /// Everything handed over by reference outlives the watch.
    ServerWatch(std::uint16_t server, const store::Endpoint& endpoint,
                service::WatchOptions options, async::Executor& executor, Clock& clock,
                inspect::LockBook& book, Rng rng, QObject* parent = nullptr);
    ~ServerWatch() override;

    void open() override;
    void resweep(bool isDeep) override;
    void setPatterns(const std::vector<std::string>& patterns) override;
    void setFormats(const inspect::FormatTablePtr& formats) override;

private:
    void follow();
    void openSubscriber();
    void stopWatching();
    void startAnew();
    async::Task<void> setUp();
    async::Task<void> waitUntilUsable();
    async::Task<store::Problem> askAboutServer();
    async::Task<void> keepAsking();
    async::Task<void> waitForSubscriber();
    ChangeFeed::Interest interest() const;
    void takeScope();
    void createWatcher();
    void takeInfo(const store::ServerInfo& info, const store::Outcome& commandStatistics);
    void takeWriteCount(std::optional<std::uint64_t> count);
    void everythingChanged();
    void judge();
    void stall(const store::Problem& problem);
    void resume();
    void takeKeys(const std::vector<Bytes>& keys);
    void measureLoad();

    void interestChanged() override;
    void limitChanged() override;

    service::WatchOptions m_options;
    async::Executor& m_executor;
    Clock& m_clock;
    inspect::LockBook& m_book;
    Connection m_connection;
    store::MeteredStore m_store; // the connection, with an account of what goes through
    WatchAccount m_account;
    Subscriber m_subscriber;
    ChangeFeed m_feed;
    Heartbeat m_heartbeat; // of the connection; the subscriber has its own
    QTimer m_loadTimer;
    async::Gate m_subscriberGate;
    bool m_isSubscriberAwaited = false; // a set-up is under way that waits for it
    bool m_wasAccepted = false;         // by the server, the last time that it said anything
    store::Problem m_stateOfServer; // why nothing can be asked about keys, by what it says itself
    /// How often all keys became others at once, which not all kinds of news tell of.
    std::optional<std::uint64_t> m_replacementCount;
    std::optional<std::uint64_t> m_writeCount; // of all clients, since the server started
    Instant m_writesCountedAt{};
    double m_writesPerSecond = 0;
    std::uint64_t m_messageCount = 0; // since the load was measured last
    std::uint64_t m_changeCount = 0;  // of them about keys that look like locks
    std::unique_ptr<inspect::LockWatcher> m_watcher;
    async::BackgroundTask m_setUp;
    async::BackgroundTask m_asking;
};

} // namespace lockscope::wire
