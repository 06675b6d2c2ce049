#include "core/kernel/world/end_oracle.h"

#include "core/kernel/world/probe.h"

#include <algorithm>
#include <utility>

namespace lockscope::world {

EndOracle::EndOracle(const protocol::ProtocolInfo& info, const WorldPlan& plan,
                     const StepRunner::Parts& parts, StepRunner& runner)
    : m_info(info),
      m_plan(plan),
      m_parts(parts),
      m_runner(runner)
{}

void EndOracle::conclude()
{
    // A run that was cut off at the horizon might have gone on well: its end proves nothing.
    if (m_parts.scheduler.isCutShort() || m_hasConcluded) {
        return;
    }
    m_hasConcluded = true;
    heal();
    Ledger& ledger = m_parts.ledger;
    ledger.concluded(m_parts.clients.hungOne().has_value(), m_parts.now);
    for (int lock = 0; lock < ledger.lockCount(); ++lock) {
        const bool mayBe = mayBeStuck(lock);
        if (mayBe && !isGranted(lock)) {
            noteStuck(lock);
        } else if (mayBe && m_plan.permits > 1 && !m_parts.clients.hungOne()) {
            judgePermits(lock);
        }
    }
    m_runner.settle();
}

/// The probe takes less time than a client that asks. Servers without data keep no client away.
bool EndOracle::mayBeStuck(int lock) const
{
    bool isAnyKeyLeft = false;
    for (int node = 0; node < m_parts.servers.count(); ++node) {
        isAnyKeyLeft |= !std::as_const(m_parts.servers)[node].database().keys().entries().empty();
    }
    return isAnyKeyLeft && m_parts.probe.ask(lock, m_plan.permits) != Probe::Answer::Granted;
}

void EndOracle::heal()
{
    m_parts.faults.end();
    m_parts.network.heal();
    m_parts.clients.resumeAll();
    m_parts.servers.endSlowness();
    m_runner.wakeUp(); // a client that stood still is late for something
    m_runner.settle();
}

/// Of a client that wants the lock once, and has time. A writer, because any hold that is left
/// keeps it away, a reader's, too. It polls once per lease: more often would take longer and find
/// nothing else.
const WorldPlan& EndOracle::planFor(int lock)
{
    const Duration lease = m_plan.leaseMax();
    const auto mode = m_info.hasModes ? protocol::Mode::Write : protocol::Mode::Exclusive;
    ClientPlan client;
    client.acts.push_back(Act::acquire(lease, lock).as(mode).unrenewed());
    client.acts.push_back(Act::release(lock));
    WorldPlan& asking = *m_askerPlans.emplace_back(std::make_unique<WorldPlan>(m_plan));
    // In front of the clients of the run, which stay, so that the names of the keys stay.
    asking.clients.insert(asking.clients.begin(), std::move(client));
    asking.retryPause = lease;
    asking.triesMax = 1'000'000; // only time ends its patience
    asking.waitMax = kPatienceInLeases * lease
                     + m_plan.renewal.period * m_plan.renewal.countMax.value_or(0);
    if (!m_parts.clients.hungOne()) { // a client that hangs renews forever or for so long
        asking.waitMax += kPatience;
    }
    return asking;
}

/// A new client asks for the lock, for as long as any lease may last.
bool EndOracle::isGranted(int lock)
{
    const int asker = m_parts.clients.count();
    const WorldPlan& plan = planFor(lock);
    const auto& events = m_parts.record.events();
    const auto eventCount = static_cast<std::ptrdiff_t>(events.size());
    m_parts.clients.add(plan, plan.clients.front());
    m_parts.network.connect(asker);
    m_parts.clients.start(asker);
    m_runner.settle();
    const int cost = m_parts.scheduler.cost();
    const Instant deadline = m_parts.now + plan.waitMax;
    while (!m_parts.clients[asker].isOver() && m_parts.now <= deadline) {
        // One schedule of the rest will do: the question is whether the lock is granted at all.
        const std::optional<Step> step = m_parts.scheduler.anyOrderly();
        if (!step) {
            break;
        }
        m_runner.carryOut(*step);
        // The length of a run is that of what led here.
        m_parts.scheduler.setCost(cost);
        m_parts.ledger.setStepCount(cost);
    }
    return std::any_of(events.begin() + eventCount, events.end(), [asker](const auto& event) {
        return event.kind == trace::EventKind::Granted
               && event.contender == static_cast<trace::ContenderId>(asker);
    });
}

/// One that was granted is enough where there is one lock; of several permits some may be lost.
void EndOracle::judgePermits(int lock)
{
    const Probe::FreeFrom all = m_parts.probe.freeFrom(lock, m_plan.permits);
    if (all.isKnown && !all.at) {
        m_parts.ledger.note(protocol::Promise::NoStuckLock, ViolationKind::PermanentLock, lock,
                            m_parts.clients.count() - 1, -1, m_parts.now);
    }
}

void EndOracle::noteStuck(int lock)
{
    using protocol::Promise;
    Ledger& ledger = m_parts.ledger;
    const int asker = m_parts.clients.count() - 1;
    const std::optional<int> zombie = m_parts.clients.hungOne();
    const Probe::FreeFrom open = m_parts.probe.freeFrom(lock);
    if (open.isKnown && !open.at) {
        ledger.note(Promise::NoStuckLock, ViolationKind::PermanentLock, lock, asker, -1,
                    m_parts.now);
    } else {
        // No task is left that could give it back; a worker that hangs is one.
        const bool isLeft = zombie && ledger.isHandedOver(*zombie, lock);
        ledger.note(isLeft ? Promise::NoStuckLock : Promise::Progress,
                    zombie ? ViolationKind::ZombieRenewal : ViolationKind::NoProgress, lock,
                    zombie.value_or(asker), -1, m_parts.now);
    }
}

} // namespace lockscope::world
