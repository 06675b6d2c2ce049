#pragma once

#include "core/kernel/base/bytes.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::sim {

/// The name of an entry of a stream: the millisecond since 1970, and a number within it.
struct StreamId {
    static constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t ms = 0;
    std::uint64_t sequence = 0;

    /// "5-1", or "5", whose sequence is `missingSequence`; nullopt for what Redis refuses.
    static std::optional<StreamId> parse(const Bytes& text, std::uint64_t missingSequence);
    Bytes text() const;

    friend auto operator<=>(const StreamId&, const StreamId&) = default;
};

/// The half before the dash of an id, or the half behind it, as Redis reads it.
std::optional<std::uint64_t> parseIdPart(const Bytes& text);

struct StreamEntry {
    StreamId id;
    std::vector<Bytes> words; // field, value, field, value …
    std::uint32_t placeInNode = 0;

    friend bool operator==(const StreamEntry&, const StreamEntry&) = default;
};

/// How much of a stream XADD and XTRIM leave.
struct StreamTrim {
    std::optional<std::size_t> maxLength; // MAXLEN
    std::optional<StreamId> minId;        // MINID
    bool isApproximate = false;           // whole nodes only
    std::size_t limit = 0; // entries removed at most, if it is approximate; 0: any number

    bool isAsked() const { return maxLength || minId; }
};

/// A stream without consumer groups. A node ends after a hundred entries, as
/// stream-node-max-entries has it by default; Redis ends one after 4,096 bytes, too, and so trims
/// some streams of large entries by "~" earlier than this one.
class StreamValue {
public:
    std::size_t length() const { return isBackRemoved() ? 0 : m_entries.size(); }
    StreamId lastId() const { return m_entries.empty() ? StreamId() : m_entries.back().id; }
    /// The id must be greater than the last one.
    void append(StreamId id, std::vector<Bytes> words);
    /// How many entries are gone.
    std::size_t trim(const StreamTrim& trim);

    /// Oldest first.
    std::vector<const StreamEntry*> between(StreamId first, StreamId last) const;

    /// All that counts, for a hash of the contents.
    const std::vector<StreamEntry>& remembered() const { return m_entries; }

    friend bool operator==(const StreamValue&, const StreamValue&) = default;

private:
    bool isBackRemoved() const { return !m_entries.empty() && m_entries.back().words.empty(); }
    std::size_t nodeEnd(std::size_t begin) const;
    /// A stream knows its last id when nothing else is left of it: that entry stays, without words.
    void removeFirst(std::size_t count);

    std::vector<StreamEntry> m_entries;
};

} // namespace lockscope::sim
