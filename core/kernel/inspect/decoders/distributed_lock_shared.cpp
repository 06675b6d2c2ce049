#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/distributed_lock_id.h"

#include <algorithm>
#include <array>

// The read-write lock of DistributedLock.Redis 2.8 (.NET): a set `<name>.readers` of lock ids, and
// a string `<name>.writer` that is the id of the writer, or of a writer that waits, with
// _WRITERWAITING behind. While one waits, no reader is let in. Holders look again on their own.
// distributed-lock-redis 0.2 (Rust) does the same under `distributed-lock:<name>:readers` and
// `:writer`, with the ids of its own.
namespace lockscope::inspect::decoders {

namespace distributed_lock_shared {

constexpr std::string_view kWaiting = "_WRITERWAITING";

/// <process>_<running number>_<16 hexadecimal digits>.
bool isIdOfPort(std::string_view text)
{
    constexpr std::size_t kRandomSize = 16;
    const std::size_t process = text.find('_');
    const std::size_t number = text.find('_', std::min(process, text.size() - 1) + 1);
    return number != std::string_view::npos && isHex(text.substr(number + 1), kRandomSize)
           && decimalOf(text.substr(0, process))
           && decimalOf(text.substr(process + 1, number - process - 1));
}

/// How one of the libraries names its keys and its holders.
struct Dialect {
    std::string_view library; // empty: that of the decoder
    std::string_view prefix;
    std::string_view readers;
    std::string_view writer;
    bool (*isId)(std::string_view text);
};
constexpr std::array<Dialect, 2> kDialects{{
    {"", "", ".readers", ".writer", isDistributedLockId},
    {"distributed-lock-redis", "distributed-lock:", ":readers", ":writer", isIdOfPort},
}};

KeyGroup groupOfName(std::string_view name, const Dialect& dialect)
{
    const Bytes beginning(name);
    return {beginning, {beginning + Bytes(dialect.readers), beginning + Bytes(dialect.writer)}};
}

std::optional<KeyGroup> groupOf(std::string_view key)
{
    for (const Dialect& dialect : kDialects) {
        for (const std::string_view suffix : {dialect.readers, dialect.writer}) {
            if (key.starts_with(dialect.prefix) && key.ends_with(suffix)
                && key.size() > dialect.prefix.size() + suffix.size()) {
                return groupOfName(key.substr(0, key.size() - suffix.size()), dialect);
            }
        }
    }
    return std::nullopt;
}

std::vector<KeyGroup> groupsNamed(std::string_view name)
{
    std::vector<KeyGroup> groups;
    for (const Dialect& dialect : kDialects) {
        if (name.starts_with(dialect.prefix) && name.size() > dialect.prefix.size()) {
            groups.push_back(groupOfName(name, dialect));
        }
    }
    return groups;
}

/// nullptr: the keys are named as none of the libraries names them.
const Dialect* dialectOf(const LockSnapshot& snapshot)
{
    const auto* const found = std::ranges::find_if(kDialects, [&snapshot](const Dialect& dialect) {
        return snapshot.main().key.starts_with(dialect.prefix)
               && snapshot.main().key.ends_with(dialect.readers);
    });
    return snapshot.keys.size() == 2 && found != kDialects.end() ? found : nullptr;
}

struct Sides {
    const Observation* readers = nullptr;
    const Observation* writer = nullptr;
    bool isWaiting = false; // the writer
};

/// nullopt: one of the keys is something else.
std::optional<Sides> sidesOf(const LockSnapshot& snapshot)
{
    const Dialect* const dialect = dialectOf(snapshot);
    if (dialect == nullptr) {
        return std::nullopt;
    }
    Sides sides;
    const Observation& readers = snapshot.keys[0];
    const Observation& writer = snapshot.keys[1];
    if (readers.exists()) {
        const bool isSide = readers.type == ValueType::Set && readers.isComplete && readers.ttl
                            && std::ranges::all_of(readers.fields, dialect->isId, &HashField::name);
        if (!isSide) {
            return std::nullopt;
        }
        sides.readers = &readers;
    }
    if (writer.exists()) {
        std::string_view id = writer.value;
        sides.isWaiting = id.ends_with(kWaiting);
        id.remove_suffix(sides.isWaiting ? kWaiting.size() : 0);
        if (!isShortString(writer) || !writer.ttl || !dialect->isId(id)) {
            return std::nullopt;
        }
        sides.writer = &writer;
    }
    return sides;
}

Holder holderOf(const Observation& key, const Bytes& owner, Mode mode)
{
    Holder holder;
    holder.owner = owner;
    holder.mode = mode;
    // The set lives as long as its latest reader: when the others end is not stored.
    if (mode == Mode::Write || key.fields.size() == 1) {
        holder.expiresAt = key.seenAt + *key.ttl;
    }
    return holder;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const std::optional<Sides> sides = sidesOf(snapshot);
    if (!sides) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.library = dialectOf(snapshot)->library;
    decoded.confidence = Confidence::High;
    if (sides->writer && !sides->isWaiting) {
        decoded.holders.push_back(holderOf(*sides->writer, sides->writer->value, Mode::Write));
    }
    if (sides->readers) {
        for (const HashField& reader : sides->readers->fields) {
            decoded.holders.push_back(holderOf(*sides->readers, reader.name, Mode::Read));
        }
    }
    if (decoded.holders.empty()) {
        return std::nullopt; // a writer that waits for nothing has the lock in a moment
    }
    decoded.mode = decoded.holders.front().mode;
    if (sides->isWaiting) {
        decoded.waiters = 1; // at least: the others poll
        decoded.waiterSource = WaiterSource::Value;
    }
    decoded.because.add(QT_TRANSLATE_NOOP(
        "KernelText", "the names are a pair: one key for readers, one for the writer"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the values name the process as this library does"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    ReleaseRecipe recipe;
    std::vector<Holder> readers;
    for (const Holder& holder : choice.of(decoded.holders)) {
        if (holder.mode == Mode::Read) {
            readers.push_back(holder);
        } else {
            recipe.checks.push_back(valueCheck(snapshot.keys[1], false));
        }
    }
    if (!readers.empty()) {
        recipe.checks.push_back(ownersCheck(snapshot.keys[0], readers));
    }
    return recipe;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    const std::optional<Sides> sides = sidesOf(snapshot);
    if (!sides || !sides->isWaiting) {
        return {};
    }
    return {{QT_TRANSLATE_NOOP("KernelText", "a writer waits, and keeps new readers out"),
             escaped(sides->writer->value)}};
}

std::string meaningOfKey(const LockSnapshot& snapshot, const Observation& key)
{
    if (key.key == snapshot.keys.front().key) {
        return KernelText::tr("The readers, a set that ends with the last of their leases.");
    }
    const std::optional<Sides> sides = sidesOf(snapshot);
    return sides && sides->isWaiting
               ? KernelText::tr("The place of the writer: one waits here, and no further reader "
                                "is let in.")
               : KernelText::tr("The writer.");
}

std::string meaningOfPart(const LockSnapshot& snapshot, const Observation& key,
                          const HashField& part)
{
    std::string_view id = key.type == ValueType::String ? part.value : part.name;
    id.remove_suffix(id.ends_with(kWaiting) ? kWaiting.size() : 0);
    const DistributedLockId from = distributedLockIdOf(id);
    const Dialect* const dialect = dialectOf(snapshot);
    if (dialect != nullptr && dialect->isId == isIdOfPort) { // it numbers its holds
        return KernelText::tr("%1 is hold %2 of process %3, and a random number.", nameInQuotes(id),
                              from.process, escaped(from.machine));
    }
    return KernelText::tr("%1 is process %2 on the machine %3, and a random number.",
                          nameInQuotes(id), from.process, nameInQuotes(from.machine));
}

} // namespace distributed_lock_shared

const Decoder kDistributedLockShared{
    .id = "distributed-lock-rw",
    .library = "DistributedLock.Redis",
    .title = "DistributedLock RW",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The read-write lock of Madelson's DistributedLock (.NET): a set "
                                 "of readers, and a string for the writer or for one that waits."),
    .read = distributed_lock_shared::read,
    .release = distributed_lock_shared::release,
    .facts = distributed_lock_shared::facts,
    .groupOf = distributed_lock_shared::groupOf,
    .groupsNamed = distributed_lock_shared::groupsNamed,
    .words =
        {
            .renewal = QT_TRANSLATE_NOOP(
                "KernelText", "Each holder extends its hold every 9 s, to 30 s, by default."),
            .waiting = kDistributedLockWaiting,
            .key = distributed_lock_shared::meaningOfKey,
            .part = distributed_lock_shared::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
