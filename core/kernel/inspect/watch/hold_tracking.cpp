#include "core/kernel/inspect/watch/hold_tracking.h"

#include "core/kernel/inspect/watch/lease_growth.h"

#include <algorithm>
#include <utility>

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

/// A time to live is measured when the reply arrives, up to a busy moment late. Jumps below this
/// are jitter.
constexpr Duration kRenewalJump = 100ms;
/// A key that vanishes this close before its predicted end has run out: the prediction may be late
/// by the time that the answer to PTTL was under way.
constexpr Duration kExpiryTolerance = 25ms;

bool isJitter(OptionalInstant before, OptionalInstant after)
{
    return before && after && std::chrono::abs(*after - *before) <= kRenewalJump;
}

/// The end of the lease can only have been measured late, so the earlier measurement is the better
/// one.
void smoothExpiry(const LockRecord& before, LockRecord& fresh)
{
    if (isJitter(before.expiresAt, fresh.expiresAt)) {
        fresh.expiresAt = std::min(before.expiresAt, fresh.expiresAt);
    }
    const std::size_t count = std::min(before.holders.size(), fresh.holders.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (isJitter(before.holders[i].expiresAt, fresh.holders[i].expiresAt)) {
            fresh.holders[i].expiresAt = before.holders[i].expiresAt; // any difference would count
                                                                      // as a change
        }
    }
}

bool hasSameLeader(const LockRecord& before, const LockRecord& after)
{
    return before.holders.front().owner == after.holders.front().owner;
}

bool shareOwner(const LockRecord& a, const LockRecord& b)
{
    return std::ranges::any_of(a.holders, [&b](const Holder& holder) {
        return std::ranges::find(b.holders, holder.owner, &Holder::owner) != b.holders.end();
    });
}

bool isRenewed(const LockRecord& before, const LockRecord& fresh)
{
    const bool isOtherOwner = fresh.quorum().total > 0 && !hasSameLeader(before, fresh);
    return !isOtherOwner && before.expiresAt && fresh.expiresAt
           && *fresh.expiresAt - *before.expiresAt > kRenewalJump
           && before.holds() == fresh.holds();
}

void rememberRenewal(const LockRecord& before, LockRecord& fresh, Instant now)
{
    const Duration left = std::max<Duration>(*before.expiresAt - now, 0us);
    fresh.renewals = before.renewals + 1;
    fresh.lastRenewal = now;
    fresh.renewedAtMs = before.renewedAtMs;
    std::rotate(fresh.renewedAtMs.begin(), fresh.renewedAtMs.end() - 1, fresh.renewedAtMs.end());
    fresh.renewedAtMs[0] = static_cast<std::uint32_t>(toMs(left));
}

/// Long enough for what takes a lock and gives it back soon.
constexpr Duration kNewHold = 5min;
constexpr Duration kClockSkew = 1min; // the writer's clock may be ahead

bool isSameQueue(const LockRecord& before, const LockRecord& fresh)
{
    return before.queue() == fresh.queue()
           || (before.queue() && fresh.queue()
               && std::ranges::equal(*before.queue(), *fresh.queue(), {}, &Waiter::owner,
                                     &Waiter::owner));
}

bool isVisiblyDifferent(const LockRecord& before, const LockRecord& fresh)
{
    const bool hasMoved = before.expiresAt.has_value() != fresh.expiresAt.has_value()
                          || (before.expiresAt
                              && *before.expiresAt - *fresh.expiresAt > kRenewalJump)
                          || (before.expiresAt
                              && *fresh.expiresAt - *before.expiresAt > kRenewalJump);
    return hasMoved || before.format() != fresh.format() || before.confidence != fresh.confidence
           || before.isNewHold != fresh.isNewHold || before.mode != fresh.mode
           || before.isConfirmed != fresh.isConfirmed || before.holders != fresh.holders
           || before.otherKeys() != fresh.otherKeys() || !isSameQueue(before, fresh)
           || before.waiters != fresh.waiters || before.waitersAtMost() != fresh.waitersAtMost()
           || before.quorum() != fresh.quorum() || !isSamePlace(before.place, fresh.place);
}

} // namespace

bool isSamePlace(const Shared<const ClusterPlace>& a, const Shared<const ClusterPlace>& b)
{
    return a == b || (a && b && *a == *b);
}

Shared<const ClusterPlace> placeIn(const store::ClusterTopology& topology, const LockRecord& record)
{
    const std::uint16_t slot = store::slotOf(record.firstKey());
    const store::ClusterNode* const master = topology.masterOf(slot);
    return makeShared<const ClusterPlace>(ClusterPlace{
        slot, master != nullptr ? store::hostPortText(master->address) : ""});
}

std::optional<Duration> remainingNewness(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    if (!decoded.acquiredAt || decoded.confidence != Confidence::High) {
        return std::nullopt;
    }
    const Duration age = snapshot.main().serverTime - *decoded.acquiredAt;
    return age > -kClockSkew && age < kNewHold ? std::optional(kNewHold - age) : std::nullopt;
}

LockKind kindOf(const DecodedLock& decoded)
{
    return {decoded.format, decoded.library, decoded.because};
}

LockRecord recordOf(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    return recordOf(snapshot, decoded, makeShared<const LockKind>(kindOf(decoded)));
}

LockRecord recordOf(const LockSnapshot& snapshot, const DecodedLock& decoded,
                    Shared<const LockKind> kind)
{
    LockRecord record;
    record.id = {snapshot.server, snapshot.name};
    record.kind = std::move(kind);
    record.confidence = decoded.confidence;
    record.mode = decoded.mode;
    record.flags = decoded.flags;
    record.holders = decoded.holders;
    record.setAcquiredAt(decoded.acquiredAt);
    record.isNewHold = remainingNewness(snapshot, decoded).has_value();
    record.waiterSource = decoded.waiterSource;
    if (!decoded.waitingOwners.empty()) {
        WaitQueue queue;
        for (const Bytes& owner : decoded.waitingOwners) {
            queue.push_back({owner, snapshot.main().seenAt, false});
        }
        record.seldom->queue = std::make_shared<const WaitQueue>(std::move(queue));
    }
    bool mayStay = false;
    std::optional<Instant> latest;
    for (const Observation& seen : snapshot.keys) {
        if (!seen.exists()) {
            continue;
        }
        if (snapshot.keys.size() > 1 || seen.key != snapshot.name) {
            record.seldom->otherKeys.push_back(seen.key);
        }
        if (seen.ttl) {
            latest = std::max(latest.value_or(Instant::min()), seen.seenAt + *seen.ttl);
        } else {
            mayStay = true;
        }
    }
    if (!mayStay) {
        record.expiresAt = latest;
    }
    if (record.expiresAt) {
        record.lease = *record.expiresAt - snapshot.main().seenAt;
    }
    if (record.lease > kLongestLease && !record.flags.has(Flag::ProbablyData)) {
        record.flags.add(Flag::AbsurdLease);
    }
    if (!decoded.deadHolders.empty()) {
        record.flags.add(Flag::DeadReaders);
    }
    if (decoded.silentHead) {
        record.flags.add(Flag::SilentQueueHead);
    }
    return record;
}

void rememberWaits(const LockRecord* before, bool isTakenNow, LockRecord& fresh)
{
    if (!fresh.queue()) {
        return;
    }
    WaitQueue queue = *fresh.queue();
    const WaitQueue none;
    const WaitQueue& earlier = before != nullptr && before->queue() ? *before->queue() : none;
    for (Waiter& waiter : queue) {
        const auto known = std::ranges::find(earlier, waiter.owner, &Waiter::owner);
        if (known != earlier.end()) {
            waiter = *known;
        } else {
            waiter.isNew = before != nullptr || isTakenNow;
        }
    }
    fresh.seldom->queue = queue == earlier ? before->queue()
                                           : std::make_shared<const WaitQueue>(std::move(queue));
}

bool isSameHold(const LockRecord& before, const LockRecord& after)
{
    // The row of a Redlock set is called a token until a second server has voted.
    const bool isSameFormat = before.format() == after.format() || after.quorum().total > 0;
    if (!isSameFormat || before.id != after.id) {
        return false;
    }
    if (after.quorum().total > 0) {
        // The first holder is the one with the most votes, the others are rivals. Which of them has
        // most is no news while a server cannot be asked: its vote is only not counted.
        const bool isCertain = after.quorum().unknown == 0 || after.quorum().isMajority();
        return hasSameLeader(before, after) || (!isCertain && shareOwner(before, after));
    }
    for (const Holder& holder : after.holders) {
        const auto isIt = [&holder](const Holder& h) { return h.owner == holder.owner; };
        if (!holder.owner.empty()
            && std::any_of(before.holders.begin(), before.holders.end(), isIt)) {
            return true; // one holder was there all along, others may have joined or left
        }
    }
    const auto isNameless = [](const Holder& h) { return h.owner.empty(); };
    const bool areNameless = std::all_of(after.holders.begin(), after.holders.end(), isNameless)
                             && std::all_of(before.holders.begin(), before.holders.end(),
                                            isNameless);
    // Readers come and go under one stamp; a writer's stamp is his own.
    return areNameless && before.mode == after.mode
           && (after.mode == Mode::Read || before.acquiredAt() == after.acquiredAt());
}

HoldStep advanceHold(const LockRecord* before, LockRecord fresh, Instant now, bool isTakenNow)
{
    if (before == nullptr || !isSameHold(*before, fresh)) {
        fresh.firstSeen = now;
        fresh.isTakenWhileWatching = isTakenNow;
        return {std::move(fresh), ChangeKind::Appeared};
    }
    fresh.setHistory(before->history());
    fresh.firstSeen = before->firstSeen;
    fresh.isTakenWhileWatching = before->isTakenWhileWatching;
    smoothExpiry(*before, fresh);
    if (isRenewed(*before, fresh)) {
        rememberRenewal(*before, fresh, now);
        return {std::move(fresh), ChangeKind::Renewed};
    }
    fresh.renewals = before->renewals;
    fresh.lastRenewal = before->lastRenewal;
    fresh.renewedAtMs = before->renewedAtMs;
    fresh.lease = std::max(fresh.lease, before->lease);
    std::optional<ChangeKind> kind;
    if (isVisiblyDifferent(*before, fresh)) {
        kind = ChangeKind::Changed;
    }
    return {std::move(fresh), kind};
}

ChangeKind endingOf(const LockRecord& last, Instant now)
{
    const bool hasRunOut = last.expiresAt && now + kExpiryTolerance >= *last.expiresAt;
    return hasRunOut ? ChangeKind::Expired : ChangeKind::Released;
}

} // namespace lockscope::inspect
