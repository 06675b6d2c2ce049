#pragma once

#include "async/task.h"
#include "audit_log.h"
#include "connection.h"
#include "inspect/examination.h"
#include "loop_clock.h"
#include "loop_executor.h"
#include "release_audit.h"
#include "release_desk.h"
#include "worker_thread.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::wire {

/// The part of RedisReleaseDesk that lives on the worker thread. It has connections of its own, so
/// that a release never queues behind a sweep. They are opened when they are first needed: a wrong
/// password would otherwise be tried once more than the monitor does, for nothing.
class DeskWorker final : public QObject {
    Q_OBJECT
public:
    DeskWorker(std::unique_ptr<service::AuditLog> log, const report::AuditAuthor& author);
    ~DeskWorker() override;

    void setEndpoints(const std::vector<store::Endpoint>& endpoints);
    void examine(quint64 request, const inspect::LockId& id);
    void examineToRelease(quint64 request, const inspect::LockId& id);
    void execute(quint64 request, const inspect::ReleasePlan& plan, const std::string& reason);

Q_SIGNALS:
    void examined(quint64 request, const lockscope::service::LockDossier& dossier);
    void executed(quint64 request, const lockscope::inspect::ReleaseReport& report);
    void followed(quint64 request, const lockscope::inspect::Aftermath& aftermath);
    void auditFailed(const QString& reason);

private:
    using Examinations = std::vector<inspect::Examination>;
    using Examined = std::variant<inspect::Examination, store::Problem>;

    /// A connection that notices writes to the keys of one lock, for one plan. Shared with whoever
    /// waits for its answer: a later examination may need its place.
    struct Guard {
        quint64 link;
        std::shared_ptr<Connection> connection;
    };

    std::unique_ptr<Connection> connectionTo(const store::Endpoint& endpoint);
    async::Task<void> runExamine(quint64 request, inspect::LockId id, bool isToRelease);
    async::Task<Examined> examineOn(std::uint16_t server, Bytes name, bool isToRelease);
    async::Task<Examined> examineGuarded(std::uint16_t server, Bytes name);
    std::shared_ptr<Connection> guardOf(const inspect::ReleasePlan& plan);
    async::Task<void> runExecute(quint64 request, inspect::ReleasePlan plan, std::string reason);
    /// Opens the connection if nobody has. Returns as well when it could not be made.
    static async::Task<void> waitUntilOnline(Connection& connection);
    std::vector<std::uint16_t> serversOf(const inspect::LockId& id) const;
    async::Task<inspect::ReleaseReport> attempt(std::uint16_t server,
                                                const inspect::ReleasePlan& plan,
                                                const std::string& reason);
    void noteInterruption(const report::AuditAttempt& attempt);
    void tellIfAuditFailed();

    LoopExecutor m_executor;
    LoopClock m_clock;
    std::unique_ptr<service::AuditLog> m_log;
    service::ReleaseAudit m_audit;
    std::vector<std::unique_ptr<Connection>> m_servers;
    std::deque<Guard> m_guards; // the newest last
    quint64 m_lastGuard = 0;
    async::TaskScope m_tasks;
};

/// Reads and releases locks of real servers from a thread of its own.
class RedisReleaseDesk final : public service::ReleaseDesk {
    Q_OBJECT
public:
    /// `author`: who is named in the lines of `log`.
    RedisReleaseDesk(std::unique_ptr<service::AuditLog> log, const report::AuditAuthor& author,
                     QObject* parent = nullptr);
    ~RedisReleaseDesk() override;

    /// The servers that LockId::server counts. Requests that are under way are dropped; a release
    /// that was sent already is audited as unknown.
    void setEndpoints(std::vector<store::Endpoint> endpoints);

    RequestId examine(const inspect::LockId& id) override;
    RequestId examineToRelease(const inspect::LockId& id) override;
    RequestId execute(const inspect::ReleasePlan& plan, const QString& reason) override;

private:
    RequestId m_lastRequest = 0;
    WorkerThread<DeskWorker> m_worker;
};

/// What the examinations of one lock on its servers come to: for a Redlock row the folded record,
/// and a plan that runs on every server which has the leading token. `examinations` is not empty.
service::LockDossier dossierOf(std::vector<inspect::Examination> examinations,
                               std::size_t serverCount);

} // namespace lockscope::wire
