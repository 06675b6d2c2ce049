#pragma once

#include "core/wire/watch/redis_monitor.h"

#include <QObject>

#include <map>
#include <string>
#include <vector>

namespace lockscope::testing {

/// Watches real servers as the window would, and knows what it would show.
class LiveWatch final : public QObject {
    Q_OBJECT
public:
    explicit LiveWatch(std::vector<store::Endpoint> endpoints, service::WatchOptions options = {});

    wire::RedisMonitor& monitor() { return m_monitor; }

    /// The row of this name; null when there is none.
    inspect::LockPtr row(const Bytes& name) const;
    std::size_t rowCount() const { return m_rows.size(); }
    /// The first owner of the row of this name; "nobody" without a row.
    Bytes ownerOf(const Bytes& name) const;

    /// Everything that changed so far, in short: "appeared order:lock".
    const std::vector<std::string>& story() const { return m_story; }
    bool hasHappened(const std::string& line) const;
    void forgetStory() { m_story.clear(); }
    const std::vector<inspect::LockChange>& changes() const { return m_changes; }

    const service::LinkStatus& status(std::uint16_t server = 0) { return m_status[server]; }
    bool isOnline(std::uint16_t server = 0);
    const std::map<inspect::LockId, inspect::LockPtr>& rows() const { return m_rows; }
    /// How many sweeps were finished.
    int sweepCount(std::uint16_t server = 0) { return m_sweepCounts[server]; }
    const service::SweepProgress& progress() const { return m_progress; }

private:
    void takeDelta(const inspect::LockDelta& delta);

    std::map<inspect::LockId, inspect::LockPtr> m_rows;
    std::vector<std::string> m_story;
    std::vector<inspect::LockChange> m_changes;
    std::map<std::uint16_t, service::LinkStatus> m_status;
    std::map<std::uint16_t, int> m_sweepCounts;
    service::SweepProgress m_progress;
    wire::RedisMonitor m_monitor; // last: it talks to everything above
};

} // namespace lockscope::testing
