#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/store/script.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What Redisson's locks have in common: names (version 4.7), the wait for a message, the watchdog's
// renewal, and the unlock that may be repeated.
namespace lockscope::protocol::builtin {

/// What is known about a lock of Redisson's: its description, what it needs, the lease and the
/// watchdog that it has by default.
ProtocolInfo redissonInfo(const std::string& id);

/// "{key}", or "key" when it has a hash tag of its own.
Bytes redissonTag(std::string_view key);

/// "prefix:{key}".
Bytes redissonName(std::string_view prefix, std::string_view key);

/// How often the owner holds the lock, or how long another one still does.
struct RedissonAnswer {
    int count = 0;                     // 0: not granted
    std::optional<Duration> remaining; // nullopt: no expiry, or granted
};
/// nullopt for a reply that is none of Redisson's.
std::optional<RedissonAnswer> redissonAnswer(const store::Outcome& outcome);

/// The outcome of a lock script that answers so. `grant` is the hold that was asked for.
AcquireOutcome redissonOutcome(const store::Outcome& outcome, Grant grant);

/// Begins the lease anew while the hash has the grant's token as a field.
async::Task<RenewOutcome> renewRedissonField(Contender& self, Grant grant);

/// An unlock script. KEYS: the lock, the latch of this request, `moreKeys`. ARGV: the grant's
/// token, the lease in ms, `channel`, the life of the latch in ms, `moreArguments`. It answers with
/// the holds that are left, -1 (nothing there), or -2 (another owner's).
struct RedissonUnlock {
    store::Script script;
    Bytes channel;
    std::vector<Bytes> moreKeys;
    std::vector<Bytes> moreArguments;
};
/// Runs it, and again while the answer is lost: the latch makes that harmless.
async::Task<ReleaseOutcome> unlockRedisson(Contender& self, Grant grant, RedissonUnlock unlock);

} // namespace lockscope::protocol::builtin
