#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// Redisson 3.x and 4.x, RPermitExpirableSemaphore: a string under exactly the given name counts the
// free permits, and the sorted set {name}:timeout has those that are out, scored with the epoch ms
// at which each ends. Members are 16 random bytes since 3.17, 32 hexadecimal digits before; the
// program knows the digits. What has ended is collected when the next client asks for a permit.
namespace lockscope::inspect::decoders {

namespace redisson_permit_semaphore {

constexpr std::string_view kNever = "922337203685477"; // Long.MAX_VALUE in microseconds
constexpr std::string_view kSuffix = ":timeout";
constexpr std::size_t kRawSize = 16;
constexpr std::size_t kHexSize = 32;
constexpr std::chrono::days kPlausible(365);

/// The id of the permit as the program knows it; empty where the member is none.
Bytes idOf(const Bytes& member)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (member.size() != kRawSize) {
        return isHex(member, kHexSize) ? member : Bytes();
    }
    Bytes hex;
    for (const char c : member) {
        const auto byte = static_cast<unsigned char>(c);
        hex += kDigits[byte >> 4U];
        hex += kDigits[byte & 0xfU];
    }
    return hex;
}

bool isPermit(const HashField& member, WallTime serverTime)
{
    const std::optional<WallTime> end = stampOf13Digits(member.value);
    return !idOf(member.name).empty()
           && (member.value == kNever || (end && isNear(*end, serverTime, kPlausible)));
}

/// The permits that are out; nullptr where this is no such semaphore.
const Observation* permitsOf(const LockSnapshot& snapshot)
{
    const bool isCounted = redissonCountOf(snapshot).has_value();
    const Observation* const permits =
        isCounted ? snapshot.companion(redissonPermitsNameOf(snapshot.main().key)) : nullptr;
    if (!permits || permits->type != ValueType::SortedSet || !permits->isComplete
        || permits->fields.empty()) {
        return nullptr;
    }
    const bool arePermits = std::ranges::all_of(permits->fields, [&](const HashField& member) {
        return isPermit(member, snapshot.main().serverTime);
    });
    return arePermits ? permits : nullptr;
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    return redissonCountOf(snapshot)
               ? std::vector<CompanionKey>{{redissonPermitsNameOf(snapshot.main().key),
                                            ValueType::SortedSet}}
               : std::vector<CompanionKey>();
}

/// The permits that are out belong to the count.
std::optional<KeyGroup> groupOf(std::string_view key)
{
    if (!key.ends_with(kSuffix)) {
        return std::nullopt;
    }
    const std::vector<Bytes> names = namesOfRedissonTag(key.substr(0, key.size() - kSuffix.size()));
    return names.empty() ? std::nullopt : std::optional(KeyGroup{names.back(), {names.back()}});
}

Holder holderOf(const HashField& member, const Observation& count)
{
    Holder holder;
    holder.owner = idOf(member.name);
    holder.mode = Mode::Semaphore;
    if (member.value != kNever) {
        holder.expiresAt = count.seenAt + (*stampOf13Digits(member.value) - count.serverTime);
    }
    return holder;
}

/// Those that are still good; if there are none, those that no client has collected yet.
void readHolders(const Observation& permits, const Observation& count, DecodedLock& decoded)
{
    for (const HashField& member : permits.fields) {
        const Holder holder = holderOf(member, count);
        if (!holder.expiresAt || *holder.expiresAt > count.seenAt) {
            decoded.holders.push_back(holder);
        }
    }
    if (!decoded.holders.empty()) {
        return;
    }
    decoded.flags.add(Flag::Stale);
    for (const HashField& member : permits.fields) {
        decoded.holders.push_back(holderOf(member, count));
    }
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const permits = permitsOf(snapshot);
    if (!permits) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = Mode::Semaphore;
    decoded.isPermanent = true;
    readHolders(*permits, snapshot.main(), decoded);
    const HashField& last = permits->fields.back(); // highest score last
    if (last.value != kNever) {
        decoded.deadline = stampOf13Digits(last.value);
    }
    decoded.waiterSource = WaiterSource::Channel;
    decoded.waiterChannel = channelOfRedisson("redisson_sc", snapshot.main().key);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "its value is a count"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the permits that are out stand in Redisson's sorted set beside it"));
    return decoded;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    std::vector<Fact> facts = {
        {QT_TRANSLATE_NOOP("KernelText", "free permits"), escaped(snapshot.main().value)}};
    const Observation* const permits = permitsOf(snapshot);
    const std::size_t overCount = permits ? permits->fields.size() - decoded.holders.size() : 0;
    if (overCount > 0) {
        facts.push_back({QT_TRANSLATE_NOOP("KernelText", "expired permits, not yet collected"),
                         std::to_string(overCount)});
    }
    return facts;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const std::vector<Holder> ending = choice.of(decoded.holders);
    const Observation* const permits = permitsOf(snapshot);
    ReleaseRecipe recipe;
    recipe.areKeysPermanent = true;
    if (!permits) {
        recipe.isSupported = false;
        return recipe;
    }
    ReleaseRecipe::KeyCheck check = ownersCheck(*permits, {});
    for (const HashField& member : permits->fields) {
        if (std::ranges::find(ending, idOf(member.name), &Holder::owner) != ending.end()) {
            check.fields.push_back(member.name);
        }
    }
    recipe.script = ReleaseRecipe::Script::RedissonPermits;
    recipe.companions = {snapshot.main().key};
    recipe.channel = decoded.waiterChannel;
    recipe.moreArguments = {std::to_string(check.fields.size())};
    recipe.checks.push_back(std::move(check));
    return recipe;
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    return key.key == snapshot.main().key
               ? KernelText::tr("The semaphore, a string: it stays when all its permits are free.")
               : KernelText::tr("The permits that are out.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    if (key.type == ValueType::String) {
        return KernelText::tr("Its value %1 is the number of free permits.", escaped(part.value));
    }
    const std::optional<WallTime> end = stampOf13Digits(part.value);
    if (part.value == kNever || !end) {
        return KernelText::tr("The permit %1 has no end.", nameInQuotes(idOf(part.name)));
    }
    return KernelText::tr("The permit %1 ends at its score, in epoch ms: %2.",
                          nameInQuotes(idOf(part.name)), relativeText(*end, key.serverTime));
}

} // namespace redisson_permit_semaphore

const Decoder kRedissonPermitSemaphore{
    .id = "redisson-permit-semaphore",
    .library = "Redisson",
    .title = QT_TRANSLATE_NOOP("KernelText", "Redisson permit semaphore"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "Redisson's RPermitExpirableSemaphore: the number of free permits, and beside it a sorted "
        "set of those that are out."),
    .read = redisson_permit_semaphore::read,
    .release = redisson_permit_semaphore::release,
    .facts = redisson_permit_semaphore::facts,
    .companions = redisson_permit_semaphore::companions,
    .groupOf = redisson_permit_semaphore::groupOf,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText",
                "Its permit comes back when its time is over, as soon as a client asks for one. A "
                "permit without an end is lost until it is released."),
            .key = redisson_permit_semaphore::meaningOfKey,
            .part = redisson_permit_semaphore::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
