#include "core/kernel/world/step_runner.h"

#include <algorithm>
#include <utility>

namespace lockscope::world {

void StepRunner::begin()
{
    m_parts.scheduler.begin();
    m_parts.clients.markAll(true);
    m_parts.servers.markAll(true);
    for (int client = 0; client < m_parts.clients.count(); ++client) {
        m_parts.clients.start(client);
    }
    settle();
}

void StepRunner::carryOut(const Step& step)
{
    StepScheduler& scheduler = m_parts.scheduler;
    scheduler.count(step);
    m_parts.ledger.setStepCount(scheduler.cost());
    if (!scheduler.hasBegun() && step.kind == Step::Kind::Advance) {
        begin();
        return;
    }
    scheduler.noteTaken(step);
    m_parts.network.beginStep();
    m_parts.clients.markAll(false);
    m_parts.servers.markAll(false);
    switch (step.kind) {
    case Step::Kind::Serve: m_parts.network.serve(step.client, {step.node, step.role}); break;
    case Step::Kind::ServeLate: m_parts.network.serveLate(step.variant); break;
    case Step::Kind::Advance: advanceTo(scheduler.endOfAdvance()); break;
    case Step::Kind::Fault: m_parts.faults.carryOut(step); break;
    }
    settle();
}

/// One pass is enough: a client reaches another one only through a server, and none carries out a
/// request here.
void StepRunner::settle()
{
    Clients& clients = m_parts.clients;
    for (int client = 0; client < clients.count(); ++client) {
        if (clients.isRunning(client) && clients.run(client)) {
            m_parts.network.closeListeners(client);
        }
    }
    judgeGivenBack();
    judgeLateRefusals();
    m_parts.record.tellNew(m_parts.ledger.violations());
}

/// A client that gives a lock or a permit back in time, while nothing goes wrong, opens it for
/// others at once.
void StepRunner::judgeGivenBack()
{
    Ledger& ledger = m_parts.ledger;
    for (const Ledger::GivenBack& given : ledger.givenBack()) {
        const Probe::Answer answer = m_parts.probe.ask(given.lock, given.room);
        if (answer == Probe::Answer::Refused || answer == Probe::Answer::Failed) {
            ledger.note(protocol::Promise::Progress, ViolationKind::Orphan, given.lock,
                        given.client, -1, m_parts.now);
        }
    }
    ledger.forgetGivenBack();
}

void StepRunner::advanceTo(Instant then)
{
    if (m_parts.ledger.watchesSleepers()) {
        findSleepers();
        // Before time goes on: what a client misses by sleeping is judged by what stands now.
        judgeSleepers(then);
    }
    const Instant from = std::exchange(m_parts.now, then);
    m_parts.record.tell([from, then](Observer& observer) { observer.timeWentOn(from, then); });
    wakeUp();
}

void StepRunner::judgeSleepers(Instant then)
{
    Ledger& ledger = m_parts.ledger;
    const std::vector<Ledger::Waiter> sleepers = ledger.sleepers(m_isAsleep);
    for (const Ledger::Waiter& sleeper : sleepers) {
        ledger.slept(sleeper, openFrom(sleeper, then).at, m_parts.now, then);
    }
    for (const Ledger::Waiter& sleeper : sleepers) {
        if (then > ledger.openBy(sleeper.lock) + m_parts.plan.wakeUpMax) {
            judgeStandstill(sleeper, then);
        }
    }
}

/// Waiters that poll need not sleep for long, so they are judged when they are refused.
void StepRunner::judgeLateRefusals()
{
    if (m_parts.ledger.lateRefusals().empty()) {
        return;
    }
    findSleepers();
    for (const Ledger::Waiter& refused : m_parts.ledger.lateRefusals()) {
        judgeStandstill(refused, m_parts.now);
    }
    m_parts.ledger.forgetRefusals();
}

/// No client has the lock, and those that want it only wait, although it should have been open for
/// a while: a dead client keeps it closed, or its place in a queue does. Until `then` it is granted
/// to none of them, and it is not granted to another client now.
void StepRunner::judgeStandstill(const Ledger::Waiter& waiter, Instant then)
{
    Ledger& ledger = m_parts.ledger;
    const auto mayBeOpenFor = [&](const Ledger::Waiter& other) {
        if (other.lock != waiter.lock) {
            return false;
        }
        const Probe::FreeFrom open = openFrom(other, then);
        return !open.isKnown || (open.at && *open.at <= then);
    };
    if (!ledger.isLeftAlone(waiter.lock, m_isAsleep)
        || std::ranges::any_of(ledger.sleepers(m_isAsleep), mayBeOpenFor)) {
        return;
    }
    const Probe::FreeFrom open = m_parts.probe.freeFrom(waiter.lock);
    if (open.isKnown && open.at != m_parts.now) {
        const auto kind = open.at ? ViolationKind::NeverGranted : ViolationKind::PermanentLock;
        ledger.note(protocol::Promise::NoStuckLock, kind, waiter.lock, waiter.client, -1, then);
    }
}

/// The protocol is asked again only if something has happened to a server, if the waiter has begun
/// another request, or if `bound` is beyond the one that it was asked about.
Probe::FreeFrom StepRunner::openFrom(const Ledger::Waiter& waiter, Instant bound)
{
    const Ledger& ledger = m_parts.ledger;
    const auto lockCount = static_cast<std::size_t>(ledger.lockCount());
    m_openings.resize(static_cast<std::size_t>(ledger.clientCount()) * lockCount);
    Opening& opening = m_openings[static_cast<std::size_t>(waiter.client) * lockCount
                                  + static_cast<std::size_t>(waiter.lock)];
    const bool isSame = opening.request == waiter.request
                        && opening.changeCount == ledger.changeCount();
    if (isSame && (opening.open.at || opening.bound >= bound)) {
        return opening.open;
    }
    const SimClient& client = std::as_const(m_parts.clients)[waiter.client];
    auto waiting = client.waitingFor();
    if (!waiting) {
        return {false, {}};
    }
    const Probe::FreeFrom open = m_parts.probe.freeFrom({client.identity(), waiting->rng,
                                                         std::move(waiting->request)},
                                                        bound);
    opening = {waiter.request, ledger.changeCount(), bound, open};
    return open;
}

void StepRunner::findSleepers()
{
    const Clients& clients = m_parts.clients;
    // The ledger has places for the clients that ask in the end; none of them is asleep yet.
    m_isAsleep.assign(static_cast<std::size_t>(m_parts.ledger.clientCount()), false);
    for (int client = 0; client < clients.count(); ++client) {
        m_isAsleep[static_cast<std::size_t>(client)] =
            clients.isRunning(client) && !m_parts.network.isWaitingForAnswer(client);
    }
}

/// The order is fixed, so that a tie has one outcome. Pauses and partitions end first, or what the
/// servers send in this instant would be lost. Answers come before time-outs, those before timers.
void StepRunner::wakeUp()
{
    m_parts.clients.endPauses();
    m_parts.network.beginInstant();
    for (int node = 0; node < m_parts.servers.count(); ++node) {
        m_parts.servers[node].endWaits(m_parts.servers.timeOf(node));
        m_parts.network.deliver(node);
    }
    m_parts.network.giveUpLateAnswers();
    m_parts.clients.fireTimers();
}

} // namespace lockscope::world
