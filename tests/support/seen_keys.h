#pragma once

#include "core/kernel/inspect/decoder.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Keys as a server may show them, and what the decoders make of them.
namespace lockscope::testing {

inline constexpr Instant kStart{std::chrono::hours(1)};
inline const WallTime kServerTime = wallTimeOfMs(1'795'000'000'000); // at kStart
inline const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
inline const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
inline const Bytes kUuid = "0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b";

inline inspect::Observation stringKey(Bytes key, Bytes value,
                                      std::optional<Duration> ttl = std::chrono::seconds(30),
                                      Instant seenAt = kStart)
{
    inspect::Observation seen;
    seen.key = std::move(key);
    seen.type = inspect::ValueType::String;
    seen.size = value.size();
    seen.value = std::move(value);
    seen.ttl = ttl;
    seen.isComplete = true;
    seen.seenAt = seenAt;
    seen.serverTime = kServerTime
                      + std::chrono::duration_cast<std::chrono::milliseconds>(seenAt - kStart);
    return seen;
}

inline inspect::Observation hashKey(Bytes key, std::vector<inspect::HashField> fields,
                                    std::optional<Duration> ttl = std::chrono::seconds(30),
                                    Instant seenAt = kStart)
{
    inspect::Observation seen = stringKey(std::move(key), {}, ttl, seenAt);
    seen.type = inspect::ValueType::Hash;
    seen.size = fields.size();
    seen.fields = std::move(fields);
    return seen;
}

inline inspect::LockSnapshot of(inspect::Observation key)
{
    inspect::LockSnapshot snapshot;
    snapshot.name = key.key;
    snapshot.keys = {std::move(key)};
    return snapshot;
}

inline std::vector<inspect::DecodedLock> decodedLocksOf(const inspect::LockSnapshot& snapshot)
{
    return inspect::decode(snapshot, inspect::builtinDecoders());
}

/// The format ids of all decoded locks, best first, joined by spaces.
inline std::string formatsOf(const inspect::LockSnapshot& snapshot)
{
    std::string formats;
    for (const inspect::DecodedLock& decoded : decodedLocksOf(snapshot)) {
        formats += (formats.empty() ? "" : " ") + std::string(decoded.format);
    }
    return formats;
}

} // namespace lockscope::testing
