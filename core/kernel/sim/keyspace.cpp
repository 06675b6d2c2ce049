#include "core/kernel/sim/keyspace.h"

#include "core/kernel/base/content_hash.h"

#include <algorithm>
#include <cassert>

namespace lockscope::sim {

namespace {

/// Up to here comparing the keys themselves beats hashing the one that is looked for.
constexpr std::size_t kComparedMax = 2;
/// Up to here comparing the hashes of all keys beats a table.
constexpr std::size_t kScannedMax = 8;

/// The order of ZRANGE: by score, then by the bytes of the member (t_zset.c).
bool isBefore(const ScoredMember& a, const ScoredMember& b)
{
    return a.score != b.score ? a.score < b.score : a.member < b.member;
}

void addTo(ContentHash& hash, const Bytes& text)
{
    hash.add(text);
}

void addTo(ContentHash& hash, const HashValue& value)
{
    hash.add(value.fields.size());
    for (const auto& [field, content] : value.fields) {
        hash.add(field);
        hash.add(content);
    }
}

void addTo(ContentHash& hash, const std::vector<Bytes>& texts)
{
    hash.add(texts.size());
    for (const Bytes& text : texts) {
        hash.add(text);
    }
}

void addTo(ContentHash& hash, const ListValue& value)
{
    addTo(hash, value.items);
}

void addTo(ContentHash& hash, const SetValue& value)
{
    addTo(hash, value.members);
}

void addTo(ContentHash& hash, const SortedSetValue& value)
{
    hash.add(value.members.size());
    for (const ScoredMember& member : value.members) {
        hash.add(member.score);
        hash.add(member.member);
    }
}

void addTo(ContentHash& hash, const StreamValue& value)
{
    hash.add(value.remembered().size());
    for (const StreamEntry& entry : value.remembered()) {
        hash.add(entry.id.ms);
        hash.add(entry.id.sequence);
        addTo(hash, entry.words);
    }
}

} // namespace

Bytes* HashValue::find(std::string_view field)
{
    const auto found = std::ranges::find(fields, field, &std::pair<Bytes, Bytes>::first);
    return found == fields.end() ? nullptr : &found->second;
}

bool HashValue::set(std::string_view field, Bytes value)
{
    if (Bytes* const present = find(field)) {
        *present = std::move(value);
        return false;
    }
    fields.emplace_back(field, std::move(value));
    return true;
}

bool HashValue::erase(std::string_view field)
{
    const auto found = std::ranges::find(fields, field, &std::pair<Bytes, Bytes>::first);
    if (found == fields.end()) {
        return false;
    }
    fields.erase(found);
    return true;
}

bool SetValue::contains(std::string_view member) const
{
    return std::binary_search(members.begin(), members.end(), member);
}

bool SetValue::insert(std::string_view member)
{
    const auto place = std::lower_bound(members.begin(), members.end(), member);
    if (place != members.end() && *place == member) {
        return false;
    }
    members.emplace(place, member);
    return true;
}

bool SetValue::erase(std::string_view member)
{
    const auto place = std::lower_bound(members.begin(), members.end(), member);
    if (place == members.end() || *place != member) {
        return false;
    }
    members.erase(place);
    return true;
}

std::size_t SortedSetValue::indexOf(std::string_view member) const
{
    const auto found = std::ranges::find(members, member, &ScoredMember::member);
    return static_cast<std::size_t>(found - members.begin());
}

void SortedSetValue::put(std::string_view member, double score)
{
    erase(member);
    // Short sorted sets of Redis keep whole numbers as integers, which know no negative zero.
    ScoredMember added{score + 0.0, Bytes(member)};
    const auto place = std::lower_bound(members.begin(), members.end(), added, isBefore);
    members.insert(place, std::move(added));
}

bool SortedSetValue::erase(std::string_view member)
{
    const std::size_t index = indexOf(member);
    if (index == members.size()) {
        return false;
    }
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
    return true;
}

std::string_view typeName(const Value& value)
{
    static constexpr std::string_view kNames[] = {"string", "hash", "list",
                                                  "set",    "zset", "stream"};
    return kNames[value.index()];
}

std::uint64_t Entry::contentHash() const
{
    ContentHash result(hash);
    result.add(expiresAtMs);
    result.add(value.index());
    std::visit([&result](const auto& content) { addTo(result, content); }, value);
    return result.value();
}

/// Whoever finds an entry may change it.
Entry* Keyspace::find(std::string_view key)
{
    const Entry* const found = look(key);
    if (found == nullptr) {
        return nullptr;
    }
    m_hash.reset();
    return &m_entries[static_cast<std::size_t>(found - m_entries.data())];
}

const Entry* Keyspace::look(std::string_view key) const
{
    if (m_entries.size() <= kComparedMax) {
        for (const Entry& entry : m_entries) {
            if (entry.key == key) {
                return &entry;
            }
        }
        return nullptr;
    }
    const std::uint64_t hash = contentHashOf(key);
    if (m_table.empty()) {
        for (const Entry& entry : m_entries) {
            if (entry.hash == hash && entry.key == key) {
                return &entry;
            }
        }
        return nullptr;
    }
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t slot = hash & mask; m_table[slot] != kEmpty; slot = (slot + 1) & mask) {
        const Entry& entry = m_entries[m_table[slot]];
        if (entry.hash == hash && entry.key == key) {
            return &entry;
        }
    }
    return nullptr;
}

Entry& Keyspace::insert(std::string_view key, Value value)
{
    assert(look(key) == nullptr);
    m_hash.reset();
    const std::uint64_t hash = contentHashOf(key);
    m_entries.push_back(Entry{Bytes(key), std::move(value), Entry::kNever, hash});
    // Half full at most, so that runs of occupied slots stay short.
    if (m_entries.size() > kScannedMax && m_entries.size() * 2 > m_table.size()) {
        rebuildTable();
    } else if (!m_table.empty()) {
        addToTable(hash, static_cast<std::uint32_t>(m_entries.size() - 1));
    }
    return m_entries.back();
}

/// The last entry takes the place: the order of keys has no meaning (see operator==).
void Keyspace::erase(Entry& entry)
{
    m_hash.reset();
    const auto index = static_cast<std::uint32_t>(&entry - m_entries.data());
    const auto last = static_cast<std::uint32_t>(m_entries.size() - 1);
    if (!m_table.empty()) {
        removeFromTable(slotOf(entry.hash, index));
        if (index != last) {
            m_table[slotOf(m_entries[last].hash, last)] = index;
        }
    }
    if (index != last) {
        entry = std::move(m_entries[last]);
    }
    m_entries.pop_back();
    if (m_entries.empty()) {
        m_table.clear();
    }
}

void Keyspace::clear()
{
    m_hash.reset();
    m_entries.clear();
    m_table.clear();
}

bool operator==(const Keyspace& a, const Keyspace& b)
{
    const auto inOrder = [](const Keyspace& keys) {
        std::vector<const Entry*> entries;
        for (const Entry& entry : keys.m_entries) {
            entries.push_back(&entry);
        }
        std::ranges::sort(entries, {}, [](const Entry* entry) { return entry->key; });
        return entries;
    };
    return std::ranges::equal(inOrder(a), inOrder(b), [](const Entry* left, const Entry* right) {
        return left->key == right->key && left->value == right->value
               && left->expiresAtMs == right->expiresAtMs;
    });
}

std::uint64_t Keyspace::contentHash() const
{
    if (!m_hash) {
        UnorderedContentHash hash;
        for (const Entry& entry : m_entries) {
            hash.add(entry.contentHash());
        }
        m_hash = hash.value();
    }
    return *m_hash;
}

/// The slot that points to an entry which is known to be there.
std::size_t Keyspace::slotOf(std::uint64_t hash, std::uint32_t entryIndex) const
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = hash & mask;
    while (m_table[slot] != entryIndex) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

void Keyspace::rebuildTable()
{
    std::size_t size = 32;
    while (size < m_entries.size() * 4) {
        size *= 2;
    }
    m_table.assign(size, kEmpty);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        addToTable(m_entries[i].hash, static_cast<std::uint32_t>(i));
    }
}

void Keyspace::addToTable(std::uint64_t hash, std::uint32_t entryIndex)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = hash & mask;
    while (m_table[slot] != kEmpty) {
        slot = (slot + 1) & mask;
    }
    m_table[slot] = entryIndex;
}

/// Closes the gap, so that no mark for removed entries is needed. An entry moves into the gap
/// unless it would then stand before the slot at which its look-up begins (Knuth, The Art of
/// Computer Programming, 6.4, Algorithm R).
void Keyspace::removeFromTable(std::size_t slot)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t next = (slot + 1) & mask;
    while (m_table[next] != kEmpty) {
        const std::size_t home = m_entries[m_table[next]].hash & mask;
        const bool mayMove = ((next - home) & mask) >= ((next - slot) & mask);
        if (mayMove) {
            m_table[slot] = m_table[next];
            slot = next;
        }
        next = (next + 1) & mask;
    }
    m_table[slot] = kEmpty;
}

} // namespace lockscope::sim
