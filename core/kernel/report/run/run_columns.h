#pragma once

#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/trace/run_steps.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

// What happened in a run, as run files have it: an object per kind of thing, with a column per
// property. Reading throws a protocol::FileFault for whatever is not as it should be.
namespace lockscope::report {

Json eventColumns(std::span<const trace::Event> events);
Json serverHoldColumns(std::span<const trace::ServerHold> serverHolds);
Json messageColumns(std::span<const trace::Message> messages);
Json noteColumns(std::span<const trace::Note> notes);
Json runStepsColumns(const trace::RunSteps& steps);

/// The member of that name. Never more than there are bytes in the file.
std::vector<trace::Event> readEvents(const protocol::FileSection& file, std::string_view name);
std::vector<trace::ServerHold> readServerHolds(const protocol::FileSection& file,
                                               std::string_view name);
std::vector<trace::Message> readMessages(const protocol::FileSection& file, std::string_view name);
std::vector<trace::Note> readNotes(const protocol::FileSection& file, std::string_view name);
/// Of so many events.
trace::RunSteps readRunSteps(const protocol::FileSection& file, std::string_view name,
                             std::size_t eventCount);

/// Within ±285 years of zero: differences of such instants can be counted.
Instant readInstant(const protocol::FileSection& file, std::string_view name);

} // namespace lockscope::report
