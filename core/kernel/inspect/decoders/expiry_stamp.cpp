#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// SETNX and GETSET with the instant of expiry as the value: 8 big-endian bytes or 13 digits, in
// milliseconds on the writer's clock (the classic write-ups; npm redis-lock by errorception, key
// `lock.<name>`). A client that finds a past stamp takes the lock over, so such a key may exist
// although no client holds the lock.
//
// Others write the instant at which they took the lock. So a stamp is the end of the hold only if
// it agrees with the key's own expiry. Without an expiry a stamp to come can be nothing else; of
// one that is past it is not known (low confidence).
namespace lockscope::inspect::decoders {

namespace expiry_stamp {

constexpr std::chrono::days kPlausible(5 * 365);
constexpr std::chrono::days kRecent(30);
constexpr std::chrono::milliseconds kAgreement(2'000); // clocks differ, and some add a second to
                                                       // the lease

std::optional<WallTime> stampOf(const Observation& key)
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

/// The possible meanings of a stamp, judged by the expiry of its key.
enum class Meaning : std::uint8_t {
    Deadline,         // the two agree
    ProbableDeadline, // it is to come, and the key has no expiry
    Unknown,          // it is past, and the key has no expiry: taken at that time, or until then
    NoDeadline,       // the key has another expiry
};

Meaning meaningOf(WallTime stamp, const Observation& key)
{
    if (key.ttl) {
        return agreesWithExpiry(stamp, key) ? Meaning::Deadline : Meaning::NoDeadline;
    }
    return stamp < key.serverTime ? Meaning::Unknown : Meaning::ProbableDeadline;
}

/// 13 digits are a number as well, which another decoder reads; 8 bytes are nothing else.
bool mayBeNumber(const Observation& key)
{
    return key.value.size() != 8;
}

std::optional<Confidence> confidenceOf(const LockSnapshot& snapshot, WallTime stamp,
                                       Meaning meaning)
{
    if (isNamedLikeLock(snapshot)) {
        const bool isRecent = isNear(stamp, snapshot.main().serverTime, kRecent);
        const bool isProbable = meaning == Meaning::ProbableDeadline && isRecent;
        return meaning == Meaning::Deadline ? Confidence::High
               : isProbable                 ? Confidence::Medium
                                            : Confidence::Low;
    }
    if (isNamedAfterLock(snapshot)
        || (meaning == Meaning::Deadline && !isNamedLikeData(snapshot))) {
        return Confidence::Low;
    }
    return std::nullopt;
}

const char* evidenceOf(Meaning meaning)
{
    switch (meaning) {
    case Meaning::Deadline:
        return QT_TRANSLATE_NOOP("KernelText", "the timestamp matches the expiry of the key");
    case Meaning::NoDeadline:
        return QT_TRANSLATE_NOOP("KernelText",
                                 "the timestamp is not that of the expiry of the key, so it is "
                                 "not taken for the end of the hold");
    case Meaning::ProbableDeadline:
    case Meaning::Unknown: break;
    }
    return nullptr;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleString(snapshot);
    const std::optional<WallTime> stamp = key ? stampOf(*key) : std::nullopt;
    if (!stamp) {
        return std::nullopt;
    }
    const Meaning meaning = meaningOf(*stamp, *key);
    const std::optional<Confidence> confidence = confidenceOf(snapshot, *stamp, meaning);
    if (!confidence || (meaning == Meaning::NoDeadline && mayBeNumber(*key))) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = *confidence;
    decoded.holders.emplace_back();
    if (meaning != Meaning::NoDeadline) {
        decoded.deadline = stamp;
    }
    if (decoded.deadline && *stamp < key->serverTime) {
        decoded.flags.add(Flag::Stale);
    }
    decoded.because.add(
        key->value.size() == 8
            ? QT_TRANSLATE_NOOP("KernelText",
                                "the value is 8 bytes that form a timestamp in milliseconds")
            : QT_TRANSLATE_NOOP("KernelText",
                                "the value is 13 digits that form a timestamp in milliseconds"));
    if (const char* const evidence = evidenceOf(meaning)) {
        decoded.because.add(evidence);
    }
    if (isNamedAfterLock(snapshot)) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    return decoded;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<WallTime> stamp = stampOf(key);
    if (!stamp) {
        return {};
    }
    const std::string value = nameInQuotes(part.value);
    const std::string at = relativeText(*stamp, key.serverTime);
    switch (meaningOf(*stamp, key)) {
    case Meaning::Deadline:
    case Meaning::ProbableDeadline:
        return KernelText::tr("Its value %1 is the end of the hold, in epoch ms: %2. Who holds "
                              "it is not written there.",
                              value, at);
    case Meaning::Unknown:
        return KernelText::tr("Its value %1 is a time in epoch ms: %2. It is the end of the hold, "
                              "or the time at which it began: the value does not tell.",
                              value, at);
    case Meaning::NoDeadline: break;
    }
    return KernelText::tr("Its value %1 is a time in epoch ms: %2. The key expires at another "
                          "time, so it is not taken for the end of the hold.",
                          value, at);
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
                                              "If the time in its value is the end of the hold, "
                                              "any client takes it over then, even if the key is "
                                              "still there."),
            .part = expiry_stamp::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
