#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"
#include "core/kernel/inspect/release_hazards.h"

#include <algorithm>
#include <array>

// SET k <token> NX PX n and the Lua locks that do the same: the value is the owner. Written by hand
// and by many libraries (redsync, redlock-rb, node-redlock, Spring Integration, Laravel, …), which
// the value alone does not tell apart.
namespace lockscope::inspect::decoders {

namespace token {

constexpr std::size_t kLongestFlag = 16; // shorter text of plain letters is a constant, not a name

bool isCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/// Written in both cases: "aXqWbT", but not "LOCKED" or "Locked".
bool isOfMixedCase(std::string_view text)
{
    return std::any_of(text.begin() + (text.empty() ? 0 : 1), text.end(), isCapital)
           && std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// A random number to the base of 36, as Node's Math.random().toString(36) makes it, is a word of
/// small letters where no digit was drawn. So are these, which name no writer.
bool mayBeRandomWord(std::string_view text)
{
    constexpr std::size_t kShortest = 10;
    constexpr std::size_t kLongest = 13;
    constexpr std::array<std::string_view, 14> kStates{"activated",   "calculating",  "deployment",
                                                       "downloading", "executing",    "generating",
                                                       "importing",   "initializing", "maintenance",
                                                       "migrating",   "processing",   "refreshing",
                                                       "restricted",  "synchronizing"};
    return text.size() >= kShortest && text.size() <= kLongest
           && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; })
           && std::ranges::find(kStates, text) == kStates.end();
}

/// The same number where no letter was drawn. Digits of other lengths are counts and instants:
/// epoch seconds have ten digits, milliseconds thirteen.
bool mayBeRandomNumber(std::string_view text)
{
    return (text.size() == 11 || text.size() == 12)
           && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool namesItsWriter(std::string_view text)
{
    const auto isDigitOrForeign = [](char c) {
        return (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    };
    return text.size() > kLongestFlag || std::ranges::any_of(text, isDigitOrForeign)
           || isOfMixedCase(text) || mayBeRandomWord(text);
}

/// Values that look like a person's or a machine's name: believed under the name of a lock, even if
/// they never expire. That is what a stuck lock looks like.
bool mayNameOwner(const Observation& key, TokenShape shape)
{
    switch (shape) {
    case TokenShape::Process:
    case TokenShape::Worker:
    case TokenShape::Document: return true;
    case TokenShape::Name: return namesItsWriter(key.value);
    case TokenShape::Phrase: return key.ttl && namesItsWriter(key.value); // or just a sentence
    case TokenShape::None: return key.ttl && mayBeRandomNumber(key.value);
    default: return false;
    }
}

std::optional<Confidence> confidenceOf(const LockSnapshot& snapshot, TokenShape shape)
{
    const Observation& key = snapshot.main();
    const bool isLockName = isNamedLikeLock(snapshot);
    if (isUnmistakable(shape)) {
        if (isLockName) {
            return Confidence::Medium;
        }
        // Sessions, cache entries and idempotency keys look like this as well.
        const bool mayBeToken = isNamedAfterLock(snapshot)
                                || (key.ttl && shape != TokenShape::UuidInside
                                    && !isNamedLikeData(snapshot));
        return mayBeToken ? std::optional(Confidence::Low) : std::nullopt;
    }
    return isNamedAfterLock(snapshot) && mayNameOwner(key, shape) ? std::optional(Confidence::Low)
                                                                  : std::nullopt;
}

const char* evidenceOf(TokenShape shape)
{
    switch (shape) {
    case TokenShape::Uuid: return QT_TRANSLATE_NOOP("KernelText", "the value is a UUID");
    case TokenShape::UuidTail:
        return QT_TRANSLATE_NOOP("KernelText", "the value is a UUID with a suffix");
    case TokenShape::UuidInside:
        return QT_TRANSLATE_NOOP("KernelText",
                                 "the value has a UUID inside, or a random number as long");
    case TokenShape::Hex:
        return QT_TRANSLATE_NOOP("KernelText", "the value is a random number in hexadecimal");
    case TokenShape::Base64:
        return QT_TRANSLATE_NOOP("KernelText", "the value is a random number in base64");
    case TokenShape::RawBytes:
        return QT_TRANSLATE_NOOP("KernelText", "the value is a random number in binary");
    case TokenShape::Random:
        return QT_TRANSLATE_NOOP("KernelText", "the value has the length and the letters of a "
                                               "random token");
    case TokenShape::Process: return QT_TRANSLATE_NOOP("KernelText", "the value names a process");
    case TokenShape::Worker:
        return QT_TRANSLATE_NOOP("KernelText", "the value names a part of a process");
    case TokenShape::Document:
        return QT_TRANSLATE_NOOP("KernelText", "the value is JSON that names its owner");
    case TokenShape::Name:
    case TokenShape::Phrase:
    case TokenShape::None: break;
    }
    return QT_TRANSLATE_NOOP("KernelText", "the value may name the owner");
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleString(snapshot);
    if (!key || stampedUuidOf(key->value)) {
        return std::nullopt;
    }
    const TokenShape shape = shapeOf(key->value);
    const std::optional<Confidence> confidence = confidenceOf(snapshot, shape);
    if (!confidence) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = *confidence;
    decoded.holders.emplace_back().owner = key->value;
    // A host and a process id, or a name, are the same for the next hold of that process.
    decoded.ownerScope = isUnmistakable(shape) ? OwnerScope::Hold : OwnerScope::Process;
    decoded.because.add(evidenceOf(shape));
    if (isNamedAfterLock(snapshot)) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    decoded.because.add(key->ttl
                            ? QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should")
                            : QT_TRANSLATE_NOOP("KernelText",
                                                "it never expires: a stuck lock, or plain data"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    // A host and a process id are the same for the next hold of that process; so may be a word that
    // has the length of a token.
    const Bytes& value = snapshot.main().value;
    const TokenShape shape = shapeOf(value);
    const bool mayBeWord = shape == TokenShape::Random && std::ranges::none_of(value, isCapital);
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), !isUnmistakable(shape) || mayBeWord));
    if (isUuid(snapshot.main().value)) { // aioredlock's watchdog, of which no other sign is left
        addRecreation(recipe, ReleaseRecipe::Recreation::Possible, snapshot.main());
    }
    return recipe;
}

/// What python-redis-lock and others keep beside a lock, and protocols of ours beside a lock N:
/// `{N}:fence`, `{N}:queue`, `{N}:alive`, `{N}:wake:<token>`.
bool isBookkeeping(std::string_view key)
{
    if (key.starts_with("lock-signal:") || key.starts_with("lock.event:")) {
        return true;
    }
    const std::size_t brace = key.rfind('}');
    if (brace == std::string_view::npos) {
        return false;
    }
    const std::string_view rest = key.substr(brace + 1);
    return rest == ":fence" || rest == ":queue" || rest == ":alive" || rest.starts_with(":wake:");
}

} // namespace token

const Decoder kToken{
    .id = "token",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Token"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "A random token written by SET NX PX or a Lua script: the client that knows it owns "
        "the lock."),
    .read = token::read,
    .release = token::release,
    .isBookkeeping = token::isBookkeeping,
    .quorumRole = QuorumRole::Vote,
    .isOfOneServer = true,
};

} // namespace lockscope::inspect::decoders
