#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/inspect/watch/wait_rings.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

// The part of LockBook for locks that wait for each other, and for waiters that do not listen.

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

/// Locks are read one after the other, and a waiter joins the queue before it begins to listen:
/// what looks wrong for less than that is a moment between two states.
constexpr Duration kPatience = 1s;

using Names = std::shared_ptr<const std::vector<Bytes>>;

bool isYoung(const Waiter& waiter, Instant now)
{
    return waiter.isNew && now - waiter.since < kPatience;
}

bool areSame(const Names& a, const Names& b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace

void LockBook::noteQueue(const Track& track)
{
    const bool hasQueue = track.record->queue() && !track.record->queue()->empty();
    const bool isNews = hasQueue ? m_queued.insert(track.slot).second
                                 : m_queued.erase(track.slot) > 0;
    m_areWaitsStale = m_areWaitsStale || hasQueue || isNews;
}

/// The head of the queue may only just have joined it.
void LockBook::excuseYoungHead(Track& track, LockRecord& fresh, Instant now)
{
    OptionalInstant again;
    const bool hasHead = fresh.queue() && !fresh.queue()->empty();
    if (fresh.flags.has(Flag::SilentQueueHead) && hasHead && isYoung(fresh.queue()->front(), now)) {
        fresh.flags.remove(Flag::SilentQueueHead);
        again = fresh.queue()->front().since + kPatience;
    }
    track.setLookAgainAt(again);
}

void LockBook::settleDeadlocks(Instant now)
{
    if (!m_areWaitsStale) {
        return;
    }
    m_areWaitsStale = false;
    std::vector<LockPtr> locks;
    for (const Slot slot : m_queued) {
        locks.push_back(m_tracks.at(slot).record);
        m_areWaitsStale = m_areWaitsStale
                          || std::ranges::any_of(*locks.back()->queue(), [now](const Waiter& w) {
                                 return isYoung(w, now);
                             });
    }
    std::unordered_map<const LockRecord*, Names> deadlockOf;
    for (const std::vector<LockPtr>& ring : waitRings(locks, now - kPatience)) {
        std::vector<Bytes> names;
        std::ranges::transform(ring, std::back_inserter(names),
                               [](const LockPtr& lock) { return lock->id.name; });
        const auto shared = std::make_shared<const std::vector<Bytes>>(std::move(names));
        for (const LockPtr& lock : ring) {
            deadlockOf[lock.get()] = shared;
        }
    }
    // Locks without a queue are not waited for, so they are in no ring any more.
    for (const LockPtr& lock : locks) {
        const auto found = deadlockOf.find(lock.get());
        const Names names = found != deadlockOf.end() ? found->second : nullptr;
        Track* const track = m_tracks.find(lock->id.server, lock->id.name);
        if (track != nullptr && !areSame(lock->deadlock(), names)) {
            LockRecord fresh = track->latest();
            fresh.setDeadlock(names);
            showTrack(*track, replace(*track, std::move(fresh)), ChangeKind::Changed, now);
        }
    }
}

} // namespace lockscope::inspect
