#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <array>
#include <limits>

// A hash with a field that names the owner, `owner` or `token` or the like, and perhaps others that
// say how often or since when: what Lua scripts write who keep more than a token (redishilok, and
// many that are written by hand). Only under the name of a lock: records of other things have
// owners, too.
namespace lockscope::inspect::decoders {

namespace owner_hash {

constexpr std::size_t kMostFields = 12;
constexpr std::size_t kLongestOwner = 256;

/// The earlier one is the owner where there are several.
constexpr auto kOwners = std::to_array<std::string_view>(
    {"owner", "ownerid", "owner_id", "holder", "holderid", "holder_id", "writer", "lockedby",
     "locked_by", "lockid", "lock_id", "token", "clientid", "client_id", "client", "uuid"});
constexpr auto kCounts = std::to_array<std::string_view>({"count", "counter", "depth", "holdcount",
                                                          "hold_count", "holds", "lockcount",
                                                          "lock_count", "reentrancy", "reentry"});

const HashField* fieldNamed(const Observation& key, std::span<const std::string_view> words)
{
    for (const std::string_view word : words) {
        const auto found = std::ranges::find_if(key.fields, [word](const HashField& field) {
            return equalsIgnoringCase(field.name, word);
        });
        if (found != key.fields.end()) {
            return &*found;
        }
    }
    return nullptr;
}

/// nullopt: it is held so often that it counts something else, or not at all.
std::optional<std::uint32_t> holdsOf(const Observation& key)
{
    const HashField* const field = fieldNamed(key, kCounts);
    if (field == nullptr) {
        return 1;
    }
    const std::optional<std::int64_t> count = decimalOf(field->value);
    const bool fits = count && *count > 0 && *count <= std::numeric_limits<std::int32_t>::max();
    return fits ? std::optional(static_cast<std::uint32_t>(*count)) : std::nullopt;
}

/// redishilok 1.1 (Python) writes this one, and removes it without a look at who is in it.
bool isWriter(const HashField& owner)
{
    return equalsIgnoringCase(owner.name, "writer");
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    if (!key || key->fields.size() > kMostFields || !isNamedLikeLock(snapshot)) {
        return std::nullopt;
    }
    const HashField* const owner = fieldNamed(*key, kOwners);
    const std::optional<std::uint32_t> holds = holdsOf(*key);
    if (owner == nullptr || owner->value.empty() || owner->value.size() > kLongestOwner || !holds) {
        return std::nullopt;
    }
    DecodedLock decoded;
    const bool isToken = isUnmistakable(shapeOf(owner->value));
    decoded.confidence = isToken && key->ttl ? Confidence::Medium : Confidence::Low;
    decoded.mode = isWriter(*owner) ? Mode::Write : Mode::Exclusive;
    Holder& holder = decoded.holders.emplace_back();
    holder.owner = owner->value;
    holder.mode = decoded.mode;
    holder.holds = *holds;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "a field of a hash names the owner"));
    decoded.because.add(evidenceOfName(snapshot));
    if (key->ttl) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should"));
    }
    return decoded;
}

/// All fields are compared with their values: which of them a renewal would change is not known.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock&, HolderChoice)
{
    const Observation& key = snapshot.main();
    ReleaseRecipe::KeyCheck check = fieldsCheck(key);
    for (const HashField& field : key.fields) {
        check.fieldValues.push_back(field.value);
    }
    const HashField& owner = *fieldNamed(key, kOwners);
    check.comparesExpiry = !isUnmistakable(shapeOf(owner.value));
    ReleaseRecipe recipe;
    recipe.checks.push_back(std::move(check));
    if (isWriter(owner)) {
        recipe.warnings.push_back(blindDeleteWarning());
    }
    return recipe;
}

} // namespace owner_hash

const Decoder kOwnerHash{
    .id = "owner-hash",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Owner in a hash"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "A hash with a field that names the owner, and perhaps others "
                                 "that tell how often it holds the lock, or since when."),
    .read = owner_hash::read,
    .release = owner_hash::release,
};

} // namespace lockscope::inspect::decoders
