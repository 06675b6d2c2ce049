#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>

// The read-write lock of our own protocol rw-hash-owners (docs/protocols): a hash in which every
// holder has a field of its own, whose value says what it does and until when on the server's
// clock: "read 1767225600000", "write …", or "wait …" of a writer that new readers let go first.
namespace lockscope::inspect::decoders {

namespace rw_hash_owners {

constexpr std::chrono::days kPlausible(365);

struct Entry {
    std::string_view what;
    WallTime until;
};

std::optional<Entry> entryOf(const HashField& field, WallTime serverTime)
{
    const std::string_view value = field.value;
    const std::size_t space = value.find(' ');
    if (space == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view what = value.substr(0, space);
    const std::optional<WallTime> until = stampOf13Digits(value.substr(space + 1));
    const bool isKnown = what == "read" || what == "write" || what == "wait";
    if (!isKnown || !until || !isNear(*until, serverTime, kPlausible)) {
        return std::nullopt;
    }
    return Entry{what, *until};
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* key = soleHash(snapshot);
    if (!key || key->fields.empty()) {
        return std::nullopt;
    }
    DecodedLock decoded;
    int waiters = 0;
    for (const HashField& field : key->fields) {
        const std::optional<Entry> entry = entryOf(field, key->serverTime);
        if (!entry) {
            return std::nullopt;
        }
        if (entry->until <= key->serverTime) {
            continue; // expired; the next client to come removes it
        }
        if (entry->what == "wait") {
            ++waiters;
            decoded.waitingOwners.push_back(field.name);
            continue;
        }
        Holder& holder = decoded.holders.emplace_back();
        holder.owner = field.name;
        holder.mode = entry->what == "read" ? Mode::Read : Mode::Write;
        holder.expiresAt = key->seenAt + (entry->until - key->serverTime);
    }
    if (decoded.holders.empty()) {
        return std::nullopt;
    }
    decoded.mode = decoded.holders.front().mode;
    decoded.waiters = waiters;
    decoded.waiterSource = WaiterSource::Value;
    // Grants that end at some time may be written like this, too.
    decoded.confidence = mayBeData(snapshot) ? Confidence::Low
                         : key->ttl          ? Confidence::High
                                             : Confidence::Medium;
    decoded.because.add(
        QT_TRANSLATE_NOOP("KernelText", "every field contains read, write or wait, and an expiry"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the timestamps are close to the server's clock"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(snapshot.main(), choice.of(decoded.holders)));
    return recipe;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField& part)
{
    const std::optional<Entry> entry = entryOf(part, key.serverTime);
    if (!entry) {
        return {};
    }
    const std::string end = relativeText(entry->until, key.serverTime);
    if (entry->what == "wait") {
        return KernelText::tr("The field %1 is a writer that waits, until the instant in its "
                              "value: %2.",
                              nameInQuotes(part.name), end);
    }
    return entry->what == "write"
               ? KernelText::tr("The field %1 is the writer, until the instant in its value: %2.",
                                nameInQuotes(part.name), end)
               : KernelText::tr("The field %1 is a reader, until the instant in its value: %2.",
                                nameInQuotes(part.name), end);
}

} // namespace rw_hash_owners

const Decoder kRwHashOwners{
    .id = "rw-hash-owners",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Read-write by owner"),
    .summary = QT_TRANSLATE_NOOP(
        "KernelText",
        "A hash with a field per holder that contains its mode (read or write) and its expiry."),
    .read = rw_hash_owners::read,
    .release = rw_hash_owners::release,
    .ownerScope = OwnerScope::Process,
    .words =
        {
            .part = rw_hash_owners::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
