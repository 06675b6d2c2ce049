#pragma once

#include "core/kernel/world/faults.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockscope::world {

/// What may happen next in a world, in which order it is offered, what it costs, and what does not
/// depend on each other. It changes nothing but its own books: StepRunner carries steps out.
///
/// The order is relied on. Once the run has begun, faults come last: RandomPicker splits the list
/// there, and the explorer, which goes on with the first step at once, sees what happens without a
/// fault before all the rest.
class StepScheduler {
public:
    /// What is referred to outlives the scheduler; `now` is the world's.
    StepScheduler(const WorldPlan& plan, const Instant& now, Clients& clients, Servers& servers,
                  SimNetwork& network, const Faults& faults);

    bool hasBegun() const { return m_hasBegun; }
    void begin() { m_hasBegun = true; }
    /// How clocks may be set before the run begins. Empty: it can begin.
    std::span<const Step> beginnings();
    /// What may happen next in a run that has begun. Empty: it is over.
    std::span<const Step> steps();
    /// What happens next if nothing goes wrong, by the first of its orders. nullopt: nothing.
    std::optional<Step> anyOrderly();
    /// When time can go on, and to when: to the first thing that is due.
    std::optional<Instant> nextDue();

    /// Time that goes on several times in a row counts once: how many timers and deadlines lie in a
    /// span in which nothing is asked says nothing about how long a run is to read.
    int costOf(const Step& step) const;
    /// The step is about to be taken.
    void count(const Step& step) { m_cost += costOf(step); }
    void noteTaken(const Step& step)
    {
        m_latest = step;
        if (step.kind != Step::Kind::Advance) {
            m_listedDue.reset();
        }
    }
    /// To when time goes on in a step of that kind. Nearly always it was computed for steps().
    Instant endOfAdvance() { return m_listedDue ? *std::exchange(m_listedDue, {}) : *nextDue(); }
    /// Length of the run so far. It can be set back to leave out what is behind its end.
    int cost() const { return m_cost; }
    void setCost(int cost) { m_cost = cost; }
    const std::optional<Step>& latest() const { return m_latest; }
    /// Whether something would have happened behind the plan's horizon.
    bool isCutShort() const { return m_isCutShort; }

    /// The step and the latest one concern different servers, both were possible before, and the
    /// other order of the two is the one to look at: they lead to the same world.
    bool isBetterBeforeLatest(const Step& step) const;

private:
    void listServes();
    void listLate();

    const WorldPlan& m_plan;
    const Instant& m_now;
    Clients& m_clients;
    Servers& m_servers;
    SimNetwork& m_network;
    const Faults& m_faults;
    std::vector<Step> m_steps;          // as they were listed last; its memory is used again
    std::optional<Instant> m_listedDue; // of the list, until a step is taken
    std::optional<Step> m_latest;
    int m_cost = 0;
    bool m_hasBegun = false;
    bool m_isCutShort = false;
};

} // namespace lockscope::world
