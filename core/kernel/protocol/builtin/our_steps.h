#pragma once

#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <optional>
#include <string_view>

// What the locks of our own design have in common: the names of their other keys, and how their
// lock scripts answer.
namespace lockscope::protocol::builtin {

/// "{key}:suffix", or "key:suffix" when the key has a hash tag of its own: a name on the same node
/// of a cluster.
Bytes companionKey(std::string_view key, std::string_view suffix);

/// The answer of a lock script: {1, number …} granted, {0, ms} held by others for that long.
/// `grant` is the hold that was asked for; the number, if there is one, becomes its fence.
AcquireOutcome listedOutcome(const store::Outcome& outcome, Grant grant);

} // namespace lockscope::protocol::builtin
