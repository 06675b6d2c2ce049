#pragma once

#include "core/kernel/world/probe.h"
#include "core/kernel/world/step_scheduler.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::world {

/// Carries out steps, and all that follows from them in the same instant: clients run until each of
/// them waits for something. It is the only one that lets time go on.
class StepRunner {
public:
    /// What the runner puts in motion; all of it outlives the runner.
    struct Parts {
        Instant& now;
        Ledger& ledger;
        RunRecord& record;
        Clients& clients;
        Servers& servers;
        SimNetwork& network;
        Faults& faults;
        const Probe& probe;
        StepScheduler& scheduler;
        const WorldPlan& plan;
    };

    explicit StepRunner(const Parts& parts) : m_parts(parts) {}

    /// Starts all clients.
    void begin();
    /// The step is possible: it is one of the scheduler's.
    void carryOut(const Step& step);
    /// Lets all clients run that can, until none can.
    void settle();
    /// What is due in this instant happens.
    void wakeUp();

private:
    void advanceTo(Instant then);
    void findSleepers();
    void judgeGivenBack();
    void judgeSleepers(Instant then);
    void judgeLateRefusals();
    void judgeStandstill(const Ledger::Waiter& waiter, Instant then);
    std::optional<Instant> openFrom(const Ledger::Waiter& sleeper, Instant then);

    /// From when on a client that sleeps would be granted its lock, as far as that is known.
    struct Opening {
        std::uint64_t changeCount = 0; // of the ledger, when its protocol was asked
        std::optional<Instant> from;   // nullopt: not before `closedUntil`
        Instant closedUntil{};
    };

    Parts m_parts;
    std::vector<bool> m_isAsleep;    // by client, while time goes on
    std::vector<Opening> m_openings; // by client, then lock
};

} // namespace lockscope::world
