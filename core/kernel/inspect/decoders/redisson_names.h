#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/observation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What all objects of Redisson's have in common: how the keys and channels beside them are named,
// and how their owners write themselves.
namespace lockscope::inspect::decoders {

/// What the names of an object's other keys and channels contain: the name, in braces that keep
/// them in its cluster slot unless it brings its own.
Bytes tagOfRedisson(const Bytes& name);

/// The channel that waiters subscribe to.
Bytes channelOfRedisson(std::string_view kind, const Bytes& name);

/// The names that such a tag may stand for: {x} is that of an object named x and of one named {x}.
std::vector<Bytes> namesOfRedissonTag(std::string_view tag);

/// node-redisson, which has Redisson's scripts but no threads: <uuid>:<uuid>.
bool isNodeRedissonOwner(std::string_view owner);

/// A thread of a client, <uuid>:<thread id>, or with the id of a transaction of its own behind it;
/// or an owner of node-redisson.
bool isRedissonOwner(std::string_view owner);

/// The owner of a write lock, which says so: <uuid>:<thread id>:write, with a transaction or not.
bool isRedissonWriter(std::string_view owner);

/// See PlainWords::renewal.
inline constexpr std::string_view kRedissonRenewal = QT_TRANSLATE_NOOP(
    "KernelText",
    "Taken without a lease, it is set to 30 s again every 10 s by the watchdog of the "
    "holder's client, by default. Taken with a lease, it is not renewed.");

/// What such an owner is in words, readers, writers and transactions alike: "thread 63 of the
/// Redisson client 5f0c…".
std::string redissonThreadText(std::string_view owner);

/// The count that is all there is of a semaphore or a latch: the value of the only key, when that
/// is a number as Java's int holds; nullopt otherwise.
std::optional<std::int64_t> redissonCountOf(const LockSnapshot& snapshot);

/// The key beside a semaphore whose permits expire, in which those that are out are kept.
Bytes redissonPermitsNameOf(const Bytes& semaphore);

} // namespace lockscope::inspect::decoders
