#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// redis-py 2.x to 8.1, Lock and asyncio Lock: a string under exactly the given name, uuid1().hex,
// SET NX [PX]. Also under celery-redbeat, kombu, celery-once, tasktiger, tooz, django-redis and
// Prefect. The token tells when acquire() began (before any waiting) and on which machine. A random
// token looks like this in 1.6 % of all cases, but then hardly names this month.
namespace lockscope::inspect::decoders {

namespace redis_py {

constexpr std::chrono::days kRecent(30);
constexpr std::chrono::days kRecentForAnyName(1); // other programs make such tokens as well
constexpr std::chrono::days kPlausible(5 * 365);

Confidence confidenceOf(const LockSnapshot& snapshot, bool isRecent)
{
    if (isNamedLikeLock(snapshot)) {
        return isRecent ? Confidence::High : Confidence::Medium;
    }
    const bool isCertain = isRecent && !isNamedAfterLock(snapshot) && !mayBeData(snapshot);
    return isCertain ? Confidence::High : Confidence::Low;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleString(snapshot);
    const std::optional<TimeUuid> token = key ? timeUuidOfHex32(key->value) : std::nullopt;
    if (!token || !isNear(token->createdAt, key->serverTime, kPlausible)) {
        return std::nullopt;
    }
    const bool isLockName = isNamedLikeLock(snapshot);
    if (!isLockName && isNamedLikeData(snapshot)) {
        return std::nullopt;
    }
    const bool isRecent = isNear(token->createdAt, key->serverTime,
                                 isLockName ? kRecent : kRecentForAnyName);
    DecodedLock decoded;
    decoded.confidence = confidenceOf(snapshot, isRecent);
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = key->value;
    holder.setAcquiredAt(token->createdAt);
    decoded.acquiredAt = token->createdAt;
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the value is a UUID of version 1 without dashes, as Python's uuid1().hex"));
    decoded.because.add(isNear(token->createdAt, key->serverTime, kRecent)
                            ? QT_TRANSLATE_NOOP("KernelText", "it was made within the last 30 days")
                            : QT_TRANSLATE_NOOP("KernelText", "it was made more than 30 days ago"));
    if (isLockName) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), false));
    return recipe;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    return machineFacts(snapshot.main().value);
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<TimeUuid> token = timeUuidOfHex32(part.value);
    return token ? KernelText::tr("Its value %1 is the token of the holder, new for each hold. It "
                                  "is a UUID of version 1, which tells when acquire() began: %2.",
                                  nameInQuotes(part.value),
                                  relativeText(token->createdAt, key.serverTime))
                 : std::string();
}

} // namespace redis_py

const Decoder kRedisPy{
    .id = "redis-py",
    .library = "redis-py",
    .title = QT_TRANSLATE_NOOP("KernelText", "redis-py"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "The Lock of Python's redis package: a token that contains the time and the machine "
        "of its creation."),
    .read = redis_py::read,
    .release = redis_py::release,
    .facts = redis_py::facts,
    .quorumRole = QuorumRole::Vote,
    .isOfOneServer = true,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText",
                "It is prolonged only where the program calls extend() or reacquire()."),
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText",
                "No message wakes those who wait: they try again every 0.1 s, by default."),
            .part = redis_py::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
