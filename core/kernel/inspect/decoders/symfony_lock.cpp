#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// RedisStore of Symfony's Lock from 5.2 on: a sorted set under the name of the resource. Its
// members are a token of 32 bytes in base64 for each holder, scored with the end of the hold in
// epoch ms, and `__write__` beside the only token of a writer. What has ended stays until the next
// client comes.
namespace lockscope::inspect::decoders {

namespace symfony_lock {

constexpr std::string_view kWriteMark = "__write__";
constexpr std::size_t kTokenLength = 44;

bool isToken(std::string_view member)
{
    return member.size() == kTokenLength && shapeOf(member) == TokenShape::Base64;
}

bool hasWriteMark(const Observation& key)
{
    return std::ranges::find(key.fields, kWriteMark, &HashField::name) != key.fields.end();
}

/// The tokens and nothing else, each with the instant of its end.
bool isLock(const Observation& key)
{
    return std::ranges::any_of(key.fields, isToken, &HashField::name)
           && std::ranges::all_of(key.fields, [](const HashField& member) {
                  return (member.name == kWriteMark || isToken(member.name))
                         && stampOf13Digits(member.value);
              });
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleSortedSet(snapshot);
    if (key == nullptr || !key->ttl || !isLock(*key)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.mode = hasWriteMark(*key) ? Mode::Write : Mode::Read;
    // Who is present, by the token of a session, is kept in the same way as who reads.
    decoded.confidence = decoded.mode == Mode::Read && mayBeData(snapshot) ? Confidence::Low
                                                                           : Confidence::High;
    for (const HashField& member : key->fields) {
        const WallTime end = *stampOf13Digits(member.value);
        if (member.name != kWriteMark && end > key->serverTime) {
            Holder& holder = decoded.holders.emplace_back();
            holder.owner = member.name;
            holder.mode = decoded.mode;
            holder.expiresAt = key->seenAt + (end - key->serverTime);
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the members of a sorted set are tokens of 32 bytes in "
                                          "base64, scored with the end of their hold"));
    if (decoded.mode == Mode::Write) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "one of them is __write__"));
    }
    return decoded;
}

/// A writer leaves with its mark; of several readers, those that are meant.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck check = ownersCheck(snapshot.main(), choice.of(decoded.holders));
    if (decoded.mode == Mode::Write) {
        check.fields.emplace_back(kWriteMark);
    }
    recipe.checks.push_back(std::move(check));
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    if (part.name == kWriteMark) {
        return KernelText::tr("The member __write__ is no holder: it says that the only token is "
                              "that of a writer.");
    }
    const WallTime end = stampOf13Digits(part.value).value_or(key.serverTime);
    return hasWriteMark(key)
               ? KernelText::tr("The member %1 is the token of the writer; its hold ends at the "
                                "score, in epoch ms: %2.",
                                nameInQuotes(part.name), relativeText(end, key.serverTime))
               : KernelText::tr("The member %1 is the token of a reader; its hold ends at the "
                                "score, in epoch ms: %2.",
                                nameInQuotes(part.name), relativeText(end, key.serverTime));
}

} // namespace symfony_lock

const Decoder kSymfonyLock{
    .id = "symfony-lock",
    .library = "Symfony",
    .title = "Symfony",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The RedisStore of Symfony's Lock: a sorted set with a token for "
                                 "each holder, and a mark beside the token of a writer."),
    .read = symfony_lock::read,
    .release = symfony_lock::release,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP("KernelText",
                                         "It is prolonged only where the program calls refresh()."),
            .part = symfony_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
