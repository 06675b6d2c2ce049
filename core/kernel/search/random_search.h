#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/search/random_pick.h"
#include "core/kernel/search/rewindable_world.h"
#include "core/kernel/trace/run_statistics.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockscope::search {

/// Finds what needs one more ordering than that.
inline constexpr int kPriorityChanges = 2;

/// A run that never ends is cut here, in steps.
inline constexpr int kRandomLengthMax = 2000;

/// Random runs of one protocol.
struct RandomSetting {
    const protocol::LockProtocol& protocol;
    std::span<const world::WorldPlan> plans; // taken in turn
    sim::LuaEngine& lua;
    std::uint64_t seed = 1; // of the first run; the next one has the next number
    std::uint64_t runCount = 1000;
    int priorityChanges = kPriorityChanges; // of Picking::Priority
    bool isSwarm = true;              // every run leaves out a random half of the kinds of faults
    int lengthMax = kRandomLengthMax; // of a run, in steps
    GoOn goOn{};
    /// Of images; 0: every run begins in a new world. Changes nothing but the time it takes.
    std::size_t imageBytesMax = RewindableWorld::kImageBytesUsual;
};

/// Runs by priorities.
struct PriorityRuns {
    std::vector<std::uint64_t> counts; // by plan
    int longest = 0;                   // in steps

    void add(const PriorityRuns& other);
};

struct RandomResult {
    /// As of Exploration, and with the seed of the run.
    struct Found {
        Finding finding;
        std::size_t planIndex = 0;
        std::uint64_t seed = 0;
    };
    std::vector<Found> found; // the shortest of every promise and kind
    Coverage coverage;
    PriorityRuns priorityRuns;
    trace::RunStatistics statistics; // of all runs together, in virtual time
};

/// Of every plan half of the runs pick uniformly, half by priorities. A run is a function of
/// protocol, plan and its own seed: run n of seed s is run 0 of seed s + n.
RandomResult searchRandomly(const RandomSetting& setting);

/// The steps of one random run.
struct RandomPath {
    std::size_t planIndex = 0;
    std::vector<world::Step> steps;
};

/// The first run of a setting, to be looked at whether it broke anything or not.
RandomPath firstRunOf(const RandomSetting& setting);

/// The probability with which one run by priorities finds a bug of `depth` ordering constraints
/// among `clientCount` clients and `stepCount` steps, at least.
double priorityBound(int clientCount, int stepCount, int depth);

/// How likely runs by priorities were to find, in the plan where that is least likely, a mistake
/// that takes no more than `depth` orderings of clients among its first `stepCount` steps, once
/// what goes wrong has gone wrong. At least: it never says too much.
struct PriorityChance {
    int depth = 0;
    int stepCount = 0;
    int threadCount = 0; // the clients, and whatever is late
    std::uint64_t runCount = 0;
    int longest = 0; // of all runs by priorities, in steps
    double perRun = 0;
    double together = 0;
};

PriorityChance chanceOf(const PriorityRuns& runs, std::span<const world::WorldPlan> plans,
                        int priorityChanges = kPriorityChanges);

} // namespace lockscope::search
