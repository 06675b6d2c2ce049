#include "tests/support/live/live_watch.h"

#include <algorithm>
#include <utility>

namespace lockscope::testing {

using service::LinkStatus;

LiveWatch::LiveWatch(std::vector<store::Endpoint> endpoints, service::WatchOptions options)
{
    connect(&m_monitor, &wire::RedisMonitor::locksChanged, this, &LiveWatch::takeDelta);
    connect(&m_monitor, &wire::RedisMonitor::linkChanged, this,
            [this](const LinkStatus& status) { m_status[status.server] = status; });
    connect(&m_monitor, &wire::RedisMonitor::sweepProgressed, this,
            [this](const service::SweepProgress& progress) {
                m_progress = progress;
                m_sweepCounts[progress.server] += progress.isDone ? 1 : 0;
            });
    m_monitor.open(std::move(endpoints), std::move(options));
}

void LiveWatch::takeDelta(const inspect::LockDelta& delta)
{
    for (const inspect::LockChange& change : delta.changes) {
        m_changes.push_back(change);
        m_story.push_back(std::string(idOf(change.kind)) + ' ' + change.lock->id.name);
        if (isEnding(change.kind)) {
            m_rows.erase(change.lock->id);
        } else {
            m_rows[change.lock->id] = change.lock;
        }
    }
}

inspect::LockPtr LiveWatch::row(const Bytes& name) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&name](const auto& entry) {
        return entry.first.name == name;
    });
    return found != m_rows.end() ? found->second : nullptr;
}

Bytes LiveWatch::ownerOf(const Bytes& name) const
{
    const inspect::LockPtr lock = row(name);
    return lock && !lock->holders.empty() ? lock->holders.front().owner : Bytes("nobody");
}

bool LiveWatch::hasHappened(const std::string& line) const
{
    return std::find(m_story.begin(), m_story.end(), line) != m_story.end();
}

bool LiveWatch::isOnline(std::uint16_t server)
{
    return m_status[server].state == LinkStatus::State::Online;
}

} // namespace lockscope::testing
