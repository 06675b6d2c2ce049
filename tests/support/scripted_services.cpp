#include "tests/support/scripted_services.h"

#include <algorithm>
#include <memory>

namespace lockscope::test {

void ScriptedLockMonitor::open(std::vector<store::Endpoint> endpoints,
                               service::WatchOptions options)
{
    m_options = options;
    m_openings.push_back(endpoints);
    Q_EMIT opened(endpoints);
}

void ScriptedLockMonitor::close()
{
    ++m_closeCount;
}

void ScriptedLockMonitor::goOnline(const std::vector<store::Endpoint>& endpoints)
{
    open(endpoints, {});
    for (std::uint16_t server = 0; server < endpoints.size(); ++server) {
        service::LinkStatus status;
        status.server = server;
        status.state = service::LinkStatus::State::Online;
        status.live = service::LinkStatus::Live::Push;
        status.info.version = "7.0.15";
        status.info.role = store::ServerInfo::Role::Master;
        Q_EMIT linkChanged(status);
    }
}

void ScriptedLockMonitor::finishSweep(std::uint64_t keyCount, bool isDeep)
{
    const std::size_t servers = m_openings.empty() ? 0 : m_openings.back().size();
    for (std::uint16_t server = 0; server < servers; ++server) {
        Q_EMIT sweepProgressed({server, keyCount, keyCount, true, isDeep});
    }
}

void ScriptedLockMonitor::change(inspect::ChangeKind kind, const inspect::LockRecord& record)
{
    inspect::LockDelta delta;
    delta.changes.push_back({kind, makeShared<inspect::LockRecord>(record), m_now});
    Q_EMIT locksChanged(delta);
}

service::ReleaseDesk::RequestId ScriptedReleaseDesk::inspectLock(const inspect::LockId& id)
{
    m_inspections.emplace_back(++m_lastRequest, id);
    return m_lastRequest;
}

service::ReleaseDesk::RequestId ScriptedReleaseDesk::execute(const inspect::ReleasePlan& plan,
                                                             const QString& reason)
{
    m_executions.push_back({++m_lastRequest, plan, reason});
    return m_lastRequest;
}

quint64 ScriptedLockKeeper::acquire(const service::KeepOrder& order)
{
    m_orders.push_back(order);
    service::KeptLock lock;
    lock.id = m_orders.size();
    lock.protocolId = order.protocol->info().id;
    lock.key = order.request.key;
    tell(lock);
    return lock.id;
}

void ScriptedLockKeeper::tell(service::KeptLock lock)
{
    lock.since = m_now;
    const auto isThis = [&lock](const service::KeptLock& known) { return known.id == lock.id; };
    const auto found = std::find_if(m_held.begin(), m_held.end(), isThis);
    if (found == m_held.end() && !lock.isOver()) {
        m_held.push_back(lock);
    } else if (found != m_held.end() && lock.isOver()) {
        m_held.erase(found);
    } else if (found != m_held.end()) {
        *found = lock;
    }
    Q_EMIT changed(lock);
}

} // namespace lockscope::test
