#pragma once

#include "core/kernel/world/end_oracle.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::world {

/// A world of clients that run a protocol's own coroutines over simulated servers, in steps that
/// the caller picks. The network is instant; what is slow or lost is a fault. Time goes on only
/// when no server has anything to do.
///
/// A run is a function of protocol, plan and steps: the same ones give the same world, on every
/// machine and with every compiler. Everything in it belongs to one thread.
///
/// The world itself only holds its parts together:
///
///     StepScheduler   what may happen next        Clients      the programs
///     StepRunner      that it happens             SimNetwork   what lies between
///     Faults          what may go wrong           Servers      and their clocks
///     EndOracle       how a run ended             Ledger       the truth, and what broke
///     Probe           what the protocol would say
class World final {
public:
    /// All three outlive the world. An engine serves one world after the other.
    World(const protocol::LockProtocol& protocol, const WorldPlan& plan, sim::LuaEngine& lua);
    World(const World&) = delete; // its parts refer to each other
    World& operator=(const World&) = delete;

    void observeWith(Observer* observer) { m_record.observeWith(observer); }

    /// What may happen next, always in the same order. Empty: the run is over.
    std::span<const Step> steps();
    /// Carries out one of steps(). False when it is none of them, and nothing was done.
    bool takeStep(const Step& step);
    /// The same for a step that is known to be possible, because it was in a run with the same
    /// beginning. Not looked up: anything else breaks the world.
    void takeKnownStep(const Step& step);
    /// What the step costs in the length of a run: 1, and 0 for time that goes on once more.
    int costOf(const Step& step) const { return m_scheduler.costOf(step); }

    /// The step and the latest one concern different servers, both were possible before, and the
    /// other order of the two is the one to look at: they lead to the same world.
    bool isBetterBeforeLatest(const Step& step) const
    {
        return m_scheduler.isBetterBeforeLatest(step);
    }

    /// The run is over: heals what is broken and asks for every lock that is left behind.
    void conclude() { m_oracle.conclude(); }

    Instant now() const { return m_now; }
    Duration elapsed() const { return m_now.time_since_epoch(); }
    const Ledger& ledger() const { return m_ledger; }
    const Probe& probe() const { return m_probe; }
    const std::vector<Violation>& violations() const { return m_ledger.violations(); }
    const Chances& chances() const { return m_ledger.chances(); }
    /// Length of the run so far, see costOf().
    int cost() const { return m_scheduler.cost(); }
    /// Whether something would have happened behind the plan's horizon.
    bool isCutShort() const { return m_scheduler.isCutShort(); }
    int commandCount() const { return m_network.commandCount(); }
    int faultCount() const { return m_faults.count(); }
    const std::vector<trace::Event>& events() const { return m_record.events(); }
    const WorldPlan& plan() const { return m_plan; }
    const sim::SimServer& server(int node) const { return m_servers[node]; }
    /// What the server's clock shows.
    sim::ServerTime serverTime(int node) const { return m_servers.timeOf(node); }
    /// When that clock shows this, or showed it, if nothing changes it.
    Instant whenServerShows(int node, sim::ServerTime then) const
    {
        return m_servers.clock(node).whenItShows(then);
    }
    const std::optional<Step>& latestStep() const { return m_scheduler.latest(); }

    /// Two worlds of one protocol and plan with the same hash go on alike, as far as hashes tell.
    std::uint64_t stateHash() const;

private:
    StepRunner::Parts parts()
    {
        return {m_now,     m_ledger, m_record, m_clients,   m_servers,
                m_network, m_faults, m_probe,  m_scheduler, m_plan};
    }

    const WorldPlan& m_plan;
    Instant m_now{};
    Ledger m_ledger;
    RunRecord m_record;
    Servers m_servers;
    Probe m_probe;
    SimNetwork m_network;
    Faults m_faults;
    StepScheduler m_scheduler;
    StepRunner m_runner;
    EndOracle m_oracle;
    Clients m_clients; // last: their coroutines refer to the rest
};

} // namespace lockscope::world
