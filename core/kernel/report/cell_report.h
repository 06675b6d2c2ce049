#pragma once

#include "core/kernel/report/protocol_group.h"
#include "core/kernel/report/run/run_verdicts.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/random_search.h"
#include "core/kernel/search/story.h"
#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/world_plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockscope::report {

/// What a search says about one promise, ready to be shown.
struct CellVerdict {
    search::PromiseResult result;

    // Broken:
    world::WorldPlan plan;                // in which it broke; may be smaller than any that was
                                          // searched
    std::vector<search::StoryLine> story; // may be missing when the search was cancelled
    std::optional<std::uint64_t> seed;    // of the random run that broke it first

    bool isBroken() const { return result.status == search::PromiseResult::Status::Broken; }
};

/// What a search of one protocol against one kind of fault came to.
struct CellReport {
    std::string protocol;
    ProtocolGroup group = ProtocolGroup::OneHolder; // of the protocol
    std::optional<world::FaultKind> fault; // nullopt: whatever the plan of a scenario allows
    bool isApplicable = true;              // false: the fault makes no difference to the protocol
    bool isSearched = false;               // false: cancelled before anything was seen
    std::vector<CellVerdict> verdicts;     // one per promise, in the order of the promises
    search::Coverage coverage;
    std::optional<trace::RunStatistics> statistics;   // of random runs
    std::optional<search::PriorityChance> priorities; // likewise
    std::string reasonNeverGranted; // isNeverGranted(): in a sentence; empty when it was cancelled

    /// There was nothing to judge.
    bool isNeverGranted() const { return isSearched && coverage.chances.isNeverGranted(); }
    /// A script reached a limit of the simulation before anything broke: what held until then says
    /// nothing about the protocol.
    bool isStopped() const { return coverage.isScriptStopped && !isPromiseBroken(); }
    /// Not a single promise could have been broken.
    bool isNothingExercised() const;
    /// What to show first, as of search::SearchReport; nullptr when all held.
    const CellVerdict* headline() const;
    bool isPromiseBroken() const;
    /// Not a single run came to its end, and nothing broke in what there was of them.
    bool isNeverEnded() const;
    std::string faultName() const; // "pause", "scenario"
};

/// Whether the verdict is shown before the other one: promised before not promised, then by length.
/// What held is never shown first; nullptr stands for nothing yet.
bool isShownBefore(const CellVerdict& verdict, const CellVerdict* other);

/// The shortest story of all: promised before not promised, then by length. nullptr: all held.
const CellReport* headlineOf(std::span<const CellReport> cells);

/// Broken in one cell is broken; held in all that can say something is held.
std::vector<PromiseVerdict> verdictsOf(std::span<const CellReport> cells);

/// Of one cell.
std::vector<PromiseVerdict> verdictsOf(const CellReport& cell);

search::Coverage coverageOf(std::span<const CellReport> cells);

/// Why nothing can be judged, with the details in a second line: no acquisition was ever granted,
/// or a script reached a limit of the simulation. Empty when that is not so.
std::string untestedText(std::span<const CellReport> cells);

/// Where no run came to its end: "crash, pause"; empty: some did under each fault, or something
/// broke.
std::string neverEndedUnder(std::span<const CellReport> cells);

/// One row per protocol: neighbours of the same protocol, in their order.
std::vector<std::span<const CellReport>> rowsOf(std::span<const CellReport> cells);

/// The texts of the lines.
std::vector<std::string> textsOf(const std::vector<search::StoryLine>& story);

} // namespace lockscope::report
