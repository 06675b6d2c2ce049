#pragma once

#include <cstdint>
#include <string_view>

namespace lockscope::protocol {

/// What a lock can be held to. The text ids are part of the JSON.
enum class Promise : std::uint8_t {
    MutualExclusion,    // one holder at a time
    ReadWriteExclusion, // a writer alone, or readers among themselves
    OwnerOnlyRelease,   // a release ends no other client's hold
    NoStuckLock,        // a holder that dies does not block the others forever
    ReentryBalance,     // as many releases as acquisitions, and not one fewer, free the lock
    NoLostWakeup,       // a waiter hears of the release it waits for
    FencingOrder,       // every grant carries a greater number than the one before
    LeaseHonesty,       // a holder knows until when it may believe in its lock
    Progress,           // as long as holders release, a waiter is granted
    Fairness,           // no waiter is passed over forever
    PromiseCount,
};

std::string_view idOf(Promise promise); // "mutual-exclusion"

/// What a claim may assume, in a form that a search can compare with what goes wrong.
enum class Condition : std::uint16_t {
    HolderInTime = 1 << 0,       // no holder is slower than its lease, and its renewals get through
    DurableWrites = 1 << 1,      // the server loses nothing that it has acknowledged
    EqualClockRates = 1 << 2,    // clocks run equally fast
    SynchronisedClocks = 1 << 3, // the wall clocks of the clients agree
    SteadyServerClock = 1 << 4,  // the server's clock does not jump
    NobodyDies = 1 << 5,
    NobodyHangs = 1 << 6,
    NothingLost = 1 << 7,   // no request and no answer
    OwnIdentity = 1 << 8,   // no two clients share an identity
    EqualLeases = 1 << 9,   // all leases of a lock are equally long
    ReadersPause = 1 << 10, // readers do not overlap forever
    MajorityReachable = 1 << 11,
    OwnRelease = 1 << 12, // the task that took a lock gives it back
};

/// A set of conditions.
class Conditions {
public:
    constexpr Conditions() = default;
    constexpr Conditions(Condition condition) : m_bits(static_cast<std::uint16_t>(condition)) {}

    constexpr bool isEmpty() const { return m_bits == 0; }
    constexpr bool intersects(Conditions other) const { return (m_bits & other.m_bits) != 0; }
    constexpr Conditions& operator|=(Conditions other)
    {
        m_bits = static_cast<std::uint16_t>(m_bits | other.m_bits);
        return *this;
    }
    friend constexpr Conditions operator|(Conditions a, Conditions b) { return a |= b; }
    friend constexpr bool operator==(Conditions, Conditions) = default;

private:
    std::uint16_t m_bits = 0;
};

constexpr Conditions operator|(Condition a, Condition b)
{
    return Conditions(a) | Conditions(b);
}

/// A promise a protocol makes, and what has to hold for it.
struct Claim { // NOLINT(*-optin.performance.Padding): in the order in which they are read
    Promise promise;
    std::string_view assuming; // e.g. "the holder is never slower than its lease"; empty: nothing
    Conditions conditions{};   // the same for a search; a client that breaks one has no promise
};

} // namespace lockscope::protocol
