#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/base/time.h"
#include "core/kernel/store/command.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace lockscope::testing {

/// How the holders of one format take, renew and give back a lock, and what there is to see of it.
/// `take` also counts the holds in a key of its own, KEYS[2]: where nothing in the lock tells one
/// hold from the next, that number does. ARGV: the owner, the lease in ms.
struct RaceFormat {
    std::string_view id;
    std::string_view decoder; // as what Lockscope has to recognise it
    Bytes (*freshOwner)(Rng&, WallTime);
    const char* take;  // 1: taken
    const char* renew; // of the owner's hold, if it is still there
    const char* give;
    const char* look;         // calls seen() for every hold that is there; changes nothing
    bool isAnonymous = false; // nothing in the lock tells every hold from the next
    bool expires = true;
    std::uint16_t serverCount = 1; // more: a client with a majority of them has the lock
    std::string_view key = {};     // that the format asks for; empty: any
};

std::span<const RaceFormat> raceFormats();

/// A decoder whose locks are not raced, and why they cannot be.
struct UnracedDecoder {
    std::string_view decoder;
    std::string_view reason;
};

std::span<const UnracedDecoder> unracedDecoders();

/// The format of the race that stands for what a protocol of the catalogue writes.
struct RacedProtocol {
    std::string_view protocol;
    std::string_view format;
};

std::span<const RacedProtocol> racedProtocols();

/// One lock that all clients compete for.
struct RaceLock {
    const RaceFormat* format;
    Bytes name;

    store::Command takeCommand(const Bytes& owner, Duration lease) const;
    store::Command renew(const Bytes& owner, Duration lease) const;
    store::Command give(const Bytes& owner) const;
    /// Answers what release_race_ledger.h makes a Look of. Changes nothing.
    store::Command look() const;

private:
    store::Command run(Bytes script, const Bytes& owner, Duration lease) const;
};

} // namespace lockscope::testing
