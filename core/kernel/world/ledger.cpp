#include "core/kernel/world/ledger.h"

#include <algorithm>
#include <cmath>

namespace lockscope::world {

using protocol::Promise;

namespace {

/// A protocol that polls has no wake-up to lose: its waiters may sleep beside a free lock until
/// their next try.
bool wakesWaiters(const protocol::ProtocolInfo& info)
{
    return std::ranges::any_of(info.needs, [](const protocol::Need& need) {
        return need.feature == protocol::ServerFeature::PubSub
               || need.feature == protocol::ServerFeature::BlockingPop;
    });
}

} // namespace

Ledger::Ledger(const protocol::ProtocolInfo& info, const WorldPlan& plan)
    : m_info(info),
      m_plan(plan),
      m_clientCount(static_cast<int>(plan.clients.size()) + plan.keyCount()), // who ask in the end
      m_lockCount(plan.keyCount()),
      m_hasWakeUps(wakesWaiters(info)),
      m_leaseMax(plan.leaseMax()),
      m_beliefs(static_cast<std::size_t>(m_clientCount) * static_cast<std::size_t>(m_lockCount)),
      m_resources(static_cast<std::size_t>(m_lockCount)),
      m_clocks(static_cast<std::size_t>(m_clientCount)),
      m_isClean(plan.unreachable.empty())
{
    for (int lock = 0; lock < m_lockCount; ++lock) {
        m_keys.push_back(plan.keyName(lock));
    }
}

Promise Ledger::exclusionPromise() const
{
    return m_info.hasModes ? Promise::ReadWriteExclusion : Promise::MutualExclusion;
}

void Ledger::note(Promise promise, ViolationKind kind, int lock, int client, int other, Instant now,
                  Instant otherSince)
{
    m_violations.push_back({promise, kind, now, m_stepCount, lock, client, other, otherSince});
    m_chances.of(promise) = std::max(m_chances.of(promise), std::uint64_t(1));
}

/// As the client itself computes it (SimClient::now()), with the same rounding: trust must end for
/// the ledger in the instant in which it ends for the holder.
Instant Ledger::localTimeOf(int client, Instant now) const
{
    const LocalClock& clock = m_clocks[static_cast<std::size_t>(client)];
    if (clock.rate == 1) {
        return clock.local + (now - clock.at);
    }
    const auto passed = static_cast<double>((now - clock.at).count()) * clock.rate;
    return clock.local + Duration(std::llround(passed));
}

void Ledger::setLocalClock(int client, Instant local, double rate, Instant now)
{
    m_clocks[static_cast<std::size_t>(client)] = {local, now, rate};
}

/// Two readers may be inside together; every other pair excludes each other.
bool Ledger::excludes(const Belief& a, const Belief& b) const
{
    return !(m_info.hasModes && a.isRead && b.isRead);
}

/// The last instant of a lease counts as alive, as a Redis key is still there in the very
/// millisecond of its expiry (Entry::isExpiredAt).
bool Ledger::isLeaseAlive(const Belief& belief, Instant now) const
{
    return now <= belief.leaseEnd && !belief.isRemoved;
}

bool Ledger::isLiveHolder(int client, int lock, Instant now) const
{
    const Belief& belief = beliefOf(client, lock);
    return belief.isHeld() && isLeaseAlive(belief, now);
}

void Ledger::requested(int client, int lock, bool isRead, Instant now)
{
    Belief& belief = beliefOf(client, lock);
    belief.isWaiting = true;
    belief.isRefused = false;
    belief.bypassCount = 0;
    // Who came first, for fairness. Counted by the world: clocks of clients cannot order requests.
    belief.requestOrder = ++m_requestOrder;
    belief.waitingSince = now;
    belief.harmed = -1;
    if (belief.depth == 0) {
        belief.isRead = isRead;
    }
    m_chances.requests += isAsker(client) ? 0 : 1;
}

/// A loser that harmed the winner's hold has changed a thing that is not its own.
void Ledger::refused(int client, int lock, Instant now)
{
    Belief& belief = beliefOf(client, lock);
    belief.isRefused = true;
    countTry(client, lock, now);
    if (now > openBy(lock) + m_plan.wakeUpMax && !isAsker(client)) {
        m_lateRefusals.push_back({client, lock, belief.requestOrder});
    }
    if (belief.harmed >= 0) {
        note(Promise::OwnerOnlyRelease, belief.harm, lock, client, belief.harmed, now);
        belief.harmed = -1;
    }
}

void Ledger::holdHarmed(int client, Purpose purpose, const Overwriting& overwriting,
                        ViolationKind harm, Instant now)
{
    if (purpose == Purpose::Acquire) {
        Belief& belief = beliefOf(client, overwriting.lock);
        belief.harmed = overwriting.victim;
        belief.harm = harm;
        return;
    }
    note(Promise::OwnerOnlyRelease, harm, overwriting.lock, client, overwriting.victim, now,
         beliefOf(overwriting.victim, overwriting.lock).since);
}

void Ledger::stoppedWaiting(int client, int lock, Instant now)
{
    beliefOf(client, lock).isWaiting = false;
    mayStayClosed(lock, now);
    if (isAsker(client)) {
        return;
    }
    m_chances.cleanFailures += m_isClean ? 1 : 0;
    checkLastOne(client, lock, now);
}

/// A request without an answer tells its client nothing. It will try again by itself, so meanwhile
/// it cannot be the victim of a lost wake-up.
void Ledger::heardNothing(int client)
{
    for (int lock = 0; lock < m_lockCount; ++lock) {
        beliefOf(client, lock).isRefused = false;
    }
}

/// Some locks add the new lease to the one that runs.
void Ledger::answeredInVain(const store::Command& command, Instant now)
{
    const int lock = lockIn(command);
    mayStayClosed(lock, std::max(now, openBy(lock)));
}

void Ledger::granted(int client, const protocol::Grant& grant, Instant now)
{
    const int lock = grant.request.lock;
    countGrant(client, grant);
    Belief& belief = beliefOf(client, lock);
    belief.isWaiting = false;
    belief.harmed = -1;
    if (belief.depth == 0) {
        belief.since = now;
        belief.isRemoved = false;
        belief.isToldLost = false;
        belief.isHandedOver = false;
        belief.leaseEnd = Instant::min();
        belief.isRead = grant.request.mode == protocol::Mode::Read;
    } else if (m_info.isReentrant) {
        checkCount(client, lock, grant.holds - 1, now);
    }
    ++belief.depth;
    belief.lease = grant.request.lease;
    belief.trustedUntil = grant.trustedUntil;
    belief.fence = grant.fence.value_or(0);
    // From when the answer arrives, which is no earlier than when the server set the expiry. So a
    // lease that is over here is over on the server, too, unless a fault made it longer.
    const Instant end = grant.trustedUntil ? now + grant.request.lease : Instant::max();
    belief.leaseEnd = std::max(belief.leaseEnd, end);
    if (grant.fence && belief.depth == 1) {
        checkFence(client, lock, *grant.fence, now);
    }
    checkExclusion(client, lock, now);
    countBypass(client, lock, now);
}

/// A fence protects only if every grant has a greater number than all before (M. Kleppmann, "How to
/// do distributed locking", 2016): two equal ones are as bad as a falling one.
void Ledger::checkFence(int client, int lock, std::int64_t fence, Instant now)
{
    Resource& resource = m_resources[static_cast<std::size_t>(lock)];
    if (fence <= resource.fenceGranted) {
        note(Promise::FencingOrder, ViolationKind::FenceDisorder, lock, client, -1, now);
    }
    resource.fenceGranted = std::max(resource.fenceGranted, fence);
}

/// More holders than there may be: if more than that have live leases, the server gave it too
/// often; otherwise a holder outlived its lease.
void Ledger::checkExclusion(int client, int lock, Instant now)
{
    const Belief& self = beliefOf(client, lock);
    int heldCount = 1;
    int aliveCount = 1;
    int trustedCount = 1;
    int alive = -1;
    int outlived = -1;
    int dishonest = -1;
    for (int other = 0; other < m_clientCount; ++other) {
        const Belief& belief = beliefOf(other, lock);
        if (other == client || !belief.isHeld() || !excludes(self, belief)) {
            continue;
        }
        ++heldCount;
        (isLeaseAlive(belief, now) ? alive : outlived) = other;
        aliveCount += isLeaseAlive(belief, now) ? 1 : 0;
        // By its own clock it may rely on the hold: it was promised more time than it has. That
        // breaks a promise of its own, beside exclusion.
        if (!belief.trustedUntil || localTimeOf(other, now) < *belief.trustedUntil) {
            ++trustedCount;
            dishonest = other;
        }
    }
    if (heldCount <= m_plan.permits) {
        return;
    }
    const bool isDoubleGrant = aliveCount > m_plan.permits;
    const int witness = isDoubleGrant ? alive : outlived;
    note(exclusionPromise(),
         isDoubleGrant ? ViolationKind::DoubleGrant : ViolationKind::DoubleBelief, lock, client,
         witness, now, beliefOf(witness, lock).since);
    if (trustedCount > m_plan.permits) {
        note(Promise::LeaseHonesty, ViolationKind::DishonestLease, lock, client, dishonest, now,
             beliefOf(dishonest, lock).since);
    }
}

/// Every client that has waited for longer than the one that was granted was passed over.
void Ledger::countBypass(int client, int lock, Instant now)
{
    const Belief& self = beliefOf(client, lock);
    // A nested acquisition takes nothing from the waiters: its client has the lock already.
    if (self.depth > 1) {
        return;
    }
    for (int other = 0; other < m_clientCount; ++other) {
        Belief& belief = beliefOf(other, lock);
        const bool isPassedOver = other != client && belief.isWaiting
                                  && belief.requestOrder < self.requestOrder;
        if (isPassedOver && ++belief.bypassCount > m_plan.bypassMax) {
            note(Promise::Fairness, ViolationKind::Starvation, lock, other, client, now,
                 belief.waitingSince);
            belief.bypassCount = 0;
        }
    }
}

/// max(): a renewal never shortens what the client was granted; with nested holds of different
/// leases the longest one counts.
void Ledger::renewed(int client, int lock, Instant now)
{
    Belief& belief = beliefOf(client, lock);
    belief.leaseEnd = std::max(belief.leaseEnd, now + belief.lease);
    mayStayClosed(lock, now, belief.depth);
    belief.trustedUntil = localTimeOf(client, now) + belief.lease;
}

/// The holder knows it, so it has stopped: what it does afterwards is not done under the lock.
void Ledger::lost(int client, int lock, Instant now)
{
    mayStayClosed(lock, now, beliefOf(client, lock).depth);
    beliefOf(client, lock).isToldLost = true;
    beliefOf(client, lock).isInside = false;
}

/// From the moment in which the release is sent the client believes in one hold less, whether it
/// arrives or not: it does not work under that hold any more.
void Ledger::releasing(int client, int lock, Instant now)
{
    Belief& belief = beliefOf(client, lock);
    mayStayClosed(lock, now, belief.depth);
    belief.depth = std::max(0, belief.depth - 1);
    belief.isGivingBack = belief.depth == 0;
}

/// Server and client are to agree on how often the lock is held, as long as the lease lives.
void Ledger::checkCount(int client, int lock, int serverCount, Instant now)
{
    const Belief& belief = beliefOf(client, lock);
    // After a loss or a lease that ran out, client and server may rightly disagree.
    if (serverCount != belief.depth && !belief.isToldLost && isLeaseAlive(belief, now)) {
        note(Promise::ReentryBalance, ViolationKind::ReentryImbalance, lock, client, -1, now);
    }
}

void Ledger::released(int client, int lock, int holdsLeft, Instant now)
{
    beliefOf(client, lock).isGivingBack = false;
    mayStayClosed(lock, now); // an inner release of Redisson begins the lease again
    if (m_info.isReentrant) {
        checkCount(client, lock, holdsLeft, now);
    }
    if (holdsLeft == 0) {
        countFreed(lock);
        noteGivenBack(client, lock, now);
    }
}

/// "You hold nothing" is an imbalance only to a client that has every reason to think otherwise:
/// it counts holds, was not told of a loss, and its lease lives.
void Ledger::releaseRefused(int client, int lock, Instant now)
{
    Belief& belief = beliefOf(client, lock);
    belief.isGivingBack = false;
    mayStayClosed(lock, now);
    if (belief.isHandedOver) {
        return; // rightly so: it is not the owner who asks
    }
    const bool isCounted = m_info.isReentrant || m_info.hasModes;
    if (isCounted && !belief.isToldLost && now <= belief.leaseEnd
        && belief.leaseEnd > belief.since) {
        note(Promise::ReentryBalance, ViolationKind::ReentryImbalance, lock, client, -1, now);
    }
    noteGivenBack(client, lock, now);
}

/// A lock that may have been handed to a client that waits is left out. If all that the client
/// wrote is gone from the servers, nothing of it keeps the lock closed, and no probe is needed.
void Ledger::noteGivenBack(int client, int lock, Instant now)
{
    const Belief& belief = beliefOf(client, lock);
    const bool isRightful = m_isClean && belief.depth == 0 && !belief.isToldLost
                            && isLeaseAlive(belief, now);
    const int room = m_plan.permits - otherHoldCount(client, lock);
    if (!isRightful || room <= 0 || isAnyWaiting(lock)) {
        return;
    }
    // With several permits the latest writer of a key says nothing about whose permits are in it.
    const bool isSomethingLeft = m_plan.permits > 1
                                 || std::ranges::any_of(m_elements, [&](const Element& element) {
                                        return element.lock == lock && element.isLockItself
                                               && element.writer == client
                                               && element.expiresAt > now;
                                    });
    if (isSomethingLeft) {
        m_givenBack.push_back({client, lock, room});
    }
}

/// A client that gives up last, in a run in which no client was granted the lock, had none in its
/// way. What each of them was granted follows from their histories, which are hashed.
void Ledger::checkLastOne(int client, int lock, Instant now)
{
    if (m_isClean && m_chances.grants == 0 && !isAnyWaiting(lock)) {
        note(Promise::Progress, ViolationKind::NeverGranted, lock, client, -1, now);
    }
}

/// While nothing goes wrong every answer comes, so this one is none that the protocol knows. An
/// error is noted as such.
void Ledger::answerUnknown(int client, int lock, Instant now)
{
    beliefOf(client, lock).isGivingBack = false;
    mayStayClosed(lock, now);
    const bool isError = !m_violations.empty() && m_violations.back().client == client
                         && m_violations.back().kind == ViolationKind::ErrorAnswer
                         && m_violations.back().at == now;
    if (m_isClean && !isError && !isAsker(client)) {
        note(Promise::Progress, ViolationKind::UnknownAnswer, lock, client, -1, now);
    }
}

/// A server refuses what no lock of this protocol should ever ask for: a mistake in its commands or
/// scripts. After a fault it may be the fault's doing. That a script is not known there is no
/// error: it is sent again.
void Ledger::errorAnswered(int client, const store::Command& command, Instant now)
{
    ++m_chances.errors;
    if (m_isClean && !isAsker(client)) {
        note(Promise::Progress, ViolationKind::ErrorAnswer, lockIn(command), client, -1, now);
    }
}

/// The protected resource is a value that each holder reads when it enters and writes when it
/// leaves. If another holder wrote it in between, that update is lost: see leftWork().
void Ledger::enteredWork(int client, int lock)
{
    Belief& belief = beliefOf(client, lock);
    Resource& resource = m_resources[static_cast<std::size_t>(lock)];
    if (!belief.isHeld() || belief.isInside) {
        return;
    }
    belief.isInside = true;
    belief.valueSeen = resource.version;
    resource.fenceSeen = std::max(resource.fenceSeen, belief.fence);
}

/// Writes what it read plus one. With fences the resource rejects a writer that comes with a
/// smaller one than was there before.
void Ledger::leftWork(int client, int lock, Instant now)
{
    Belief& belief = beliefOf(client, lock);
    Resource& resource = m_resources[static_cast<std::size_t>(lock)];
    // With several permits holders overlap by design, and a reader writes nothing.
    const bool isWriter = belief.isInside && belief.isHeld() && !belief.isRead
                          && m_plan.permits == 1;
    belief.isInside = false;
    const bool isRejected = belief.fence > 0 && belief.fence < resource.fenceSeen;
    if (!isWriter || isRejected) {
        return;
    }
    if (resource.version != belief.valueSeen) {
        note(exclusionPromise(), ViolationKind::LostWrite, lock, client, resource.lastWriter, now);
    }
    ++resource.version;
    resource.lastWriter = client;
}

/// A program that is gone believes nothing and waits for nothing. What it wrote stays on the
/// servers: see isAnythingLeft().
void Ledger::ended(int client, Instant now)
{
    for (int lock = 0; lock < m_lockCount; ++lock) {
        countEnd(client, lock, now);
        Belief& belief = beliefOf(client, lock);
        if (belief.isWaiting || belief.depth > 0) {
            mayStayClosed(lock, now, belief.depth);
        }
        belief.depth = 0;
        belief.isGivingBack = false;
        belief.isWaiting = false;
        belief.isInside = false;
    }
}

} // namespace lockscope::world
