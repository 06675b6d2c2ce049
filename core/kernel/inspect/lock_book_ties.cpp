#include "core/kernel/inspect/watch/lock_book.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

// What a book knows of owners that have several locks.

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

/// Locks that are taken one by one in one call are this close to each other.
constexpr Duration kTogether = 500ms;
/// A lock with more holders than this is shared by many, and tied to none.
constexpr std::size_t kHoldersMost = 16;

using Locks = std::vector<const LockRecord*>;

/// Whether so many of these instants are known, and close to each other.
template<class Point, class Of>
bool areClose(const Locks& locks, Of instantOf)
{
    std::vector<Point> instants;
    for (const LockRecord* lock : locks) {
        if (const std::optional<Point> at = instantOf(*lock)) {
            instants.push_back(*at);
        }
    }
    if (instants.size() != locks.size()) {
        return false;
    }
    const auto [first, last] = std::ranges::minmax(instants);
    return last - first <= kTogether;
}

/// Seen being taken at one moment; or their values say so; or they end at one moment, and none was
/// renewed since it was first seen.
bool areTakenTogether(const Locks& locks)
{
    const auto wasSeen = [](const LockRecord* lock) { return lock->isTakenWhileWatching; };
    if (std::ranges::all_of(locks, wasSeen)) {
        return areClose<Instant>(locks,
                                 [](const LockRecord& l) { return std::optional(l.firstSeen); });
    }
    const auto saysWhen = [](const LockRecord* lock) { return lock->acquiredAt().has_value(); };
    if (std::ranges::all_of(locks, saysWhen)) {
        return areClose<WallTime>(locks, [](const LockRecord& l) { return l.acquiredAt(); });
    }
    return areClose<Instant>(locks, [](const LockRecord& l) {
        return l.renewals == 0 ? l.expiresAt : OptionalInstant();
    });
}

std::vector<std::string_view> ownersThatTie(const LockRecord& lock, OwnerScope scope)
{
    std::vector<std::string_view> owners;
    const bool isShared = lock.holders.size() > kHoldersMost;
    for (const Holder& holder : isShared ? std::span<const Holder>() : std::span(lock.holders)) {
        if (canTie(scope, holder.owner)) {
            owners.push_back(holder.owner);
        }
    }
    return owners;
}

/// The same pointer says that nothing changed.
std::shared_ptr<const OwnerTie> tieLike(const std::shared_ptr<const OwnerTie>& before,
                                        const std::shared_ptr<const OwnerTie>& now)
{
    return before && now && *before == *now ? before : now;
}

} // namespace

void LockBook::indexOwners(Track& track, const LockPtr& before, OwnerScope scope, Instant now)
{
    const LockRecord& record = *track.record;
    const bool isRemembered = before != nullptr && !std::exchange(track.isOver, false);
    const bool isSame = isRemembered && track.ownerScope == scope
                        && std::ranges::equal(before->holders, record.holders, {}, &Holder::owner,
                                              &Holder::owner);
    if (isSame) {
        return;
    }
    if (before != nullptr) {
        forgetOwners(*before, track);
    }
    track.ownerScope = scope;
    for (const std::string_view owner : ownersThatTie(record, scope)) {
        m_owners.add(track.server, owner, track.slot);
    }
    m_ownersChangedAt = now;
}

void LockBook::forgetOwners(const LockRecord& record, const Track& track)
{
    for (const std::string_view owner : ownersThatTie(record, track.ownerScope)) {
        m_owners.remove(track.server, owner, track.slot);
    }
}

void LockBook::settleTies()
{
    if (!m_owners.hasChanges()) {
        return;
    }
    std::unordered_map<const LockRecord*, std::size_t> news;
    for (std::size_t i = 0; i < m_delta.changes.size(); ++i) {
        news[m_delta.changes[i].lock.get()] = i;
    }
    for (const OwnerIndex::Group& group : m_owners.takeChanges()) {
        settleGroup(group, news);
    }
}

void LockBook::settleGroup(const OwnerIndex::Group& group, const NewsByLock& news)
{
    std::map<std::string_view, std::vector<Track*>> byOwner;
    for (const Slot slot : group.locks) {
        Track& track = m_tracks.at(slot);
        for (const std::string_view owner : ownersThatTie(*track.record, track.ownerScope)) {
            if (OwnerIndex::hashOf(track.server, owner) == group.hash) {
                byOwner[owner].push_back(&track);
            }
        }
    }
    // The owners are those of records that are about to be replaced.
    std::vector<LockPtr> alive;
    for (const auto& [owner, tracks] : byOwner) {
        std::ranges::transform(tracks, std::back_inserter(alive), &Track::record);
    }
    for (const auto& [owner, tracks] : byOwner) {
        const bool isTied = tracks.size() > 1 && !group.isCrowded;
        const auto tie = isTied ? std::make_shared<const OwnerTie>(tieOf(tracks)) : nullptr;
        for (Track* const track : tracks) {
            tieTo(*track, owner, tie, news);
        }
    }
}

OwnerTie LockBook::tieOf(const std::vector<Track*>& tracks) const
{
    OwnerTie tie;
    Locks locks;
    for (const Track* const track : tracks) {
        const LockRecord& lock = *track->record;
        const Decoder* const decoder = m_recognisers.decoderOf(lock.format());
        tie.names.push_back(lock.id.name);
        tie.isOfThread = tie.isOfThread || track->ownerScope == OwnerScope::Thread;
        tie.isAllOrNothing = tie.isAllOrNothing || (decoder != nullptr && decoder->isAllOrNothing);
        locks.push_back(&lock);
    }
    std::ranges::sort(tie.names);
    tie.isTakenTogether = areTakenTogether(locks);
    return tie;
}

void LockBook::tieTo(Track& track, std::string_view owner,
                     const std::shared_ptr<const OwnerTie>& tie, const NewsByLock& news)
{
    LockRecord tied = track.latest();
    bool isNew = false;
    for (Holder& holder : tied.holders) {
        if (holder.owner == owner) {
            const std::shared_ptr<const OwnerTie> before = holder.tie();
            holder.setTie(tieLike(before, tie));
            isNew = isNew || before != holder.tie();
        }
    }
    if (!isNew) {
        return;
    }
    const LockPtr before = replace(track, std::move(tied));
    const auto change = news.find(before.get());
    const bool isTold = change != news.end() && !track.isFolded
                        && m_delta.changes[change->second].lock == before;
    if (isTold) {
        m_delta.changes[change->second].lock = track.record; // goes with what is told anyway
    } else {
        showTrack(track, before, ChangeKind::Changed, m_ownersChangedAt);
    }
}

} // namespace lockscope::inspect
