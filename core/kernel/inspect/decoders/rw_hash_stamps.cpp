#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// A read-write lock in one hash, from the classic write-ups: the fields `read` and `write` hold the
// instant, in milliseconds on the client's clock, at which that side was taken last. All readers
// share one field; no owner is named.
namespace lockscope::inspect::decoders {

namespace rw_hash_stamps {

constexpr std::chrono::days kPlausible(5 * 365);

/// The holder that a field stands for; nullopt when the field belongs to something else.
std::optional<Holder> holderOf(const HashField& field, WallTime serverTime)
{
    const std::optional<WallTime> stamp = stampOf13Digits(field.value);
    if ((field.name != "read" && field.name != "write") || !stamp
        || !isNear(*stamp, serverTime, kPlausible)) {
        return std::nullopt;
    }
    Holder holder;
    holder.mode = field.name == "read" ? Mode::Read : Mode::Write;
    holder.setAcquiredAt(stamp);
    return holder;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    const bool isLockName = isNamedLikeLock(snapshot);
    if (!key || key->fields.empty() || key->fields.size() > 2 || (!isLockName && !key->ttl)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    for (const HashField& field : key->fields) {
        std::optional<Holder> holder = holderOf(field, key->serverTime);
        if (!holder) {
            return std::nullopt;
        }
        decoded.holders.push_back(std::move(*holder));
    }
    if (decoded.holders.size() == 2) {
        decoded.flags.add(Flag::ReadAndWrite);
        std::ranges::sort(decoded.holders, std::ranges::greater(), &Holder::mode);
    }
    decoded.mode = decoded.holders.front().mode;
    decoded.acquiredAt = decoded.holders.front().acquiredAt();
    decoded.confidence = isLockName && key->ttl ? Confidence::High
                         : isLockName           ? Confidence::Medium
                                                : Confidence::Low;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "a hash with only the fields read and write"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the fields contain timestamps in milliseconds"));
    if (isLockName) {
        decoded.because.add(evidenceOfName(snapshot));
    }
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck& check = recipe.checks.emplace_back();
    check.kind = ReleaseRecipe::KeyCheck::Kind::Fields;
    check.key = snapshot.main().key;
    check.isPart = true;
    check.comparesExpiry = true;
    for (const Holder& holder : choice.of(decoded.holders)) {
        const bool isReading = holder.mode == Mode::Read;
        const std::string_view name = isReading ? "read" : "write";
        const auto field = std::ranges::find(snapshot.main().fields, name, &HashField::name);
        check.fields.push_back(field->name);
        check.fieldValues.push_back(field->value); // the stamp is all that tells one hold from the
                                                   // next
        recipe.endsUnnamedReaders = recipe.endsUnnamedReaders || isReading;
    }
    if (recipe.endsUnnamedReaders) {
        recipe.warnings = {unnamedReadersWarning()};
    }
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<WallTime> at = stampOf13Digits(part.value);
    if (!at) {
        return {};
    }
    const std::string taken = relativeText(*at, key.serverTime);
    return part.name == "read"
               ? KernelText::tr("The field read stands for all readers; its value is when the last "
                                "of them came, in epoch ms: %1.",
                                taken)
               : KernelText::tr("The field write stands for the writer; its value is when it came, "
                                "in epoch ms: %1.",
                                taken);
}

} // namespace rw_hash_stamps

const Decoder kRwHashStamps{
    .id = "rw-hash-stamps",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Read-write hash"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "A hash with the fields read and write, each with the time at which that side was "
        "acquired."),
    .read = rw_hash_stamps::read,
    .release = rw_hash_stamps::release,
    .words =
        {
            .part = rw_hash_stamps::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
