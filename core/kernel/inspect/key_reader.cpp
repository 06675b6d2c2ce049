#include "core/kernel/inspect/key_reader.h"

#include "core/kernel/inspect/key_answers.h"
#include "core/kernel/inspect/subscriber_counts.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

constexpr std::size_t kCommandsPerKey = 3;
/// What MEMORY USAGE adds to the name and the value of a string, and a little more.
constexpr std::size_t kBytesBesideValue = 256;

std::optional<std::int64_t> numberIn(const Reply& reply)
{
    const std::string* const text = reply.text();
    if (text == nullptr) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size()) {
        return std::nullopt;
    }
    return number;
}

/// Lists are read as companions only: no lock is one.
bool isReadableCollection(ValueType type)
{
    return type == ValueType::Hash || type == ValueType::Set || type == ValueType::SortedSet;
}

/// Its items have a name and nothing else.
bool hasNamesOnly(ValueType type)
{
    return type == ValueType::List || type == ValueType::Set;
}

/// With as many samples as we would read fields at most, no large value stays unnoticed.
Command memoryOf(const Observation& seen, const ReadLimits& limits)
{
    return Command("MEMORY", "USAGE", seen.key, "SAMPLES", limits.fieldCount);
}

Command contentsOf(const Observation& seen, const ReadLimits& limits)
{
    const std::string_view name = contentsCommandOf(seen.type);
    switch (seen.type) {
    case ValueType::String: return Command(name, seen.key, 0, limits.stringBytes - 1);
    case ValueType::Hash:
    case ValueType::Set: return Command(name, seen.key);
    case ValueType::List: return Command(name, seen.key, 0, -1);
    default: return Command(name, seen.key, 0, -1, "WITHSCORES");
    }
}

void takeItems(const Reply::Array& items, Observation& seen)
{
    for (const Reply& item : items) {
        if (const std::string* const name = item.text()) {
            seen.fields.push_back({*name, {}});
        }
    }
}

/// Between the size and the contents the collection may have grown, or the server did not tell the
/// truth: then it is too large after all.
bool isWithin(const ReadLimits& limits, const Reply::Array& items)
{
    std::size_t byteCount = 0;
    for (const Reply& item : items) {
        const std::string* const text = item.text();
        if (text == nullptr) {
            return false;
        }
        byteCount += text->size();
    }
    return items.size() <= 2 * limits.fieldCount && byteCount <= limits.collectionBytes;
}

void takeFields(const Reply& reply, const ReadLimits& limits, Observation& seen)
{
    const Reply::Array* const items = reply.array();
    if (items == nullptr) {
        refuse(seen, contentsCommandOf(seen.type), reply);
        return;
    }
    const bool isOfNames = hasNamesOnly(seen.type);
    if (!isWithin(limits, *items)) {
        seen.size = isOfNames ? items->size() : items->size() / 2;
        return;
    }
    if (isOfNames) {
        takeItems(*items, seen);
    }
    for (std::size_t i = 0; !isOfNames && i + 1 < items->size(); i += 2) {
        seen.fields.push_back({*(*items)[i].text(), *(*items)[i + 1].text()});
    }
    seen.size = seen.fields.size();
    seen.isComplete = true;
}

} // namespace

std::optional<int> waiterCountOf(const Reply& count)
{
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    const std::optional<std::int64_t> number = count.integer();
    return number && *number >= 0 ? std::optional(static_cast<int>(std::min(*number, kMost)))
                                  : std::nullopt;
}

ValueType valueTypeOf(std::string_view typeName)
{
    static constexpr ValueType kKnown[] = {ValueType::None,  ValueType::String,
                                           ValueType::Hash,  ValueType::List,
                                           ValueType::Set,   ValueType::SortedSet,
                                           ValueType::Stream};
    const auto* const found = std::ranges::find(kKnown, typeName, nameOf);
    return found != std::end(kKnown) ? *found : ValueType::Other;
}

void ServerWallClock::adjust(const Reply& reply, Instant sentAt, Instant now)
{
    const Reply::Array* const parts = reply.array();
    if (parts == nullptr || parts->size() != 2) {
        return;
    }
    const auto seconds = numberIn((*parts)[0]);
    const auto micros = numberIn((*parts)[1]);
    if (!seconds || !micros) {
        return;
    }
    m_wall = wallTimeOfMs(*seconds * 1000 + *micros / 1000);
    m_instant = sentAt + (now - sentAt) / 2;
    m_isKnown = true;
}

void ServerWallClock::assume(WallTime wallNow, Instant now)
{
    if (!m_isKnown) {
        m_wall = wallNow;
        m_instant = now;
    }
}

WallTime ServerWallClock::at(Instant when) const
{
    return m_wall + std::chrono::duration_cast<std::chrono::milliseconds>(when - m_instant);
}

KeyReader::KeyReader(store::Store& store, Clock& clock, const ServerWallClock& wallClock,
                     ReadLimits limits, FormatTablePtr formats)
    : m_store(store),
      m_clock(clock),
      m_wallClock(wallClock),
      m_limits(limits),
      m_formats(std::move(formats))
{}

async::Task<KeyReader::Problems> KeyReader::readDirectly(const std::vector<Observation*>& keys)
{
    std::vector<Command> commands;
    commands.reserve(keys.size() * kCommandsPerKey);
    const std::string lastByte = std::to_string(m_limits.stringBytes - 1);
    for (const Observation* const seen : keys) {
        commands.emplace_back("TYPE", seen->key);
        // On a hash this is a cheap WRONGTYPE, on a string it saves a round trip.
        commands.emplace_back("GETRANGE", seen->key, "0", lastByte);
        // Last, because GETRANGE cannot tell an empty value from a key that just vanished; this
        // can.
        commands.emplace_back("PTTL", seen->key);
    }
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(commands));
    if (auto problem = batchProblemIn(outcomes)) {
        co_return problem;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        noteTime(*keys[i]);
        takeFirst(std::span(outcomes).subspan(i * kCommandsPerKey, kCommandsPerKey), *keys[i]);
    }
    co_return std::nullopt;
}

/// Leaves those that are worth reading. None of these commands makes a key look used.
async::Task<KeyReader::Problems> KeyReader::keepSmallOnes(std::vector<Observation*>& keys)
{
    std::vector<Command> commands;
    commands.reserve(keys.size() * kCommandsPerKey);
    for (const Observation* const seen : keys) {
        commands.emplace_back("TYPE", seen->key);
        commands.push_back(memoryOf(*seen, m_limits));
        commands.emplace_back("PTTL", seen->key);
    }
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(commands));
    if (auto problem = batchProblemIn(outcomes)) {
        co_return problem;
    }
    std::vector<Observation*> small;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        noteTime(*keys[i]);
        if (isSmall(std::span(outcomes).subspan(i * kCommandsPerKey, kCommandsPerKey), *keys[i])) {
            small.push_back(keys[i]);
        }
    }
    keys = std::move(small);
    co_return std::nullopt;
}

/// Where the server does not say, the look that follows finds out.
bool KeyReader::isSmall(std::span<const Outcome> outcomes, Observation& seen) const
{
    const std::string* const type = replyOf(outcomes[0])->text();
    if (type == nullptr || replyOf(outcomes[0])->isError()) {
        return true;
    }
    seen.type = valueTypeOf(*type);
    takeTimeLeft(*replyOf(outcomes[2]), seen);
    const auto bytes = replyOf(outcomes[1])->integer().value_or(0);
    if (seen.type == ValueType::String) {
        const std::size_t mostBytes = m_limits.stringBytes + seen.key.size() + kBytesBesideValue;
        const bool isLarge = bytes > static_cast<std::int64_t>(mostBytes);
        seen.size = isLarge ? static_cast<std::uint64_t>(bytes) : 0;
        return !isLarge;
    }
    // No lock is a set alone, and readers of a lock are not looked for in this way.
    return isReadableCollection(seen.type) && seen.type != ValueType::Set
           && bytes <= static_cast<std::int64_t>(m_limits.collectionBytes);
}

void KeyReader::noteTime(Observation& seen) const
{
    seen.seenAt = m_clock.now();
    seen.serverTime = m_wallClock.at(seen.seenAt);
}

void KeyReader::takeFirst(std::span<const Outcome> outcomes, Observation& seen) const
{
    const Reply& type = *replyOf(outcomes[0]);
    if (type.isError() || type.text() == nullptr) {
        seen.type = ValueType::Other;
        refuse(seen, "TYPE", type);
        return;
    }
    seen.type = valueTypeOf(*type.text());
    takeTimeLeft(*replyOf(outcomes[2]), seen);
    if (seen.type == ValueType::String && seen.unreadable.empty()) {
        takeBeginning(*replyOf(outcomes[1]), seen);
    }
}

void KeyReader::takeBeginning(const Reply& value, Observation& seen) const
{
    const std::string* const bytes = value.isError() ? nullptr : value.text();
    if (bytes == nullptr) {
        refuse(seen, "GETRANGE", value);
        return;
    }
    seen.value = bytes->substr(0, m_limits.stringBytes); // of a server that ignores the range
    seen.size = bytes->size();
    seen.isComplete = bytes->size() < m_limits.stringBytes;
}

async::Task<KeyReader::Result> KeyReader::read(std::vector<Bytes> keys, Approach approach)
{
    std::vector<Observation> all(keys.size());
    std::vector<Observation*> worthReading;
    worthReading.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        all[i].key = std::move(keys[i]);
        worthReading.push_back(&all[i]);
    }
    if (approach == Approach::SizeFirst) {
        if (const auto problem = co_await keepSmallOnes(worthReading)) {
            co_return *problem;
        }
    }
    if (const auto problem = co_await readDirectly(worthReading)) {
        co_return *problem;
    }
    if (const auto problem = co_await measureLargeStrings(worthReading)) {
        co_return *problem;
    }
    std::vector<Observation*> collections;
    for (Observation* const seen : worthReading) {
        if (isReadableCollection(seen->type) && seen->unreadable.empty()) {
            collections.push_back(seen);
        }
    }
    if (const auto problem = co_await readCollections(std::move(collections))) {
        co_return *problem;
    }
    co_return all;
}

async::Task<std::optional<Problem>> KeyReader::measureLargeStrings(
    const std::vector<Observation*>& keys)
{
    std::vector<Observation*> large;
    std::vector<Command> commands;
    for (Observation* const seen : keys) {
        if (seen->type == ValueType::String && !seen->isComplete && seen->unreadable.empty()) {
            large.push_back(seen);
            commands.emplace_back("STRLEN", seen->key);
        }
    }
    if (large.empty()) {
        co_return std::nullopt;
    }
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(commands));
    for (std::size_t i = 0; i < large.size(); ++i) {
        if (const auto problem = batchProblem(outcomes[i])) {
            co_return problem;
        }
        const Reply& length = *replyOf(outcomes[i]);
        if (!length.integer()) {
            refuse(*large[i], "STRLEN", length);
            continue;
        }
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(*length.integer(), 0));
        large[i]->size = std::max(large[i]->size, size);
        large[i]->isComplete = large[i]->size == large[i]->value.size();
    }
    co_return std::nullopt;
}

async::Task<std::optional<Problem>> KeyReader::readCollections(
    std::vector<Observation*> collections)
{
    if (collections.empty()) {
        co_return std::nullopt;
    }
    std::vector<Command> commands;
    for (const Observation* seen : collections) {
        commands.push_back(lengthOf(*seen));
        commands.push_back(memoryOf(*seen, m_limits));
    }
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(commands));
    std::vector<Observation*> small;
    for (std::size_t i = 0; i < collections.size(); ++i) {
        const Outcome& lengthOutcome = outcomes[2 * i];
        const Outcome& memoryOutcome = outcomes[2 * i + 1];
        if (const auto problem = batchProblem(lengthOutcome)) {
            co_return problem;
        }
        if (const auto problem = batchProblem(memoryOutcome)) {
            co_return problem;
        }
        if (isWorthReading(*replyOf(lengthOutcome), *replyOf(memoryOutcome), *collections[i])) {
            small.push_back(collections[i]);
        }
    }
    co_return co_await readFields(std::move(small));
}

/// Takes the size, and says whether all of it is little enough.
bool KeyReader::isWorthReading(const Reply& length, const Reply& memory, Observation& seen) const
{
    if (!length.integer()) {
        refuse(seen, lengthCommandOf(seen.type), length);
        return false;
    }
    seen.size = static_cast<std::uint64_t>(std::max<std::int64_t>(*length.integer(), 0));
    if (memory.isError()) {
        refuse(seen, "MEMORY USAGE", memory); // without its size it is not safe to read
        return false;
    }
    return (seen.size <= m_limits.fieldCount || seen.type == ValueType::String)
           && memory.integer().value_or(0) <= static_cast<std::int64_t>(m_limits.collectionBytes);
}

async::Task<std::optional<Problem>> KeyReader::readFields(std::vector<Observation*> collections)
{
    std::vector<Command> commands;
    commands.reserve(collections.size());
    for (const Observation* seen : collections) {
        commands.push_back(contentsOf(*seen, m_limits));
    }
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(commands));
    for (std::size_t i = 0; i < collections.size(); ++i) {
        if (const auto problem = batchProblem(outcomes[i])) {
            co_return problem;
        }
        if (collections[i]->type == ValueType::String) {
            takeBeginning(*replyOf(outcomes[i]), *collections[i]);
            continue;
        }
        takeFields(*replyOf(outcomes[i]), m_limits, *collections[i]);
        if (collections[i]->isComplete && collections[i]->fields.empty()) {
            collections[i]->type = ValueType::None; // it vanished: nothing of these is ever empty
        }
    }
    co_return std::nullopt;
}

async::Task<KeyReader::SnapshotsResult> KeyReader::sight(std::uint16_t server,
                                                         std::vector<KeyGroup> groups,
                                                         Approach approach)
{
    std::vector<Bytes> keys;
    for (const KeyGroup& group : groups) {
        keys.insert(keys.end(), group.keys.begin(), group.keys.end());
    }
    Result result = co_await read(std::move(keys), approach);
    if (const auto* const problem = std::get_if<Problem>(&result)) {
        co_return *problem;
    }
    auto& observations = std::get<std::vector<Observation>>(result);
    std::vector<LockSnapshot> snapshots;
    snapshots.reserve(groups.size());
    auto next = std::make_move_iterator(observations.begin());
    for (KeyGroup& group : groups) {
        LockSnapshot snapshot;
        snapshot.server = server;
        snapshot.name = std::move(group.name);
        const auto end = next + static_cast<std::ptrdiff_t>(group.keys.size());
        snapshot.keys.assign(next, end);
        next = end;
        snapshots.push_back(std::move(snapshot));
    }
    if (const auto problem = co_await readSiblings(snapshots)) {
        co_return *problem;
    }
    if (const auto problem = co_await readCompanions(snapshots)) {
        co_return *problem;
    }
    if (const auto problem = co_await countListeners(m_store, snapshots)) {
        co_return *problem;
    }
    co_return snapshots;
}

} // namespace lockscope::inspect
