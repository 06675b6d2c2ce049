#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>
#include <string>

// Redisson 3.x and 4.x, RReadWriteLock: a hash under exactly the given name whose field `mode` says
// read or write. Every other field is a holder and counts its holds: <client uuid>:<thread id> of a
// reader, the same with ":write" behind it of the writer, who may also read. Each read hold has a
// key of its own for its lease, {name}:<owner>:rwlock_timeout:<i>; those are bookkeeping.
namespace lockscope::inspect::decoders {

namespace redisson_read_write {

constexpr std::string_view kModeField = "mode";
constexpr std::string_view kWriterSuffix = ":write";
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
    std::string_view owner = field.name;
    const bool isWriter = owner.ends_with(kWriterSuffix);
    if (isWriter) {
        owner.remove_suffix(kWriterSuffix.size());
    }
    const std::optional<std::int64_t> holds = decimalOf(field.value);
    if (!isUuidAndThread(owner) || !holds || *holds < 1
        || *holds > std::numeric_limits<std::int32_t>::max()) {
        return std::nullopt;
    }
    Holder holder;
    holder.owner = field.name;
    holder.mode = isWriter ? Mode::Write : Mode::Read;
    holder.holds = static_cast<std::uint32_t>(*holds);
    return holder;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    const std::optional<Mode> mode = key ? modeIn(*key) : std::nullopt;
    if (!mode || key->fields.size() < 2) {
        return std::nullopt;
    }
    DecodedLock decoded;
    for (const HashField& field : key->fields) {
        if (field.name == kModeField) {
            continue;
        }
        std::optional<Holder> holder = holderOf(field);
        if (!holder) {
            return std::nullopt;
        }
        decoded.holders.push_back(std::move(*holder));
    }
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
    return recipe;
}

/// `{N}:<uuid>:<thread>:rwlock_timeout:<i>`, the leases of read holds.
bool isBookkeeping(std::string_view key)
{
    const std::size_t end = key.find_last_not_of("0123456789") + 1;
    return end < key.size() && key.substr(0, end).ends_with(":rwlock_timeout:");
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
    .isBookkeeping = redisson_read_write::isBookkeeping,
};

} // namespace lockscope::inspect::decoders
