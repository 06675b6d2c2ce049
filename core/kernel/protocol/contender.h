#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/protocol/identity.h"
#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/store/node.h"
#include "core/kernel/trace/event.h"

#include <cstdint>
#include <vector>

namespace lockscope::protocol {

/// What a protocol keeps in the memory of one client program, shared by its tasks: hold counts that
/// Redis does not see, a common stop flag. Lost when the program crashes.
class ClientMemory {
public:
    virtual ~ClientMemory() = default;

    /// See Renewal::sharesOneSwitch.
    bool isRenewing = false;
};

/// What a client program runs in. What is referred to outlives the program.
struct ClientEnvironment {
    std::vector<store::Node> nodes; // one, or the masters of a Redlock set
    async::Executor& executor;
    Clock& clock;
    trace::EventSink& events;
};

/// One logical task that takes locks: who it is, what it reaches, and how it is stopped.
/// Runs on one executor; neither copied nor moved, because its tasks refer to it.
class Contender {
public:
    /// `memory` is shared by the tasks of one program and outlives them.
    Contender(ClientEnvironment environment, Identity identity, trace::ContenderId id, Rng rng,
              ClientMemory& memory);
    Contender(const Contender&) = delete;
    Contender& operator=(const Contender&) = delete;

    const std::vector<store::Node>& nodes() const { return m_environment.nodes; }
    /// The server of a protocol that uses one.
    const store::Node& node() const { return m_environment.nodes.front(); }
    async::Executor& executor() const { return m_environment.executor; }
    Clock& clock() const { return m_environment.clock; }
    Instant now() const { return m_environment.clock.now(); }
    Rng& rng() { return m_rng; }
    const Identity& identity() const { return m_identity; }
    trace::ContenderId id() const { return m_id; }
    ClientMemory& memory() const { return m_memory; }

    /// A token that was never used before: a UUID that ends with the mark of its client.
    Bytes freshToken();

    void record(trace::EventKind kind, const LockRequest& request, std::int64_t value = 0);

    /// Opened by everything that may end a wait: a message, the loss of a hold, an interruption.
    /// A task that waits for it checks again what it waits for.
    async::Gate& bell() { return m_bell; }

    /// Goes on when the bell rings, or at `deadline`.
    async::Gate::Passing waitForBell(Instant deadline)
    {
        return m_bell.passBefore(clock(), deadline);
    }

    /// Goes on at `deadline`, or earlier when interrupted.
    async::Task<void> sleepUntil(Instant deadline);

    /// All waits for a lock are given up, all sleeps end; holds are not touched.
    void interrupt();
    void clearInterruption() { m_isInterrupted = false; }
    bool isInterrupted() const { return m_isInterrupted; }

private:
    ClientEnvironment m_environment;
    Identity m_identity;
    trace::ContenderId m_id;
    Rng m_rng;
    ClientMemory& m_memory;
    async::Gate m_bell;
    bool m_isInterrupted = false;
};

} // namespace lockscope::protocol
