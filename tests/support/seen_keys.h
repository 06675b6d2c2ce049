#pragma once

#include "inspect/decoder.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Keys as a server may show them, and what the decoders make of them.
namespace lockscope::testing {

inline const WallTime kServerTime = wallTimeOfMs(1'795'000'000'000);
inline const Bytes kUuid = "0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b";

inline inspect::Observation stringKey(Bytes key, Bytes value,
                                      std::optional<Duration> ttl = std::chrono::seconds(30))
{
    inspect::Observation seen;
    seen.key = std::move(key);
    seen.type = inspect::ValueType::String;
    seen.size = value.size();
    seen.value = std::move(value);
    seen.ttl = ttl;
    seen.isComplete = true;
    seen.serverTime = kServerTime;
    return seen;
}

inline inspect::Observation hashKey(Bytes key, std::vector<inspect::HashField> fields,
                                    std::optional<Duration> ttl = std::chrono::seconds(30))
{
    inspect::Observation seen;
    seen.key = std::move(key);
    seen.type = inspect::ValueType::Hash;
    seen.size = fields.size();
    seen.fields = std::move(fields);
    seen.ttl = ttl;
    seen.isComplete = true;
    seen.serverTime = kServerTime;
    return seen;
}

inline inspect::Sighting of(inspect::Observation key)
{
    inspect::Sighting sighting;
    sighting.name = key.key;
    sighting.keys = {std::move(key)};
    return sighting;
}

inline std::vector<inspect::Reading> readingsOf(const inspect::Sighting& sighting)
{
    return inspect::decode(sighting, inspect::builtinDecoders());
}

/// The format ids of all readings, best first, joined by spaces.
inline std::string formatsOf(const inspect::Sighting& sighting)
{
    std::string formats;
    for (const inspect::Reading& reading : readingsOf(sighting)) {
        formats += (formats.empty() ? "" : " ") + std::string(reading.format);
    }
    return formats;
}

} // namespace lockscope::testing
