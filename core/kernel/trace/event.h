#pragma once

#include "core/kernel/base/time.h"

#include <cstdint>
#include <string_view>

namespace lockscope::trace {

/// Who did it: the number of a contender within its run, from 0.
using ContenderId = std::uint32_t;
/// Which lock: the index of its key within the run, from 0.
using LockId = std::uint16_t;

/// What happened, as the one who did it saw it. `value` of an Event means what is said behind each.
enum class EventKind : std::uint8_t {
    Requested,        // wants the lock; from here on it waits
    Refused,          // one try was answered "held by another client"; µs left of that hold, or -1
    Granted,          // believes to hold it from here on; number of tries
    GaveUp,           // stopped waiting: limit or number of tries; number of tries
    Withdrew,         // stopped waiting because it was interrupted; number of tries
    Unavailable,      // certainly not granted: the server could not be asked (0), or answered with
                      // an error (1)
    Uncertain,        // it is not known whether it was granted
    Renewed,          // the lease begins anew
    RenewalFailed,    // RenewalFailure
    Lost,             // knows that the lock can no longer be trusted; LossReason
    Releasing,        // the belief ends, the release is sent
    Released,         // the server says so; holds that are left
    ReleaseRefused,   // it was not there any more (0) or another owner's (1)
    ReleaseUncertain, // it is not known whether it was released; 1: the server answered with an
                      // error
    Crashed,          // forgot everything and released nothing
    Paused,           // stands still, renewals included; µs it is to last
    Resumed,
    Entered, // touched what the lock protects; how many others were inside who must not be
    Left,
    EffectRejected, // the resource saw a fence newer than this one's; the fence
    Expired,        // seen from outside: the key ran out
    Forced,         // seen from outside: an operator or another client released it by force
};

enum class RenewalFailure : std::uint8_t { Gone, OtherOwner, Unreachable, Unknown, Refused };

/// Why a holder must not trust its lock any more.
enum class LossReason : std::uint8_t {
    Gone,           // a renewal found no lock
    OtherOwner,     // a renewal found another owner's
    LeaseRanOut,    // by the holder's own clock, without a failed renewal
    Disconnected,   // no renewal got through for as long as the lease
    RenewalsUsedUp, // as many renewals as were allowed, and the lease is over
    Refused,        // the server refused the renewal
};

std::string_view idOf(EventKind kind);        // "requested", "renewal-failed"
std::string_view idOf(LossReason reason);     // "lease-ran-out"
std::string_view idOf(RenewalFailure reason); // "other-owner"

/// One line of the log. Small, because a run has millions of them.
struct Event {
    Instant at{};
    std::int64_t value = 0;
    ContenderId contender = 0;
    LockId lock = 0;
    EventKind kind = EventKind::Requested;
    bool isRead = false; // the request or hold is a shared one

    friend bool operator==(const Event&, const Event&) = default;
};

/// Takes events as they happen. Belongs to one executor.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void append(const Event& event) = 0;
};

/// Drops the events of clients of which no record is kept.
class NoEvents final : public EventSink {
public:
    void append(const Event&) override {}
};

} // namespace lockscope::trace
