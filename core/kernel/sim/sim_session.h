#pragma once

#include "base/bytes.h"
#include "sim/sim_database.h"
#include "store/command.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::sim {

/// Names one connection to a simulated server; never used twice.
using SessionId = std::uint32_t;

/// What a connection remembers between two commands.
struct SimSession {
    SessionId id = 0;
    bool isInTransaction = false;
    bool isTransactionBroken = false; // a command could not be queued: EXECABORT
    bool hasWatchedChange = false;    // EXEC answers nil
    std::vector<store::Command> queue;
};

/// A key that EXEC must find as it was.
struct Watch {
    SessionId session = 0;
    Bytes key;
    bool wasExpired = false; // already then; that it goes is no change
};

struct Subscription {
    SessionId session = 0;
    Bytes channel;
};

/// A blocking pop that waits.
struct Wait {
    SessionId session = 0;
    Bytes commandName; // "blpop"
    std::vector<Bytes> keys;
    std::optional<ServerTime> until; // for ever without it
};

} // namespace lockscope::sim
