#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/search/story.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/workload/leftover.h"
#include "core/kernel/workload/scenario.h"

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
        Held,          // it could have broken in this run, and did not
        Broken,        // see kind and summary
        NotApplicable, // this run can say nothing about it
    };

    protocol::Promise promise = protocol::Promise::MutualExclusion;
    Status status = Status::NotApplicable;
    std::string_view kind;      // Broken: the class of the violation, "double-belief"
    bool isPromised = false;    // the protocol claims it
    std::optional<Duration> at; // Broken: since the beginning of the run, where it is known
    std::string summary;        // Broken: one sentence
};

std::string_view idOf(PromiseVerdict::Status status); // "held", "broken", "not-applicable"

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

bool isAnyBroken(std::span<const PromiseVerdict> verdicts);

/// How the first overlap came about: what happened to that lock up to it, the last `lineMax` events
/// that matter, a sentence each; times count from the first event. Empty when there was none.
std::vector<search::StoryLine> storyOfFirstOverlap(std::span<const trace::Event> events,
                                                   std::size_t lineMax = 12);

/// "12 ms: contender 3 enters", one text per line.
std::vector<std::string> timedTexts(const std::vector<search::StoryLine>& story);

} // namespace lockscope::report
