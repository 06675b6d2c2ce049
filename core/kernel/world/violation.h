#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/protocol/promise.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::world {

/// How a promise was broken; the classes are kept apart on purpose. The text ids are part of the
/// JSON.
enum class ViolationKind : std::uint8_t {
    DoubleGrant,      // two leases overlap on the server
    DoubleBelief,     // a holder outlived its lease and does not know it
    LostWrite,        // what the lock protects lost an update
    WrongRelease,     // a release removed another client's hold
    WrongExtension,   // another client's lease was changed, or a lock made anew by a renewal
    PermanentLock,    // no live client owns it, and it will not expire
    ZombieRenewal,    // kept alive by the renewals of a client that does not work any more
    Starvation,       // passed over more often than the bound
    ReentryImbalance, // the server counts otherwise than the client
    LostWakeup,       // slept beside a free lock
    FenceDisorder,    // a later grant had no greater fence
    DishonestLease,   // another one was granted while the holder had every reason to trust
    NoProgress,       // after all faults a client waits for nothing
    Orphan,           // given back in time, and still there
    NeverGranted,     // a client that is alone asks in vain
    ErrorAnswer,      // a server refuses a request with an error, without any fault
    UnknownAnswer,    // an answer that the protocol does not know, without any fault
    FalseLoss,        // a holder was told that it lost what it has, or has given back
    Takeover,         // a renewal or a refused try put its own hold in the place of another one
    ViolationKindCount,
};

std::string_view idOf(ViolationKind kind); // "double-grant"
std::optional<ViolationKind> violationKindOf(std::string_view id);

/// A promise that did not hold, and the events that prove it.
struct Violation {
    protocol::Promise promise = protocol::Promise::MutualExclusion;
    ViolationKind kind = ViolationKind::DoubleGrant;
    Instant at{};
    int stepCount = 0; // of the run, when it showed
    int lock = 0;
    int client = 0;       // the one that did it, or that suffered it
    int other = -1;       // the other client concerned; -1: none
    Instant otherSince{}; // when that one's part began

    friend bool operator==(const Violation&, const Violation&) = default;
};

/// One sentence in plain words: "A and B both hold k".
std::string describe(const Violation& violation, const std::string& keyName);

} // namespace lockscope::world
