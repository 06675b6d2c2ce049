#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>

// redis-fifo-lock 0.3 (Python): {name}:h is <owner>:<fencing number>, {name}:q a sorted set of
// those who wait, scored with their turn. Each waiter blocks on a list of its own,
// {name}:s:<owner>; an element there makes it ask whose turn it is, and without one it asks every
// now and then.
namespace lockscope::inspect::decoders {

namespace redis_fifo_lock {

using Step = ReleaseRecipe::Step;

constexpr std::string_view kHold = "}:h";
constexpr std::size_t kOwnerSize = 32; // a UUID without dashes

/// {name}:
std::string_view prefixOf(std::string_view key)
{
    return key.substr(0, key.size() - 1);
}

bool isBookkeeping(std::string_view key)
{
    const std::size_t brace = key.rfind("}:");
    if (!key.starts_with('{') || brace == std::string_view::npos) {
        return false;
    }
    const std::string_view rest = key.substr(brace + 2);
    return rest == "q" || rest == "seq"
           || (rest.starts_with("s:") && isHex(rest.substr(2), kOwnerSize))
           || (rest.starts_with("rel:") && decimalOf(rest.substr(4)));
}

const Observation* holdOf(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const bool fits = key && key->ttl && key->key.starts_with('{') && key->key.ends_with(kHold)
                      && key->value.size() > kOwnerSize + 1 && key->value[kOwnerSize] == ':'
                      && isHex(std::string_view(key->value).substr(0, kOwnerSize), kOwnerSize)
                      && decimalOf(std::string_view(key->value).substr(kOwnerSize + 1));
    return fits ? key : nullptr;
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    const Observation* const key = holdOf(snapshot);
    if (key == nullptr) {
        return {};
    }
    return {{Bytes(prefixOf(key->key)) + 'q', ValueType::SortedSet}};
}

/// Those who wait, the next one first; nullptr: it may not be read.
const Observation* queueOf(const LockSnapshot& snapshot)
{
    const Observation* const queue = snapshot.companion(Bytes(prefixOf(snapshot.main().key)) + 'q');
    return queue && queue->unreadable.empty() ? queue : nullptr;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = holdOf(snapshot);
    if (key == nullptr) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.holders.emplace_back().owner = key->value.substr(0, kOwnerSize);
    if (const Observation* const queue = queueOf(snapshot)) {
        constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
        decoded.waiterSource = WaiterSource::Queue;
        decoded.waiters = static_cast<int>(std::min(queue->size, kMost));
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the value is a random number in hexadecimal and a fencing number"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should"));
    return decoded;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    return {{QT_TRANSLATE_NOOP("KernelText", "fencing token"),
             escaped(snapshot.main().value.substr(kOwnerSize + 1))}};
}

/// Rings for the one whose turn it is. The list ends with the lease, as that of the library does.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    const Observation& key = snapshot.main();
    const Observation* const queue = queueOf(snapshot);
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(key, false));
    if (queue && !queue->fields.empty()) {
        recipe.script = ReleaseRecipe::Script::Composed;
        recipe.companions = {Bytes(prefixOf(key.key)) + "s:" + queue->fields.front().name};
        recipe.steps = {
            {.kind = Step::Kind::Remove},
            {.kind = Step::Kind::Push, .key = 1, .value = "1", .number = toMs(*key.ttl)}};
    }
    return recipe;
}

} // namespace redis_fifo_lock

const Decoder kRedisFifoLock{
    .id = "redis-fifo-lock",
    .library = "redis-fifo-lock",
    .title = "redis-fifo-lock",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of redis-fifo-lock (Python): its owner with a fencing "
                                 "number, and beside it the queue of those who wait."),
    .read = redis_fifo_lock::read,
    .release = redis_fifo_lock::release,
    .facts = redis_fifo_lock::facts,
    .companions = redis_fifo_lock::companions,
    .isBookkeeping = redis_fifo_lock::isBookkeeping,
};

} // namespace lockscope::inspect::decoders
