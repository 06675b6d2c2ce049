#include "inspect/decoders/builtin.h"
#include "inspect/decoders/clues.h"
#include "inspect/decoders/token_shapes.h"

#include <algorithm>

// The read-write lock of our own protocol rw-hash-owners (docs/protocols): a hash in which every
// holder has a field of its own, whose value says what it does and until when on the server's
// clock: "read 1767225600000", "write …", or "wait …" of a writer that new readers let go first.
namespace lockscope::inspect::decoders {

namespace {

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

std::optional<Reading> read(const Sighting& sighting)
{
    const Observation* key = soleHash(sighting);
    if (!key || key->fields.empty()) {
        return std::nullopt;
    }
    Reading reading;
    int waiters = 0;
    for (const HashField& field : key->fields) {
        const std::optional<Entry> entry = entryOf(field, key->serverTime);
        if (!entry) {
            return std::nullopt;
        }
        if (entry->until <= key->serverTime) {
            continue; // over; whoever comes next removes it
        }
        if (entry->what == "wait") {
            ++waiters;
            continue;
        }
        Holder& holder = reading.holders.emplace_back();
        holder.owner = field.name;
        holder.mode = entry->what == "read" ? Mode::Read : Mode::Write;
        holder.expiresAt = key->seenAt + (entry->until - key->serverTime);
    }
    if (reading.holders.empty()) {
        return std::nullopt;
    }
    reading.mode = reading.holders.front().mode;
    reading.waiters = waiters;
    reading.waiterSource = WaiterSource::Value;
    reading.confidence = key->ttl ? Confidence::High : Confidence::Medium;
    reading.because.add("every field contains read, write or wait, and an expiry");
    reading.because.add("the timestamps are close to the server's clock");
    return reading;
}

ReleaseRecipe release(const Sighting& sighting, const Reading& reading, HolderChoice choice)
{
    ReleaseRecipe recipe;
    recipe.checks.push_back(ownersCheck(sighting.main(), choice.of(reading.holders)));
    return recipe;
}

} // namespace

const Decoder kRwHashOwners{
    .id = "rw-hash-owners",
    .library = "",
    .title = "Read-write by owner",
    .summary =
        "A hash with a field per holder that contains its mode (read or write) and its expiry.",
    .read = read,
    .release = release,
};

} // namespace lockscope::inspect::decoders
