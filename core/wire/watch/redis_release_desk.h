#pragma once

#include "core/operations/holder_killer.h"
#include "core/operations/lock_capture.h"
#include "core/operations/lock_releaser.h"
#include "core/service/release_desk.h"
#include "core/wire/connection/server_connections.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/worker_thread.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::wire {

/// The part of RedisReleaseDesk that runs on the worker thread. It has connections of its own, so
/// that a release never queues behind a sweep.
class DeskWorker final : public QObject {
    Q_OBJECT
public:
    using Purpose = operations::LockInspector::Purpose;

    DeskWorker(std::unique_ptr<operations::AuditLog> log, const report::AuditAuthor& author);
    ~DeskWorker() override;

    void setEndpoints(const std::vector<store::Endpoint>& endpoints);
    void setFormats(const inspect::FormatTablePtr& formats) { m_inspector.setFormats(formats); }
    void inspectLock(quint64 request, const inspect::LockId& id, Purpose purpose);
    void execute(quint64 request, const inspect::ReleasePlan& plan, const std::string& reason);
    void findHolder(quint64 request, const inspect::LockId& id, const Bytes& owner);
    void disconnectHolder(quint64 request, const operations::KillOrder& order);
    void captureCommands(quint64 request, const inspect::LockId& id,
                         const operations::FeedLimits& limits);
    void stopCapture() { m_listener.stop(); }
    void endGuard(inspect::KeyGuard guard) { m_inspector.guards().end(guard); }

Q_SIGNALS:
    void inspected(quint64 request, const lockscope::operations::LockDetails& details);
    void executed(quint64 request, const lockscope::inspect::ReleaseReport& report);
    void followed(quint64 request, const lockscope::inspect::NextHold& nextHold);
    void holderFound(quint64 request, const lockscope::operations::FoundHolder& found);
    void holderDisconnected(quint64 request, const lockscope::inspect::KillReport& report);
    void captured(quint64 request, const lockscope::operations::CaptureResult& result);
    void auditFailed(const QString& reason);

private:
    async::Task<void> runInspect(quint64 request, inspect::LockId id, Purpose purpose);
    async::Task<void> runExecute(quint64 request, inspect::ReleasePlan plan, std::string reason);
    async::Task<void> runFindHolder(quint64 request, inspect::LockId id, Bytes owner);
    async::Task<void> runDisconnect(quint64 request, operations::KillOrder order);
    async::Task<void> runCapture(quint64 request, inspect::LockId id,
                                 operations::FeedLimits limits);
    void tellOfLostLine(const std::string& failure);

    LoopExecutor m_executor;
    LoopClock m_clock;
    std::unique_ptr<operations::AuditLog> m_log;
    ServerConnections m_servers;
    operations::LockInspector m_inspector;
    operations::LockReleaser m_releaser;
    operations::HolderKiller m_killer;
    operations::LockListener m_listener;
    async::TaskScope m_tasks; // last: what runs in it uses everything above
};

/// Reads and releases locks of real servers from a thread of its own.
class RedisReleaseDesk final : public service::ReleaseDesk {
    Q_OBJECT
public:
    /// `author`: who is named in the lines of `log`.
    RedisReleaseDesk(std::unique_ptr<operations::AuditLog> log, const report::AuditAuthor& author,
                     QObject* parent = nullptr);
    ~RedisReleaseDesk() override;

    void setEndpoints(std::vector<store::Endpoint> endpoints) override;
    void setFormats(inspect::FormatTablePtr formats) override;
    RequestId inspectLock(const inspect::LockId& id) override { return post(id, Purpose::Look); }
    RequestId inspectToRelease(const inspect::LockId& id) override
    {
        return post(id, Purpose::Release);
    }
    void endGuard(inspect::KeyGuard guard) override;
    RequestId execute(const inspect::ReleasePlan& plan, const QString& reason) override;
    RequestId findHolder(const inspect::LockId& id, const Bytes& owner) override;
    RequestId disconnectHolder(const operations::KillOrder& order) override;
    RequestId captureCommands(const inspect::LockId& id,
                              const operations::FeedLimits& limits) override;
    void stopCapture() override;

private:
    using Purpose = DeskWorker::Purpose;
    RequestId post(const inspect::LockId& id, Purpose purpose);

    RequestId m_lastRequest = 0;
    WorkerThread<DeskWorker> m_worker;
};

} // namespace lockscope::wire
