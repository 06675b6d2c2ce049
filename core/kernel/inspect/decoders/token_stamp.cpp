#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// SET k <uuid>.<epoch ms> NX PX n, from the classic write-ups: a token that carries the instant, on
// its writer's clock, at which it was made. The whole value is what the unlock script compares, so
// the whole value is the owner.
namespace lockscope::inspect::decoders {

namespace token_stamp {

constexpr std::chrono::days kPlausible(5 * 365);

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleString(snapshot);
    const std::optional<StampedUuid> token = key ? stampedUuidOf(key->value) : std::nullopt;
    const bool isLockName = isNamedLikeLock(snapshot);
    if (!token || !isNear(token->stamp, key->serverTime, kPlausible)
        || (!isLockName && !key->ttl)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = !isLockName ? Confidence::Low
                         : key->ttl  ? Confidence::High
                                     : Confidence::Medium;
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = key->value;
    holder.setAcquiredAt(token->stamp);
    decoded.acquiredAt = token->stamp;
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the value is a UUID, a dot and a timestamp in milliseconds"));
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

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<StampedUuid> token = stampedUuidOf(part.value);
    return token ? KernelText::tr("Its value is the token of the holder: the UUID %1, and when it "
                                  "was made, in epoch ms: %2.",
                                  nameInQuotes(token->uuid),
                                  relativeText(token->stamp, key.serverTime))
                 : std::string();
}

} // namespace token_stamp

const Decoder kTokenStamp{
    .id = "token-stamp",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Token and timestamp"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText", "A token that also contains the time of acquisition: <uuid>.<epoch ms>."),
    .read = token_stamp::read,
    .release = token_stamp::release,
    .quorumRole = QuorumRole::Vote,
    .words =
        {
            .part = token_stamp::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
