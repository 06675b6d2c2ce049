#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// SET lock:… <number> EX n NX, as most programs write it that need no random token: the id of a
// user, a process or a thread, or the instant at which the lock was taken (epoch seconds or
// milliseconds). The number is the owner; that it counts holders is never assumed. Without an
// expiry a number is a counter more often than a lock.
namespace lockscope::inspect::decoders {

namespace number {

constexpr std::int64_t kMostHolders = 10'000;
constexpr std::chrono::days kRecent(30);
constexpr std::chrono::milliseconds kClockDifference(2'000);

/// When the lock was taken, if the number is an instant of the last weeks: the key has an expiry of
/// its own, so it is not the end of the hold.
std::optional<WallTime> takenAt(const Observation& key)
{
    const std::size_t digits = key.value.size();
    const std::optional<WallTime> stamp = digits == 13   ? stampOf13Digits(key.value)
                                          : digits == 10 ? stampOfSeconds(key.value)
                                                         : std::nullopt;
    const bool isPast = stamp && isNear(*stamp, key.serverTime, kRecent)
                        && *stamp <= key.serverTime + kClockDifference;
    return isPast ? stamp : std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::optional<std::int64_t> value = key ? decimalOf(key->value) : std::nullopt;
    if (!value || *value < 2 || !key->ttl || !isNamedAfterLock(snapshot)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = key->value;
    decoded.acquiredAt = takenAt(*key);
    holder.setAcquiredAt(decoded.acquiredAt);
    decoded.because.add(decoded.acquiredAt
                            ? QT_TRANSLATE_NOOP("KernelText",
                                                "the value is a time of the past: probably when it "
                                                "was taken")
                            : QT_TRANSLATE_NOOP("KernelText",
                                                "the value is a number: probably the id of its "
                                                "owner, or a constant"));
    decoded.because.add(evidenceOfName(snapshot));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should"));
    return decoded;
}

/// Compares the number and deletes the key, which is right for an owner, an instant and a constant.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe = blindRelease(snapshot, decoded, choice);
    if (decimalOf(snapshot.main().value).value_or(0) <= kMostHolders) {
        recipe.warnings.push_back(KernelText::tr(
            "The number is taken for the owner. If it counts holders, a release ends the holds of "
            "all of them: then treat the key as holder-count."));
    }
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<WallTime> taken = takenAt(key);
    return taken ? KernelText::tr("Its value %1 is a time: %2, probably when the lock was taken.",
                                  nameInQuotes(part.value), relativeText(*taken, key.serverTime))
                 : KernelText::tr("Its value %1 is a number, probably the id of its owner: a user, "
                                  "a process or a thread.",
                                  nameInQuotes(part.value));
}

} // namespace number

const Decoder kNumber{
    .id = "number",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Number"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "A number written by SET NX EX: the id of a user, a process or a thread, or the time at "
        "which the lock was taken."),
    .read = number::read,
    .release = number::release,
    .ownerScope = OwnerScope::None, // other clients have the same user, thread or process id
    .words =
        {
            .part = number::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
