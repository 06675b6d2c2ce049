#pragma once

#include "core/kernel/trace/chronicle.h"

#include <cstdint>
#include <vector>

namespace lockscope::models {

/// One line of the list of events.
struct EventRow {
    enum class Kind : std::uint8_t {
        Begin,
        End,
        Mark,
        Overlap,
        ServerHold,
        ServerHoldEnd,
        Message,
        Note
    };

    Instant at{};
    std::uint32_t index = 0; // in its list of the chronicle
    Kind kind = Kind::Begin;
};

/// All that happened in a run, by time. Where times are equal, what ends stands before what begins,
/// and a cause before its effect. Any thread.
std::vector<EventRow> eventRowsOf(const trace::Chronicle& run);

} // namespace lockscope::models
