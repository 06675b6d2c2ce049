#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

#include <string>

// redis-py 2.x to 8.1, Lock and asyncio Lock: a string under exactly the given name, uuid1().hex,
// SET NX [PX]. Also under celery-redbeat, kombu, celery-once, tasktiger, tooz, django-redis and
// Prefect. The token tells when acquire() began (before any waiting) and on which machine. A random
// token looks like this in 1.6 % of all cases, but then hardly names this month.
namespace lockscope::inspect::decoders {

namespace {

constexpr std::chrono::days kRecent(30);
constexpr std::chrono::days kPlausible(5 * 365);

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = soleString(sighting);
    const std::optional<TimeUuid> token = key ? timeUuidOfHex32(key->value) : std::nullopt;
    if (!token || !isNear(token->createdAt, key->serverTime, kPlausible)) {
        return std::nullopt;
    }
    const bool isLockName = isNamedLikeLock(sighting);
    if (!isLockName && isNamedLikeData(sighting)) {
        return std::nullopt;
    }
    const bool isRecent = isNear(token->createdAt, key->serverTime, kRecent);
    Reading reading;
    reading.confidence = isRecent ? Confidence::High : Confidence::Medium;
    Holder& holder = reading.holders.emplace_back();
    holder.owner = key->value;
    holder.acquiredAt = token->createdAt;
    reading.acquiredAt = token->createdAt;
    reading.because.add("the value is a UUID of version 1 without dashes, as Python's uuid1().hex");
    reading.because.add(isRecent ? "it was made within the last 30 days"
                                 : "it was made more than 30 days ago");
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

/// "52:54:00:12:34:56"
std::string addressText(std::uint64_t node)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 44; shift >= 0; shift -= 4) {
        text += kDigits[node >> shift & 0xf];
        if (shift % 8 == 0 && shift > 0) {
            text += ':';
        }
    }
    return text;
}

std::vector<Fact> facts(const Sighting& sighting, const Reading&)
{
    const std::optional<TimeUuid> token = timeUuidOfHex32(sighting.main().value);
    if (!token) {
        return {};
    }
    const std::string_view label = token->isNodeRandom()
                                       ? "machine (a random number, not an address)"
                                       : "network address of the machine";
    return {Fact{label, addressText(token->node)}};
}

} // namespace

const Decoder kRedisPy{
    .id = "redis-py",
    .library = "redis-py",
    .title = "redis-py",
    .summary = "The Lock of Python's redis package: a token that contains the time and the machine "
               "of its creation.",
    .read = read,
    .release = release,
    .facts = facts,
};

} // namespace lockscope::inspect::decoders
