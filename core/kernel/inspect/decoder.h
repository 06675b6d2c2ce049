#pragma once

#include "inspect/lock_record.h"
#include "inspect/observation.h"
#include "inspect/release_plan.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// What one decoder makes of a sighting.
struct Reading {
    std::string_view format;  // filled in by decode()
    std::string_view library; // filled in by decode() unless the decoder knows better
    Confidence confidence = Confidence::Low;
    Mode mode = Mode::Exclusive;
    std::vector<Holder> holders;
    FlagSet flags; // only what the value itself proves; NoExpiry is added by decode()
    std::optional<WallTime> deadline; // when the value itself states the end (an expiry stamp)
    std::optional<WallTime> acquiredAt;
    std::optional<int> waiters; // when the value itself or a queue beside it lists them
    WaiterSource waiterSource = WaiterSource::None;
    Bytes waiterChannel; // the channel its waiters subscribe to; empty: they poll
    Evidence because;
};

/// One more thing that a value says, for whoever wants to know everything: {"made on",
/// "02:42:ac:11:00:02"}.
struct Fact {
    std::string_view label;
    std::string text;
    friend bool operator==(const Fact&, const Fact&) = default;
};

/// A key beside a lock, and the type it has when it exists.
struct CompanionKey {
    Bytes key;
    ValueType type = ValueType::List; // List or SortedSet
    friend bool operator==(const CompanionKey&, const CompanionKey&) = default;
};

/// A recogniser of one format: pure functions and the words that describe it.
struct Decoder {
    std::string_view id;      // format id, kebab-case, stable for ever
    std::string_view library; // whose format it is; empty for a format of the write-ups
    std::string_view title;   // "Token", "Redisson": what the Format column says
    std::string_view summary; // one sentence: what writes it and how it reads
    std::optional<Reading> (*read)(const Sighting&);
    /// What a release of these holders of the reading has to compare, remove and tell. The sighting
    /// is the one it came from.
    ReleaseRecipe (*release)(const Sighting&, const Reading&, HolderChoice);
    /// What the value says beyond the reading; may be null.
    std::vector<Fact> (*facts)(const Sighting&, const Reading&) = nullptr;
    /// The keys that `read` wants to see beside those of a sighting that may be of this format. The
    /// others are only read when the first one exists. May be null.
    std::vector<CompanionKey> (*companions)(const Sighting&) = nullptr;
    bool isLastResort = false; // asked when no other decoder has an answer
};

/// The recognisers that are built in, most specific first. An explicit table in one file.
std::span<const Decoder> builtinDecoders();

/// The decoder with this format id, or nullptr.
const Decoder* decoderOfFormat(std::string_view formatId);

/// What the decoder of this reading can tell beyond it; often nothing.
std::vector<Fact> factsOf(const Sighting& sighting, const Reading& reading);

/// The keys to be read beside those of this sighting; see Decoder::companions. Mostly none.
std::vector<CompanionKey> companionsOf(const Sighting& sighting);

/// All readings of a sighting, best first: by confidence, then by the order of the table. Empty
/// when nothing exists or nobody recognises it.
std::vector<Reading> decode(const Sighting& sighting, std::span<const Decoder> decoders);

/// As decode() by all that are built in, without the last resort: somebody who points at a key asks
/// what it is, and without a format of its own it is no lock.
std::vector<Reading> recognised(const Sighting& sighting);

/// A lock's name and how it can be read.
using NamedReadings = std::pair<Bytes, std::vector<Reading>>;

/// As decode(), for keys that were put together by their names alone. Normally one entry, named as
/// the sighting (its readings may be empty); keys that turn out not to belong together give one
/// entry for each that exists.
std::vector<NamedReadings> decodeGroup(const Sighting& sighting, std::span<const Decoder> decoders);

} // namespace lockscope::inspect
