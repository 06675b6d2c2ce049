#include "core/kernel/search/random_search.h"

#include "core/kernel/search/random_pick.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

namespace lockscope::search {

using world::FaultKind;
using world::Step;
using world::World;
using world::WorldPlan;

namespace {

/// A step takes microseconds, and a run of many clients thousands of steps.
constexpr int kStepsBetweenQuestions = 64;

/// The kinds of faults that may happen in a run: of those that the plan allows, a random half.
/// Runs with fewer kinds find what the other kinds would hide or prevent (swarm testing, Groce et
/// al. 2012).
/// A function of the seed of the run alone, as all else, so one run can be repeated without the
/// others.
world::FaultPlan swarmed(world::FaultPlan faults, Rng rng)
{
    std::vector<FaultKind> allowed;
    for (const world::FaultInfo& fault : world::allFaults()) {
        if (faults.allows(fault.kind)) {
            allowed.push_back(fault.kind);
        }
    }
    if (allowed.size() < 2) {
        return faults;
    }
    for (const FaultKind kind : allowed) {
        if (rng.below(2) == 0) {
            faults.of(kind).countMax = 0;
        }
    }
    return faults;
}

void note(RandomResult& result, const World& world, const std::vector<Step>& steps,
          const std::vector<std::size_t>& stepsAtViolation, std::size_t planIndex,
          std::uint64_t seed)
{
    for (std::size_t i = 0; i < world.violations().size(); ++i) {
        const world::Violation& violation = world.violations()[i];
        const auto count = static_cast<std::ptrdiff_t>(stepsAtViolation[i]);
        const Goal same{violation.promise, violation.kind};
        const auto known = std::ranges::find_if(result.found, [&same](const auto& found) {
            return same.isMetBy(found.finding.violation);
        });
        RandomResult::Found found{
            {violation, {steps.begin(), steps.begin() + count}, violation.stepCount},
            planIndex,
            seed};
        if (known == result.found.end()) {
            result.found.push_back(std::move(found));
        } else if (violation.stepCount < known->finding.length) {
            *known = std::move(found);
        }
    }
}

/// The worlds of the plans. They take turns in one arena, each from its beginning.
class Beginnings {
public:
    explicit Beginnings(const RandomSetting& setting)
        : m_setting(setting),
          m_arena(setting.imageBytesMax > 0 ? Arena::take() : nullptr),
          m_worlds(setting.plans.size())
    {}

    RewindableWorld& of(std::size_t planIndex)
    {
        std::unique_ptr<RewindableWorld>& world = m_worlds[planIndex];
        if (world) {
            world->putBackToBeginning();
        } else {
            const RewindableWorld::Setting setting{m_setting.protocol, m_setting.plans[planIndex],
                                                   m_setting.lua, m_setting.imageBytesMax};
            world = std::make_unique<RewindableWorld>(setting, m_arena.get());
        }
        return *world;
    }

private:
    const RandomSetting& m_setting;
    std::unique_ptr<Arena> m_arena;
    std::vector<std::unique_ptr<RewindableWorld>> m_worlds; // by plan; made when they are needed
};

/// A run in the world of the plan, which stands at its beginning, so that its steps are possible
/// there. Faults that are switched off for it are never picked.
class RandomRun {
public:
    RandomRun(const RandomSetting& setting, RewindableWorld& stage, std::uint64_t seed,
              Picking picking)
        : m_setting(setting),
          // Another stream than that of the picks: which kinds are left out must not be tied to the
          // order.
          m_faults(setting.isSwarm ? swarmed(stage.world().plan().faults, Rng(~seed))
                                   : stage.world().plan().faults),
          m_stage(stage),
          m_picker(Rng(seed), static_cast<int>(stage.world().plan().clients.size()), picking,
                   setting.priorityChanges)
    {}

    /// False: it was ended from outside and says nothing.
    bool go(const Coverage& before)
    {
        for (int length = 0; length < m_setting.lengthMax; ++length) {
            const bool isAsked = length % kStepsBetweenQuestions == 0 && m_setting.goOn;
            if (isAsked && !m_setting.goOn(before)) {
                return false;
            }
            const std::span<const Step> steps = choices();
            if (steps.empty()) {
                m_stage.conclude();
                markViolations();
                return true;
            }
            const Step step = steps[m_picker.pick(steps)];
            m_steps.push_back(step);
            m_stage.takeKnownStep(step);
            markViolations();
        }
        m_isCut = true;
        return true;
    }

    const World& world() const { return m_stage.world(); }
    const std::vector<Step>& steps() const { return m_steps; }
    const std::vector<std::size_t>& stepsAtViolation() const { return m_stepsAtViolation; }
    bool isCut() const { return m_isCut || world().isCutShort(); }

private:
    std::span<const Step> choices()
    {
        m_choices.clear();
        std::ranges::copy_if(m_stage.steps(), std::back_inserter(m_choices),
                             [this](const Step& step) {
                                 return step.kind != Step::Kind::Fault
                                        || m_faults.allows(step.fault);
                             });
        return m_choices;
    }

    /// How many steps had been taken when each violation showed: a finding ends there, although the
    /// run goes on to look for more.
    void markViolations()
    {
        m_stepsAtViolation.resize(world().violations().size(), m_steps.size());
    }

    const RandomSetting& m_setting;
    const world::FaultPlan m_faults;
    RewindableWorld& m_stage;
    RandomPicker m_picker;
    std::vector<Step> m_choices;
    std::vector<Step> m_steps;
    std::vector<std::size_t> m_stepsAtViolation;
    bool m_isCut = false;
};

trace::RunStatistics statisticsOf(const World& world)
{
    trace::StatisticsCollector collector(static_cast<int>(world.plan().clients.size()),
                                         world.plan().permits, trace::OverlapEvidence::Beliefs);
    for (const trace::Event& event : world.events()) {
        // The clients that ask in the end are no part of the workload.
        if (event.contender < world.plan().clients.size()) {
            collector.see(event);
        }
    }
    collector.endAt(world.now());
    collector.addCommands(static_cast<std::uint64_t>(world.commandCount()));
    collector.setElapsed(world.elapsed());
    return collector.statistics();
}

/// Plans and ways to pick follow from the seed, not from the place in the loop: parts of a search
/// on several threads, each with seeds of its own, make the same runs as one thread.
std::size_t planIndexOf(const RandomSetting& setting, std::uint64_t seed)
{
    return seed % setting.plans.size();
}

/// Every plan has its half of runs by priorities.
Picking pickingOf(const RandomSetting& setting, std::uint64_t seed)
{
    return seed / setting.plans.size() % 2 == 0 ? Picking::Uniform : Picking::Priority;
}

} // namespace

RandomPath firstRunOf(const RandomSetting& setting)
{
    const std::size_t planIndex = planIndexOf(setting, setting.seed);
    Beginnings beginnings(setting);
    RandomRun run(setting, beginnings.of(planIndex), setting.seed,
                  pickingOf(setting, setting.seed));
    run.go({});
    return {planIndex, run.steps()};
}

RandomResult searchRandomly(const RandomSetting& setting)
{
    RandomResult result;
    result.priorityRuns.counts.resize(setting.plans.size());
    Beginnings beginnings(setting);
    const std::uint64_t scriptsStopped = setting.lua.stoppedCount();
    // The same script would take as long in every run, and what its error led to says nothing about
    // the protocol.
    bool isStopped = false;
    for (std::uint64_t i = 0; i < setting.runCount && !isStopped; ++i) {
        const std::uint64_t seed = setting.seed + i;
        const std::size_t planIndex = planIndexOf(setting, seed);
        const Picking picking = pickingOf(setting, seed);
        RandomRun run(setting, beginnings.of(planIndex), seed, picking);
        if (!run.go(result.coverage)) {
            break;
        }
        if (picking == Picking::Priority) {
            ++result.priorityRuns.counts[planIndex];
            result.priorityRuns.longest = std::max(result.priorityRuns.longest,
                                                   static_cast<int>(run.steps().size()));
        }
        isStopped = setting.lua.stoppedCount() != scriptsStopped;
        if (!isStopped) {
            note(result, run.world(), run.steps(), run.stepsAtViolation(), planIndex, seed);
        }
        result.statistics.add(statisticsOf(run.world()));
        Coverage& coverage = result.coverage;
        ++coverage.schedules;
        ++(run.isCut() ? coverage.cutRuns : coverage.endedRuns);
        coverage.commands += static_cast<std::uint64_t>(run.world().commandCount());
        coverage.longest = std::max(coverage.longest, run.world().cost());
        coverage.virtualTime += run.world().elapsed();
        coverage.chances.add(run.world().chances());
    }
    result.coverage.isScriptStopped = isStopped && !setting.lua.wasInterrupted();
    std::ranges::stable_sort(result.found, {},
                             [](const auto& found) { return found.finding.length; });
    return result;
}

/// 1/(n k^(d-1)) for n threads, k steps and a bug of depth d (PCT, Burckhardt et al. 2010).
double priorityBound(int clientCount, int stepCount, int depth)
{
    return 1.0 / (clientCount * std::pow(static_cast<double>(stepCount), depth - 1));
}

void PriorityRuns::add(const PriorityRuns& other)
{
    counts.resize(std::max(counts.size(), other.counts.size()));
    for (std::size_t plan = 0; plan < other.counts.size(); ++plan) {
        counts[plan] += other.counts[plan];
    }
    longest = std::max(longest, other.longest);
}

PriorityChance chanceOf(const PriorityRuns& runs, std::span<const WorldPlan> plans,
                        int priorityChanges)
{
    // A bug may show in one of the plans only, so the plan with the least chance counts.
    PriorityChance least;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        PriorityChance chance;
        chance.depth = priorityChanges + 1;
        chance.stepCount = static_cast<int>(kPriorityReach);
        chance.threadCount = static_cast<int>(plans[i].clients.size()) + 1;
        chance.runCount = i < runs.counts.size() ? runs.counts[i] : 0;
        chance.longest = runs.longest;
        chance.perRun = priorityBound(chance.threadCount, chance.stepCount, chance.depth);
        // 1 - (1 - p)^n, written so that a small p does not vanish in the rounding.
        chance.together = -std::expm1(static_cast<double>(chance.runCount)
                                      * std::log1p(-chance.perRun));
        if (i == 0 || chance.together < least.together) {
            least = chance;
        }
    }
    return least;
}

} // namespace lockscope::search
