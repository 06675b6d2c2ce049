#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/search/story.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/workload/leftover.h"
#include "core/kernel/workload/scenario.h"
#include "core/kernel/world/fault_kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// What a run says about one promise.
struct PromiseVerdict {
    enum class Status : std::uint8_t {
        Held,          // it could have broken, and did not
        Broken,        // see kind and summary
        NotExercised,  // nothing happened by which it could have broken
        NotApplicable, // nothing of the kind can happen
    };

    protocol::Promise promise = protocol::Promise::MutualExclusion;
    Status status = Status::NotApplicable;
    std::string_view kind;      // Broken: the class of the violation, "double-belief"
    bool isPromised = false;    // claimed by the protocol, for what may go wrong in this run
    std::optional<Duration> at; // Broken: since the beginning of the run, where it is known
    std::string summary;        // Broken: one sentence
    std::uint64_t chances = 0;  // to break it, in all runs that the verdict is about
    /// Broken, in a simulated run: what had gone wrong in that run before. nullopt: not known.
    std::optional<std::vector<world::FaultKind>> faults{};
};

std::string_view idOf(PromiseVerdict::Status status); // "held", "not-exercised"
std::optional<PromiseVerdict::Status> statusOf(std::string_view id);

/// What went wrong before the promise broke: "after: crash, pause", "without any fault"; empty
/// where it is not known.
std::string circumstancesOf(const PromiseVerdict& verdict);

/// "no acquisition was ever granted: nothing was tested", with a capital and a stop.
std::string nothingTestedText();

/// The same of a search that a script ended by reaching a limit of the simulation.
std::string scriptStoppedText();
/// The same of a live run, with what the server said; empty when something was granted. `refusal`
/// as in workload::LiveRunProgress.
std::string untestedText(const trace::RunStatistics& statistics,
                         const std::optional<store::Problem>& refusal);

/// The keys that will never be removed and that no client may take over.
std::vector<Bytes> stuckKeys(std::span<const workload::Leftover> leftBehind,
                             const protocol::ProtocolInfo& info);

/// What the verdicts on a run that is over are made of.
struct FinishedRun {
    trace::RunStatistics statistics;
    std::span<const trace::Event> events; // may be incomplete; only for the times of findings
    std::vector<workload::Leftover> leftBehind;
};

/// A verdict per promise, in the order of the promises, as far as what contenders and the resource
/// saw can decide it.
std::vector<PromiseVerdict> verdictsOf(const FinishedRun& run, const workload::Scenario& scenario,
                                       const protocol::ProtocolInfo& info);

/// A promise that the protocol does not make may break as well; that is not its fault.
bool isPromiseBroken(std::span<const PromiseVerdict> verdicts);

/// In the order in which they are to be read: what is broken although promised, what is broken, and
/// the rest. Equal ones stay in their order.
std::vector<PromiseVerdict> inReadingOrder(std::vector<PromiseVerdict> verdicts);

/// Says in a sentence or two whether the promises of a run held, and which others broke.
/// "Everything promised held. Broken, but not promised: fairness."
std::string headlineOf(std::span<const PromiseVerdict> verdicts);

/// How the first overlap came about: what happened to that lock up to it, the last `lineMax` events
/// that matter, a sentence each; times count from the first event. Empty when there was none.
std::vector<search::StoryLine> storyOfFirstOverlap(std::span<const trace::Event> events,
                                                   std::size_t lineMax = 12);

/// "12 ms: contender 3 enters", one text per line.
std::vector<std::string> timedTexts(const std::vector<search::StoryLine>& story);

} // namespace lockscope::report
