#pragma once

#include "base/bytes.h"
#include "base/rng.h"
#include "base/time.h"
#include "store/command.h"

#include <span>

namespace lockscope::testing {

/// How the holders of one format take, renew and give back a lock. Each script also counts the
/// holds in a key of its own, KEYS[2]: where the format records no owner, that number tells one
/// hold from the next. ARGV: the owner, the lease in ms, the server's clock in ms when the lease
/// ends.
struct RaceFormat {
    const char* id;
    Bytes (*freshOwner)(Rng&);
    const char* take;  // 1: taken
    const char* renew; // of the owner's hold, if it is still there
    const char* give;
    bool isAnonymous = false; // nothing in the lock tells whose it is
    bool expires = true;
};

std::span<const RaceFormat> raceFormats();

/// One lock that everybody fights for.
struct RaceLock {
    const RaceFormat* format;
    Bytes name;

    store::Command take(const Bytes& owner, Duration lease) const;
    store::Command renew(const Bytes& owner, Duration lease) const;
    store::Command give(const Bytes& owner) const;
    /// Answers the server's clock, when the lock ends (-1: never), how many holds there have been,
    /// and the owners that hold it now. Changes nothing.
    store::Command look() const;

private:
    store::Command run(const char* script, const Bytes& owner, Duration lease) const;
};

} // namespace lockscope::testing
