#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// Semaphore and MultiSemaphore of npm redis-semaphore: a sorted set `semaphore:<key>`. Members are
// UUIDs, of a multi-semaphore with `_<number>` behind, scored with the time of the latest refresh
// in epoch ms on the client's clock. All permits end as long after their refresh: what the key has
// left, measured from the latest one.
namespace lockscope::inspect::decoders {

namespace redis_semaphore {

constexpr std::string_view kPrefix = "semaphore:";
constexpr std::size_t kUuidSize = 36;
constexpr std::chrono::days kPlausible(1);

bool isPermit(const HashField& member, WallTime serverTime)
{
    const std::string_view name = member.name;
    const std::string_view number = name.substr(std::min(name.size(), kUuidSize));
    const std::optional<WallTime> refreshed = stampOf13Digits(member.value);
    return isUuid4(name.substr(0, kUuidSize))
           && (number.empty() || (number.front() == '_' && decimalOf(number.substr(1))))
           && refreshed && isNear(*refreshed, serverTime, kPlausible);
}

/// The permits of a holder have its UUID in common.
Bytes ownerOf(const HashField& member)
{
    return member.name.substr(0, kUuidSize);
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleSortedSet(snapshot);
    if (key == nullptr || !key->ttl || key->fields.empty() || !key->key.starts_with(kPrefix)
        || !std::ranges::all_of(key->fields, [key](const HashField& member) {
               return isPermit(member, key->serverTime);
           })) {
        return std::nullopt;
    }
    const WallTime latest = *stampOf13Digits(key->fields.back().value); // highest score last
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = Mode::Semaphore;
    for (const HashField& member : key->fields) {
        const Bytes owner = ownerOf(member);
        const auto known = std::ranges::find(decoded.holders, owner, &Holder::owner);
        if (known != decoded.holders.end()) {
            ++known->holds;
            continue;
        }
        Holder& holder = decoded.holders.emplace_back();
        holder.owner = owner;
        holder.mode = Mode::Semaphore;
        holder.expiresAt = key->seenAt + *key->ttl - (latest - *stampOf13Digits(member.value));
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its semaphores"));
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the members of a sorted set are UUIDs, scored with their latest refresh"));
    return decoded;
}

/// All permits of those holders.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const std::vector<Holder> ending = choice.of(decoded.holders);
    ReleaseRecipe::KeyCheck check = ownersCheck(snapshot.main(), {});
    for (const HashField& member : snapshot.main().fields) {
        if (std::ranges::find(ending, ownerOf(member), &Holder::owner) != ending.end()) {
            check.fields.push_back(member.name);
        }
    }
    ReleaseRecipe recipe;
    recipe.checks.push_back(std::move(check));
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const WallTime refreshed = stampOf13Digits(part.value).value_or(key.serverTime);
    return KernelText::tr("%1 is a permit of the holder %2; its score, in epoch ms, is when that "
                          "was refreshed last: %3.",
                          nameInQuotes(part.name), nameInQuotes(ownerOf(part)),
                          relativeText(refreshed, key.serverTime));
}

} // namespace redis_semaphore

const Decoder kRedisSemaphore{
    .id = "redis-semaphore",
    .library = "redis-semaphore",
    .title = "redis-semaphore",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The Semaphore and MultiSemaphore of npm redis-semaphore: a "
                                 "sorted set of permits, scored with their latest refresh."),
    .read = redis_semaphore::read,
    .release = redis_semaphore::release,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText", "Each holder refreshes its permits every 8 s, for 10 s, by default."),
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText",
                "No message wakes those who wait: they look again after 10 ms, by default."),
            .part = redis_semaphore::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
