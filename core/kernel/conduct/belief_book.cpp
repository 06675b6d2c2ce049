#include "core/kernel/conduct/belief_book.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace lockscope::conduct {

using State = Belief::State;

std::optional<Instant> Belief::leftSince() const
{
    const bool isUntold = hasMade && (!wasGranted || wasMadeLate);
    return leftAt || isUntold ? std::optional(std::max(leftAt.value_or(Instant{}), madeAt))
                              : std::nullopt;
}

Instant Belief::leaseBegin() const
{
    // An earlier request of it may have taken what it is told of only now.
    return leftSince() ? leaseFrom : std::max(leaseFrom, askedAt);
}

BeliefBook::BeliefBook(const Workload& workload, std::span<const Deviation> deviations)
    : m_workload(workload),
      m_deviations(deviations)
{
    const auto processes = static_cast<std::size_t>(workload.processCount);
    const auto parties = static_cast<std::size_t>(workload.partyCount());
    const auto locks = static_cast<std::size_t>(workload.lockCount);
    m_beliefs.resize(parties * locks);
    m_leases.resize(parties * locks * static_cast<std::size_t>(workload.serverCount));
    m_diedAt.resize(processes);
    m_hindrances.resize(processes);
    m_runningCalls.resize(parties);
    m_unhinderedSince.resize(processes);
    m_disturbedAt.resize(processes);
    m_keys.resize(locks);
    m_keysSeenAt.resize(locks);
    m_prolongedAt.resize(locks);
    m_grantedAt.resize(locks);
    m_makers.resize(locks * static_cast<std::size_t>(workload.serverCount));
}

void BeliefBook::see(const LogEntry& entry)
{
    ++m_entryCount;
    switch (entry.kind) {
    case LogEntry::Kind::Called: seeCall(entry); return;
    case LogEntry::Kind::Answered: seeAnswer(entry); return;
    case LogEntry::Kind::LossTold:
        if (Belief& belief = beliefOf(partyOf(entry), entry.lock); belief.state == State::Holding) {
            endHold(belief, entry.at, false);
        }
        return;
    case LogEntry::Kind::Executed: seeExecuted(entry); return;
    case LogEntry::Kind::Interfered: seeInterference(entry); return;
    case LogEntry::Kind::LetGo: seeEndOfInterference(entry); return;
    case LogEntry::Kind::Ended:
        m_diedAt[static_cast<std::size_t>(entry.process)] = entry.at;
        for (int thread = 0; thread < m_workload.threadCount; ++thread) {
            const int party = m_workload.partyOf(entry.process, thread);
            m_runningCalls[static_cast<std::size_t>(party)] = 0;
        }
        return;
    default: return;
    }
}

void BeliefBook::seeCall(const LogEntry& entry)
{
    const int party = partyOf(entry);
    ++m_runningCalls[static_cast<std::size_t>(party)];
    Belief& belief = beliefOf(party, entry.lock);
    if (entry.word == Word::Acquire && belief.state != State::Holding) {
        const Belief before = std::exchange(belief, Belief{});
        belief.touchedAt = before.touchedAt;
        belief.touchedBy = before.touchedBy;
        belief.madeAt = before.madeAt;
        belief.handedAt = before.handedAt;
        belief.mayHavePlace = before.mayHavePlace
                              || (before.queuedAt && !before.wasGranted && before.wasHindered);
        belief.lastHeldAt = before.wasGranted ? before.endedAt : before.lastHeldAt;
        belief.extendedUntil = before.extendedUntil;
        belief.leftAt = before.isClean ? before.leftSince() : before.endedAt;
        belief.state = State::Asking;
        belief.isRead = entry.isRead;
        belief.askedAt = entry.at;
        belief.wasHindered = isHindered(entry.process);
        belief.isInDoubt = belief.wasHindered;
        const auto servers = static_cast<std::ptrdiff_t>(m_workload.serverCount);
        const auto first = m_leases.begin()
                           + static_cast<std::ptrdiff_t>(indexOf(party, entry.lock)) * servers;
        std::fill(first, first + servers, std::nullopt);
    } else if (entry.word == Word::Release) {
        belief.state = State::GivingBack;
        belief.isReleaseDue = false;
    }
    belief.word = entry.word;
    belief.isDisturbed = isHindered(entry.process);
    belief.calledAt = m_entryCount;
}

void BeliefBook::seeAnswer(const LogEntry& entry)
{
    const int party = partyOf(entry);
    --m_runningCalls[static_cast<std::size_t>(party)];
    Belief& belief = beliefOf(party, entry.lock);
    belief.word.reset();
    belief.isLettingGo = false;
    // Libraries may answer `held` from memory.
    if (entry.answer.kind == Answer::Kind::Yes && entry.word != Word::Held && !belief.isDisturbed) {
        belief.isInDoubt = false;
    }
    switch (entry.word) {
    case Word::Acquire: seeAcquired(belief, entry); return;
    case Word::Release: seeReleased(belief, entry); return;
    case Word::Held:
    case Word::Extend:
        // An error says nothing of what it believes.
        if (entry.answer.kind == Answer::Kind::No && belief.state == State::Holding) {
            endHold(belief, entry.at, false);
        }
        return;
    default: return;
    }
}

void BeliefBook::seeAcquired(Belief& belief, const LogEntry& entry)
{
    const bool isYes = entry.answer.kind == Answer::Kind::Yes;
    const bool isHeld = belief.state == State::Holding; // it asked once more
    belief.depth += isYes ? 1 : 0;
    belief.wasNested = belief.wasNested || (isYes && isHeld);
    if (isYes) {
        belief.state = State::Holding;
        belief.wasGranted = true;
        belief.handedAt.reset();
        m_grantedAt[static_cast<std::size_t>(entry.lock)] = entry.at;
    } else if (!isHeld) {
        endHold(belief, entry.at, entry.answer.kind == Answer::Kind::No);
    } else if (belief.isDisturbed) {
        belief.uncountedAt = entry.at;
    }
}

void BeliefBook::seeReleased(Belief& belief, const LogEntry& entry)
{
    const bool isYes = entry.answer.kind == Answer::Kind::Yes;
    if (isYes && belief.depth > 1) {
        --belief.depth;
        belief.state = State::Holding;
        return;
    }
    endHold(belief, entry.at, isYes);
    belief.isReleaseDue = entry.answer.kind == Answer::Kind::Error;
    if (belief.isClean) {
        belief.leftAt = belief.uncountedAt;
    }
}

void BeliefBook::endHold(Belief& belief, Instant at, bool isClean)
{
    belief.state = State::None;
    belief.depth = 0;
    belief.isClean = isClean;
    belief.endedAt = at;
}

void BeliefBook::seeExecuted(const LogEntry& entry)
{
    seeReplicasAnswer(entry);
    for (const LockEffect& effect : entry.effects) {
        const auto lock = static_cast<std::size_t>(effect.lock);
        m_keys[lock] = effect;
        m_keysSeenAt[lock] = entry.at;
        if (effect.isProlonged) {
            m_prolongedAt[lock] = entry.at;
        }
        const int party = partyBehind(entry.process, effect);
        touch(party, effect, entry);
        if (effect.isThere && of(party, effect.lock).state == State::GivingBack) {
            handOn(effect.lock, entry.at);
        }
        if (effect.isMade) {
            m_makers[makerIndexOf(effect.lock, entry.server)] = {party, m_entryCount};
        }
    }
}

/// Something is left behind a release: who is known to the server, also as one that has died or
/// given up since, may be the next holder without a request of its own.
void BeliefBook::handOn(int lock, Instant at)
{
    for (int party = 0; party < m_workload.partyCount(); ++party) {
        Belief& belief = beliefOf(party, lock);
        if (belief.queuedAt && !belief.wasGranted) {
            belief.handedAt = at;
        }
    }
}

void BeliefBook::touch(int party, const LockEffect& effect, const LogEntry& entry)
{
    Belief& belief = beliefOf(party, effect.lock);
    belief.spokeAt = effect.lock == entry.lock ? entry.at : belief.spokeAt;
    if (effect.lock == entry.lock && belief.state == State::Asking && !belief.queuedAt) {
        belief.queuedAt = m_entryCount;
    }
    const bool isOfEndedCall = effect.isMade && isBesideItsHold(belief);
    if (effect.isMade) {
        belief.madeAt = entry.at;
        belief.hasMade = true;
        belief.wasMadeLate = belief.state == State::None || isOfEndedCall;
        const bool isNested = belief.state == State::Holding && belief.word == Word::Acquire;
        belief.isRestarted = belief.isRestarted || isNested;
    }
    // What it cannot extend everywhere, a library gives back before it says so.
    belief.isLettingGo = belief.word == Word::Extend && (effect.isGone || belief.isLettingGo)
                         && !effect.isMade;
    if ((!effect.isMade && !effect.isProlonged) || isOfEndedCall) {
        return;
    }
    if (isOfAnother(party, effect, entry.server)) {
        belief.prolongedOthersAt = entry.at;
        return;
    }
    belief.touchedAt = entry.at;
    belief.touchedBy = m_entryCount;
    if (belief.word == Word::Extend && effect.isProlonged) {
        belief.extendedUntil = Instant(std::chrono::milliseconds(effect.latestExpiryMs));
    }
    const auto servers = static_cast<std::size_t>(m_workload.serverCount);
    const auto leases = std::span(m_leases).subspan(indexOf(party, effect.lock) * servers, servers);
    leases[static_cast<std::size_t>(entry.server)] = entry.at;
    // The lease is as good as the latest of the servers without which there is no majority.
    std::vector<Instant> begins;
    for (const auto& begin : leases) {
        if (begin) {
            begins.push_back(*begin);
        }
    }
    std::ranges::sort(begins, std::greater<>());
    const auto needed = std::min(begins.size(), static_cast<std::size_t>(m_workload.quorum()));
    belief.leaseFrom = begins[needed - 1];
}

/// Its process takes the free lock although it believes to hold it, and no call of it is running.
/// Only a library that renews by itself does that for its hold: otherwise it is an earlier call,
/// which its program has given up, and which goes on in the background.
bool BeliefBook::isBesideItsHold(const Belief& belief) const
{
    return belief.state == State::Holding && !belief.word && !m_workload.traits.isRenewed
           && !m_workload.isOfPrograms();
}

/// It was another one's by then: what it lasts longer for is no lease of this party, which took the
/// lock before that.
bool BeliefBook::isOfAnother(int party, const LockEffect& effect, int server) const
{
    const Maker& maker = m_makers[makerIndexOf(effect.lock, server)];
    const Belief& belief = of(party, effect.lock);
    return !effect.isMade && belief.state != State::Asking && maker.party != party
           && maker.entry > belief.touchedBy;
}

/// Whose request it is, of the threads of a process: what it did tells, as far as it can be told.
int BeliefBook::partyBehind(int process, const LockEffect& effect) const
{
    const auto wanted = effect.isGone   ? State::GivingBack
                        : effect.isMade ? State::Asking
                                        : State::Holding;
    // Of several the one that was called last: what an earlier one asked for has been carried out.
    const auto fitOf = [&](int party) {
        const Belief& belief = of(party, effect.lock);
        return std::tuple(belief.state == wanted, hasCallRunning(party), belief.calledAt);
    };
    int found = process;
    for (int thread = 1; thread < m_workload.threadCount; ++thread) {
        const int party = m_workload.partyOf(process, thread);
        found = fitOf(party) > fitOf(found) ? party : found;
    }
    return found;
}

/// WAIT: nobody has it yet where its answer is 0, or comes only when the time is over.
void BeliefBook::seeReplicasAnswer(const LogEntry& entry)
{
    if (entry.message.kind != "WAIT") {
        return;
    }
    const bool isUnreplicated = entry.reply.integer().value_or(0) == 0;
    for (int party = 0; party < m_workload.partyCount(); ++party) {
        for (int lock = 0; lock < m_workload.lockCount; ++lock) {
            Belief& belief = beliefOf(party, lock);
            if (m_workload.processOf(party) == entry.process && belief.state == State::Asking) {
                belief.isUnreplicated = isUnreplicated;
            }
        }
    }
}

bool BeliefBook::areKeysExpired(int lock, Instant now) const
{
    const LockEffect& keys = keysOf(lock);
    const Instant end(std::chrono::milliseconds(keys.latestExpiryMs));
    return keys.isThere && !keys.isPermanent && now >= end
           && m_keysSeenAt[static_cast<std::size_t>(lock)] < end;
}

/// Of a server everybody notices.
std::vector<int> BeliefBook::processesHitBy(const LogEntry& entry) const
{
    const Interference kind = m_deviations[static_cast<std::size_t>(entry.deviation)].kind;
    if (!isOfServer(kind)) {
        return {entry.process};
    }
    std::vector<int> all(static_cast<std::size_t>(m_workload.processCount));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

void BeliefBook::seeInterference(const LogEntry& entry)
{
    const Interference kind = m_deviations[static_cast<std::size_t>(entry.deviation)].kind;
    if (kind == Interference::PassTime || kind == Interference::ForgetScripts) {
        return; // everybody's clock goes on; every client asks again with the text
    }
    for (const int process : processesHitBy(entry)) {
        disturb(process);
        m_disturbedAt[static_cast<std::size_t>(process)] = entry.at;
        if (lasts(kind)) {
            ++m_hindrances[static_cast<std::size_t>(process)];
        }
    }
}

void BeliefBook::seeEndOfInterference(const LogEntry& entry)
{
    for (const int process : processesHitBy(entry)) {
        --m_hindrances[static_cast<std::size_t>(process)];
        m_unhinderedSince[static_cast<std::size_t>(process)] = entry.at;
        m_disturbedAt[static_cast<std::size_t>(process)] = entry.at;
    }
    if (m_deviations[static_cast<std::size_t>(entry.deviation)].kind == Interference::FailOver) {
        m_failedOverAt = entry.at;
    }
}

void BeliefBook::disturb(int process)
{
    for (int thread = 0; thread < m_workload.threadCount; ++thread) {
        for (int lock = 0; lock < m_workload.lockCount; ++lock) {
            Belief& belief = beliefOf(m_workload.partyOf(process, thread), lock);
            belief.wasHindered = true;
            belief.isInDoubt = true;
            belief.isDisturbed = belief.isDisturbed || belief.word.has_value();
        }
    }
}

bool BeliefBook::isAnybodyWaitingForFree(int lock) const
{
    bool isAnybodyWaiting = false;
    for (int party = 0; party < m_workload.partyCount(); ++party) {
        const State state = of(party, lock).state;
        const bool isAlive = !isDead(m_workload.processOf(party));
        if (isAlive && (state == State::Holding || state == State::GivingBack)) {
            return false;
        }
        isAnybodyWaiting = isAnybodyWaiting || (isAlive && state == State::Asking);
    }
    return isAnybodyWaiting;
}

/// Its latest acquire was refused.
bool BeliefBook::wasRefused(int party, int lock) const
{
    const Belief& belief = of(party, lock);
    return belief.state == State::None && !belief.wasGranted && belief.calledAt > 0
           && !isDead(m_workload.processOf(party));
}

/// There is a key without an expiry, and of the living some want the lock and no one holds it.
bool BeliefBook::isStuck(int lock) const
{
    bool isWanted = false;
    for (int party = 0; party < m_workload.partyCount(); ++party) {
        const State state = of(party, lock).state;
        const bool isAlive = !isDead(m_workload.processOf(party));
        if (isAlive && (state == State::Holding || state == State::GivingBack)) {
            return false;
        }
        isWanted = isWanted || wasRefused(party, lock) || (isAlive && state == State::Asking);
    }
    return isWanted && keysOf(lock).isThere && keysOf(lock).isPermanent;
}

bool BeliefBook::isAnyStuck() const
{
    for (int lock = 0; lock < m_workload.lockCount; ++lock) {
        if (isStuck(lock)) {
            return true;
        }
    }
    return false;
}

bool BeliefBook::isDue(const Act& act) const
{
    if (act.kind == Act::Kind::PassStuck || act.kind == Act::Kind::SkipStuck) {
        return isAnyStuck();
    }
    if (act.kind != Act::Kind::Call) {
        return act.kind != Act::Kind::PassWaiting || isAnybodyWaitingForFree(act.lock);
    }
    const int party = m_workload.partyOf(act.process, act.thread);
    if (isDead(act.process) || hasCallRunning(party)) {
        return false;
    }
    const Belief& belief = of(party, act.lock);
    if (act.isProbe) {
        return isStuck(act.lock) && wasRefused(party, act.lock);
    }
    if (act.word == Word::Acquire && !act.isNested) {
        return belief.state == State::None;
    }
    return act.isRetry ? belief.isReleaseDue : belief.state == State::Holding;
}

} // namespace lockscope::conduct
