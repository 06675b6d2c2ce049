#include "core/kernel/inspect/decoders/clues.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/token_shapes.h"
#include "core/kernel/inspect/lock_naming.h"

#include <algorithm>
#include <array>

namespace lockscope::inspect::decoders {

namespace {

constexpr std::size_t kLongestValue = 1024;

const Observation* soleKey(const LockSnapshot& snapshot)
{
    return snapshot.keys.size() == 1 ? &snapshot.keys.front() : nullptr;
}

const Observation* soleCollection(const LockSnapshot& snapshot, ValueType type)
{
    const Observation* key = soleKey(snapshot);
    return key && key->type == type && key->isComplete ? key : nullptr;
}

bool containsIgnoringCase(std::string_view text, std::string_view lowerCase)
{
    // Not std::ranges::search: clang 14 cannot compile what it returns.
    const auto isSame = [](char c, char expected) { return lowered(c) == expected; };
    return std::search(text.begin(), text.end(), lowerCase.begin(), lowerCase.end(), isSame)
           != text.end();
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

/// What the names of the lock and of its keys say, at best.
LockNaming namingOf(const LockSnapshot& snapshot)
{
    LockNaming naming = lockNamingOf(snapshot.name);
    for (const Observation& key : snapshot.keys) {
        if (key.key != snapshot.name) {
            naming = std::max(naming, lockNamingOf(key.key));
        }
    }
    return naming;
}

bool identifiesItsOwner(const Holder& holder)
{
    const TokenShape shape = shapeOf(holder.owner);
    return isUnmistakable(shape) || shape == TokenShape::Process || shape == TokenShape::Worker;
}

/// Who bought, chose or saw how many: fields and counts.
bool isNamedLikeAList(const LockSnapshot& snapshot)
{
    constexpr std::array<std::string_view, 9> kLists{"cart",     "basket", "wishlist",
                                                     "presence", "votes",  "likes",
                                                     "online",   "seats",  "items"};
    return std::ranges::any_of(kLists, [&snapshot](std::string_view list) {
        return containsIgnoringCase(snapshot.name, list);
    });
}

/// "nightly-import": the names of data, of which there are many alike, have a number, an id or
/// another part that tells them apart.
bool isOneOfItsKind(std::string_view name)
{
    return std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || c == '-' || c == '_';
    });
}

ReleaseRecipe::KeyCheck::Kind kindOfParts(ValueType type)
{
    switch (type) {
    case ValueType::SortedSet: return ReleaseRecipe::KeyCheck::Kind::Members;
    case ValueType::Set: return ReleaseRecipe::KeyCheck::Kind::SetMembers;
    default: return ReleaseRecipe::KeyCheck::Kind::Fields;
    }
}

} // namespace

const Observation* soleString(const LockSnapshot& snapshot)
{
    const Observation* key = soleKey(snapshot);
    return key && isShortString(*key) ? key : nullptr;
}

const Observation* soleHash(const LockSnapshot& snapshot)
{
    return soleCollection(snapshot, ValueType::Hash);
}

const Observation* soleSortedSet(const LockSnapshot& snapshot)
{
    return soleCollection(snapshot, ValueType::SortedSet);
}

bool isShortString(const Observation& key)
{
    return key.type == ValueType::String && key.isComplete && key.value.size() <= kLongestValue;
}

bool isNamedLikeLock(const LockSnapshot& snapshot)
{
    return snapshot.isNamedByUser || namingOf(snapshot) == LockNaming::Clear;
}

bool isNamedAfterLock(const LockSnapshot& snapshot)
{
    return snapshot.isNamedByUser || namingOf(snapshot) != LockNaming::None;
}

const char* evidenceOfName(const LockSnapshot& snapshot)
{
    const LockNaming naming = namingOf(snapshot);
    if (naming == LockNaming::Clear) {
        return QT_TRANSLATE_NOOP("KernelText", "the name looks like a lock");
    }
    if (snapshot.isPointedAt) {
        return QT_TRANSLATE_NOOP("KernelText", "you asked for this key");
    }
    return snapshot.isNamedByUser
               ? QT_TRANSLATE_NOOP("KernelText", "the name matches one of your patterns")
               : QT_TRANSLATE_NOOP("KernelText",
                                   "a word in the name may mean a lock, or something else");
}

bool isProbablyData(const LockSnapshot& snapshot, const DecodedLock& decoded)
{
    const LockNaming naming = namingOf(snapshot);
    const bool isDubious = naming == LockNaming::Aside || naming == LockNaming::Doubtful;
    if (snapshot.isNamedByUser || decoded.confidence != Confidence::Low || !isDubious) {
        return false;
    }
    const bool expires = std::ranges::any_of(snapshot.keys, [](const Observation& key) {
        return key.ttl.has_value();
    });
    return naming == LockNaming::Aside || !expires || !isLeasedShortly(snapshot)
           || std::ranges::none_of(decoded.holders, identifiesItsOwner);
}

bool isLeasedShortly(const LockSnapshot& snapshot)
{
    using namespace std::chrono_literals;
    // Of a cart, only what a watchdog renews: 30 s with Redisson and others.
    const std::chrono::milliseconds longest = isNamedLikeAList(snapshot) ? 30s : 5min;
    return std::ranges::any_of(snapshot.keys,
                               [](const Observation& key) { return key.ttl.has_value(); })
           && std::ranges::all_of(snapshot.keys, [longest](const Observation& key) {
                  return !key.exists() || !key.ttl || *key.ttl <= longest;
              });
}

bool mayBeData(const LockSnapshot& snapshot)
{
    if (isNamedLikeLock(snapshot) || isLeasedShortly(snapshot)) {
        return false;
    }
    return isNamedAfterLock(snapshot) || !isOneOfItsKind(snapshot.name);
}

bool isNamedLikeData(const LockSnapshot& snapshot)
{
    constexpr std::array<std::string_view, 12> kOtherThings{"session", "sess:",   "sess_",
                                                            "cache",   "csrf",    "captcha",
                                                            "cookie",  "nonce",   "otp",
                                                            "etag",    "idempot", "token"};
    return std::ranges::any_of(kOtherThings, [&snapshot](std::string_view thing) {
        return containsIgnoringCase(snapshot.name, thing);
    });
}

bool isTakenConstant(std::string_view value)
{
    constexpr std::array<std::string_view, 15> kTaken{"",     "1",    "true",  "yes",     "on",
                                                      "y",    "t",    "ok",    "lock",    "locked",
                                                      "held", "busy", "taken", "running", "x"};
    return std::ranges::any_of(kTaken, [value](std::string_view word) {
        return equalsIgnoringCase(value, word);
    });
}

bool isFreeConstant(std::string_view value)
{
    constexpr std::array<std::string_view, 8> kFree{"0",    "false",    "no",   "off",
                                                    "free", "unlocked", "null", "none"};
    return std::ranges::any_of(kFree, [value](std::string_view word) {
        return equalsIgnoringCase(value, word);
    });
}

std::optional<WallTime> expiryOf(const Observation& key)
{
    if (!key.ttl) {
        return std::nullopt;
    }
    return wallTimeOfMs(toEpochMs(key.serverTime) + toMs(*key.ttl));
}

ReleaseRecipe::KeyCheck valueCheck(const Observation& key, bool comparesExpiry)
{
    ReleaseRecipe::KeyCheck check;
    check.kind = ReleaseRecipe::KeyCheck::Kind::Value;
    check.key = key.key;
    check.value = key.value;
    check.comparesExpiry = comparesExpiry;
    return check;
}

ReleaseRecipe::KeyCheck fieldsCheck(const Observation& key)
{
    ReleaseRecipe::KeyCheck check;
    check.kind = ReleaseRecipe::KeyCheck::Kind::Fields;
    check.key = key.key;
    for (const HashField& field : key.fields) {
        check.fields.push_back(field.name);
    }
    return check;
}

ReleaseRecipe::KeyCheck ownersCheck(const Observation& key, const std::vector<Holder>& holders)
{
    ReleaseRecipe::KeyCheck check;
    check.kind = kindOfParts(key.type);
    check.key = key.key;
    check.isPart = true;
    for (const Holder& holder : holders) {
        check.fields.push_back(holder.owner);
    }
    return check;
}

std::vector<Fact> machineFacts(std::string_view token)
{
    const std::optional<TimeUuid> uuid = timeUuidOfHex32(token);
    if (!uuid) {
        return {};
    }
    const std::string_view label =
        uuid->isNodeRandom()
            ? QT_TRANSLATE_NOOP("KernelText", "machine (a random number, not an address)")
            : QT_TRANSLATE_NOOP("KernelText", "network address of the machine");
    return {Fact{label, addressText(uuid->node)}};
}

std::string blindDeleteWarning()
{
    return KernelText::tr("If the old holder is still running, its own unlock will delete the lock "
                          "of the next holder: stop it first.");
}

ReleaseRecipe blindRelease(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), true));
    recipe.warnings.push_back(blindDeleteWarning());
    return recipe;
}

std::string oneOfACountWarning()
{
    return KernelText::tr("The count does not say whose hold ends. A holder that is still running "
                          "counts down once more when it is done: stop it first.");
}

std::string unnamedReadersWarning()
{
    return KernelText::tr("All readers share one marker and cannot be distinguished: a release "
                          "ends all read holds at once.");
}

} // namespace lockscope::inspect::decoders
