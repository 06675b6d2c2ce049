#pragma once

#include "core/kernel/protocol/promise.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockscope::world {

/// What runs put to the test: how often each promise could have been broken, and whether locks were
/// granted at all. A result and no state: it is in no hash.
struct Chances {
    /// By promise: events at which it could have been broken, and was or was not.
    std::array<std::uint64_t, static_cast<std::size_t>(protocol::Promise::PromiseCount)> counts{};
    std::uint64_t requests = 0;      // acquisitions that were begun
    std::uint64_t grants = 0;        // those that were granted
    std::uint64_t cleanGrants = 0;   // before any fault
    std::uint64_t cleanFailures = 0; // that ended without a grant, before any fault
    std::uint64_t errors = 0;        // answers of servers

    std::uint64_t of(protocol::Promise promise) const
    {
        return counts[static_cast<std::size_t>(promise)];
    }
    std::uint64_t& of(protocol::Promise promise)
    {
        return counts[static_cast<std::size_t>(promise)];
    }

    /// Nobody got the lock, or nobody as long as nothing went wrong: there was nothing to judge.
    bool isNeverGranted() const
    {
        return requests > 0 && (grants == 0 || (cleanFailures > 0 && cleanGrants == 0));
    }

    void add(const Chances& other) { add(other, {}); }
    /// What has come to `now` since it was `before`: of a run, what is new in it.
    void add(const Chances& now, const Chances& before)
    {
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] += now.counts[i] - before.counts[i];
        }
        requests += now.requests - before.requests;
        grants += now.grants - before.grants;
        cleanGrants += now.cleanGrants - before.cleanGrants;
        cleanFailures += now.cleanFailures - before.cleanFailures;
        errors += now.errors - before.errors;
    }

    friend bool operator==(const Chances&, const Chances&) = default;
};

} // namespace lockscope::world
