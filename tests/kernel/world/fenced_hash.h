#pragma once

#include "core/kernel/protocol/own_protocol.h"

#include <memory>
#include <string>
#include <variant>

namespace lockscope::testing {

/// A sound lock that keeps its fence in the hash of the lock: the key is always there, and never
/// expires; who holds it is a field. `release` is its script of that.
inline std::unique_ptr<protocol::LockProtocol> fencedHash(
    const std::string& release = "if redis.call('hget', KEYS[1], 'owner') == ARGV[1] then return "
                                 "redis.call('hdel', KEYS[1], 'owner', 'until') > 0 and 1 end "
                                 "return 0")
{
    auto read = protocol::readProtocol(R"json({
        "id": "fenced-hash",
        "title": "A token lock in a hash",
        "summary": "A hash with the owner, the end of its lease, and a number that only grows.",
        "promises": ["mutual-exclusion", "owner-only-release", "no-stuck-lock", "fencing-order", "progress"],
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
        "release":
{
            "script": ")json" + release
                                       + R"json(",
            "keys": ["{key}"],
            "args": ["{token}"],
            "released": [1],
            "gone": [0]
        }
    })json");
            return std::move(std::get<0>(read));
}

} // namespace lockscope::testing
