#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/trace/histogram.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::trace {

/// What a run came to. Times are the contenders' own.
struct RunStatistics {
    Duration elapsed{0};
    std::uint64_t requests = 0;
    std::uint64_t acquisitions = 0;
    std::uint64_t gaveUp = 0;   // wait limit or tries used up
    std::uint64_t withdrew = 0; // still waiting when it was interrupted, as at the end of a run
    /// Contenders that have asked and were not granted anything so far.
    std::uint64_t neverGranted = 0;
    std::uint64_t errors = 0;      // requests and renewals that the server answered with an error
    std::uint64_t unavailable = 0; // the server could not be asked
    std::uint64_t uncertain = 0;   // not known whether granted, or whether released
    std::uint64_t tries = 0;       // granted and refused ones
    std::uint64_t commands = 0;    // sent by the contenders; 0: not counted
    std::uint64_t renewals = 0;
    std::uint64_t losses = 0; // holders that heard, or found out, that their lock is gone
    std::uint64_t crashes = 0;
    std::uint64_t pauses = 0;
    /// Holders that were inside together although they must not be, see OverlapEvidence.
    std::uint64_t overlaps = 0;
    /// Releases that removed the lock of a client that had been granted it before they were sent.
    std::uint64_t wrongReleases = 0;
    /// Releases that were sent when another client had been granted the lock since.
    std::uint64_t releasesBehindGrants = 0;
    std::uint64_t lateReleases = 0;    // found nothing, or another owner's, and did nothing
    std::uint64_t rejectedEffects = 0; // the resource had seen a newer fence
    std::uint32_t longestBypass = 0;   // later requests granted before one that waits
    /// From the request to the grant, or to its end without, as at the end of the run.
    Histogram wait;
    Histogram hold;     // from the grant to the end of the belief
    Histogram takeover; // from a holder's crash to the next grant of its lock
    std::vector<std::uint64_t> acquisitionsOf; // per contender

    /// One more run of the same contenders.
    void add(const RunStatistics& other);

    double acquisitionsPerSecond() const;
    double triesPerAcquisition() const;
    double commandsPerAcquisition() const;
    /// Jain's index over the acquisitions of all contenders: 1 even, 1/n one gets everything. 0
    /// when there was none.
    double jainFairness() const;
};

/// What shows that a client came in beside another.
enum class OverlapEvidence : std::uint8_t {
    Resource, // Entered events: the resource saw it
    Beliefs,  // grants: others believed to hold the lock. In simulated runs no client enters
};

/// Adds events up as they come, in the order of their times. Keeps no event.
class StatisticsCollector {
public:
    /// `permits`: how many may hold one lock at once; above 1 no release is called wrong.
    explicit StatisticsCollector(int contenderCount, int permits = 1,
                                 OverlapEvidence evidence = OverlapEvidence::Resource);

    void see(const Event& event);
    void addCommands(std::uint64_t count) { m_statistics.commands += count; }
    /// The run is over: contenders that still wait have waited until now without the lock, which
    /// counts as a wait. To be called once, behind the last event.
    void endAt(Instant end);
    void setElapsed(Duration elapsed) { m_statistics.elapsed = elapsed; }

    const RunStatistics& statistics() const { return m_statistics; }

private:
    struct Request {
        ContenderId contender;
        Instant at;
        std::uint32_t bypass = 0;
    };
    struct Belief {
        ContenderId contender;
        Instant since;
        std::optional<Instant> releasingAt;
        bool isRead = false;
        bool isToldLost = false; // it still has to release, but it does not rely on it any more
    };
    struct Lock {
        std::vector<Request> waiting; // in the order of arrival
        std::vector<Belief> beliefs;
        std::optional<Instant> crashedAt; // of a holder, since the last grant
    };

    void seeGrant(const Event& event, Lock& lock);
    void seeRequest(const Event& event, Lock& lock);
    void stopWaiting(const Event& event, Lock& lock);
    bool isOvertaken(const Event& release, const Lock& lock) const;
    void seeLost(const Event& event, Lock& lock);
    void seeReleasing(const Event& event, Lock& lock);
    void seeReleased(const Event& event, Lock& lock);
    void endBelief(const Event& event, Lock& lock);

    bool isBesideOthers(const Event& grant, const Lock& lock) const;

    int m_permits;
    OverlapEvidence m_evidence;
    RunStatistics m_statistics;
    std::map<LockId, Lock> m_locks;
    std::vector<bool> m_hasAsked; // by contender
};

/// The same for events that are all there already. `end`: of the run; without it that is the last
/// event.
RunStatistics statisticsOf(std::span<const Event> events, int contenderCount, int permits = 1,
                           OverlapEvidence evidence = OverlapEvidence::Resource,
                           std::optional<Instant> end = std::nullopt);

} // namespace lockscope::trace
