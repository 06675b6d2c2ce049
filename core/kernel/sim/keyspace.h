#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/stream_value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::sim {

/// What a key of a simulated server holds. All of them are plain vectors: the values of locks have
/// a handful of elements, and copying a whole server has to be cheap. Never empty, except Bytes
/// and streams.
struct HashValue {
    /// In the order in which they came, as in the listpack of a small hash of Redis (t_hash.c).
    std::vector<std::pair<Bytes, Bytes>> fields;

    Bytes* find(std::string_view field);
    /// True when the field is new.
    bool set(std::string_view field, Bytes value);
    bool erase(std::string_view field);

    friend bool operator==(const HashValue&, const HashValue&) = default;
};

struct ListValue {
    std::vector<Bytes> items; // head first

    friend bool operator==(const ListValue&, const ListValue&) = default;
};

struct SetValue {
    // Redis promises no order, so any will do; a sorted one makes equal sets equal in memory.
    std::vector<Bytes> members; // sorted

    bool contains(std::string_view member) const;
    bool insert(std::string_view member);
    bool erase(std::string_view member);

    friend bool operator==(const SetValue&, const SetValue&) = default;
};

struct ScoredMember {
    double score = 0;
    Bytes member;

    friend bool operator==(const ScoredMember&, const ScoredMember&) = default;
};

struct SortedSetValue {
    std::vector<ScoredMember> members; // by score, and by bytes among equal scores

    /// The place of a member, or members.size().
    std::size_t indexOf(std::string_view member) const;
    /// Adds the member, or moves it to where its score belongs.
    void put(std::string_view member, double score);
    bool erase(std::string_view member);

    friend bool operator==(const SortedSetValue&, const SortedSetValue&) = default;
};

using Value = std::variant<Bytes, HashValue, ListValue, SetValue, SortedSetValue, StreamValue>;

/// What TYPE calls it.
std::string_view typeName(const Value& value);

/// One key.
struct Entry {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    Bytes key;
    Value value;
    std::int64_t expiresAtMs = kNever; // since 1970, by the server's clock
    std::uint64_t hash = 0;            // of the key

    /// As keyIsExpired() in Redis' db.c: in the millisecond of its expiry a key is still there.
    bool isExpiredAt(std::int64_t nowMs) const { return nowMs > expiresAtMs; }
    /// Of key, value and expiry.
    std::uint64_t contentHash() const;
};

/// All keys of a server. Knows nothing of time: code that looks a key up asks whether it has
/// expired. Pointers into it hold until the next insertion or removal. Nothing is written through
/// them after the next contentHash().
class Keyspace {
public:
    Entry* find(std::string_view key);
    const Entry* find(std::string_view key) const { return look(key); }
    /// The key must not be there yet.
    Entry& insert(std::string_view key, Value value);
    void erase(Entry& entry);
    void clear();

    std::span<const Entry> entries() const { return m_entries; }
    std::span<Entry> entries()
    {
        m_hash.reset();
        return m_entries;
    }

    /// The order of keys depends on their history and does not count; that of the fields of a hash
    /// can be seen (HGETALL) and does.
    friend bool operator==(const Keyspace& a, const Keyspace& b);
    /// Equal for whatever is equal. Kept until something may have changed: a search asks after
    /// every step.
    std::uint64_t contentHash() const;

private:
    static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

    const Entry* look(std::string_view key) const;
    std::size_t slotOf(std::uint64_t hash, std::uint32_t entryIndex) const;
    void rebuildTable();
    void addToTable(std::uint64_t hash, std::uint32_t entryIndex);
    void removeFromTable(std::size_t slot);

    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_table; // open addressing, a power of two; empty while a scan is
                                        // faster
    mutable std::optional<std::uint64_t> m_hash; // nullopt: something may have changed since
};

} // namespace lockscope::sim
