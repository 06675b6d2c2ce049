#pragma once

#include "core/service/lock_monitor.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::widgets {

/// What the monitor last said about each of the servers that are watched together. A value: the
/// status strip, the empty states and the server badge are functions of it.
class WatchState {
public:
    /// Starts anew with these servers; none means that nothing is watched.
    void open(std::vector<store::Endpoint> endpoints);
    void close() { open({}); }

    void update(const service::LinkStatus& status);
    void update(const service::SweepProgress& progress);
    void update(const service::ServerLoad& load);

    bool isOpen() const { return !m_endpoints.empty(); }
    const std::vector<store::Endpoint>& endpoints() const { return m_endpoints; }
    std::size_t serverCount() const { return m_endpoints.size(); }
    std::vector<std::string> serverNames() const;

    /// The link that needs attention most: waiting, then stalled, then connecting, then the least
    /// live one.
    const service::LinkStatus& worstLink() const;
    const std::vector<service::LinkStatus>& links() const { return m_links; }
    std::size_t onlineCount() const;
    bool wasOnline() const { return m_wasOnline; } // since open(), at least one of them

    struct Sweep {
        std::uint64_t scanned = 0;
        std::uint64_t total = 0;
        bool isRunning = false;  // some server is being swept now
        bool isComplete = false; // every server was swept to its end at least once since it was
                                 // opened
        bool isDeep = false;
        std::uint64_t unreadCount = 0;   // keys that may be locks and could not be read
        std::uint64_t nearMissCount = 0; // keys that looked like locks and are none

        /// In [0, 1]; below 1 while running, whatever the counts say.
        double share() const;
    };
    Sweep sweep() const; // over all servers

    /// What the last sweeps that were done came upon beside locks, per server; null where none was.
    using Findings = std::shared_ptr<const inspect::SweepFindings>;
    std::vector<Findings> findings() const;

    struct Load {
        double commandsPerSecond = 0;
        double messagesPerSecond = 0;
        double changesPerSecond = 0;
        double coreShare = 0; // of the server that has to do most
        Duration slowestCall{0};
        double bytesPerSecond = 0;
        store::Budget budget = {}; // of the server that may be asked least
    };
    Load load() const; // over all servers

    /// What reading every key does to one of the servers; empty: nothing.
    std::string effectOfDeepSweep() const;

    /// The environment of the first server that names one.
    std::string environment() const;
    bool isReadOnly() const; // all of them
    /// The same servers with other restrictions; what is known of them stays.
    void setEndpoints(std::vector<store::Endpoint> endpoints);

private:
    std::vector<store::Endpoint> m_endpoints;
    std::vector<service::LinkStatus> m_links;
    std::vector<service::SweepProgress> m_sweeps;
    std::vector<bool> m_wasSwept;
    std::vector<service::ServerLoad> m_loads;
    bool m_wasOnline = false;
};

} // namespace lockscope::widgets
