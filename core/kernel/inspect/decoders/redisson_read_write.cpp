#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>
#include <string>

// Redisson 3.x and 4.x, RReadWriteLock: a hash under exactly the given name whose field `mode` says
// read or write. Every other field is a holder and counts its holds: <client uuid>:<thread id> of a
// reader, the same with ":write" behind it of the writer, who may also read. Each read hold has a
// key of its own for its lease, {name}:<owner>:rwlock_timeout:<i>; those are bookkeeping, and tell
// when each reader's hold ends. Inside a transaction its id stands behind the owner.
namespace lockscope::inspect::decoders {

namespace redisson_read_write {

constexpr std::string_view kModeField = "mode";
constexpr std::string_view kChannelPrefix = "redisson_rwlock:";
/// With more, the leases of the readers are not looked up.
constexpr std::size_t kTimedHoldsMax = 32;
/// Further ones of a deeply reentrant reader run out by themselves.
constexpr std::uint32_t kMostTimeouts = 100;

std::optional<Mode> modeIn(const Observation& key)
{
    const auto field = std::ranges::find(key.fields, kModeField, &HashField::name);
    if (field == key.fields.end()) {
        return std::nullopt;
    }
    if (field->value == "read") {
        return Mode::Read;
    }
    return field->value == "write" ? std::optional(Mode::Write) : std::nullopt;
}

std::optional<Holder> holderOf(const HashField& field)
{
    const bool isWriter = isRedissonWriter(field.name);
    const std::optional<std::int64_t> holds = decimalOf(field.value);
    if ((!isWriter && !isRedissonOwner(field.name)) || !holds || *holds < 1
        || *holds > std::numeric_limits<std::int32_t>::max()) {
        return std::nullopt;
    }
    Holder holder;
    holder.owner = field.name;
    holder.mode = isWriter ? Mode::Write : Mode::Read;
    holder.holds = static_cast<std::uint32_t>(*holds);
    return holder;
}

/// The keys that keep the lease of each hold of a reader. A writer has none.
void appendTimeouts(std::vector<Bytes>& keys, const Bytes& tag, const Holder& holder)
{
    if (holder.mode != Mode::Read) {
        return;
    }
    for (std::uint32_t i = 1; i <= std::min(holder.holds, kMostTimeouts); ++i) {
        keys.push_back(tag + ":" + holder.owner + ":rwlock_timeout:" + std::to_string(i));
    }
}

/// Empty when a field is of another kind.
std::vector<Holder> holdersOf(const Observation& key)
{
    std::vector<Holder> holders;
    for (const HashField& field : key.fields) {
        if (field.name == kModeField) {
            continue;
        }
        std::optional<Holder> holder = holderOf(field);
        if (!holder) {
            return {};
        }
        holders.push_back(std::move(*holder));
    }
    return holders;
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    std::vector<Bytes> names;
    if (key && modeIn(*key)) {
        for (const Holder& holder : holdersOf(*key)) {
            appendTimeouts(names, tagOfRedisson(key->key), holder);
        }
    }
    std::vector<CompanionKey> keys;
    keys.reserve(names.size());
    for (Bytes& name : names) {
        keys.push_back({std::move(name), ValueType::String, false, true});
    }
    return keys.size() <= kTimedHoldsMax ? keys : std::vector<CompanionKey>();
}

/// A reader stays as long as the longest of its holds.
void readEnds(const LockSnapshot& snapshot, std::vector<Holder>& holders)
{
    const Bytes tag = tagOfRedisson(snapshot.main().key);
    for (Holder& holder : holders) {
        std::vector<Bytes> names;
        appendTimeouts(names, tag, holder);
        for (const Bytes& name : names) {
            const Observation* const lease = snapshot.companion(name);
            if (lease && lease->exists() && lease->ttl) {
                const Instant end = lease->seenAt + *lease->ttl;
                holder.expiresAt = std::max(holder.expiresAt.value_or(end), end);
            }
        }
    }
}

/// Readers whose leases are all over. A version that keeps none for any reader tells nothing.
std::vector<Bytes> deadReadersOf(const LockSnapshot& snapshot, const std::vector<Holder>& holders)
{
    const Bytes tag = tagOfRedisson(snapshot.main().key);
    std::vector<Bytes> dead;
    bool anyLives = false;
    for (const Holder& holder : holders) {
        std::vector<Bytes> names;
        appendTimeouts(names, tag, holder);
        const bool isOver = std::ranges::all_of(names, [&snapshot](const Bytes& name) {
            const Observation* const lease = snapshot.companion(name);
            return lease && !lease->exists() && lease->unreadable.empty();
        });
        anyLives = anyLives || holder.expiresAt;
        if (!names.empty() && isOver) {
            dead.push_back(holder.owner);
        }
    }
    return anyLives ? dead : std::vector<Bytes>();
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    const std::optional<Mode> mode = key ? modeIn(*key) : std::nullopt;
    if (!mode || key->fields.size() < 2) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.holders = holdersOf(*key);
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    readEnds(snapshot, decoded.holders);
    decoded.deadHolders = deadReadersOf(snapshot, decoded.holders);
    // The writer first: who also reads is the same thread.
    std::ranges::stable_sort(decoded.holders, std::ranges::greater(), &Holder::mode);
    decoded.mode = *mode;
    decoded.confidence = key->ttl ? Confidence::High : Confidence::Medium;
    decoded.waiterSource = WaiterSource::Channel;
    decoded.waiterChannel = channelOfRedisson("redisson_rwlock", key->key);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the hash field mode says read or write"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the other fields look like uuid:threadId and hold counts"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const std::vector<Holder> ending = choice.of(decoded.holders);
    const Bytes tag = tagOfRedisson(snapshot.main().key);
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(snapshot.main(), ending));
    for (const Holder& holder : ending) {
        appendTimeouts(recipe.companions, tag, holder);
    }
    recipe.script = ReleaseRecipe::Script::RedissonReadWrite;
    recipe.channel = decoded.waiterChannel;
    recipe.payload = "1"; // wakes readers and writers; 0 is for the next one only
    recipe.moreArguments = {tag};
    recipe.sleep = ReleaseRecipe::Sleep::TimeLeft;
    return recipe;
}

std::vector<Bytes> locksOf(std::string_view channel)
{
    return namesOfRedissonTag(channel.substr(kChannelPrefix.size()));
}

/// `{N}:<uuid>:<thread>:rwlock_timeout:<i>`, the leases of read holds.
bool isBookkeeping(std::string_view key)
{
    const std::size_t end = key.find_last_not_of("0123456789") + 1;
    return end < key.size() && key.substr(0, end).ends_with(":rwlock_timeout:");
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    return key.key == snapshot.main().key
               ? std::string()
               : KernelText::tr("The lease of one read hold, which ends with this key.");
}

std::string meaningOfPart(const LockSnapshot& snapshot, const Observation& key,
                          const HashField& part)
{
    if (key.key != snapshot.main().key) {
        return KernelText::tr("Its value says nothing.");
    }
    if (part.name == kModeField) {
        return KernelText::tr("The field mode says that the lock is held for %1.",
                              part.value == "read" ? KernelText::tr("reading")
                                                   : KernelText::tr("writing"));
    }
    return isRedissonWriter(part.name)
               ? KernelText::tr("The field %1 is the writer: %2. Its value %3 is how often that "
                                "thread holds the lock.",
                                nameInQuotes(part.name), redissonThreadText(part.name), part.value)
               : KernelText::tr("The field %1 is a reader: %2. Its value %3 is how often that "
                                "thread holds the lock.",
                                nameInQuotes(part.name), redissonThreadText(part.name), part.value);
}

} // namespace redisson_read_write

const Decoder kRedissonReadWrite{
    .id = "redisson-read-write",
    .library = "Redisson",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redisson read-write"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "Redisson's RReadWriteLock: a hash with the field mode and a hold count per holder, "
        "<client uuid>:<thread id> for a reader, with the suffix :write for the writer."),
    .read = redisson_read_write::read,
    .release = redisson_read_write::release,
    .companions = redisson_read_write::companions,
    .isBookkeeping = redisson_read_write::isBookkeeping,
    .waiterChannels = {redisson_read_write::kChannelPrefix, redisson_read_write::locksOf},
    .ownerScope = OwnerScope::Thread,
    .words =
        {
            .renewal = kRedissonRenewal,
            .key = redisson_read_write::meaningOfKey,
            .part = redisson_read_write::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
