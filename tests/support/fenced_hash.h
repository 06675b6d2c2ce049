#pragma once

#include "core/kernel/protocol/own_protocol.h"

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace lockscope::testing {

/// Gives the lock back, and keeps its fence.
inline constexpr std::string_view kFencedHashRelease =
    "if redis.call('hget', KEYS[1], 'owner') ~= ARGV[1] then return 0 end "
    "return redis.call('hdel', KEYS[1], 'owner', 'until') / 2";

/// A sound lock that keeps its fence in the hash of the lock: the key is always there, and never
/// expires; fields say who holds it, and until when. With another script for its release it may be
/// an unsound one.
inline std::unique_ptr<protocol::LockProtocol> fencedHash(
    std::string_view release = kFencedHashRelease)
{
    std::string text = R"json({
        "id": "fenced-hash",
        "title": "A token lock in a hash",
        "summary": "A hash with the owner, the end of its lease, and a number that only grows.",
        "promises": ["mutual-exclusion", "owner-only-release", "no-stuck-lock", "fencing-order"],
        "lease": "10s",
        "acquire": {
            "script": [
                "local time = redis.call('time')",
                "local now = time[1] * 1000 + math.floor(time[2] / 1000)",
                "local till = redis.call('hget', KEYS[1], 'until')",
                "if till and now <= tonumber(till) then",
                "  return {0, tonumber(till) - now}",
                "end",
                "redis.call('hset', KEYS[1], 'owner', ARGV[1], 'until', now + ARGV[2])",
                "return {1, redis.call('hincrby', KEYS[1], 'fence', 1)}"
            ],
            "keys": ["{key}"],
            "args": ["{token}", "{leaseMs}"],
            "granted": [1],
            "refused": [0],
            "remainingMs": 1,
            "fence": 1
        },
        "release": {
            "script": "RELEASE",
            "keys": ["{key}"],
            "args": ["{token}"],
            "released": [1],
            "gone": [0]
        }
    })json";
    constexpr std::string_view kPlace = "RELEASE";
    text.replace(text.find(kPlace), kPlace.size(), release);
    auto read = protocol::readProtocol(text);
    return std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read));
}

} // namespace lockscope::testing
