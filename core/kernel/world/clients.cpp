#include "core/kernel/world/clients.h"

#include <algorithm>
#include <utility>

namespace lockscope::world {

using trace::EventKind;

Clients::Clients(const Setting& setting) : m_setting(setting)
{
    // One may be added per lock in the end (EndOracle).
    m_slots.reserve(setting.plan.clients.size()
                    + static_cast<std::size_t>(setting.ledger.lockCount()));
}

std::unique_ptr<SimClient> Clients::makeClient(int index, const WorldPlan& plan,
                                               const ClientPlan& acts, int restartCount)
{
    return std::make_unique<SimClient>(SimClient::Setting{
        m_setting.protocol, plan, acts, m_setting.ledger, m_setting.network, *this, m_setting.now,
        index, acts.sharesIdentityWith.value_or(index), restartCount});
}

void Clients::add(const WorldPlan& plan, const ClientPlan& acts)
{
    const int index = count();
    m_slots.emplace_back().client = makeClient(index, plan, acts, 0);
    m_setting.ledger.setLocalClock(index, (*this)[index].now(), 1, m_setting.now);
}

void Clients::append(const trace::Event& event)
{
    const int client = static_cast<int>(event.contender);
    const int lock = event.lock;
    const Instant now = m_setting.now;
    Ledger& ledger = m_setting.ledger;
    SimClient& who = (*this)[client];
    trace::Event known = event;
    // The client reported the time of its own clock, which a fault may have set wrong. The record
    // and the ledger go by the world's.
    known.at = now;
    m_setting.record.add(known);
    switch (event.kind) {
    case EventKind::Requested:
        who.beginAcquiring();
        ledger.requested(client, lock, event.isRead, now);
        break;
    // The grant itself, with its lease and fence, reaches the ledger from PlannedLife.
    case EventKind::Granted: who.endAcquiring(); break;
    case EventKind::Refused: ledger.refused(client, lock, now); break;
    case EventKind::GaveUp:
    case EventKind::Withdrew:
    case EventKind::Unavailable:
    case EventKind::Uncertain:
        who.endAcquiring();
        ledger.stoppedWaiting(client, lock, now);
        if (event.kind == EventKind::Uncertain) {
            ledger.answerUnknown(client, lock, now);
        }
        break;
    case EventKind::RenewalFailed:
        if (event.value == static_cast<std::int64_t>(trace::RenewalFailure::Unknown)) {
            ledger.answerUnknown(client, lock, now);
        }
        break;
    case EventKind::ReleaseUncertain: ledger.answerUnknown(client, lock, now); break;
    case EventKind::Renewed: ledger.renewed(client, lock, now); break;
    case EventKind::Lost: ledger.lost(client, lock, now); break;
    case EventKind::Releasing: ledger.releasing(client, lock, now); break;
    case EventKind::Released:
        ledger.released(client, lock, static_cast<int>(event.value), now);
        break;
    case EventKind::ReleaseRefused: ledger.releaseRefused(client, lock, now); break;
    default: break;
    }
    m_setting.record.tell([&known](Observer& observer) { observer.recorded(known); });
}

void Clients::markAll(bool areFresh)
{
    for (Slot& slot : m_slots) {
        slot.isFresh = areFresh;
    }
}

bool Clients::areAllDead() const
{
    return std::ranges::all_of(m_slots, [](const Slot& slot) { return slot.client->isDead(); });
}

std::optional<int> Clients::hungOne() const
{
    for (int client = count() - 1; client >= 0; --client) {
        if ((*this)[client].isHung()) {
            return client;
        }
    }
    return std::nullopt;
}

/// A finished client believes nothing any more; one that the plan lets die leaves its locks behind.
void Clients::noteEnd(int client)
{
    if (!std::exchange(at(client).hasEnded, true)) {
        m_setting.ledger.ended(client, m_setting.now);
    }
}

Instant Clients::nextDue()
{
    Instant next = Instant::max();
    for (Slot& slot : m_slots) {
        const auto due = slot.pausedUntil ? slot.pausedUntil : slot.client->nextTimer();
        next = std::min(next, due.value_or(Instant::max()));
    }
    return next;
}

void Clients::fireTimers()
{
    for (int client = 0; client < count(); ++client) {
        if (isRunning(client)) {
            (*this)[client].fireTimers();
        }
    }
}

void Clients::pause(int client, Duration span)
{
    at(client).pausedUntil = m_setting.now + span;
    m_setting.record.addFault(EventKind::Paused, client, m_setting.now, span);
}

void Clients::endPauses()
{
    for (int client = 0; client < count(); ++client) {
        auto& pausedUntil = at(client).pausedUntil;
        if (pausedUntil && *pausedUntil <= m_setting.now) {
            pausedUntil.reset();
            m_setting.record.addFault(EventKind::Resumed, client, m_setting.now);
        }
    }
}

void Clients::resumeAll()
{
    for (Slot& slot : m_slots) {
        slot.pausedUntil.reset();
    }
}

void Clients::crash(int client)
{
    (*this)[client].crash();
    m_setting.record.addFault(EventKind::Crashed, client, m_setting.now);
    noteEnd(client);
}

void Clients::replaceCrashed(int client)
{
    Slot& slot = at(client);
    const std::unique_ptr<SimClient> before = std::exchange(slot.client, nullptr);
    const ClientPlan& acts = m_setting.plan.clients[static_cast<std::size_t>(client)];
    slot.client = makeClient(client, m_setting.plan, acts, ++slot.restartCount);
    slot.client->goOnWithClockOf(*before);
    slot.hasEnded = false;
}

void Clients::setRate(int client, double rate)
{
    SimClient& who = (*this)[client];
    who.setRate(rate);
    // Whether a holder may still trust its lease is judged by this clock.
    m_setting.ledger.setLocalClock(client, who.now(), rate, m_setting.now);
}

void Clients::addTo(ContentHash& hash, int client) const
{
    const Slot& slot = at(client);
    hash.add(slot.client->contentHash());
    hash.add(slot.pausedUntil ? slot.pausedUntil->time_since_epoch().count() : -1);
}

void Clients::addFreshnessTo(ContentHash& hash) const
{
    for (const Slot& slot : m_slots) {
        hash.add(slot.isFresh);
    }
}

} // namespace lockscope::world
