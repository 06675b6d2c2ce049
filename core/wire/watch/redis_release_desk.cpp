#include "core/wire/watch/redis_release_desk.h"

#include "core/kernel/inspect/force_release.h"
#include "core/service/value_types.h"
#include "core/wire/entropy.h"

#include <utility>

namespace lockscope::wire {

namespace {

/// How long others have to take the lock after a release before we say that it is still free.
constexpr Duration kFollowPatience = std::chrono::seconds(4);

} // namespace

DeskWorker::DeskWorker(std::unique_ptr<operations::AuditLog> log, const report::AuditAuthor& author)
    : m_executor(this),
      m_clock(this),
      m_log(std::move(log)),
      m_servers(m_executor, m_clock, Rng(freshSeed())),
      m_inspector(m_servers, m_clock),
      m_releaser(m_servers, m_inspector, m_clock, *m_log, author, freshSeed()),
      m_killer(m_servers, m_inspector, m_clock, *m_log, author, freshSeed()),
      m_listener(m_servers, m_inspector),
      m_tasks(m_executor)
{}

DeskWorker::~DeskWorker() = default;

void DeskWorker::setEndpoints(const std::vector<store::Endpoint>& endpoints)
{
    if (m_servers.adoptReadOnly(endpoints)) {
        return;
    }
    m_tasks.cancelAll();
    m_inspector.dropConnections();
    m_servers.setEndpoints(endpoints);
}

void DeskWorker::inspectLock(quint64 request, const inspect::LockId& id, Purpose purpose)
{
    m_tasks.start(runInspect(request, id, purpose));
}

void DeskWorker::execute(quint64 request, const inspect::ReleasePlan& plan,
                         const std::string& reason)
{
    m_tasks.start(runExecute(request, plan, reason));
}

async::Task<void> DeskWorker::runInspect(quint64 request, inspect::LockId id, Purpose purpose)
{
    const auto details = co_await m_inspector.explain(std::move(id), purpose);
    Q_EMIT inspected(request, details);
}

async::Task<void> DeskWorker::runExecute(quint64 request, inspect::ReleasePlan plan,
                                         std::string reason)
{
    operations::ReleaseOrder order;
    order.plans = {plan};
    order.reason = std::move(reason);
    operations::ServerReports reports;
    const auto summary = co_await m_releaser.release(std::move(order), reports);
    tellOfLostLine(m_releaser.takeFailure());
    Q_EMIT executed(request, summary);
    const Duration patience = inspect::followPatience(plan, kFollowPatience);
    const auto nextHold = co_await m_releaser.follow(std::move(plan), std::move(reports), patience);
    if (nextHold) {
        Q_EMIT followed(request, *nextHold);
    }
}

void DeskWorker::findHolder(quint64 request, const inspect::LockId& id, const Bytes& owner)
{
    m_tasks.start(runFindHolder(request, id, owner));
}

async::Task<void> DeskWorker::runFindHolder(quint64 request, inspect::LockId id, Bytes owner)
{
    const auto found = co_await m_killer.find(std::move(id), std::move(owner));
    Q_EMIT holderFound(request, found);
}

void DeskWorker::disconnectHolder(quint64 request, const operations::KillOrder& order)
{
    m_tasks.start(runDisconnect(request, order));
}

async::Task<void> DeskWorker::runDisconnect(quint64 request, operations::KillOrder order)
{
    inspect::KillReport report;
    co_await m_killer.kill(std::move(order), report);
    tellOfLostLine(m_killer.takeFailure());
    Q_EMIT holderDisconnected(request, report);
}

void DeskWorker::captureCommands(quint64 request, const inspect::LockId& id,
                                 const operations::FeedLimits& limits)
{
    m_tasks.start(runCapture(request, id, limits));
}

async::Task<void> DeskWorker::runCapture(quint64 request, inspect::LockId id,
                                         operations::FeedLimits limits)
{
    const operations::CaptureResult result = co_await m_listener.listen(std::move(id), limits);
    Q_EMIT captured(request, result);
}

void DeskWorker::tellOfLostLine(const std::string& failure)
{
    if (!failure.empty()) {
        Q_EMIT auditFailed(QString::fromStdString(failure));
    }
}

RedisReleaseDesk::RedisReleaseDesk(std::unique_ptr<operations::AuditLog> log,
                                   const report::AuditAuthor& author, QObject* parent)
    : ReleaseDesk(parent),
      m_worker(QStringLiteral("release desk"), std::move(log), author)
{
    service::registerValueTypes();
    const DeskWorker* const worker = m_worker.object();
    connect(worker, &DeskWorker::inspected, this, &RedisReleaseDesk::inspected);
    connect(worker, &DeskWorker::executed, this, &RedisReleaseDesk::executed);
    connect(worker, &DeskWorker::followed, this, &RedisReleaseDesk::followed);
    connect(worker, &DeskWorker::holderFound, this, &RedisReleaseDesk::holderFound);
    connect(worker, &DeskWorker::holderDisconnected, this, &RedisReleaseDesk::holderDisconnected);
    connect(worker, &DeskWorker::captured, this, &RedisReleaseDesk::captured);
    connect(worker, &DeskWorker::auditFailed, this, &RedisReleaseDesk::auditFailed);
}

RedisReleaseDesk::~RedisReleaseDesk() = default;

void RedisReleaseDesk::setEndpoints(std::vector<store::Endpoint> endpoints)
{
    m_worker.post([endpoints = std::move(endpoints)](DeskWorker& worker) {
        worker.setEndpoints(endpoints);
    });
}

void RedisReleaseDesk::setFormats(inspect::FormatTablePtr formats)
{
    m_worker.post([formats = std::move(formats)](DeskWorker& worker) {
        worker.setFormats(formats);
    });
}

service::ReleaseDesk::RequestId RedisReleaseDesk::post(const inspect::LockId& id, Purpose purpose)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([=](DeskWorker& worker) { worker.inspectLock(request, id, purpose); });
    return request;
}

void RedisReleaseDesk::endGuard(inspect::KeyGuard guard)
{
    m_worker.post([guard](DeskWorker& worker) { worker.endGuard(guard); });
}

service::ReleaseDesk::RequestId RedisReleaseDesk::execute(const inspect::ReleasePlan& plan,
                                                          const QString& reason)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([request, plan, reason = reason.toStdString()](DeskWorker& worker) {
        worker.execute(request, plan, reason);
    });
    return request;
}

service::ReleaseDesk::RequestId RedisReleaseDesk::findHolder(const inspect::LockId& id,
                                                             const Bytes& owner)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([=](DeskWorker& worker) { worker.findHolder(request, id, owner); });
    return request;
}

service::ReleaseDesk::RequestId RedisReleaseDesk::disconnectHolder(
    const operations::KillOrder& order)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([=](DeskWorker& worker) { worker.disconnectHolder(request, order); });
    return request;
}

service::ReleaseDesk::RequestId RedisReleaseDesk::captureCommands(
    const inspect::LockId& id, const operations::FeedLimits& limits)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([=](DeskWorker& worker) { worker.captureCommands(request, id, limits); });
    return request;
}

void RedisReleaseDesk::stopCapture()
{
    m_worker.post([](DeskWorker& worker) { worker.stopCapture(); });
}

} // namespace lockscope::wire
