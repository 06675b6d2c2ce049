#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/identity.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/sim/keyspace.h"
#include "core/kernel/world/servers.h"
#include "core/kernel/world/world_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::world {

/// A lock without a holder may stay closed for so many leases and this time besides, which is
/// longer than any library lets others wait for a dead client (Redisson's fair lock: five minutes).
inline constexpr int kPatienceInLeases = 5;
inline constexpr Duration kPatience = std::chrono::minutes(6);

/// Asks the protocol itself whether it would grant a lock now: its own `acquire`, by a fresh client
/// that meets no fault, on copies of the servers (docs/promises.md, "Probes"). The run does not
/// notice. The client asks as a writer where there are readers and writers, because a writer is
/// kept away by every hold.
class Probe {
public:
    enum class Answer : std::uint8_t {
        Granted,
        Refused,
        Failed,  // the server answered with an error
        Unknown, // the try did not end within its bounds
    };

    /// From when on a lock is open, if no client did anything any more.
    struct FreeFrom {
        bool isKnown = true;
        std::optional<Instant> at; // of those that are known; nullopt: never

        friend bool operator==(const FreeFrom&, const FreeFrom&) = default;
    };

    /// A client that asks, with the random numbers of its tokens.
    struct Asker {
        protocol::Identity identity;
        Rng rng;
        protocol::LockRequest request;
    };

    /// Some data of one server that count instead of what it has now.
    struct Instead {
        int node = 0;
        const sim::Keyspace& keys;
    };

    /// All references outlive the probe; `now` is the world's.
    Probe(const protocol::LockProtocol& protocol, const WorldPlan& plan, const Servers& servers,
          const Instant& now)
        : m_protocol(protocol),
          m_plan(plan),
          m_servers(servers),
          m_now(now)
    {}

    /// Lets `clientCount` fresh clients ask one after the other without giving anything back.
    /// Returns Granted if all of them are granted the lock, otherwise the first other answer.
    Answer ask(int lock, int clientCount = 1) const;

    /// Whether the protocol would take the hold back from its owner now, or tell it that it holds
    /// nothing. nullopt: not known.
    std::optional<bool> isHeld(const protocol::Identity& owner, const protocol::Grant& grant) const;
    std::optional<bool> isHeld(const protocol::Identity& owner, const protocol::Grant& grant,
                               const Instead& instead) const;

    /// The times that are tried: at which a key expires, at which a number in a value lies, and
    /// which a refusal names. Where the lock is open after all of them and before the patience is
    /// over, the instant is found by halves, to the millisecond.
    FreeFrom freeFrom(int lock, int clientCount = 1) const;
    FreeFrom freeFrom(int lock, const Instead& instead) const;
    /// Likewise for one more try of a client that waits: from when on it would be granted the lock.
    /// Never means: not until `bound`.
    FreeFrom freeFrom(Asker asker, Instant bound) const;

private:
    using Copies = std::vector<Servers::Copy>;
    using Askers = std::vector<Asker>;

    Copies copiesWith(const Instead& instead) const;
    std::optional<bool> isHeld(const protocol::Identity& owner, const protocol::Grant& grant,
                               Copies copies) const;

    Askers freshAskers(int lock, int count) const;
    FreeFrom freeFrom(const Askers& askers, const Copies& copies) const;
    FreeFrom openBefore(Instant bound, const Askers& askers, const Copies& copies) const;

    struct Heard {
        Answer answer = Answer::Unknown;
        std::optional<Duration> remaining; // of the hold in the way, as the refusal says
    };
    static Heard heardBy(const std::optional<protocol::AcquireOutcome>& outcome);
    Heard askAt(Instant then, const Askers& askers, Copies copies) const;

    const protocol::LockProtocol& m_protocol;
    const WorldPlan& m_plan;
    const Servers& m_servers;
    const Instant& m_now;
};

} // namespace lockscope::world
