#include "core/kernel/world/step_runner.h"

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

/// Nothing may be left of a lock that is closed all the same: its protocol is asked.
void StepRunner::judgeSleepers(Instant then)
{
    for (const auto& [client, lock, since] :
         m_parts.ledger.timePasses(m_parts.now, then, m_isAsleep)) {
        const Probe::FreeFrom open = m_parts.probe.freeFrom(lock);
        const bool isOpen = open.at == m_parts.now;
        if (open.isKnown && !isOpen) {
            m_parts.ledger.staysClosed(lock, open.at);
        }
        const Instant from = isOpen ? since : open.at.value_or(then);
        if (then - from > m_parts.plan.wakeUpMax) {
            m_parts.ledger.note(protocol::Promise::NoLostWakeup, ViolationKind::LostWakeup, lock,
                                client, -1, then, from);
        }
    }
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
