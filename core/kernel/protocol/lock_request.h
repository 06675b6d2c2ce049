#pragma once

#include "core/kernel/base/boxed.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/policies.h"
#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/trace/event.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace lockscope::protocol {

enum class Mode : std::uint8_t { Exclusive, Read, Write };

/// Which lock, how, and for how long.
struct LockRequest {
    Bytes key;
    trace::LockId lock = 0; // the key's number in the event log
    Mode mode = Mode::Exclusive;
    Duration lease = std::chrono::seconds(30); // at least 1 ms
    Duration waitLimit{0};                     // 0: one try
    Retry retry;
    int permits = 1;                 // of a semaphore: how many may hold at once
    bool areWritersPreferred = true; // of rw-hash-owners: readers queue behind a waiting writer

    /// With the protocol's own lease and retry.
    static LockRequest withDefaults(const ProtocolInfo& info, Bytes key)
    {
        LockRequest request;
        request.key = std::move(key);
        request.lease = info.defaults.lease;
        request.retry = info.defaults.retry;
        return request;
    }
};

/// A hold, as its holder knows it.
struct Grant {
    LockRequest request;
    Bytes token;         // what stands in Redis for this hold
    Instant grantedAt{}; // the answer was here
    /// Until when the holder may believe in it without hearing anything more: counted from before
    /// the request was sent. nullopt: it never runs out.
    std::optional<Instant> trustedUntil;
    int holds = 1;                     // how often its owner holds it now
    std::optional<std::int64_t> fence; // greater with every grant of this lock
    int tries = 1;                     // that it took
};

/// Held by another client.
struct Refused {
    std::optional<Duration> remaining; // of the hold in the way, if the answer told
    int tries = 1;
    bool isInterrupted = false; // the waiter was interrupted
};

/// Certainly not granted: not sent, or refused by the server with an error.
struct Unavailable {
    Boxed<store::Problem> problem = store::Problem{};
};

/// Perhaps granted: sent, and no answer. `possible` is the hold that may exist on the server.
struct Uncertain {
    Boxed<store::Problem> problem = store::Problem{};
    Boxed<Grant> possible;
};

/// Small, because the frames of coroutines are full of them: a grant has a place of its own.
using AcquireOutcome = std::variant<Boxed<Grant>, Refused, Unavailable, Uncertain>;

inline bool isGranted(const AcquireOutcome& outcome)
{
    return std::holds_alternative<Boxed<Grant>>(outcome);
}

/// nullptr: not granted.
inline Grant* grantOf(AcquireOutcome& outcome)
{
    auto* const boxed = std::get_if<Boxed<Grant>>(&outcome);
    return boxed != nullptr ? &**boxed : nullptr;
}
inline const Grant* grantOf(const AcquireOutcome& outcome)
{
    const auto* const boxed = std::get_if<Boxed<Grant>>(&outcome);
    return boxed != nullptr ? &**boxed : nullptr;
}

/// Of an outcome that is known to be one; std::bad_variant_access otherwise.
inline Grant takeGrant(AcquireOutcome outcome)
{
    return std::move(*std::get<Boxed<Grant>>(outcome));
}

struct Renewed {
    std::optional<Instant> trustedUntil;
};
/// The server says that the hold is over.
struct NotHeld {
    bool isOtherOwner = false; // false: the lock is not there at all
};
using RenewOutcome = std::variant<Renewed, NotHeld, Unavailable, Uncertain>;

struct Released {
    int holdsLeft = 0; // greater than 0: an outer hold of the same owner remains
};
using ReleaseOutcome = std::variant<Released, NotHeld, Unavailable, Uncertain>;

} // namespace lockscope::protocol
