#pragma once

#include "core/kernel/base/boxed.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/few.h"
#include "core/kernel/base/optional_time.h"
#include "core/kernel/base/shared.h"
#include "core/kernel/base/time.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

enum class Mode : std::uint8_t { Exclusive, Read, Write, Semaphore };
enum class Confidence : std::uint8_t { Low, Medium, High };

/// How the waiters of a lock are known.
enum class WaiterSource : std::uint8_t {
    None,          // cannot be known: they poll, or what lists them may not be read
    Channel,       // PUBSUB NUMSUB of the channel they sleep on
    SomeOnChannel, // the same, but clients that poll look alike: that none listens says nothing
    BlockedList,   // they block on a list: CLIENT LIST tells how many do, but not on which list
    Queue,         // the queue beside the lock
    Value,         // the lock's own value
};

/// They are counted again and again, by those who listen to a channel.
bool isCountedByChannel(WaiterSource source);

/// By questions of their own: a look at the keys does not tell how many there are.
bool isCountedApart(WaiterSource source);

/// How many wait when so many listen; nullopt: not known.
std::optional<int> waitersAmong(WaiterSource source, std::optional<int> listeners);

/// What an owner stays the same for, and so what it means to see the same one again.
enum class OwnerScope : std::uint8_t {
    Hold,    // it is made anew for every hold
    Thread,  // every hold of a thread has the same
    Process, // every hold of a process has the same
    None,    // no hold has one
};

/// Locks of one server that have the same owner. All of them share it.
struct OwnerTie {
    std::vector<Bytes> names;     // of the locks, in the order of the alphabet
    bool isOfThread = false;      // which may have taken them one after the other
    bool isTakenTogether = false; // at one moment, as far as can be told
    /// Without one of the locks, their holder can neither renew nor release the others.
    bool isAllOrNothing = false;

    std::vector<Bytes> namesBeside(std::string_view name) const;
    friend bool operator==(const OwnerTie&, const OwnerTie&) = default;
};

/// Why a lock deserves a look. The text ids are part of the JSON and of the filter language.
enum class Flag : std::uint8_t {
    NoExpiry,              // "no-expiry": it can never run out
    Stale,                 // "stale": its own stamp says it is over, though the key exists
    CountOnlyGrows,        // "count-only-grows": reentries without releases
    RenewedForever,        // "renewed-forever": kept alive far longer than its lease
    Minority,              // "minority": on fewer than half of the servers of a Redlock set
    SplitOwners,           // "split-owners": different owners under one key of a Redlock set
    ReadAndWrite,          // "read-and-write": readers and a writer at the same time
    MissingExpiryOfReader, // "reader-no-expiry": one of several keys has no expiry
    HolderGone,            // "holder-gone": the client that its token names is no longer connected
    AtRisk,                // "at-risk": its node was lost before a replica is known to have it
    Deadlock,              // "deadlock": its holder waits for a lock whose holder waits for it
    AbsurdLease,           // "absurd-lease": so long that it is as good as no expiry
    GrowingLease,          // "growing-lease": each renewal leaves more time than the one before
    SilentPastUsual,       // "silent-past-usual": held far longer than before, and not renewed
    DeadReaders,           // "dead-readers": readers that are counted, though their lease is over
    SilentQueueHead,       // "silent-queue-head": the next in the queue does not listen
    ProbablyData,          // "probably-data": not known to be a lock; no cause for alarm
    FlagCount,
};

/// A small set of flags.
class FlagSet {
public:
    void add(Flag f) { m_bits |= bit(f); }
    void remove(Flag f) { m_bits &= ~bit(f); }
    bool has(Flag f) const { return (m_bits & bit(f)) != 0; }
    bool isEmpty() const { return m_bits == 0; }
    FlagSet united(FlagSet other) const
    {
        other.m_bits |= m_bits;
        return other;
    }
    friend bool operator==(FlagSet, FlagSet) = default;

private:
    static_assert(static_cast<unsigned>(Flag::FlagCount) <= 32);
    static std::uint32_t bit(Flag f) { return std::uint32_t(1) << static_cast<unsigned>(f); }
    std::uint32_t m_bits = 0;
};

/// Sentences that say what a decoded lock rests on. They are string literals, so a million locks
/// share them.
class Evidence {
public:
    static constexpr std::size_t kCapacity = 5;

    /// `sentence` must outlive the process. What does not fit is dropped: put the strongest first.
    void add(const char* sentence)
    {
        if (m_count < kCapacity) {
            m_sentences[m_count++] = sentence;
        }
    }
    std::size_t count() const { return m_count; }
    std::string_view at(std::size_t index) const { return m_sentences[index]; }
    friend bool operator==(const Evidence&, const Evidence&) = default;

private:
    std::array<const char*, kCapacity> m_sentences{};
    std::uint8_t m_count = 0;
};

/// A connected client that seems to be a holder.
struct ClientInfo {
    std::string address;  // "10.0.0.7:51622"
    std::string name;     // CLIENT SETNAME, may be empty
    std::string how;      // "client name", "token names the address": how we know
    std::uint64_t id = 0; // as the server numbers its clients; 0: not known
    friend bool operator==(const ClientInfo&, const ClientInfo&) = default;
};

/// Who has a lock. There may be a million of these: what most do not have stands apart.
struct Holder {
    struct Seldom {
        OptionalWallTime acquiredAt; // when the value itself tells, on the writer's clock
        std::shared_ptr<const ClientInfo> client; // null: not known
        std::shared_ptr<const OwnerTie> tie;      // null: no other lock is known to have this owner
        friend bool operator==(const Seldom&, const Seldom&) = default;
    };

    Bytes owner; // the owner token; empty when the format records none
    Mode mode = Mode::Exclusive;
    std::uint32_t holds = 1;   // reentry count
    OptionalInstant expiresAt; // of this holder; nullopt: never, or as the lock
    Boxed<Seldom> seldom;

    OptionalWallTime acquiredAt() const { return seldom->acquiredAt; }
    const std::shared_ptr<const ClientInfo>& client() const { return seldom->client; }
    const std::shared_ptr<const OwnerTie>& tie() const { return seldom->tie; }
    void setAcquiredAt(OptionalWallTime at);
    void setClient(std::shared_ptr<const ClientInfo> client);
    void setTie(std::shared_ptr<const OwnerTie> tie);

    friend bool operator==(const Holder& a, const Holder& b)
    {
        return a.owner == b.owner && a.mode == b.mode && a.holds == b.holds
               && a.expiresAt == b.expiresAt && *a.seldom == *b.seldom;
    }
};

struct HoldHistory; // watch/hold_history.h

/// One who waits for a lock, where the server knows it by name.
struct Waiter {
    Bytes owner;        // as it would be called as a holder
    Instant since{};    // when it was first seen to wait
    bool isNew = false; // true: it began to wait then; false: it was there
    friend bool operator==(const Waiter&, const Waiter&) = default;
};
using WaitQueue = std::vector<Waiter>; // the next one first

/// Which lock: stays the same while the lock is released and taken again.
struct LockId {
    static constexpr std::uint16_t kWholeSet = 0xffff; // a Redlock row that spans the servers of
                                                       // the set

    std::uint16_t server = 0;
    Bytes name;
    friend auto operator<=>(const LockId&, const LockId&) = default;
};

struct LockIdHash {
    std::size_t operator()(const LockId& id) const { return of(id.server, id.name); }
    static std::size_t of(std::uint16_t server, std::string_view name)
    {
        return std::hash<std::string_view>()(name) * 31 + server;
    }
};

/// How a Redlock row is spread over the servers of the set. A server that could not be looked at
/// may have the token as well: whether there is a majority may depend on it.
struct Quorum {
    std::uint16_t held = 0;           // servers that have this token
    std::uint16_t total = 0;          // servers in the set
    std::uint16_t unknown = 0;        // servers whose vote is not known
    std::uint64_t unknownServers = 0; // which these are, a bit each; past 64 they are only counted
    bool isMajority() const { return held >= needed(); }
    bool isMinority() const { return held + unknown < needed(); }
    /// The servers that are not known decide.
    bool isUndecided() const { return !isMajority() && !isMinority(); }
    bool isUnknown(std::uint16_t server) const
    {
        return server < 64 && ((unknownServers >> server) & 1U) != 0;
    }
    void addUnknown(std::uint16_t server)
    {
        ++unknown;
        unknownServers |= server < 64 ? std::uint64_t(1) << server : 0;
    }
    int needed() const { return total / 2 + 1; }
    friend bool operator==(const Quorum&, const Quorum&) = default;
};

/// Who has a Redlock.
enum class QuorumState : std::uint8_t {
    Majority, // its owner
    Split,    // nobody: several owners, and none has a majority
    Minority, // nobody: one owner's votes are left over
    Unknown,  // the servers whose votes are not known decide
};

/// Where in a cluster a lock is.
struct ClusterPlace {
    std::uint16_t slot = 0;
    std::string node; // address of the master that has the slot; empty: nobody has it
    friend bool operator==(const ClusterPlace&, const ClusterPlace&) = default;
};

/// What all locks that were recognised in the same way have in common. They share it.
struct LockKind {
    std::string_view format;  // format id, e.g. "redisson-lock"; points into the decoder table
    std::string_view library; // e.g. "Redisson"; empty when the format belongs to no library
    Evidence evidence;
    friend bool operator==(const LockKind&, const LockKind&) = default;
};

/// One lock as the user sees it. Immutable once published: snapshots of it are shared between
/// threads. There may be a million of these: small fields stand together, what is the same for many
/// is shared, and what most do not have stands apart.
struct LockRecord {
    struct Seldom {
        std::vector<Bytes> otherKeys; // the keys it consists of, where they are not just id.name
        OptionalWallTime acquiredAt;  // when the value tells
        std::optional<int> waitersAtMost;           // where only that is known: more than none
        std::shared_ptr<const WaitQueue> queue;     // null: nobody is known by name to wait
        Quorum quorum;                              // total of 0: not a Redlock row
        std::shared_ptr<const HoldHistory> history; // of the holds before; null: none was watched
        /// The names of the locks of its deadlock: the holder of each waits for the next one. Set
        /// with Flag::Deadlock.
        std::shared_ptr<const std::vector<Bytes>> deadlock;
    };

    LockId id;
    Shared<const LockKind> kind; // null: not known
    FlagSet flags;
    Confidence confidence = Confidence::Low;
    Mode mode = Mode::Exclusive;
    WaiterSource waiterSource = WaiterSource::None;
    // These share a byte.
    bool isConfirmed : 1 = true; // false: read before the connection broke, and not read again yet
    /// True: the lock was known to be free, or held by another owner, and firstSeen is when it was
    /// taken. False: when it was taken is not known. LockBook::see() has the rule.
    bool isTakenWhileWatching : 1 = false;
    bool isNewHold : 1 = false; // certain, and taken moments ago as its own value tells: without an
                                // expiry it is only held, not stuck
    Few<Holder> holders;
    OptionalInstant expiresAt; // nullopt: no expiry
    Duration lease{0};     // the longest remaining time seen for this hold: what the bar calls full
    Instant firstSeen{};   // of this hold, on the observer's clock
    Instant lastRenewal{}; // meaningful when renewals > 0
    std::uint32_t renewals = 0;                 // seen for this hold
    std::array<std::uint32_t, 3> renewedAtMs{}; // what was left then, newest first
    std::optional<int> waiters;                 // nullopt: the server cannot know
    Shared<const ClusterPlace> place;           // null: not in a cluster
    Boxed<Seldom> seldom;

    std::string_view format() const { return kind ? kind->format : std::string_view(); }
    std::string_view library() const { return kind ? kind->library : std::string_view(); }
    const Evidence& evidence() const;
    void setFormat(std::string_view format);
    void setLibrary(std::string_view library);
    void addEvidence(const char* sentence);

    const std::vector<Bytes>& otherKeys() const { return seldom->otherKeys; }
    OptionalWallTime acquiredAt() const { return seldom->acquiredAt; }
    std::optional<int> waitersAtMost() const { return seldom->waitersAtMost; }
    const std::shared_ptr<const WaitQueue>& queue() const { return seldom->queue; }
    const Quorum& quorum() const { return seldom->quorum; }
    const std::shared_ptr<const HoldHistory>& history() const { return seldom->history; }
    const std::shared_ptr<const std::vector<Bytes>>& deadlock() const { return seldom->deadlock; }
    void setAcquiredAt(OptionalWallTime at);
    void setWaitersAtMost(std::optional<int> count);
    void setHistory(std::shared_ptr<const HoldHistory> history);
    /// Sets the flag, or removes it where `names` is null.
    void setDeadlock(std::shared_ptr<const std::vector<Bytes>> names);

    /// The sum of the holders' counts.
    std::uint32_t holds() const;
    /// How many other locks its owners are known to have.
    std::size_t tiedCount() const;
    /// The keys the lock consists of.
    std::vector<Bytes> keys() const;
    /// One of these: all are in the same slot of a cluster, or no script could change them.
    const Bytes& firstKey() const { return otherKeys().empty() ? id.name : otherKeys().front(); }
};

using LockPtr = Shared<const LockRecord>;

enum class ChangeKind : std::uint8_t {
    Appeared,
    Changed,
    Renewed,
    Released,
    Expired,
    Unwatched, // nothing became of it: its name is not called a lock any more, or it has another
               // row
};

/// There is no row any more.
bool isEnding(ChangeKind kind);

/// One change, with the lock as it is afterwards (of an ending: as it was last seen).
struct LockChange {
    ChangeKind kind = ChangeKind::Changed;
    LockPtr lock;
    Instant at{};
};

/// What happened since the last delta, oldest first. A lock may occur several times.
struct LockDelta {
    std::vector<LockChange> changes;
    bool isEmpty() const { return changes.empty(); }
};

/// Of a Redlock row: total is not 0.
QuorumState quorumStateOf(const LockRecord& record);
std::string_view idOf(QuorumState state); // "majority", "split", "minority", "unknown"

std::string_view idOf(Flag flag); // "no-expiry"
std::optional<Flag> flagOfId(std::string_view id);
std::string_view idOf(Mode mode);             // "exclusive", "read", "write", "semaphore"
std::string_view idOf(Confidence confidence); // "high", "medium", "low"
std::string_view idOf(ChangeKind kind);       // "appeared", …

/// How urgent a flag is: 2 a human is needed, 1 worth a look.
int severityOf(Flag flag);
int severityOf(FlagSet flags); // the largest; 0 without flags
/// As severityOf(Flag), with what else is known of the lock: no expiry is worth a look where it may
/// not even be a lock, and nothing yet where the hold is new. 0 for what is probably data.
int severityOf(Flag flag, const LockRecord& record);
/// The largest of its flags. The one measure of how urgent a lock is: of its row, of its headline,
/// of the order of a table. A finding that is no flag of the lock has severity 0.
int severityOf(const LockRecord& record);

/// The one word that sums a lock up; the order is the order of urgency.
enum class LockState : std::uint8_t {
    Suspicious,
    Unconfirmed,
    Contended,
    ReadShared,
    Held,
    StateCount
};
LockState stateOf(const LockRecord& record);
std::string_view idOf(LockState state); // "suspicious", "unconfirmed", "contended", "shared",
                                        // "held"

} // namespace lockscope::inspect
