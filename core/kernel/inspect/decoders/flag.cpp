#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <array>

// The locks of the simplest write-ups: SETNX k 1, SETNX k 1 + EXPIRE, SET k 1 EX n NX, and caches
// that store an empty string. The value is a constant, so it tells neither the owner nor one hold
// from the next.
namespace lockscope::inspect::decoders {

namespace flag {

constexpr std::size_t kLongestFlag = 16;

constexpr std::size_t kLongestNumber = 20; // ticks, and seconds with a fraction

bool isShortWord(std::string_view value)
{
    const bool isNumber = value.find_first_not_of("0123456789.") == std::string_view::npos;
    return value.size() <= (isNumber ? kLongestNumber : kLongestFlag)
           && std::ranges::all_of(value, [](char c) { return c > 0x20 && c < 0x7f; })
           && std::string_view("{[<\"").find(value.empty() ? 'x' : value.front())
                  == std::string_view::npos;
}

/// Of things that are called locks, and of settings.
bool isStateOfThing(std::string_view value)
{
    constexpr auto kStates = std::to_array<std::string_view>(
        {"active",  "armed",    "available", "closed", "disabled", "disarmed",  "disengaged",
         "enabled", "engaged",  "expired",   "green",  "high",     "idle",      "inactive",
         "jammed",  "locking",  "low",       "medium", "n/a",      "never",     "nil",
         "offline", "online",   "open",      "opened", "opening",  "paused",    "pending",
         "red",     "released", "secured",   "shut",   "unknown",  "unlatched", "unsecured",
         "vacant",  "yellow"});
    return std::ranges::any_of(kStates, [value](std::string_view word) {
        return equalsIgnoringCase(value, word);
    });
}

/// "12", "-3.5", "80%", "48.2,16.3".
bool isNumeric(std::string_view value)
{
    return !value.empty()
           && value.find_first_not_of("0123456789.,+-%/: ") == std::string_view::npos;
}

/// Numbers other than 1 are counters more often than locks; a lock at least ends.
bool isFlag(const Observation& key)
{
    if (isTakenConstant(key.value)) {
        return true;
    }
    const TokenShape shape = shapeOf(key.value);
    const bool isConstant = shape == TokenShape::Name || shape == TokenShape::Phrase
                            || shape == TokenShape::None;
    return isShortWord(key.value) && isConstant && !isFreeConstant(key.value)
           && !isStateOfThing(key.value) && !stampOf13Digits(key.value)
           && (!isNumeric(key.value) || key.ttl);
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleString(snapshot);
    if (!key || !isNamedAfterLock(snapshot) || !isFlag(*key)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.holders.emplace_back();
    decoded.because.add(isTakenConstant(key->value)
                            ? QT_TRANSLATE_NOOP("KernelText",
                                                "the value is a constant that only means \"taken\"")
                            : QT_TRANSLATE_NOOP("KernelText", "the value is a short constant"));
    decoded.because.add(evidenceOfName(snapshot));
    decoded.because.add(key->ttl
                            ? QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should")
                            : QT_TRANSLATE_NOOP("KernelText",
                                                "it never expires: a stuck lock, or plain data"));
    return decoded;
}

} // namespace flag

const Decoder kFlag{
    .id = "flag",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Flag"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "A constant written by SETNX or SET NX: it shows that the lock is taken, but not by whom."),
    .read = flag::read,
    .release = blindRelease,
};

} // namespace lockscope::inspect::decoders
