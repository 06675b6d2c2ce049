#include "core/kernel/world/ledger.h"

#include <algorithm>

// What a run puts to the test: a promise has held only if it could have been broken.
namespace lockscope::world {

using protocol::Promise;

/// Of the clients that ask for what is left in the end: what becomes of them says nothing about the
/// workload.
bool Ledger::isAsker(int client) const
{
    return client >= static_cast<int>(m_plan.clients.size());
}

/// Exclusion is put to the test by a try while as many hold the lock as may; that a lease is
/// honest, if they rely on one.
void Ledger::countTry(int client, int lock, Instant now)
{
    const Belief& self = beliefOf(client, lock);
    int heldCount = 0;
    int trustedCount = 0;
    for (int other = 0; other < m_clientCount; ++other) {
        const Belief& belief = beliefOf(other, lock);
        if (other == client || !belief.isHeld() || !excludes(self, belief)) {
            continue;
        }
        ++heldCount;
        const bool isTrusted = belief.trustedUntil
                               && localTimeOf(other, now) < *belief.trustedUntil;
        trustedCount += isTrusted ? 1 : 0;
    }
    if (heldCount >= m_plan.permits) {
        countChance(exclusionPromise());
    }
    if (trustedCount >= m_plan.permits) {
        countChance(Promise::LeaseHonesty);
    }
}

/// Before the grant is written down.
void Ledger::countGrant(int client, const protocol::Grant& grant)
{
    const int lock = grant.request.lock;
    const Belief& self = beliefOf(client, lock);
    const bool isRead = grant.request.mode == protocol::Mode::Read;
    bool isAnyWaiting = false;
    bool isBesideReader = false;
    for (int other = 0; other < m_clientCount; ++other) {
        const Belief& belief = beliefOf(other, lock);
        isAnyWaiting = isAnyWaiting || (other != client && belief.isWaiting);
        isBesideReader = isBesideReader
                         || (other != client && isRead && belief.isRead && belief.isHeld());
    }
    if (self.depth > 0 || isBesideReader) {
        countChance(Promise::ReentryBalance); // the server has to count
    }
    if (grant.fence && m_resources[static_cast<std::size_t>(lock)].fenceGranted > 0) {
        countChance(Promise::FencingOrder);
    }
    if (self.depth == 0) {
        countChance(Promise::Progress);
    }
    if (self.depth == 0 && isAnyWaiting) {
        countChance(Promise::Fairness);
    }
    if (!isAsker(client)) {
        ++m_chances.grants;
        m_chances.cleanGrants += m_isClean ? 1 : 0;
    }
}

/// A program that ends, and leaves something of the lock behind, may block the others forever.
void Ledger::countEnd(int client, int lock, Instant now)
{
    const bool isHolder = beliefOf(client, lock).depth > 0;
    const bool isWriter = std::ranges::any_of(m_elements, [&](const Element& element) {
        return element.lock == lock && element.isLockItself && element.writer == client
               && element.expiresAt >= now;
    });
    if (isHolder || (isWriter && !isOtherHolding(client, lock, now))) {
        countChance(Promise::NoStuckLock);
    }
    // That is a death by the plan, and nobody renews or releases from here on.
    m_isClean = m_isClean && !isHolder;
}

bool Ledger::isOtherHolding(int client, int lock, Instant now) const
{
    for (int other = 0; other < m_clientCount; ++other) {
        if (other != client && isLiveHolder(other, lock, now)) {
            return true;
        }
    }
    return false;
}

/// A hold stays on the servers until its release is answered.
int Ledger::otherHoldCount(int client, int lock) const
{
    int count = 0;
    for (int other = 0; other < m_clientCount; ++other) {
        const Belief& belief = beliefOf(other, lock);
        count += other != client && (belief.isHeld() || belief.isGivingBack) ? 1 : 0;
    }
    return count;
}

bool Ledger::isAnyWaiting(int lock) const
{
    for (int client = 0; client < m_clientCount; ++client) {
        if (beliefOf(client, lock).isWaiting) {
            return true;
        }
    }
    return false;
}

/// A lock was given back: a client that sleeps and waits for it has to be woken.
void Ledger::countFreed(int lock)
{
    for (int client = 0; client < m_clientCount; ++client) {
        const Belief& belief = beliefOf(client, lock);
        if (belief.isWaiting && belief.isRefused) {
            countChance(Promise::NoLostWakeup);
            return;
        }
    }
}

/// A release or a renewal that comes while another client holds the lock could harm that hold.
bool Ledger::commandCame(int client, Purpose purpose, const store::Command& command, Instant now)
{
    const bool isOther = isOtherHolding(client, lockIn(command), now);
    if (isOther && purpose != Purpose::Acquire) {
        countChance(Promise::OwnerOnlyRelease);
    }
    return isOther;
}

/// The lock that the command is about; the first when it names none.
int Ledger::lockIn(const store::Command& command) const
{
    // A script may have any text in it.
    const bool isScript = !command.words.empty() && command.words.front().starts_with("EVAL");
    for (std::size_t i = isScript ? 2 : 1; m_lockCount > 1 && i < command.words.size(); ++i) {
        if (const int lock = lockOf(command.words[i]); lock >= 0) {
            return lock;
        }
    }
    return 0;
}

void Ledger::concluded(bool isAnyHung, Instant now)
{
    for (int lock = 0; lock < m_lockCount; ++lock) {
        if (isAnyHung || isAnythingLeft(lock, now)) {
            countChance(Promise::NoStuckLock);
        }
        for (int client = 0; client < m_clientCount; ++client) {
            const bool isWaiting = !isAsker(client) && beliefOf(client, lock).isWaiting;
            m_chances.cleanFailures += m_isClean && isWaiting ? 1 : 0;
        }
    }
}

} // namespace lockscope::world
