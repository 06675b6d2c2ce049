#pragma once

#include "store/outcome.h"

#include <string>

namespace lockscope::wire {

/// What a server says of itself. Fields it does not tell are empty.
struct ServerInfo {
    std::string version; // "7.0.15"
    std::string role;    // "master" or "replica"
};

/// Reads the outcome of INFO; nothing is known when it was refused.
ServerInfo serverInfoOf(const store::Outcome& outcome);

} // namespace lockscope::wire
