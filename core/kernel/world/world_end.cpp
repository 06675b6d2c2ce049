#include "core/kernel/world/world.h"

#include <algorithm>
#include <utility>

// The end of a run: everything is healed, and a new client asks for what was left behind.
namespace lockscope::world {

namespace {

/// For how long a new client asks for what is left behind, besides some leases and all renewals
/// that may still come: longer than any library lets others wait for a dead one (Redisson's fair
/// lock: five minutes).
constexpr Duration kPatience = std::chrono::minutes(6);
constexpr int kPatienceInLeases = 5;

/// Of one who wants the lock once, and has time.
/// A writer, because any hold that is left keeps it away, a reader's, too. It polls once per lease:
/// more often would take longer and find nothing else.
WorldPlan askerPlan(const WorldPlan& plan, const protocol::ProtocolInfo& info, int lock)
{
    const Duration lease = plan.leaseMax();
    const auto mode = info.hasModes ? protocol::Mode::Write : protocol::Mode::Exclusive;
    ClientPlan client;
    client.acts.push_back(Act::acquire(lease, lock).as(mode).unrenewed());
    client.acts.push_back(Act::release(lock));
    WorldPlan asking = plan;
    asking.clients = plan.clients; // so that the names of the keys stay
    asking.clients.insert(asking.clients.begin(), std::move(client));
    asking.retryPause = lease;
    asking.triesMax = 1'000'000;
    asking.waitMax = kPatienceInLeases * lease
                     + plan.renewal.period * plan.renewal.countMax.value_or(0);
    return asking;
}

} // namespace

/// Everything works again, except who is dead.
void World::heal()
{
    m_isHealed = true;
    m_mayMoreFail = false;
    m_late.clear();
    for (ClientSlot& slot : m_slots) {
        slot.pausedUntil.reset();
        for (Reach& reach : slot.reach) {
            reach.cut = Cut::None;
        }
    }
    for (Node& node : m_nodes) {
        node.slowUntil = Instant::min();
    }
    wakeUp(); // a client that stood still is late for something
    settle();
}

void World::conclude()
{
    // A run that was cut off at the horizon might have gone on well: its end proves nothing.
    if (m_isCutShort || m_isHealed) {
        return;
    }
    heal();
    for (int lock = 0; lock < m_ledger.lockCount(); ++lock) {
        if (m_ledger.remainsOf(lock, m_now) != Ledger::Remains::Nothing && !askFor(lock)) {
            judgeEnd(lock);
        }
    }
    settle();
}

/// A new client asks for the lock, for as long as any lease may last. True when it is granted.
bool World::askFor(int lock)
{
    const int asker = slotCount();
    m_askers.push_back(std::make_unique<WorldPlan>(askerPlan(m_plan, m_protocol.info(), lock)));
    const bool isAnybodyHung = std::ranges::any_of(m_slots, [](const ClientSlot& slot) {
        return slot.client->isHung();
    });
    if (!isAnybodyHung) { // a client that hangs renews forever or for so long
        m_askers.back()->waitMax += kPatience;
    }
    m_slots.push_back(makeSlot(asker, *m_askers.back(), m_askers.back()->clients.front()));
    const auto eventCount = static_cast<std::ptrdiff_t>(m_events.size());
    slotOf(asker).client->start();
    settle();
    const Instant deadline = m_now + m_askers.back()->waitMax;
    while (!slotOf(asker).client->isOver() && m_now <= deadline) {
        m_steps.clear();
        listServes();
        const auto due = m_steps.empty() ? nextDue() : std::nullopt;
        if (m_steps.empty() && !due) {
            break;
        }
        const int cost = m_cost;
        // One schedule of the rest will do: the question is whether the lock is granted at all.
        carryOut(m_steps.empty() ? Step{} : Step(m_steps.front()));
        m_cost = cost; // the length of a run is that of what led here
        m_ledger.setStepCount(cost);
    }
    return std::any_of(m_events.begin() + eventCount, m_events.end(), [asker](const auto& event) {
        return event.kind == trace::EventKind::Granted
               && event.contender == static_cast<trace::ContenderId>(asker);
    });
}

void World::judgeEnd(int lock)
{
    int zombie = -1;
    for (int client = 0; client < static_cast<int>(m_plan.clients.size()); ++client) {
        zombie = slotOf(client).client->isHung() ? client : zombie;
    }
    using protocol::Promise;
    if (m_ledger.remainsOf(lock, m_now) == Ledger::Remains::Permanent) {
        m_ledger.note(Promise::NoStuckLock, ViolationKind::PermanentLock, lock, slotCount() - 1, -1,
                      m_now);
    } else if (zombie >= 0) {
        m_ledger.note(Promise::Progress, ViolationKind::ZombieRenewal, lock, zombie, -1, m_now);
    } else {
        m_ledger.note(Promise::Progress, ViolationKind::NoProgress, lock, slotCount() - 1, -1,
                      m_now);
    }
}

} // namespace lockscope::world
