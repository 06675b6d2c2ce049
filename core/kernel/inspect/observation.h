#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

enum class ValueType : std::uint8_t { None, String, Hash, List, Set, SortedSet, Stream, Other };

/// As TYPE has it; "unknown" for what is in no list of ours.
std::string_view nameOf(ValueType type);

/// A field of a hash, or a member of a sorted set with its score as the server writes it.
struct HashField {
    Bytes name;
    Bytes value;
    friend bool operator==(const HashField&, const HashField&) = default;
};

/// What was seen of one key, and when. No interpretation. A type of None says that the key does not
/// exist.
struct Observation {
    Bytes key;
    ValueType type = ValueType::None;
    std::optional<Duration> ttl; // what PTTL said; nullopt: no expiry
    std::uint64_t size = 0;      // bytes of a string, number of fields or members of anything else
    Bytes value;                 // String: the first bytes, all of them when isComplete
    std::vector<HashField> fields; // Hash: in server order, SortedSet: lowest score first, List:
                                   // from its head, names only; all of them when isComplete
    bool isComplete = false;       // false: too large to be read whole, or not readable
    std::string unreadable; // why the value could not be read ("NOPERM …"); empty when it could
    std::string_view refusedCommand; // what was answered with `unreadable`: "MEMORY USAGE"
    Instant seenAt{};                // when the reply arrived, on the observer's clock
    WallTime serverTime{}; // the server's wall clock at that moment (from TIME and the offset
                           // since)

    bool exists() const { return type != ValueType::None; }
    bool isTextless() const { return type != ValueType::String; }
};

/// How many clients listen to a channel.
struct ChannelCount {
    Bytes channel;
    int count = 0;
};

/// Everything seen of one lock at about one moment: the keys that belong to it, existing or not.
struct LockSnapshot {
    std::uint16_t server = 0; // index into the list of servers that are watched together
    Bytes name;               // the lock's name: the key itself, or what its keys have in common
    std::vector<Observation> keys; // at least one; the main key first
    bool isNamedByUser = false; // the user said that this is a lock: its name need not sound like
                                // one
    /// Keys that are not the lock but tell more about it, such as who waits; see
    /// Decoder::companions. Where nothing is under the first of them, the others were not read.
    std::vector<Observation> companions = {};
    bool isPointedAt = false; // the user asks what it is: told also where the name says nothing,
                              // but claimed no louder for that
    /// The channels that decoders asked about (Decoder::channels), as far as the server told.
    std::vector<ChannelCount> channels = {};
    /// How many patterns of channels clients listen to, whatever the channels; nullopt: not asked.
    std::optional<int> patternCount = std::nullopt;

    const Observation& main() const { return keys.front(); }
    bool exists() const;
    /// What was seen of this companion; nullptr: it was not read.
    const Observation* companion(std::string_view key) const;
    /// How many listen to this channel; nullopt: not asked, or not told.
    std::optional<int> listenersOf(std::string_view channel) const;
};

} // namespace lockscope::inspect
