#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What can be done about a lock that is in the way, the mildest way first.
namespace lockscope::report {

enum class MildStep : std::uint8_t {
    Wait,       // until it expires
    CapTtl,     // it gets an expiry
    ReleaseOne, // one of several holds
    Release,    // the lock
    KillHolder, // the connection of its holder
};

struct LadderRung {
    MildStep step = MildStep::Release;
    bool isRecommended = false; // of one rung; of none where a holder at work has a healthy lock
    std::string sentence;
};

/// What is known of the lock and what can be done with it.
struct LadderSituation {
    const inspect::LockRecord& lock; // with the history of its hold
    Instant now{};
    std::string expiryTime; // of day, as the reader writes it; empty: no expiry
    bool canCap = false;
    bool canReleaseOne = false; // several hold it, and they can be told apart
};

/// The rungs that apply, from mild to harsh; never without Release. A holder's connection is on it
/// where exactly one client is known to be the holder.
std::vector<LadderRung> releaseLadder(const LadderSituation& situation);

/// The client that is certainly the only holder; null: none is known to be.
const inspect::ClientInfo* soleClientOf(const inspect::LockRecord& lock);

} // namespace lockscope::report
