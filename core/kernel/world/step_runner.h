#pragma once

#include "core/kernel/world/probe.h"
#include "core/kernel/world/step_scheduler.h"

#include <cstdint>
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
    Probe::FreeFrom openFrom(const Ledger::Waiter& waiter, Instant bound);

    /// From when on a waiter would be granted its lock, by the latest probe.
    struct Opening {
        std::uint32_t request = 0;     // the waiter's
        std::uint64_t changeCount = 0; // of the ledger, when its protocol was asked
        Instant bound{};               // of the question
        Probe::FreeFrom open;
    };

    Parts m_parts;
    std::vector<bool> m_isAsleep;    // by client, while time goes on
    std::vector<Opening> m_openings; // by client, then lock
};

} // namespace lockscope::world
