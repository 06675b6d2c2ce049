#include "core/kernel/trace/run_statistics.h"

#include <algorithm>

namespace lockscope::trace {

namespace {

double ratio(std::uint64_t of, double to)
{
    return to > 0 ? static_cast<double>(of) / to : 0;
}

template<class Items>
auto findOf(Items& items, ContenderId contender)
{
    // The newest first: of nested holds the inner one ends first.
    const auto found = std::find_if(items.rbegin(), items.rend(), [contender](const auto& item) {
        return item.contender == contender;
    });
    return found == items.rend() ? items.end() : std::prev(found.base());
}

} // namespace

void RunStatistics::add(const RunStatistics& other)
{
    elapsed += other.elapsed;
    for (const auto count :
         {&RunStatistics::requests, &RunStatistics::acquisitions, &RunStatistics::gaveUp,
          &RunStatistics::withdrew, &RunStatistics::errors, &RunStatistics::neverGranted,
          &RunStatistics::unavailable, &RunStatistics::uncertain, &RunStatistics::tries,
          &RunStatistics::releasesBehindGrants, &RunStatistics::commands, &RunStatistics::renewals,
          &RunStatistics::losses, &RunStatistics::crashes, &RunStatistics::pauses,
          &RunStatistics::overlaps, &RunStatistics::wrongReleases, &RunStatistics::lateReleases,
          &RunStatistics::rejectedEffects}) {
        this->*count += other.*count;
    }
    longestBypass = std::max(longestBypass, other.longestBypass);
    wait.merge(other.wait);
    hold.merge(other.hold);
    takeover.merge(other.takeover);
    acquisitionsOf.resize(std::max(acquisitionsOf.size(), other.acquisitionsOf.size()));
    for (std::size_t i = 0; i < other.acquisitionsOf.size(); ++i) {
        acquisitionsOf[i] += other.acquisitionsOf[i];
    }
}

double RunStatistics::acquisitionsPerSecond() const
{
    return ratio(acquisitions, std::chrono::duration<double>(elapsed).count());
}

double RunStatistics::triesPerAcquisition() const
{
    return ratio(tries, static_cast<double>(acquisitions));
}

double RunStatistics::commandsPerAcquisition() const
{
    return ratio(commands, static_cast<double>(acquisitions));
}

double RunStatistics::jainFairness() const
{
    double sum = 0;
    double sumOfSquares = 0;
    for (const std::uint64_t count : acquisitionsOf) {
        const auto value = static_cast<double>(count);
        sum += value;
        sumOfSquares += value * value;
    }
    return sumOfSquares > 0
               ? sum * sum / (static_cast<double>(acquisitionsOf.size()) * sumOfSquares)
               : 0;
}

StatisticsCollector::StatisticsCollector(int contenderCount, int permits, OverlapEvidence evidence)
    : m_permits(permits),
      m_evidence(evidence)
{
    m_statistics.acquisitionsOf.resize(static_cast<std::size_t>(std::max(contenderCount, 0)));
}

void StatisticsCollector::see(const Event& event)
{
    RunStatistics& s = m_statistics;
    Lock& lock = m_locks[event.lock];
    switch (event.kind) {
    case EventKind::Requested: seeRequest(event, lock); return;
    case EventKind::Refused: ++s.tries; return;
    case EventKind::Granted: seeGrant(event, lock); return;
    case EventKind::GaveUp:
        ++s.gaveUp;
        stopWaiting(event, lock);
        return;
    case EventKind::Withdrew:
        ++s.withdrew;
        stopWaiting(event, lock);
        return;
    case EventKind::Unavailable:
        ++(event.value == 1 ? s.errors : s.unavailable);
        stopWaiting(event, lock);
        return;
    case EventKind::Uncertain:
        ++s.uncertain;
        stopWaiting(event, lock);
        return;
    case EventKind::Renewed: ++s.renewals; return;
    case EventKind::Lost: seeLost(event, lock); return;
    case EventKind::Releasing: seeReleasing(event, lock); return;
    case EventKind::Released: seeReleased(event, lock); return;
    case EventKind::ReleaseRefused:
        ++s.lateReleases;
        endBelief(event, lock);
        return;
    case EventKind::ReleaseUncertain:
        ++(event.value == 1 ? s.errors : s.uncertain);
        endBelief(event, lock);
        return;
    case EventKind::Crashed:
        ++s.crashes;
        if (findOf(lock.beliefs, event.contender) != lock.beliefs.end()) {
            lock.crashedAt = event.at;
        }
        endBelief(event, lock);
        stopWaiting(event, lock);
        return;
    case EventKind::Paused: ++s.pauses; return;
    case EventKind::Entered: s.overlaps += event.value > 0 ? 1 : 0; return;
    case EventKind::EffectRejected: ++s.rejectedEffects; return;
    case EventKind::RenewalFailed:
        s.errors += event.value == static_cast<std::int64_t>(RenewalFailure::Refused) ? 1 : 0;
        return;
    case EventKind::Resumed:
    case EventKind::Left:
    case EventKind::Expired:
    case EventKind::Forced: return;
    }
}

void StatisticsCollector::seeRequest(const Event& event, Lock& lock)
{
    ++m_statistics.requests;
    lock.waiting.push_back({event.contender, event.at, 0});
    if (m_hasAsked.size() <= event.contender) {
        m_hasAsked.resize(event.contender + std::size_t(1));
    }
    if (!m_hasAsked[event.contender]) {
        m_hasAsked[event.contender] = true;
        ++m_statistics.neverGranted;
    }
}

/// A wait that ends without the lock counts, too: without those that wait longest of all, waits
/// would look the shorter, the more contenders starve.
void StatisticsCollector::stopWaiting(const Event& event, Lock& lock)
{
    const auto request = findOf(lock.waiting, event.contender);
    if (request != lock.waiting.end()) {
        m_statistics.wait.add(event.at - request->at);
        lock.waiting.erase(request);
    }
}

void StatisticsCollector::endAt(Instant end)
{
    for (auto& [id, lock] : m_locks) {
        for (const Request& request : lock.waiting) {
            m_statistics.wait.add(end - request.at);
            ++m_statistics.withdrew;
        }
        lock.waiting.clear();
    }
}

void StatisticsCollector::seeGrant(const Event& event, Lock& lock)
{
    RunStatistics& s = m_statistics;
    ++s.acquisitions;
    ++s.tries;
    const bool isCounted = event.contender < s.acquisitionsOf.size();
    if (isCounted && s.acquisitionsOf[event.contender]++ == 0 && event.contender < m_hasAsked.size()
        && m_hasAsked[event.contender]) {
        --s.neverGranted;
    }
    const auto request = findOf(lock.waiting, event.contender);
    if (request != lock.waiting.end()) {
        s.wait.add(event.at - request->at);
        for (auto earlier = lock.waiting.begin(); earlier != request; ++earlier) {
            s.longestBypass = std::max(s.longestBypass, ++earlier->bypass);
        }
        lock.waiting.erase(request);
    }
    if (lock.crashedAt) {
        s.takeover.add(event.at - *lock.crashedAt);
        lock.crashedAt.reset();
    }
    if (m_evidence == OverlapEvidence::Beliefs && isBesideOthers(event, lock)) {
        ++s.overlaps;
    }
    lock.beliefs.push_back({event.contender, event.at, std::nullopt, event.isRead, false});
}

bool StatisticsCollector::isBesideOthers(const Event& grant, const Lock& lock) const
{
    const auto excludes = [&grant](const Belief& other) {
        return other.contender != grant.contender && !(other.isRead && grant.isRead)
               && !other.releasingAt && !other.isToldLost;
    };
    return std::ranges::count_if(lock.beliefs, excludes) >= m_permits;
}

void StatisticsCollector::seeLost(const Event& event, Lock& lock)
{
    ++m_statistics.losses;
    const auto belief = findOf(lock.beliefs, event.contender);
    if (belief != lock.beliefs.end()) {
        belief->isToldLost = true;
    }
}

void StatisticsCollector::seeReleasing(const Event& event, Lock& lock)
{
    const auto belief = findOf(lock.beliefs, event.contender);
    if (belief != lock.beliefs.end()) {
        m_statistics.releasesBehindGrants += isOvertaken(event, lock) ? 1 : 0;
        belief->releasingAt = event.at;
        m_statistics.hold.add(event.at - belief->since);
    }
}

bool StatisticsCollector::isOvertaken(const Event& release, const Lock& lock) const
{
    const auto own = findOf(lock.beliefs, release.contender);
    return m_permits == 1 && own != lock.beliefs.end()
           && std::ranges::any_of(lock.beliefs, [&](const Belief& other) {
                  return other.contender != release.contender && other.since > own->since
                         && !other.releasingAt;
              });
}

void StatisticsCollector::seeReleased(const Event& event, Lock& lock)
{
    const auto own = findOf(lock.beliefs, event.contender);
    if (own == lock.beliefs.end()) {
        return;
    }
    // The server found something to remove. The client that was granted the lock after us, before
    // our release was sent, and has not begun to release it, is the one that lost it.
    const bool isWrong = m_permits == 1
                         && std::any_of(lock.beliefs.begin(), lock.beliefs.end(),
                                        [&](const Belief& other) {
                                            return other.contender != event.contender
                                                   && !(other.isRead && own->isRead)
                                                   && other.since > own->since && own->releasingAt
                                                   && other.since < *own->releasingAt
                                                   && !other.releasingAt;
                                        });
    m_statistics.wrongReleases += isWrong ? 1 : 0;
    lock.beliefs.erase(own);
}

void StatisticsCollector::endBelief(const Event& event, Lock& lock)
{
    const auto belief = findOf(lock.beliefs, event.contender);
    if (belief != lock.beliefs.end()) {
        lock.beliefs.erase(belief);
    }
}

RunStatistics statisticsOf(std::span<const Event> events, int contenderCount, int permits,
                           OverlapEvidence evidence, std::optional<Instant> end)
{
    StatisticsCollector collector(contenderCount, permits, evidence);
    for (const Event& event : events) {
        collector.see(event);
    }
    if (!events.empty()) {
        collector.endAt(end.value_or(events.back().at));
        collector.setElapsed(events.back().at - events.front().at);
    }
    return collector.statistics();
}

} // namespace lockscope::trace
