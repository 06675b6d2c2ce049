#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// A read-write lock in two keys, from the classic write-ups: SET x:read 1 EX n (one flag for all
// readers, or a counter) and SET x:write 1 EX n NX (a flag, or a token). Names alone put the two
// together, so the values have to agree that it is a lock.
namespace lockscope::inspect::decoders {

namespace rw_two_keys {

constexpr std::int64_t kMostReaders = 10'000;

/// One side as a holder; nullopt when its value is none of a lock. `isKnown`: the name says that it
/// is a lock.
std::optional<Holder> holderOf(const Observation& key, Mode mode, bool isKnown)
{
    if (!isShortString(key) || isFreeConstant(key.value)) {
        return std::nullopt;
    }
    Holder holder;
    holder.mode = mode;
    if (key.ttl) {
        holder.expiresAt = key.seenAt + *key.ttl;
    }
    if (isTakenConstant(key.value)) {
        return isKnown || key.ttl ? std::optional(holder) : std::nullopt;
    }
    const std::optional<std::int64_t> readers = decimalOf(key.value);
    if (isKnown && mode == Mode::Read && readers && *readers <= kMostReaders) {
        holder.holds = static_cast<std::uint32_t>(*readers);
        return holder;
    }
    if (isKnown && mode == Mode::Write && isUnmistakable(shapeOf(key.value))) {
        holder.owner = key.value;
        return holder;
    }
    return std::nullopt;
}

/// The writer first; nullopt when a key that exists is no side of a lock.
std::optional<std::vector<Holder>> holdersOf(const Observation& readKey,
                                             const Observation& writeKey, bool isKnown)
{
    std::vector<Holder> holders;
    for (const auto& [key, mode] :
         {std::pair(&writeKey, Mode::Write), std::pair(&readKey, Mode::Read)}) {
        if (!key->exists()) {
            continue;
        }
        const std::optional<Holder> holder = holderOf(*key, mode, isKnown);
        if (!holder) {
            return std::nullopt;
        }
        holders.push_back(*holder);
    }
    return holders;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    if (snapshot.keys.size() != 2) {
        return std::nullopt;
    }
    const Observation& readKey = snapshot.keys[0];
    const Observation& writeKey = snapshot.keys[1];
    const bool isKnown = isNamedLikeLock(snapshot);
    std::optional<std::vector<Holder>> holders = holdersOf(readKey, writeKey, isKnown);
    if (!holders || holders->empty()) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.holders = std::move(*holders);
    decoded.mode = decoded.holders.front().mode;
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the names are a pair: one key for readers, one for the writer"));
    if (decoded.holders.size() == 2) {
        decoded.flags.add(Flag::ReadAndWrite);
        if (readKey.ttl.has_value() != writeKey.ttl.has_value()) {
            decoded.flags.add(Flag::MissingExpiryOfReader);
        }
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "both keys exist"));
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the values are flags, counts or tokens"));
    if (isKnown) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    const bool expires = readKey.ttl || writeKey.ttl;
    decoded.confidence = isKnown && expires ? Confidence::Medium : Confidence::Low;
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    const std::vector<Holder> ending = choice.of(decoded.holders);
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        const auto holder = std::ranges::find(ending, mode, &Holder::mode);
        if (holder != ending.end()) {
            const bool isReading = mode == Mode::Read;
            const Observation& key = snapshot.keys[isReading ? 0 : 1];
            recipe.checks.push_back(valueCheck(key, holder->owner.empty()));
            recipe.endsUnnamedReaders = recipe.endsUnnamedReaders || isReading;
        }
    }
    if (recipe.endsUnnamedReaders) {
        recipe.warnings.push_back(unnamedReadersWarning());
    }
    if (recipe.isAnonymous()) {
        recipe.warnings.push_back(blindDeleteWarning());
    }
    return recipe;
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    return key.key == snapshot.main().key
               ? KernelText::tr("The readers, all together: it is there while one of them reads.")
               : KernelText::tr("The writer: it is there while one writes.");
}

} // namespace rw_two_keys

const Decoder kRwTwoKeys{
    .id = "rw-two-keys",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Read-write pair"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "Two keys, one for the readers and one for the writer, each a flag, a count or a token."),
    .read = rw_two_keys::read,
    .release = rw_two_keys::release,
    .words =
        {
            .key = rw_two_keys::meaningOfKey,
        },
};

} // namespace lockscope::inspect::decoders
