#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <vector>

namespace lockscope::store {

/// What went through a store since it was made.
struct Usage {
    std::uint64_t requestCount = 0; // a batch is one
    std::uint64_t commandCount = 0;
    std::uint64_t sentBytes = 0;
    std::uint64_t receivedBytes = 0;

    std::uint64_t bytes() const { return sentBytes + receivedBytes; }
};

/// One Redis server, as far as its users need to know: commands go in, outcomes come out. It
/// cannot be told from the outside whether the server is real. Belongs to one executor.
class Store {
public:
    virtual ~Store() = default;

    /// Sends one command. Dropping the Pending abandons the request; if it was sent, it may still
    /// be applied.
    virtual async::Pending<Outcome> submit(Command command) = 0;

    /// Sends the commands one behind the other without waiting in between (not a transaction) and
    /// completes with one outcome per command, in order, when the last of them is known.
    virtual async::Pending<std::vector<Outcome>> submitAll(std::vector<Command> commands) = 0;

    /// Waits while a connection is being made. Ends with kind None once commands can be sent, and
    /// otherwise with what submit() would answer. Any number of tasks may wait; this outlives them.
    virtual async::Task<Problem> whenSettled() { co_return Problem(); }

    /// Changes whenever the server may have forgotten the state of this connection (WATCH): with
    /// every new stream. Constant where there is no connection to lose.
    virtual std::uint64_t session() const { return 0; }

    /// Nothing where nobody counts: see MeteredStore.
    virtual Usage usage() const { return {}; }
};

} // namespace lockscope::store
