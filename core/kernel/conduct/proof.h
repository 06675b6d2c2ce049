#pragma once

#include "core/kernel/conduct/judge.h"
#include "core/kernel/conduct/own_end.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/stage.h"
#include "core/kernel/conduct/workload.h"
#include "core/kernel/protocol/promise.h"
#include "core/kernel/world/fault_kind.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockscope::conduct {

/// A breach and the shortest way to it that was found.
struct Find {
    Workload workload;
    std::vector<Deviation> deviations; // none: it breaks by itself
    Breach breach;
    RunLog log;
    int replayCount = 0; // fewer than were asked for, where the time was over
    int replayHits = 0;  // of them, in how many it showed again
    int realCount = 0;   // replays on a real server; 0: none was there, or could not do it
    int realHits = 0;

    int stepCount() const { return stepsOf(deviations); }
};

/// All that a conductor can judge, but LeaseHonesty. With all of them, a loss that is reported and
/// is none (ViolationKind::FalseLoss) counts as well.
std::vector<protocol::Promise> usualPromises();

/// How far a search goes.
struct ProofBounds {
    int stepsMax = 3; // of all deviations of a run together
    /// When all of that was tried: runs of several deviations at random, up to so many, as long as
    /// the search may go on. 0: none.
    int randomMax = 0;
    std::uint64_t runsMax = 100'000;
    int replays = 10;
    std::uint64_t seed = 1;
    std::vector<world::FaultKind> faults;
    /// What the client is held to. LeaseHonesty is a promise of its own: that an acquire or an
    /// extension whose answer comes after the end of its lease says so. Where it is not asked for,
    /// it is listed among the limits.
    std::vector<protocol::Promise> promises = usualPromises();
    bool endsWithFirst = false; // a broken promise is enough
    /// The only deviations that are played, in each workload; nullopt: a search.
    std::optional<std::vector<Deviation>> schedule;
    std::function<bool()> goOn = [] { return true; };      // asked before each run
    std::function<bool()> mayReplay = [] { return true; }; // asked before each replay of a find
};

/// The runs with one deviation each. A search says something only when all of them were tried.
struct SingleRuns {
    std::uint64_t planned = 0;
    std::uint64_t played = 0;
    std::uint64_t diverged = 0; // of those played: the deviation did not meet its message
    std::uint64_t failed = 0;   // of those played: they could not be carried out to their end
    /// Workloads whose undisturbed run failed, so that no deviation could be planned for them.
    std::uint64_t unplannedWorkloads = 0;

    bool areEnough() const
    {
        const bool hasShownNothing = planned > 0 && diverged + failed == planned;
        return played == planned && unplannedWorkloads == 0 && !hasShownNothing;
    }

    friend bool operator==(const SingleRuns&, const SingleRuns&) = default;
};

/// An error that the adapter answered with although nothing was done to its process.
struct AnsweredError {
    int process = 0;
    Word word = Word::Acquire;
    std::string text; // the adapter's words, which as a rule are the server's
    std::uint64_t count = 0;
};

/// What a search came to so far.
struct Proof {
    std::vector<Find> bugs;   // one per promise and kind: the surest, then the shortest
    std::vector<Find> limits; // what no lease can keep, likewise
    std::uint64_t runCount = 0;
    std::uint64_t divergedCount = 0; // a deviation did not meet its message
    std::uint64_t troubleCount = 0;  // a run could not be carried out to its end
    std::string latestTrouble;       // why
    std::uint64_t ownEndCount = 0;   // a process ended by itself in a run
    std::optional<OwnEnd> ownEnd;    // the one with the fewest steps
    SingleRuns singles;
    std::vector<AnsweredError> errors; // one per word and text, a few at most
    /// Everything up to so many steps was tried, as far as pairs go. 0: only runs without any
    /// deviation.
    int stepsCovered = -1;
    bool isWhole = false;          // nothing was cut short by the bounds
    std::uint64_t randomCount = 0; // runs of deviations at random

    /// Every run went another way than it was to go, or came to no end: nothing can be said.
    bool hasSeenNothing() const { return divergedCount + troubleCount == runCount; }
    /// Nothing broke, and that says nothing: the search ended before its single deviations did.
    bool isTooLittle() const { return bugs.empty() && !hasSeenNothing() && !singles.areEnough(); }
};

/// Tells of progress, and of each find as soon as it is sure.
struct ProofListener {
    std::function<void(const Proof&)> progressed = [](const Proof&) {};
    /// A broken promise; a later one of the same promise and kind is surer or shorter, and replaces
    /// it.
    std::function<void(const Find&)> found = [](const Find&) {};
};

/// Searches the workloads: first as they are, then with each single deviation, in turn of every
/// kind, at last with pairs by the number of their steps, in a random order, and with more of them
/// at random where that is asked for. A find is replayed, and what it does not need is taken away
/// while it still shows. Every run is real: the result says what was seen, never that nothing else
/// can happen.
Proof prove(Stage& stage, std::span<const Workload> workloads, const ProofBounds& bounds,
            const ProofListener& listener = {});

/// A find that was played again.
struct Replays {
    int count = 0;
    int hits = 0; // of them, in how many it showed

    friend bool operator==(const Replays&, const Replays&) = default;
};

/// As often as `times` says, or as long as there is time for it.
Replays replay(
    Stage& stage, const Find& find, int times,
    const std::function<bool()>& goOn = [] { return true; });

/// Has the finds show on a stage with a real server, as far as they can.
void checkForReal(Stage& stage, Proof& proof, int times, const std::function<bool()>& goOn);

} // namespace lockscope::conduct
