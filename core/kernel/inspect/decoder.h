#pragma once

#include "core/kernel/inspect/key_group.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/plain_words.h"
#include "core/kernel/inspect/release_plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// Who is next in the queue of a lock, and does not listen for its turn.
struct SilentWaiter {
    Bytes waiter;
    std::optional<Instant> until; // its place in the queue is lost then; nullopt: not told
    friend bool operator==(const SilentWaiter&, const SilentWaiter&) = default;
};

/// What one decoder makes of a snapshot.
struct DecodedLock {
    std::string_view format;  // filled in by decode()
    std::string_view library; // filled in by decode() unless the decoder knows better
    Confidence confidence = Confidence::Low;
    Mode mode = Mode::Exclusive;
    std::optional<OwnerScope> ownerScope; // filled in by decode() unless the decoder knows better
    std::vector<Holder> holders;
    FlagSet flags; // only what the value itself proves; NoExpiry is added by decode()
    std::optional<WallTime> deadline; // when the value itself states the end (an expiry stamp)
    std::optional<WallTime> acquiredAt;
    std::optional<int> waiters; // when the value itself or a queue beside it lists them
    WaiterSource waiterSource = WaiterSource::None;
    Bytes waiterChannel;              // the channel its waiters subscribe to; empty: they poll
    std::vector<Bytes> waitingOwners; // where the waiters have names, the next one first
    std::vector<Bytes> deadHolders;   // still counted, though the lease of their hold is over
    std::optional<SilentWaiter> silentHead; // nullopt: there is no queue, or its head listens
    /// Its keys stay while it is free: that they never expire says nothing about it.
    bool isPermanent = false;
    Evidence because;
};

/// One more thing that a value says, shown with all details: {"made on",
/// "02:42:ac:11:00:02"}.
struct Fact {
    std::string_view label;
    std::string text;
    friend bool operator==(const Fact&, const Fact&) = default;
};

/// A key beside a lock, and the type it has when it exists: a string or a collection.
struct CompanionKey {
    Bytes key;
    ValueType type = ValueType::List;
    bool isWithPrevious = false; // it exists only where the one before it does
    bool isTimed = false;        // its own expiry says something
    friend bool operator==(const CompanionKey&, const CompanionKey&) = default;
};

/// What a format is to several independent servers that are watched together.
enum class QuorumRole : std::uint8_t {
    None, // each server's key is a lock of its own
    Vote, // one server's key with a single named holder may be a share of a Redlock
    Lock, // the votes together; no server's key alone is decoded as this
};

/// How the keys that list the waiters of a lock are found, and what lock they belong to.
struct WaiterQueues {
    std::string_view prefix; // of their names; a change of such a key is news of its lock
    /// The names that the lock beside such a key may have. None for other keys.
    std::vector<Bytes> (*locksOf)(std::string_view key) = nullptr;
};

/// What a decoder wants to know about those who listen, because it tells what a key is.
struct ChannelQuestions {
    std::vector<Bytes> channels;
    bool asksForPatterns = false; // those who listen to a pattern are in no channel's count
};

/// How a channel of waiters leads to the lock that they wait for, under whatever name.
struct WaiterChannels {
    std::string_view prefix; // of the channels' names
    /// The names that the lock may have. None for other channels.
    std::vector<Bytes> (*locksOf)(std::string_view channel) = nullptr;
};

/// A recogniser of one format: pure functions and the words that describe it. Everything that is
/// particular to the format is said here; no other file names it.
struct Decoder {
    std::string_view id;      // format id, kebab-case, never changes
    std::string_view library; // whose format it is; empty for a format of the write-ups
    std::string_view title;   // "Token", "Redisson": what the Format column says
    std::string_view summary; // one sentence: what writes it and how it reads
    std::function<std::optional<DecodedLock>(const LockSnapshot&)> read;
    /// What a release of these holders of the decoded lock has to compare, remove and tell. The
    /// snapshot is the one it came from.
    std::function<ReleaseRecipe(const LockSnapshot&, const DecodedLock&, HolderChoice)> release;
    /// What the value says beyond the decoded lock; may be null.
    std::function<std::vector<Fact>(const LockSnapshot&, const DecodedLock&)> facts = nullptr;
    /// The keys that `read` wants to see beside those of a snapshot that may be of this format. May
    /// be null.
    std::vector<CompanionKey> (*companions)(const LockSnapshot&) = nullptr;
    /// The keys of the lock that a key of this name belongs to, where the name alone tells it and
    /// the lock has several keys or another one: rueidislock:2:job is one of three. nullopt for
    /// other names. Asked for every candidate of a sweep. May be null.
    std::optional<KeyGroup> (*groupOf)(std::string_view key) = nullptr;
    /// The same where the name alone does not tell it and the value does: the groups that a key
    /// which was read alone may belong to, the likeliest first. Those that are no lock are
    /// dropped. May be null.
    std::vector<KeyGroup> (*groupsOfSeen)(const Observation& key) = nullptr;
    /// The keys of the locks that may have this name, where no key is named so. The other way round
    /// from groupOf, which gives the name. Asked for a name that a user gives. May be null.
    std::vector<KeyGroup> (*groupsNamed)(std::string_view name) = nullptr;
    /// Whether a key of this name belongs to a lock of this format and is none itself, whatever its
    /// name sounds like. Asked for every name of a sweep: allocates nothing. May be null.
    bool (*isBookkeeping)(std::string_view key) = nullptr;
    WaiterQueues waiterQueues = {};
    /// The channels whose listeners `read` wants to know. May be null.
    std::function<ChannelQuestions(const LockSnapshot&)> channels = nullptr;
    WaiterChannels waiterChannels = {};
    QuorumRole quorumRole = QuorumRole::None;
    /// What it reads is seldom a vote, or its library takes locks on one server only: that a key
    /// may be one is not worth saying where no other server has it, unless its name says so.
    bool isOfOneServer = false;
    OwnerScope ownerScope = OwnerScope::Hold;
    /// A holder without a name stands for several, as many as it has holds: one of them can be
    /// released alone (HolderChoice::oneHoldOf).
    bool countsHolders = false;
    /// See OwnerTie::isAllOrNothing.
    bool isAllOrNothing = false;
    /// What it marks is a job in a queue that a worker runs, not a lock that others wait for.
    bool isJobLease = false;
    bool isLastResort = false; // asked when no other decoder has an answer
    /// Nothing in the keys proves this format, so only the user's decision (Treatment) does.
    bool needsDecision = false;
    PlainWords words = {};
    /// The bytes with which the key of such a lock can begin; empty: any. Of a sweep's keys, most
    /// decoders need not look at one.
    std::string firstBytes = {};

    bool mayBegin(std::string_view key) const
    {
        return firstBytes.empty()
               || (!key.empty() && firstBytes.find(key.front()) != std::string::npos);
    }
};

/// What the user says of the keys with some names, whatever they look like.
struct Treatment {
    std::string names;  // a glob pattern of Redis
    std::string format; // the format id that they are read as; empty: they are no locks

    bool isNoLock() const { return format.empty(); }
    friend bool operator==(const Treatment&, const Treatment&) = default;
};

/// What decides how keys are read: decoders, the most specific first, and what the user says of
/// some names, of which the first that fits counts. A view.
struct Recognisers {
    // Decoders alone are the usual case.
    // NOLINTBEGIN(google-explicit-constructor,hicpp-explicit-conversions)
    Recognisers(std::span<const Decoder> allDecoders, std::span<const Treatment> allTreatments = {})
        : decoders(allDecoders),
          treatments(allTreatments)
    {}
    Recognisers(const std::vector<Decoder>& allDecoders) : decoders(allDecoders) {}
    // NOLINTEND(google-explicit-constructor,hicpp-explicit-conversions)

    /// The decoder with this format id, or nullptr.
    const Decoder* decoderOf(std::string_view formatId) const;
    /// Null: the user says nothing of a key with this name.
    const Treatment* treatmentOf(std::string_view key) const;

    std::span<const Decoder> decoders;
    std::span<const Treatment> treatments;
};

/// The decision of the user about the first key of the snapshot that has one; null if none has.
const Treatment* treatmentOf(const LockSnapshot& snapshot, const Recognisers& recognisers);

/// The recognisers that are built in, most specific first: those of resources/formats, then those
/// listed in decoders/CMakeLists.txt.
std::span<const Decoder> builtinDecoders();

/// The decoder that is built in with this format id, or nullptr.
const Decoder* decoderOfFormat(std::string_view formatId);

/// What the decoder of this decoded lock can tell beyond it; often nothing.
std::vector<Fact> factsOf(const LockSnapshot& snapshot, const DecodedLock& decoded,
                          const Recognisers& recognisers = builtinDecoders());

/// The keys to be read beside those of this snapshot; see Decoder::companions. Mostly none.
std::vector<CompanionKey> companionsOf(const LockSnapshot& snapshot,
                                       std::span<const Decoder> decoders = builtinDecoders());

/// See Decoder::groupOf.
std::optional<KeyGroup> groupOfFormat(std::string_view key,
                                      std::span<const Decoder> decoders = builtinDecoders());

/// See Decoder::groupsOfSeen. Mostly none.
std::vector<KeyGroup> groupsOfSeen(const Observation& key,
                                   std::span<const Decoder> decoders = builtinDecoders());

/// See Decoder::groupsNamed.
std::vector<KeyGroup> groupsNamed(std::string_view name,
                                  std::span<const Decoder> decoders = builtinDecoders());

/// See Decoder::isBookkeeping.
bool isBookkeepingOf(std::string_view key, std::span<const Decoder> decoders = builtinDecoders());

/// See WaiterQueues::locksOf.
std::vector<Bytes> locksOfQueue(std::string_view key,
                                std::span<const Decoder> decoders = builtinDecoders());

/// What all decoders want to know about those who listen; see Decoder::channels. Mostly nothing.
ChannelQuestions channelQuestionsOf(const LockSnapshot& snapshot,
                                    std::span<const Decoder> decoders = builtinDecoders());

/// See WaiterChannels::locksOf.
std::vector<Bytes> locksOfChannel(std::string_view channel,
                                  std::span<const Decoder> decoders = builtinDecoders());

/// All decoded locks of a snapshot, best first: as the user says, then by confidence, then by the
/// order of the table. Empty when nothing exists, no decoder recognises it, or the user says that
/// it is no lock.
std::vector<DecodedLock> decode(const LockSnapshot& snapshot, const Recognisers& recognisers);

/// As decode(), without the last resort unless the user decided what the key is: a user who points
/// at a key asks what it is, and without a format of its own it is no lock.
std::vector<DecodedLock> recognised(const LockSnapshot& snapshot,
                                    const Recognisers& recognisers = builtinDecoders());

/// A lock's name and how it can be read.
using NamedDecodedLocks = std::pair<Bytes, std::vector<DecodedLock>>;

/// As decode(), for keys that were put together by their names alone. Normally one entry, named as
/// the snapshot (its decoded locks may be empty); keys that turn out not to belong together give
/// one entry for each that exists.
std::vector<NamedDecodedLocks> decodeGroup(const LockSnapshot& snapshot,
                                           const Recognisers& recognisers);

} // namespace lockscope::inspect
