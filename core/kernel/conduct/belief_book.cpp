#include "core/kernel/conduct/belief_book.h"

#include <chrono>
#include <utility>

namespace lockscope::conduct {

using State = Belief::State;

BeliefBook::BeliefBook(const Workload& workload, std::span<const Deviation> deviations)
    : m_workload(workload),
      m_deviations(deviations)
{
    const auto processes = static_cast<std::size_t>(workload.processCount);
    const auto locks = static_cast<std::size_t>(workload.lockCount);
    m_beliefs.resize(processes * locks);
    m_diedAt.resize(processes);
    m_hindrances.resize(processes);
    m_runningCalls.resize(processes);
    m_unhinderedSince.resize(processes);
    m_keys.resize(locks);
    m_keysSeenAt.resize(locks);
    m_prolongedAt.resize(locks);
}

void BeliefBook::see(const LogEntry& entry)
{
    switch (entry.kind) {
    case LogEntry::Kind::Called: seeCall(entry); return;
    case LogEntry::Kind::Answered: seeAnswer(entry); return;
    case LogEntry::Kind::LossTold:
        if (Belief& belief = beliefOf(entry.process, entry.lock); belief.state == State::Holding) {
            endHold(belief, entry.at, false);
        }
        return;
    case LogEntry::Kind::Executed: seeExecuted(entry); return;
    case LogEntry::Kind::Interfered: seeInterference(entry); return;
    case LogEntry::Kind::LetGo: {
        const auto process = static_cast<std::size_t>(entry.process);
        --m_hindrances[process];
        m_unhinderedSince[process] = entry.at;
        return;
    }
    case LogEntry::Kind::Ended:
        m_diedAt[static_cast<std::size_t>(entry.process)] = entry.at;
        m_runningCalls[static_cast<std::size_t>(entry.process)] = 0;
        return;
    default: return;
    }
}

void BeliefBook::seeCall(const LogEntry& entry)
{
    ++m_runningCalls[static_cast<std::size_t>(entry.process)];
    Belief& belief = beliefOf(entry.process, entry.lock);
    if (entry.word == Word::Acquire) {
        const Belief before = std::exchange(belief, Belief{});
        belief.touchedAt = before.touchedAt;
        belief.madeAt = before.madeAt;
        belief.leftAt = before.isClean ? before.leftAt : before.endedAt;
        belief.state = State::Asking;
        belief.isRead = entry.isRead;
        belief.askedAt = entry.at;
        belief.wasHindered = isHindered(entry.process);
    } else if (entry.word == Word::Release) {
        belief.state = State::GivingBack;
        belief.isReleaseDue = false;
    }
}

void BeliefBook::seeAnswer(const LogEntry& entry)
{
    --m_runningCalls[static_cast<std::size_t>(entry.process)];
    Belief& belief = beliefOf(entry.process, entry.lock);
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
    if (entry.answer.kind != Answer::Kind::Yes) {
        endHold(belief, entry.at, entry.answer.kind == Answer::Kind::No);
        return;
    }
    belief.state = State::Holding;
    belief.wasGranted = true;
}

void BeliefBook::seeReleased(Belief& belief, const LogEntry& entry)
{
    const bool isError = entry.answer.kind == Answer::Kind::Error;
    endHold(belief, entry.at, entry.answer.kind == Answer::Kind::Yes);
    belief.isReleaseDue = isError;
    if (belief.isClean) {
        belief.leftAt.reset();
    }
}

void BeliefBook::endHold(Belief& belief, Instant at, bool isClean)
{
    belief.state = State::None;
    belief.isClean = isClean;
    belief.endedAt = at;
}

void BeliefBook::seeExecuted(const LogEntry& entry)
{
    for (const LockEffect& effect : entry.effects) {
        const auto lock = static_cast<std::size_t>(effect.lock);
        m_keys[lock] = effect;
        m_keysSeenAt[lock] = entry.at;
        Belief& belief = beliefOf(entry.process, effect.lock);
        if (effect.isMade || effect.isProlonged) {
            m_prolongedAt[lock] = entry.at;
            belief.touchedAt = entry.at;
            belief.leaseFrom = entry.at;
        }
        if (effect.isMade) {
            belief.madeAt = entry.at;
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

void BeliefBook::seeInterference(const LogEntry& entry)
{
    const Deviation& deviation = m_deviations[static_cast<std::size_t>(entry.deviation)];
    if (deviation.kind == Interference::PassTime) {
        return; // everybody's clock goes on
    }
    hinder(entry.process);
    if (lasts(deviation.kind)) {
        ++m_hindrances[static_cast<std::size_t>(entry.process)];
    }
}

void BeliefBook::hinder(int process)
{
    for (int lock = 0; lock < m_workload.lockCount; ++lock) {
        beliefOf(process, lock).wasHindered = true;
    }
}

bool BeliefBook::isAnybodyWaitingForFree(int lock) const
{
    bool isAnybodyWaiting = false;
    for (int process = 0; process < m_workload.processCount; ++process) {
        const State state = of(process, lock).state;
        if (!isDead(process) && (state == State::Holding || state == State::GivingBack)) {
            return false;
        }
        isAnybodyWaiting = isAnybodyWaiting || (!isDead(process) && state == State::Asking);
    }
    return isAnybodyWaiting;
}

bool BeliefBook::isDue(const Act& act) const
{
    if (act.kind != Act::Kind::Call) {
        return act.kind == Act::Kind::Pass || isAnybodyWaitingForFree(act.lock);
    }
    if (isDead(act.process) || hasCallRunning(act.process)) {
        return false;
    }
    const Belief& belief = of(act.process, act.lock);
    if (act.word == Word::Acquire) {
        return belief.state == State::None;
    }
    return act.isRetry ? belief.isReleaseDue : belief.state == State::Holding;
}

} // namespace lockscope::conduct
