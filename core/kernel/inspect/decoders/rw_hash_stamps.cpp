#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

#include <algorithm>

// A read-write lock in one hash, from the classic write-ups: the fields `read` and `write` hold the
// instant, in milliseconds on the client's clock, at which that side was taken last. All readers
// share one field; nobody is named.
namespace lockscope::inspect::decoders {

namespace {

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
    holder.acquiredAt = stamp;
    return holder;
}

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = soleHash(sighting);
    const bool isLockName = isNamedLikeLock(sighting);
    if (!key || key->fields.empty() || key->fields.size() > 2 || (!isLockName && !key->ttl)) {
        return std::nullopt;
    }
    Reading reading;
    for (const HashField& field : key->fields) {
        std::optional<Holder> holder = holderOf(field, key->serverTime);
        if (!holder) {
            return std::nullopt;
        }
        reading.holders.push_back(std::move(*holder));
    }
    if (reading.holders.size() == 2) {
        reading.flags.add(Flag::ReadAndWrite);
        std::ranges::sort(reading.holders, std::ranges::greater(), &Holder::mode);
    }
    reading.mode = reading.holders.front().mode;
    reading.acquiredAt = reading.holders.front().acquiredAt;
    reading.confidence = isLockName && key->ttl ? Confidence::High
                         : isLockName           ? Confidence::Medium
                                                : Confidence::Low;
    reading.because.add("a hash with only the fields read and write");
    reading.because.add("the fields contain timestamps in milliseconds");
    if (isLockName) {
        reading.because.add(evidenceOfName(sighting));
    }
    return reading;
}

ReleaseRecipe release(const Sighting& sighting, const Reading& reading, HolderChoice choice)
{
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck& check = recipe.checks.emplace_back();
    check.kind = ReleaseRecipe::KeyCheck::Kind::Fields;
    check.key = sighting.main().key;
    check.isPart = true;
    check.comparesExpiry = true;
    for (const Holder& holder : choice.of(reading.holders)) {
        const bool isReading = holder.mode == Mode::Read;
        const std::string_view name = isReading ? "read" : "write";
        const auto field = std::ranges::find(sighting.main().fields, name, &HashField::name);
        check.fields.push_back(field->name);
        check.fieldValues.push_back(field->value); // the stamp is all that tells one hold from the
                                                   // next
        recipe.endsUnnamedReaders = recipe.endsUnnamedReaders || isReading;
    }
    if (recipe.endsUnnamedReaders) {
        recipe.warnings = {kWarnUnnamedReaders};
    }
    return recipe;
}

} // namespace

const Decoder kRwHashStamps{
    .id = "rw-hash-stamps",
    .library = "",
    .title = "Read-write hash",
    .summary = "A hash with the fields read and write, each with the time at which that side was "
               "acquired.",
    .read = read,
    .release = release,
};

} // namespace lockscope::inspect::decoders
