#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/operations/metrics/exposition.h"
#include "core/operations/metrics/named_locks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockscope::metrics {

/// What every sample about a server says of it.
struct ServerLabels {
    std::string server; // "10.0.0.5:6379"
    int database = 0;
    std::string environment; // "production"; empty: not known, and not said
};

/// What watching has cost the server since this was last said, and costs it now.
struct CostReport {
    std::uint64_t commandCount = 0; // that were sent to it
    std::uint64_t messageCount = 0; // changed keys that it told of
    double coreShare = 0;           // of one core of the server, about
    Duration slowestCall{0};        // upper bound: measured at our end
    std::uint64_t byteCount = 0;    // that were sent to it and received from it
};

/// What is known of the locks of one server, for metrics. Takes what a watch of the server says.
/// What is not known has no sample: while the server is not reachable, and until it was looked at
/// completely once, there are no numbers of locks. Pure bookkeeping, on one thread.
class ServerMetrics {
public:
    using Wanted = std::function<bool(const inspect::LockRecord& record, Instant now)>;

    /// `server` is the number of this server among all, in the ids of `named`, which outlives this.
    /// `isWanted` tells which locks count.
    ServerMetrics(std::uint16_t server, ServerLabels labels, Wanted isWanted, NamedLocks& named);

    /// The server answers: what it says of its locks holds.
    void setUp(bool isUp);
    /// The connection is gone. What was seen before is not complete any more.
    void setLost();
    /// Nothing is known of the locks any more, not even that they may be outdated.
    void forgetLocks();
    /// Every key was looked at, apart from so many that could not be read.
    void takeSweep(Instant doneAt, std::uint64_t unreadCount);
    void takeDelta(const inspect::LockDelta& delta, Instant now);
    void takeCost(const CostReport& cost);

    /// Adds the samples of this server to the families, which familiesOf() has made.
    void addTo(std::vector<MetricFamily>& families, Instant now) const;

private:
    struct Tally;
    using ChangeCounts =
        std::array<std::uint64_t, static_cast<std::size_t>(inspect::ChangeKind::Unwatched)>;

    Labels labels() const;
    Tally tally(Instant now) const;
    void count(const inspect::LockChange& change, Instant now);
    void addLocks(std::vector<MetricFamily>& families, const Tally& tally) const;
    void addNamed(std::vector<MetricFamily>& families, Instant now) const;
    void addFacts(std::vector<MetricFamily>& families, Instant now) const;
    bool isKnown() const { return m_isUp && m_isSwept; }
    inspect::LockId idAmongAll(const inspect::LockRecord& record) const;

    std::uint16_t m_server;
    ServerLabels m_labels;
    Wanted m_isWanted;
    NamedLocks& m_named;
    std::unordered_map<inspect::LockId, inspect::LockPtr, inspect::LockIdHash> m_locks;
    std::set<std::string, std::less<>> m_formats; // that were ever seen: their series go on
    ChangeCounts m_changes{};
    std::uint64_t m_commandCount = 0;
    std::uint64_t m_messageCount = 0;
    std::uint64_t m_byteCount = 0;
    std::optional<CostReport> m_cost;      // the last one, while the server is up
    std::optional<Instant> m_lastSweep;    // that was complete
    std::optional<std::uint64_t> m_unread; // by it
    bool m_wasUp = false;                  // at some time
    bool m_isUp = false;
    bool m_areLocksForgotten = false; // since the server was up last
    bool m_isSwept = false;           // since the connection was made
};

/// All metrics at `now`, each server in its turn. `version` is that of the program.
std::vector<MetricFamily> familiesOf(const std::vector<const ServerMetrics*>& servers,
                                     const NamedLocks& named, std::string_view version,
                                     Instant now);

} // namespace lockscope::metrics
