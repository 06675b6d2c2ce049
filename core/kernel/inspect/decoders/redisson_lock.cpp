#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <iterator>
#include <limits>

// Redisson 3.2 to 4.7, RLock: a hash under exactly the given name with one field <uuid of the
// client>:<thread id> whose value counts the holds. Waiters sleep on the channel below until a
// message arrives. RSpinLock, RFencedLock, RNonReentrantLock, a fair lock without waiters,
// and a member of RMultiLock look the same. The waiters of a fair lock stand in a list, the next
// one first, with the instants at which they give up in a sorted set; each listens on a channel of
// its own, so the common one says nothing about them. An RFencedLock (since 3.19) counts its
// acquisitions in redisson_lock_token:{name}, which has to go on growing for ever. Inside a
// transaction the field has its id behind it. Those who wait for an RSpinLock poll: that no client
// listens does not mean that none waits.
namespace lockscope::inspect::decoders {

namespace redisson_lock {

constexpr std::string_view kQueue = "redisson_lock_queue:";
constexpr std::string_view kToken = "redisson_lock_token:";
constexpr std::string_view kChannel = "redisson_lock__channel";
constexpr std::string_view kChannelPrefix = "redisson_lock__channel:";

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

/// … and how often it was acquired, if it is a fenced one.
Bytes tokenNameOf(const Bytes& lockName)
{
    return Bytes(kToken) + tagOfRedisson(lockName);
}

std::vector<Bytes> locksOf(std::string_view queue)
{
    return namesOfRedissonTag(queue.substr(kQueue.size()));
}

/// The channel of one waiter of a fair lock has its <uuid>:<thread> at the end.
std::vector<Bytes> locksOfChannel(std::string_view channel)
{
    std::string_view tag = channel.substr(kChannelPrefix.size());
    const std::size_t thread = tag.rfind(':');
    const std::size_t uuid = thread == std::string_view::npos || thread == 0
                                 ? std::string_view::npos
                                 : tag.rfind(':', thread - 1);
    if (uuid != std::string_view::npos && isUuidAndThread(tag.substr(uuid + 1))) {
        tag = tag.substr(0, uuid);
    }
    return namesOfRedissonTag(tag);
}

bool isBookkeeping(std::string_view key)
{
    constexpr std::string_view kPrefixes[] = {kQueue, "redisson_lock_timeout:", kToken,
                                              "redisson_unlock_latch:"};
    return std::ranges::any_of(kPrefixes,
                               [key](std::string_view prefix) { return key.starts_with(prefix); });
}

/// The only key, when it may be such a lock.
const Observation* lockOf(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    const bool fits = key && key->fields.size() == 1 && isRedissonOwner(key->fields.front().name);
    return fits ? key : nullptr;
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    const Observation* key = lockOf(snapshot);
    if (!key) {
        return {};
    }
    return {{queueNameOf(key->key), ValueType::List},
            {timeoutsNameOf(key->key), ValueType::SortedSet, true},
            {tokenNameOf(key->key), ValueType::String}};
}

/// The queue of a fair lock that has waiters, or whose queue may not be read; nullptr otherwise.
const Observation* queueOf(const LockSnapshot& snapshot)
{
    const Observation* queue = snapshot.companion(queueNameOf(snapshot.main().key));
    return queue && (queue->exists() || !queue->unreadable.empty()) ? queue : nullptr;
}

/// Who waits in the queue, and who only stands there still.
struct Waiters {
    std::vector<Bytes> waiting; // the next one first
    std::vector<Bytes> gaveUp;  // their time is over; the next client to come removes them
    std::vector<Bytes> silent;  // of those that wait: no client listens for them
};

/// When a waiter gives up; nullopt: not told.
std::optional<WallTime> endOfWaiter(const LockSnapshot& snapshot, const Bytes& waiter)
{
    const Observation* const times = snapshot.companion(timeoutsNameOf(snapshot.main().key));
    if (!times || !times->isComplete) {
        return std::nullopt;
    }
    const auto time = std::ranges::find(times->fields, waiter, &HashField::name);
    return time == times->fields.end() ? std::nullopt : stampOf13Digits(time->value);
}

bool hasGivenUp(const LockSnapshot& snapshot, const Bytes& waiter)
{
    const auto end = endOfWaiter(snapshot, waiter);
    return end && *end < snapshot.main().serverTime;
}

Bytes channelOfWaiter(const LockSnapshot& snapshot, const Bytes& waiter)
{
    return channelOfRedisson(kChannel, snapshot.main().key) + ':' + waiter;
}

Waiters waitersOf(const LockSnapshot& snapshot)
{
    Waiters waiters;
    const Observation* const queue = queueOf(snapshot);
    for (const HashField& field : queue ? queue->fields : std::vector<HashField>()) {
        const bool hasLeft = hasGivenUp(snapshot, field.name);
        (hasLeft ? waiters.gaveUp : waiters.waiting).push_back(field.name);
        if (!hasLeft && snapshot.listenersOf(channelOfWaiter(snapshot, field.name)) == 0) {
            waiters.silent.push_back(field.name);
        }
    }
    return waiters;
}

/// Where the queue was read, whether its waiters are still there.
ChannelQuestions channels(const LockSnapshot& snapshot)
{
    ChannelQuestions questions;
    if (lockOf(snapshot)) {
        for (const Bytes& waiter : waitersOf(snapshot).waiting) {
            questions.channels.push_back(channelOfWaiter(snapshot, waiter));
        }
    }
    return questions;
}

void readWaiters(const LockSnapshot& snapshot, DecodedLock& decoded)
{
    const Observation* queue = queueOf(snapshot);
    if (!queue) {
        decoded.waiterSource = WaiterSource::SomeOnChannel;
    } else if (queue->exists()) {
        constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
        decoded.waiterSource = WaiterSource::Queue;
        const std::uint64_t gaveUpCount = waitersOf(snapshot).gaveUp.size();
        decoded.waiters = static_cast<int>(std::min(queue->size - gaveUpCount, kMost));
        decoded.waitingOwners = waitersOf(snapshot).waiting;
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "clients wait in Redisson's queue for a fair lock of this name"));
    }
}

/// The next of the queue, where nobody listens for it.
std::optional<SilentWaiter> silentHeadOf(const LockSnapshot& snapshot)
{
    const Waiters waiters = waitersOf(snapshot);
    if (waiters.silent.empty() || waiters.silent.front() != waiters.waiting.front()) {
        return std::nullopt;
    }
    SilentWaiter head{waiters.silent.front(), std::nullopt};
    if (const std::optional<WallTime> end = endOfWaiter(snapshot, head.waiter)) {
        head.until = snapshot.main().seenAt + (*end - snapshot.main().serverTime);
    }
    return head;
}

/// The token of a fenced lock; nullptr: it is none, or its token may not be read.
const Observation* tokenOf(const LockSnapshot& snapshot)
{
    const Observation* const token = snapshot.companion(tokenNameOf(snapshot.main().key));
    return token && token->exists() && token->unreadable.empty() ? token : nullptr;
}

/// A cart with one product in it, <uuid of the product>:<variant>, has the same form.
Confidence confidenceOf(const LockSnapshot& snapshot)
{
    const bool isProved = tokenOf(snapshot) || queueOf(snapshot);
    if (!isProved && mayBeData(snapshot)) {
        return Confidence::Low;
    }
    return snapshot.main().ttl ? Confidence::High : Confidence::Medium;
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
    decoded.confidence = confidenceOf(snapshot);
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = key->fields.front().name;
    if (isNodeRedissonOwner(holder.owner)) {
        decoded.library = "node-redisson";
    }
    holder.holds = static_cast<std::uint32_t>(*holds);
    decoded.waiterChannel = channelOfRedisson(kChannel, key->key);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "hash field looks like uuid:threadId"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "its value is a count"));
    readWaiters(snapshot, decoded);
    decoded.silentHead = silentHeadOf(snapshot);
    return decoded;
}

void addList(std::vector<Fact>& facts, std::string_view label, const std::vector<Bytes>& names)
{
    std::vector<std::string> texts;
    std::ranges::transform(names, std::back_inserter(texts), escaped);
    if (!texts.empty()) {
        facts.push_back({label, listed(texts)});
    }
}

/// Which of Redisson's locks it is, as far as the keys beside it tell.
std::string kindOf(const LockSnapshot& snapshot)
{
    if (tokenOf(snapshot)) {
        return KernelText::tr("fenced lock");
    }
    const Observation* const queue = queueOf(snapshot);
    return queue && queue->exists() ? KernelText::tr("fair lock")
                                    : KernelText::tr("lock, spin lock, or member of a multi-lock");
}

/// Who is next, and after whom, as far as the queue was read.
std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    std::vector<Fact> facts = {{QT_TRANSLATE_NOOP("KernelText", "kind"), kindOf(snapshot)}};
    if (const Observation* const token = tokenOf(snapshot)) {
        facts.push_back({QT_TRANSLATE_NOOP("KernelText", "fencing token"), escaped(token->value)});
    }
    const Waiters waiters = waitersOf(snapshot);
    addList(facts, QT_TRANSLATE_NOOP("KernelText", "waiting, the next one first"), waiters.waiting);
    addList(facts, QT_TRANSLATE_NOOP("KernelText", "of these, no client listens for"),
            waiters.silent);
    addList(facts, QT_TRANSLATE_NOOP("KernelText", "in the queue, but gave up"), waiters.gaveUp);
    return facts;
}

/// The queue could not be read: those who stand in it are not told.
std::string queueWarning(const Observation& lock)
{
    return lock.ttl ? KernelText::tr("The queue of a fair lock could not be read. Threads that "
                                     "wait in it are not woken: they sleep for the time left that "
                                     "they last saw, at most %1.",
                                     durationText(*lock.ttl))
                    : KernelText::tr("The queue of a fair lock could not be read. Threads that "
                                     "wait in it are not woken, and sleep for ever.");
}

/// Each waiter of a fair lock is notified on a channel of its own. The queue may be empty now and
/// filled when the release runs, so the script looks again.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(fieldsCheck(snapshot.main()));
    recipe.channel = decoded.waiterChannel;
    recipe.payload = "0";
    recipe.sleep = ReleaseRecipe::Sleep::TimeLeft;
    const Bytes queueName = queueNameOf(snapshot.main().key);
    const Observation* queue = snapshot.companion(queueName);
    if (queue && queue->unreadable.empty()) {
        recipe.script = ReleaseRecipe::Script::RedissonFair;
        recipe.companions = {queueName, timeoutsNameOf(snapshot.main().key)};
    } else {
        recipe.warnings = {queueWarning(snapshot.main())};
    }
    return recipe;
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    const Bytes& lock = snapshot.main().key;
    if (key.key == queueNameOf(lock)) {
        return KernelText::tr("The queue of a fair lock: who waits, the next one first.");
    }
    if (key.key == timeoutsNameOf(lock)) {
        return KernelText::tr("When each of those who wait in the queue gives up.");
    }
    return key.key == tokenNameOf(lock)
               ? KernelText::tr("The fencing token, which only ever grows: what the lock protects "
                                "can turn away a holder that comes with an older one.")
               : std::string();
}

std::string meaningOfPart(const LockSnapshot& snapshot, const Observation& key,
                          const HashField& part)
{
    switch (key.type) {
    case ValueType::Hash:
        return KernelText::tr("The field %1 is the holder: %2. Its value %3 is how often that "
                              "thread has acquired the lock and not given it back yet.",
                              nameInQuotes(part.name), redissonThreadText(part.name), part.value);
    case ValueType::List:
        return hasGivenUp(snapshot, part.name)
                   ? KernelText::tr("%1 is in it, but has given up: %2.", nameInQuotes(part.name),
                                    redissonThreadText(part.name))
                   : KernelText::tr("%1 waits: %2.", nameInQuotes(part.name),
                                    redissonThreadText(part.name));
    case ValueType::SortedSet:
        if (const std::optional<WallTime> end = stampOf13Digits(part.value)) {
            return KernelText::tr("%1 gives up %2; the score is that instant in epoch ms.",
                                  nameInQuotes(part.name), relativeText(*end, key.serverTime));
        }
        return {};
    default:
        return KernelText::tr("Its value %1 is the token of the latest holder.",
                              nameInQuotes(part.value));
    }
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
    .channels = redisson_lock::channels,
    .waiterChannels = {redisson_lock::kChannelPrefix, redisson_lock::locksOfChannel},
    .ownerScope = OwnerScope::Thread,
    .words =
        {
            .renewal = kRedissonRenewal,
            .key = redisson_lock::meaningOfKey,
            .part = redisson_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
