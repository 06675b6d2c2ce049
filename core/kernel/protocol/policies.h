#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/base/time.h"

#include <cstdint>
#include <optional>

namespace lockscope::protocol {

/// How a refused client tries again. Protocols with a wake-up of their own use it only
/// where there is nothing to wait for (a lock without expiry, a server that is away).
struct Retry {
    enum class Kind : std::uint8_t { Fixed, Exponential };

    Kind kind = Kind::Fixed;
    Duration interval = std::chrono::milliseconds(100); // Exponential: of the first pause
    Duration intervalMax = std::chrono::seconds(1);     // Exponential only
    Duration jitter{0};                                 // up to this much is added at random
    std::optional<int> triesMax;                        // nullopt: until the wait limit
    /// As some blocking wrappers circulate: the counter is raised and compared *before* the try, so
    /// of n tries n − 1 are made.
    bool countsBeforeTrying = false;

    /// The pause after so many tries.
    Duration pauseAfter(int tries, Rng& rng) const;
    /// Whether one more try is allowed after so many.
    bool allowsTryAfter(int tries) const;
};

/// How a hold is kept alive.
struct Renewal {
    Duration period{0};             // 0: never renewed
    bool isFirstAtOnce = false;     // renews right after the grant, then every period
    std::optional<int> countMax;    // of tries; nullopt: for as long as it is held
    bool stopsAtFirstError = false; // an unanswered renewal ends the renewals
    bool hurriesAfterError = true;  // false: the next renewal is never early, as in simple loops
    /// False for protocols whose worker never hears that its lock is gone: they do not look at
    /// their own clock either, and renew what may have run out.
    bool tellsHolder = true;
    /// One switch stops the renewals of every key of the client: the flaw of `client-reentrant`.
    bool sharesOneSwitch = false;

    bool isOn() const { return period > Duration(0); }
};

} // namespace lockscope::protocol
