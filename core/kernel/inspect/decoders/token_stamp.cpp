#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

// SET k <uuid>.<epoch ms> NX PX n, from the classic write-ups: a token that carries the instant, on
// its writer's clock, at which it was made. The whole value is what the unlock script compares, so
// the whole value is the owner.
namespace lockscope::inspect::decoders {

namespace {

constexpr std::chrono::days kPlausible(5 * 365);

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = soleString(sighting);
    const std::optional<StampedUuid> token = key ? stampedUuidOf(key->value) : std::nullopt;
    const bool isLockName = isNamedLikeLock(sighting);
    if (!token || !isNear(token->stamp, key->serverTime, kPlausible)
        || (!isLockName && !key->ttl)) {
        return std::nullopt;
    }
    Reading reading;
    reading.confidence = isLockName && key->ttl ? Confidence::High : Confidence::Medium;
    Holder& holder = reading.holders.emplace_back();
    holder.owner = key->value;
    holder.acquiredAt = token->stamp;
    reading.acquiredAt = token->stamp;
    reading.because.add("the value is a UUID, a dot and a timestamp in milliseconds");
    if (isLockName) {
        reading.because.add(evidenceOfName(sighting));
    }
    return reading;
}

ReleaseRecipe release(const Sighting& sighting, const Reading&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(sighting.main(), false));
    return recipe;
}

} // namespace

const Decoder kTokenStamp{
    .id = "token-stamp",
    .library = "",
    .title = "Token and timestamp",
    .summary = "A token that also contains the time of acquisition: <uuid>.<epoch ms>.",
    .read = read,
    .release = release,
};

} // namespace lockscope::inspect::decoders
