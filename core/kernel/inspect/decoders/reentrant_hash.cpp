#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/redisson_names.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// The reentrant lock of the classic write-ups: a Lua script does HINCRBY k <owner> 1 and EXPIRE k,
// another counts down and deletes at zero. One field, the owner; its value is how often it holds.
// Owners of the form uuid:thread are Redisson's.
namespace lockscope::inspect::decoders {

namespace reentrant_hash {

constexpr std::int64_t kMostHolds = 1'000'000; // beyond that it counts something else
constexpr std::int64_t kMostUsualHolds = 1'000;
constexpr std::size_t kLongestOwner = 256;

std::optional<std::int64_t> holdsOf(const HashField& field)
{
    const std::optional<std::int64_t> holds = decimalOf(field.value);
    return holds && *holds >= 1 && *holds <= kMostHolds ? holds : std::nullopt;
}

bool identifiesOwner(std::string_view owner)
{
    const TokenShape shape = shapeOf(owner);
    // A prefix before a UUID says what is counted as often as who counts: cart:<uuid>.
    const bool isUnique = isUnmistakable(shape) && shape != TokenShape::UuidInside;
    return isUnique || shape == TokenShape::Process;
}

/// "web-3:4711:main" names a part of a process; "alice" may, and "battery" with 80 is a property.
std::optional<Confidence> nameMayBeOwner(const LockSnapshot& snapshot, std::string_view name,
                                         std::int64_t holds)
{
    constexpr std::int64_t kMostHoldsOfName = 9;
    if (shapeOf(name) == TokenShape::Worker && holds <= kMostUsualHolds) {
        return snapshot.main().ttl ? Confidence::Medium : Confidence::Low;
    }
    return holds <= kMostHoldsOfName ? std::optional(Confidence::Low) : std::nullopt;
}

std::optional<Confidence> confidenceOf(const LockSnapshot& snapshot, const HashField& field,
                                       std::int64_t holds)
{
    const bool isLockName = isNamedLikeLock(snapshot);
    const bool isOwner = identifiesOwner(field.name);
    const bool expires = snapshot.main().ttl.has_value();
    const bool isUsual = holds <= kMostUsualHolds;
    if (!isLockName) {
        // A cart with one product in it looks the same.
        const bool mayBeLock = isOwner && expires && isUsual && !isNamedLikeData(snapshot);
        return mayBeLock ? std::optional(Confidence::Low) : std::nullopt;
    }
    if (!isOwner) {
        return nameMayBeOwner(snapshot, field.name, holds);
    }
    if (expires && isUsual) {
        return Confidence::High;
    }
    return isUsual ? Confidence::Medium : Confidence::Low;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    if (!key || key->fields.size() != 1) {
        return std::nullopt;
    }
    const HashField& field = key->fields.front();
    const std::optional<std::int64_t> holds = holdsOf(field);
    if (!holds || field.name.empty() || field.name.size() > kLongestOwner
        || isRedissonOwner(field.name)) {
        return std::nullopt;
    }
    const std::optional<Confidence> confidence = confidenceOf(snapshot, field, *holds);
    if (!confidence) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = *confidence;
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = field.name;
    holder.holds = static_cast<std::uint32_t>(*holds);
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "a hash with one field whose value is a small count"));
    decoded.because.add(identifiesOwner(field.name)
                            ? QT_TRANSLATE_NOOP("KernelText", "the field looks like an owner")
                            : QT_TRANSLATE_NOOP("KernelText", "the field may be an owner"));
    if (isNamedLikeLock(snapshot)) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(fieldsCheck(snapshot.main()));
    return recipe;
}

} // namespace reentrant_hash

const Decoder kReentrantHash{
    .id = "reentrant-hash",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Reentrant hash"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText", "A hash with one field: the owner, and how many times it holds the lock."),
    .read = reentrant_hash::read,
    .release = reentrant_hash::release,
    .ownerScope = OwnerScope::Process,
};

} // namespace lockscope::inspect::decoders
