#pragma once

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/report/run/run_verdicts.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/kernel/search/inevitability.h"
#include "core/kernel/search/recorded_run.h"
#include "core/kernel/search/story.h"
#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/run_labels.h"
#include "core/kernel/trace/run_statistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::report {

inline constexpr std::string_view kProveMode = "prove"; // of runs of real clients

/// A run that is over, with everything that it takes to look at it again. Unlike a counterexample,
/// which is run anew, this is what happened, also on real servers.
struct RunFile {
    SavedProtocol protocol;
    std::string mode; // "replay", "contend": the command that ran it
    std::uint64_t seed = 0;
    std::string command; // which does it again; may be empty
    trace::RunLabels labels;
    std::optional<trace::RunStatistics> statistics;
    std::vector<PromiseVerdict> promises;
    std::vector<std::string> faults; // what was made to go wrong, a sentence each
    std::vector<search::StoryLine> story;
    std::optional<search::TurningPoint> turningPoint; // of the story; nullopt: none, or not known
    std::vector<std::string> assumptions;             // what the verdicts rest on, a sentence each

    std::vector<trace::Event> events; // in the order of their times
    std::uint64_t droppedEventCount = 0;
    std::vector<trace::ServerHold> serverHolds;
    std::vector<trace::Message> messages;
    std::vector<trace::Note> notes;
    trace::RunSteps steps; // of a simulated run
    Instant end{};         // of the record
    int permits = 1;

    trace::Chronicle chronicle() const;
    trace::InstantOrder instantOrder() const;
    /// By the order of its steps; nullopt where they are not known.
    std::optional<trace::Chronicle> chronicleInSteps() const;
};

/// A simulated run of the plan; command, promises and story are up to the caller.
RunFile runFileOf(SavedProtocol protocol, const world::WorldPlan& plan, search::RecordedRun run);

/// CBOR; docs/json/run-file.schema.json says what is in it.
std::string runFileText(const RunFile& run);

/// Also the JSON of version 1.
std::variant<RunFile, protocol::FileError> readRunFile(std::string_view text);

/// Whether the text says of itself that it is a run file, whatever else may be wrong with it. No
/// other file of ours is CBOR.
bool isRunFile(std::string_view text);

} // namespace lockscope::report
