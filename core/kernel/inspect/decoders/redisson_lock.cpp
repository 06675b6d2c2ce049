#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>

// Redisson 3.2 to 4.7, RLock: a hash under exactly the given name with one field <uuid of the
// client>:<thread id> whose value counts the holds. Waiters sleep on the channel below until a
// message arrives. RSpinLock, RFencedLock, RNonReentrantLock, a fair lock without waiters,
// and a member of RMultiLock look the same. The waiters of a fair lock stand in a list, the next
// one first, with the instants at which they give up in a sorted set; each listens on a channel of
// its own, so the common one says nothing about them.
namespace lockscope::inspect::decoders {

namespace redisson_lock {

constexpr std::string_view kQueue = "redisson_lock_queue:";

/// Where Redisson keeps the waiters for the fair lock of this name, the next one first.
Bytes queueNameOf(const Bytes& lockName)
{
    return Bytes(kQueue) + tagOfRedisson(lockName);
}

/// … and when each of them gives up.
Bytes timeoutsNameOf(const Bytes& lockName)
{
    return "redisson_lock_timeout:" + tagOfRedisson(lockName);
}

/// There may be two: "{x}" in the key stands for a lock named x and for one named {x}.
std::vector<Bytes> locksOf(std::string_view queue)
{
    const std::string_view tagged = queue.substr(kQueue.size());
    std::vector<Bytes> names;
    if (tagged.find('{') != std::string_view::npos) {
        names.emplace_back(tagged);
    }
    if (tagged.size() > 2 && tagged.starts_with('{') && tagged.ends_with('}')) {
        const std::string_view name = tagged.substr(1, tagged.size() - 2);
        if (name.find('{') == std::string_view::npos) {
            names.emplace_back(name);
        }
    }
    return names;
}

bool isBookkeeping(std::string_view key)
{
    constexpr std::string_view kPrefixes[] = {kQueue, "redisson_lock_timeout:",
                                              "redisson_lock_token:", "redisson_unlock_latch:"};
    return std::ranges::any_of(kPrefixes,
                               [key](std::string_view prefix) { return key.starts_with(prefix); });
}

/// The only key, when it may be such a lock.
const Observation* lockOf(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    const bool fits = key && key->fields.size() == 1 && isUuidAndThread(key->fields.front().name);
    return fits ? key : nullptr;
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    const Observation* key = lockOf(snapshot);
    if (!key) {
        return {};
    }
    return {{queueNameOf(key->key), ValueType::List},
            {timeoutsNameOf(key->key), ValueType::SortedSet, true}};
}

/// The queue of a fair lock that has waiters, or whose queue may not be read; nullptr otherwise.
const Observation* queueOf(const LockSnapshot& snapshot)
{
    const Observation* queue = snapshot.companion(queueNameOf(snapshot.main().key));
    return queue && (queue->exists() || !queue->unreadable.empty()) ? queue : nullptr;
}

void readWaiters(const LockSnapshot& snapshot, DecodedLock& decoded)
{
    const Observation* queue = queueOf(snapshot);
    if (!queue) {
        decoded.waiterSource = WaiterSource::Channel;
    } else if (queue->exists()) {
        constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
        decoded.waiterSource = WaiterSource::Queue;
        decoded.waiters = static_cast<int>(std::min(queue->size, kMost));
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "clients wait in Redisson's queue for a fair lock of this name"));
    }
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = lockOf(snapshot);
    if (!key) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> holds = decimalOf(key->fields.front().value);
    if (!holds || *holds < 1 || *holds > std::numeric_limits<std::int32_t>::max()) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = key->ttl ? Confidence::High : Confidence::Medium;
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = key->fields.front().name;
    holder.holds = static_cast<std::uint32_t>(*holds);
    decoded.waiterChannel = channelOfRedisson("redisson_lock__channel", key->key);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "hash field looks like uuid:threadId"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "its value is a count"));
    if (key->subscribers.value_or(0) > 0) {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "a client listens on Redisson's unlock channel for this name"));
    }
    readWaiters(snapshot, decoded);
    return decoded;
}

/// Who is next, and after whom, as far as the queue was read.
std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    const Observation* queue = queueOf(snapshot);
    if (!queue || queue->fields.empty()) {
        return {};
    }
    std::string waiting;
    for (const HashField& waiter : queue->fields) {
        waiting += (waiting.empty() ? "" : ", ") + escaped(waiter.name);
    }
    return {{QT_TRANSLATE_NOOP("KernelText", "waiting, the next one first"), std::move(waiting)}};
}

/// Each waiter of a fair lock is notified on a channel of its own. The queue may be empty now and
/// filled when the release runs, so the script looks again.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(fieldsCheck(snapshot.main()));
    recipe.channel = decoded.waiterChannel;
    recipe.payload = "0";
    const Bytes queueName = queueNameOf(snapshot.main().key);
    const Observation* queue = snapshot.companion(queueName);
    if (queue && queue->unreadable.empty()) {
        recipe.script = ReleaseRecipe::Script::RedissonFair;
        recipe.companions = {queueName, timeoutsNameOf(snapshot.main().key)};
    } else {
        recipe.warnings = {
            KernelText::tr("The queue of a fair lock could not be read. Threads that wait in it "
                           "are not woken; they retry when the time left that they last saw is "
                           "over, 30 s by default.")};
    }
    return recipe;
}

} // namespace redisson_lock

const Decoder kRedissonLock{
    .id = "redisson-lock",
    .library = "Redisson",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redisson"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "Redisson's RLock: a hash from <client uuid>:<thread id> to the number of holds."),
    .read = redisson_lock::read,
    .release = redisson_lock::release,
    .facts = redisson_lock::facts,
    .companions = redisson_lock::companions,
    .isBookkeeping = redisson_lock::isBookkeeping,
    .waiterQueues = {redisson_lock::kQueue, redisson_lock::locksOf},
};

} // namespace lockscope::inspect::decoders
