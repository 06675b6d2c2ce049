#pragma once

#include "core/kernel/diagnosis/server_facts.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/reason.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Why is it stuck? A function of what was observed; it asks nothing.
namespace lockscope::diagnosis {

using inspect::Reason;

/// How easily a reason is a false alarm, with the evidence there is.
enum class Risk : std::uint8_t { Low, Medium, High };

/// One reason, and what speaks for it.
struct Finding {
    Reason reason = Reason::ReasonCount;
    int severity = 0; // as of a flag
    Risk risk = Risk::Medium;
    std::string evidence; // what was seen, with its numbers
    friend bool operator==(const Finding&, const Finding&) = default;
};

/// A reason that could not be judged. It may apply.
struct Unknown {
    Reason reason = Reason::ReasonCount;
    std::string why;
    friend bool operator==(const Unknown&, const Unknown&) = default;
};

struct Diagnosis {
    std::vector<Finding> findings; // most probable first; what only may lose the lock comes last
    std::vector<Unknown> unknowns; // in the order of the reasons
};

/// What was observed of a lock and around it. Views: they last for the call.
struct Observed {
    const inspect::LockRecord& record; // with the history of its hold, and of those before
    const inspect::DecodedLock* decoded = nullptr; // its best reading; null: none was made
    std::span<const ServerFacts> servers = {};     // those that were asked
    Instant now{};
};

Diagnosis diagnose(const Observed& observed);

} // namespace lockscope::diagnosis
