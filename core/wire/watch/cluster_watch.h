#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/inspect/watch/lock_watcher.h"
#include "core/kernel/store/metered_store.h"
#include "core/wire/connection/cluster_store.h"
#include "core/wire/watch/endpoint_watch.h"
#include "core/wire/watch/node_feed.h"
#include "core/wire/watch/watch_account.h"

#include <QTimer>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace lockscope::wire {

/// Watches a cluster as one server: one LockWatcher reads through a ClusterStore, on the news of
/// every master. Masters come and go as the topology says; a lock whose key moves stays the same
/// row. What a master has that cannot be asked is not confirmed until somebody answers for its
/// slots. Runs on one thread.
class ClusterWatch final : public EndpointWatch {
    Q_OBJECT
public:
    /// Everything handed over by reference outlives the watch.
    ClusterWatch(std::uint16_t server, const store::Endpoint& endpoint,
                 service::WatchOptions options, async::Executor& executor, Clock& clock,
                 inspect::LockBook& book, Rng rng, QObject* parent = nullptr);
    ~ClusterWatch() override;

    void open() override;
    void resweep(bool isDeep) override;
    void setPatterns(const std::vector<std::string>& patterns) override;
    void setFormats(const inspect::FormatTablePtr& formats) override;

private:
    void takeTopology();
    void meetMasters();
    void addFeed(const store::ClusterNode& master);
    void judge();
    void takeLosses();
    void loseMaster(const store::ClusterNode& master);
    bool isReady() const;
    service::LinkStatus::Live live() const;
    bool hasGaps() const;
    void watch();
    void stopWatching();
    store::Problem lossOf(const std::string& id) const;
    store::Problem problem() const;
    void everythingChanged();
    void takeKeys(NodeFeed& feed, const std::vector<Bytes>& keys);
    ChangeFeed::Interest interest() const;
    async::Task<void> meetServer();
    void measureLoad();

    void interestChanged() override;
    void limitChanged() override;

    service::WatchOptions m_options;
    async::Executor& m_executor;
    Clock& m_clock;
    inspect::LockBook& m_book;
    Rng m_rng;
    ClusterStore m_store;
    store::MeteredStore m_metered; // the same, with an account of what goes through
    WatchAccount m_account;
    store::Budget m_budget;
    std::map<std::string, std::unique_ptr<NodeFeed>> m_feeds; // by the id of the node
    std::set<std::string> m_lost;                             // masters with slots
    store::ClusterTopologyPtr m_topology;                     // as the feeds are
    QTimer m_loadTimer;
    std::uint64_t m_messageCount = 0;
    std::uint64_t m_changeCount = 0;
    std::unique_ptr<inspect::LockWatcher> m_watcher;
    async::BackgroundTask m_meeting;
};

} // namespace lockscope::wire
