#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/protocol/hold.h"
#include "core/kernel/trace/event_log.h"
#include "core/service/lock_keeper.h"
#include "core/wire/connection/redis_channels.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/cluster_client.h"
#include "core/wire/watch/hold_watch.h"
#include "core/wire/watch/lock_client.h"
#include "core/wire/worker_thread.h"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace lockscope::wire {

/// The part of RedisLockKeeper that runs on the worker thread. Every lock has connections and an
/// identity of its own.
class KeeperWorker final : public QObject {
    Q_OBJECT
public:
    explicit KeeperWorker(std::uint64_t seed);
    ~KeeperWorker() override;

    void acquire(quint64 id, const service::KeepOrder& order);
    void release(quint64 id);

Q_SIGNALS:
    void changed(const lockscope::service::KeptLock& lock);

private:
    struct Desk {
        service::KeepOrder order;
        service::KeptLock lock;
        std::vector<std::unique_ptr<RedisChannels>> channels;
        std::unique_ptr<LockClient> client; // one of the two
        std::unique_ptr<ClusterClient> cluster;
        std::unique_ptr<protocol::ClientMemory> memory;
        std::unique_ptr<protocol::Contender> contender;
        std::optional<trace::LossReason> doubt; // what a watch has seen, not yet looked into
        std::vector<std::unique_ptr<HoldWatch>> watches; // while it is held
        std::vector<bool> isServerWatched;               // by the watch of the same place
        std::string watchedNode; // of a cluster: the address of the one that has the key
        async::BackgroundTask task;
    };

    std::vector<store::Node> connectDesk(Desk& desk);
    async::Task<void> serve(Desk& desk);
    async::Task<void> waitForConnections(Desk& desk);
    static async::Task<void> ringWhenSettled(Desk& desk);
    async::Task<void> keep(Desk& desk, protocol::Grant grant);
    void watchHold(Desk& desk);
    void watchOn(Desk& desk, const store::Endpoint& server);
    void watchOnOwner(Desk& desk);
    void endWatches(Desk& desk);
    void tellWhetherItIsWatched(Desk& desk);
    async::Task<void> waitForRelease(Desk& desk, protocol::Hold& hold);
    async::Task<void> settleUncertain(Desk& desk, protocol::Uncertain uncertain);
    void tell(Desk& desk, service::KeptLock::State state);
    void tellRelease(Desk& desk, const protocol::ReleaseOutcome& outcome);

    LoopExecutor m_executor;
    LoopClock m_clock;
    Rng m_rng;
    trace::NoEvents m_log; // locks that are taken by hand have no record
    std::map<quint64, std::unique_ptr<Desk>> m_desks;
};

/// Takes locks of real servers by hand, from a thread of its own.
class RedisLockKeeper final : public service::LockKeeper {
    Q_OBJECT
public:
    explicit RedisLockKeeper(QObject* parent = nullptr);
    ~RedisLockKeeper() override;

    quint64 acquire(const service::KeepOrder& order) override;
    void release(quint64 id) override;
    void releaseAll() override;
    std::vector<service::KeptLock> held() const override;
    Instant now() const override { return LoopClock::present(); }

private:
    void takeKeptLock(const service::KeptLock& lock);
    void tellIfAllReleased();

    quint64 m_lastId = 0;
    std::map<quint64, service::KeptLock> m_locks; // those that are not over
    bool m_isReleasingAll = false;
    WorkerThread<KeeperWorker> m_worker;
};

} // namespace lockscope::wire
