#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// mlanett's gem redis-lock 0.2 (Ruby): `lock:owner:<name>` names host and process, and
// `lock:expire:<name>` is the end of the hold in epoch seconds. Neither key expires: after that
// time any client may take over.
namespace lockscope::inspect::decoders {

namespace mlanett_redis_lock {

constexpr std::string_view kOwner = "lock:owner:";
constexpr std::string_view kExpire = "lock:expire:";
constexpr std::chrono::days kPlausible(366);

std::optional<KeyGroup> groupOf(std::string_view key)
{
    for (const std::string_view prefix : {kOwner, kExpire}) {
        if (key.size() > prefix.size() && key.starts_with(prefix)) {
            const Bytes name(key.substr(prefix.size()));
            const Bytes owner = Bytes(kOwner) + name;
            return KeyGroup{owner, {owner, Bytes(kExpire) + name}};
        }
    }
    return std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    if (snapshot.keys.size() != 2 || !snapshot.keys[0].key.starts_with(kOwner)
        || !isShortString(snapshot.keys[0]) || !isShortString(snapshot.keys[1])) {
        return std::nullopt;
    }
    const WallTime now = snapshot.main().serverTime;
    const std::optional<WallTime> end = stampOfSeconds(snapshot.keys[1].value);
    if (!end || !isNear(*end, now, kPlausible)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.deadline = end;
    if (*end < now) {
        decoded.flags.add(Flag::Stale);
    }
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = snapshot.keys[0].value;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the keys are named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "one names the owner, the other the end of the hold"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe; // the end tells two holds of a process apart
    recipe.checks = {valueCheck(snapshot.keys[0], false), valueCheck(snapshot.keys[1], false)};
    return recipe;
}

std::string meaningOfKey(const LockSnapshot&, const Observation& key)
{
    return key.key.starts_with(kOwner) ? KernelText::tr("Who holds the lock.")
                                       : KernelText::tr("Until when it is held.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<WallTime> end = stampOfSeconds(part.value);
    return key.key.starts_with(kOwner) || !end
               ? KernelText::tr("Its value %1 is host and process of the holder.",
                                nameInQuotes(part.value))
               : KernelText::tr("Its value %1 is the end of the hold, in epoch seconds: %2.",
                                escaped(part.value), relativeText(*end, key.serverTime));
}

} // namespace mlanett_redis_lock

const Decoder kMlanettRedisLock{
    .id = "mlanett-redis-lock",
    .library = "redis-lock (Ruby)",
    .title = "redis-lock (Ruby)",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of mlanett's gem redis-lock: one key for the process "
                                 "that holds it, one for the end of the hold."),
    .read = mlanett_redis_lock::read,
    .release = mlanett_redis_lock::release,
    .groupOf = mlanett_redis_lock::groupOf,
    .ownerScope = OwnerScope::Process,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP("KernelText",
                                              "Both keys stay, but after the time in the second "
                                              "one any client takes the lock over."),
            .key = mlanett_redis_lock::meaningOfKey,
            .part = mlanett_redis_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
