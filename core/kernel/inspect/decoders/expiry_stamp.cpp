#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

// SETNX and GETSET with the instant of expiry as the value: 8 big-endian bytes or 13 digits, in
// milliseconds on the writer's clock (the classic write-ups; npm redis-lock by errorception, key
// `lock.<name>`). Whoever finds a stamp that is past takes the lock over, so such a key may exist
// although nobody holds the lock.
namespace lockscope::inspect::decoders {

namespace {

constexpr std::chrono::days kPlausible(5 * 365);
constexpr std::chrono::days kRecent(30);
constexpr std::chrono::milliseconds kAgreement(2'000); // clocks differ, and some add a second to
                                                       // the lease

std::optional<WallTime> deadlineOf(const Observation& key)
{
    const std::optional<WallTime> stamp = key.value.size() == 8 ? stampOf8Bytes(key.value)
                                                                : stampOf13Digits(key.value);
    return stamp && isNear(*stamp, key.serverTime, kPlausible) ? stamp : std::nullopt;
}

bool agreesWithExpiry(WallTime deadline, const Observation& key)
{
    const std::optional<WallTime> expiry = expiryOf(key);
    return expiry && std::chrono::abs(deadline - *expiry) <= kAgreement;
}

std::optional<Confidence> confidenceOf(const Sighting& sighting, WallTime deadline, bool agrees)
{
    if (isNamedLikeLock(sighting)) {
        const bool isRecent = isNear(deadline, sighting.main().serverTime, kRecent);
        return agrees ? Confidence::High : isRecent ? Confidence::Medium : Confidence::Low;
    }
    if (agrees && !isNamedLikeData(sighting)) {
        return Confidence::Low;
    }
    return std::nullopt;
}

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = soleString(sighting);
    const std::optional<WallTime> deadline = key ? deadlineOf(*key) : std::nullopt;
    if (!deadline) {
        return std::nullopt;
    }
    const bool agrees = agreesWithExpiry(*deadline, *key);
    const std::optional<Confidence> confidence = confidenceOf(sighting, *deadline, agrees);
    if (!confidence) {
        return std::nullopt;
    }
    Reading reading;
    reading.confidence = *confidence;
    reading.holders.emplace_back();
    reading.deadline = deadline;
    if (*deadline < key->serverTime) {
        reading.flags.add(Flag::Stale);
    }
    reading.because.add(key->value.size() == 8
                            ? "the value is 8 bytes that form a timestamp in milliseconds"
                            : "the value is 13 digits that form a timestamp in milliseconds");
    if (agrees) {
        reading.because.add("the timestamp matches the expiry of the key");
    }
    if (isNamedLikeLock(sighting)) {
        reading.because.add(evidenceOfName(sighting));
    }
    return reading;
}

ReleaseRecipe release(const Sighting& sighting, const Reading&, HolderChoice)
{
    ReleaseRecipe recipe;
    // Losers of GETSET overwrite the winner's stamp, and EXPIRE prolongs a hold without touching
    // it.
    recipe.checks.push_back(valueCheck(sighting.main(), true));
    recipe.warnings = {kWarnBlindDelete};
    return recipe;
}

} // namespace

const Decoder kExpiryStamp{
    .id = "expiry-stamp",
    .library = "",
    .title = "Expiry stamp",
    .summary = "The time at which the hold ends, written by SETNX and GETSET; after that time any "
               "client may take over.",
    .read = read,
    .release = release,
};

} // namespace lockscope::inspect::decoders
