#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// SETNX and GETSET with the instant of expiry as the value: 8 big-endian bytes or 13 digits, in
// milliseconds on the writer's clock (the classic write-ups; npm redis-lock by errorception, key
// `lock.<name>`). A client that finds a past stamp takes the lock over, so such a key may exist
// although no client holds the lock.
namespace lockscope::inspect::decoders {

namespace expiry_stamp {

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

std::optional<Confidence> confidenceOf(const LockSnapshot& snapshot, WallTime deadline, bool agrees)
{
    if (isNamedLikeLock(snapshot)) {
        // 13 digits of the past may be the time of an event as well: when the lock was opened.
        const Observation& key = snapshot.main();
        const bool mayBeEvent = key.value.size() != 8 && deadline < key.serverTime;
        const bool isRecent = isNear(deadline, key.serverTime, kRecent) && !mayBeEvent;
        return agrees ? Confidence::High : isRecent ? Confidence::Medium : Confidence::Low;
    }
    if (isNamedAfterLock(snapshot) || (agrees && !isNamedLikeData(snapshot))) {
        return Confidence::Low;
    }
    return std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleString(snapshot);
    const std::optional<WallTime> deadline = key ? deadlineOf(*key) : std::nullopt;
    if (!deadline) {
        return std::nullopt;
    }
    const bool agrees = agreesWithExpiry(*deadline, *key);
    const std::optional<Confidence> confidence = confidenceOf(snapshot, *deadline, agrees);
    if (!confidence) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = *confidence;
    decoded.holders.emplace_back();
    decoded.deadline = deadline;
    if (*deadline < key->serverTime) {
        decoded.flags.add(Flag::Stale);
    }
    decoded.because.add(
        key->value.size() == 8
            ? QT_TRANSLATE_NOOP("KernelText",
                                "the value is 8 bytes that form a timestamp in milliseconds")
            : QT_TRANSLATE_NOOP("KernelText",
                                "the value is 13 digits that form a timestamp in milliseconds"));
    if (agrees) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "the timestamp matches the expiry of the key"));
    }
    if (isNamedAfterLock(snapshot)) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    return decoded;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<WallTime> end = deadlineOf(key);
    return end ? KernelText::tr("Its value %1 is the end of the hold, in epoch ms: %2. Who holds "
                                "it is not written there.",
                                nameInQuotes(part.value), relativeText(*end, key.serverTime))
               : std::string();
}

} // namespace expiry_stamp

const Decoder kExpiryStamp{
    .id = "expiry-stamp",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Expiry stamp"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "The time at which the hold ends, written by SETNX and GETSET; after that time any "
        "client may take over."),
    .read = expiry_stamp::read,
    // Losers of GETSET overwrite the winner's stamp, and EXPIRE prolongs a hold unseen.
    .release = blindRelease,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP("KernelText",
                                              "After the time in its value, any client takes it "
                                              "over, even if the key is still there."),
            .part = expiry_stamp::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
