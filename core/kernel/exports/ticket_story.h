#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/run/run_file.h"

#include <optional>
#include <string>
#include <vector>

namespace lockscope::exports {

/// What a reader who has never seen the program needs to understand and reproduce a finding.
struct Ticket {
    std::string title;    // "set-nx-ex: owner-only-release is broken"
    std::string protocol; // "set-nx-ex: SET NX EX and DEL"
    std::string run;      // "plan \"two at once\""; may be empty
    std::vector<report::PromiseVerdict> verdicts;
    std::vector<std::string> faults; // what was made to go wrong, a sentence each
    std::vector<search::StoryLine> story;
    std::string command;                  // that does it again; may be empty
    std::vector<std::string> assumptions; // and the bound, a sentence each
};

/// `command` is what does it again; `coverage` how much was looked at, where a search did.
Ticket ticketOf(const protocol::ProtocolInfo& info, const report::CellVerdict& verdict,
                std::string command, const std::optional<search::Coverage>& coverage = {});
Ticket ticketOf(const report::RunFile& run);

/// What the promises of the verdicts assume, and what the plan allows.
std::vector<std::string> assumptionsOf(const protocol::ProtocolInfo& info,
                                       const std::vector<report::PromiseVerdict>& verdicts);

/// As Markdown, for an issue tracker.
std::string ticketStory(const Ticket& ticket);

} // namespace lockscope::exports
