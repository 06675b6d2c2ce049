#pragma once

#include <cstdint>
#include <string_view>

namespace lockscope::protocol {

/// What a lock can be held to. The text ids are part of the JSON.
enum class Promise : std::uint8_t {
    MutualExclusion,    // one holder at a time
    ReadWriteExclusion, // a writer alone, or readers among themselves
    OwnerOnlyRelease,   // a release ends nobody else's hold
    NoStuckLock,        // a holder that dies does not block the others for ever
    ReentryBalance,     // as many releases as acquisitions, and not one fewer, free the lock
    NoLostWakeup,       // a waiter hears of the release it waits for
    FencingOrder,       // every grant carries a greater number than the one before
    LeaseHonesty,       // a holder knows until when it may believe in its lock
    Progress,           // as long as holders release, somebody is granted
    Fairness,           // nobody is passed over for ever
    PromiseCount,
};

std::string_view idOf(Promise promise); // "mutual-exclusion"

/// A promise a protocol makes, and what has to hold for it.
struct Claim {
    Promise promise;
    std::string_view assuming; // e.g. "the holder is never slower than its lease"; empty: nothing
};

} // namespace lockscope::protocol
