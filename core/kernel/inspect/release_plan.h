#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/problem.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

class FormatTable;

/// Whose hold a release ends: one holder's of a decoded lock, or every holder's.
class HolderChoice {
public:
    static HolderChoice all() { return HolderChoice(std::nullopt); }
    /// `index` into the holders of the decoded lock.
    static HolderChoice only(std::size_t index) { return HolderChoice(index); }
    /// Of a holder that stands for several, which the format counts and does not name.
    static HolderChoice oneHoldOf(std::size_t index)
    {
        HolderChoice choice(index);
        choice.m_isOneHold = true;
        return choice;
    }

    bool isOneHold() const { return m_isOneHold; }

    /// Those of `holders` that are meant, in their order. Asks for an index that exists.
    std::vector<Holder> of(const std::vector<Holder>& holders) const;
    friend bool operator==(HolderChoice, HolderChoice) = default;

private:
    explicit HolderChoice(std::optional<std::size_t> index) : m_index(index) {}
    std::optional<std::size_t> m_index;
    bool m_isOneHold = false;
};

/// How a format is released: what must still be true on the server, and who has to be told
/// afterwards.
struct ReleaseRecipe {
    /// One key that is deleted, or loses some of its parts, and only if it is still what was seen.
    struct KeyCheck {
        enum class Kind {
            Value,   // a string whose bytes equal `value`
            Fields,  // a hash with exactly the field names `fields` (counts may differ: reentry)
            Members, // a sorted set with exactly the members `fields` (scores may differ: renewal)
            SetMembers, // a set with exactly the members `fields`
        };
        Kind kind = Kind::Value;
        Bytes key;
        Bytes value;
        std::vector<Bytes> fields;
        /// Fields only: what each of `fields` must hold, in the same order, where the values are
        /// what identifies a hold (stamps); empty: they may differ.
        std::vector<Bytes> fieldValues;
        /// Fields, Members and SetMembers only: others may be there, come and go. Only `fields` are
        /// compared, and only those are removed.
        bool isPart = false;
        /// The value does not identify one hold (a constant such as "1"): also compare the instant
        /// of expiry, which changes with every renewal and every new hold.
        bool comparesExpiry = false;
    };

    /// What acts once every check has passed, on channel, payload and `moreArguments`.
    enum class Script : std::uint8_t {
        Plain,             // removes what was compared, then publishes
        RedissonFair,      // wakes the head of the queue; the companions are queue and deadlines
        PushToList,        // pushes to a list on which waiters block; the companion is the list
        RedissonReadWrite, // removes holds as their own unlock does; the companions are time-outs
        RedissonPermits,   // removes members and raises a count; the companion is the count
        Composed,          // does `steps`, for formats that remove more, or something else
    };

    /// One thing that a composed release does. Keys are told by their position: the checks, then
    /// the companions.
    struct Step {
        enum class Kind : std::uint8_t {
            Push,       // LPUSH of `value` to a list, which then lives for `number` ms (0: on)
            Remove,     // what was compared: the whole key, or those of its parts
            SetValue,   // the string to `value`; its expiry stays
            SetField,   // `name` of a hash to `value`; the rest of the key is data
            Subtract,   // `number` from a count that never goes below zero
            DropIfGone, // the key, if `other` is gone
            DropMemberIfGone, // `value` of a sorted set, if `other` is gone
        };
        Kind kind = Kind::Remove;
        std::size_t key = 0;
        std::size_t other = 0;
        Bytes name = {};
        Bytes value = {};
        std::int64_t number = 0;
    };

    std::vector<KeyCheck> checks;
    /// Keys that the script needs besides, without comparing them.
    std::vector<Bytes> companions;
    Script script = Script::Plain;
    std::vector<Bytes> moreArguments; // of Plain: further channels that hear the payload
    std::vector<Step> steps;          // of a composed release, in their order
    Bytes channel; // published to after the deletion, in the same script; empty: no client listens
    Bytes payload;
    std::vector<std::string> warnings; // sentences, e.g. that the old holder will later delete
                                       // blindly
    /// The hold belongs to all readers together, and the format does not tell them apart.
    bool endsUnnamedReaders = false;
    /// The keys outlive every hold: no expiry may be put on them.
    bool areKeysPermanent = false;
    /// Whether the renewal of a holder that lives on makes the key anew, so that the release does
    /// not last. Possible: some of the libraries that write such tokens do so.
    enum class Recreation : std::uint8_t { No, Possible, Certain };
    Recreation recreation = Recreation::No;
    /// Waiters listen to what a release cannot send: they sleep for the time to live they last saw.
    bool leavesWaitersAsleep = false;
    /// How long a waiter sleeps that no wake-up reaches.
    enum class Sleep : std::uint8_t {
        NotAtAll, // it asks again and again, or how long is not known
        TimeLeft, // for the time to live that it saw last; of a lock without expiry, for ever
        Lease,    // for as long as the lease that it wants for itself; without an end, for ever
        OwnWait,  // for as long as it is willing to wait, which may be for ever
    };
    Sleep sleep = Sleep::NotAtAll;
    bool isSupported = true; // false: this format cannot be released safely; `warnings` says why

    /// Nothing that is stored tells one hold from the next of the same kind for certain.
    bool isAnonymous() const;
    /// The name of the key that a step tells by its position.
    const Bytes& keyAt(std::size_t position) const;
};

/// The server was asked to refuse our next transaction if a client writes to the keys (WATCH).
struct KeyGuard {
    std::uint64_t link = 0;    // which connection, in the numbering of an owner that has several
    std::uint64_t session = 0; // store::Store::session() when it was asked
    friend bool operator==(KeyGuard, KeyGuard) = default;
};

enum class ReleaseAction : std::uint8_t {
    Release,   // compare and delete, wake the waiters
    CapTtl,    // compare and PEXPIRE, only if it has no expiry or a later one
    Tombstone, // compare and replace by a token of ours that runs out: the renewal of a holder that
               // lives on then meets another owner instead of a free name
    Restore,   // undo a release (undo_plan.h): make the key anew, only if nothing is there
};

/// Everything needed to do it, shown before it is done. Self-contained: it can be logged and
/// copied.
struct ReleasePlan {
    ReleaseAction action = ReleaseAction::Release;
    LockPtr lock; // as it was when the plan was made
    /// Whose holds it ends, as they were seen: one holder of `lock`, or all of them.
    std::vector<Holder> holders;
    OwnerScope ownerScope = OwnerScope::Hold; // of these holders
    ReleaseRecipe recipe;
    std::vector<std::optional<std::int64_t>> expiresAtMs; // per check, server clock; nullopt: no
                                                          // expiry
    Duration cap{0};                                      // CapTtl; Tombstone: how long it stays;
                                                          // Restore: what is left, 0: no expiry
    Bytes tombstone;                                      // Tombstone: what takes the token's place
    std::vector<std::uint16_t> servers; // where the command is to run: one, or every server of a
                                        // Redlock set
    store::Command command;             // exactly what will be sent
    /// Nothing proves that the key is a lock (LockInspection::isProven): the call has to name the
    /// format.
    bool needsFormat = false;
    /// It ends votes of a Redlock set that are left over: refused where their owner has a majority
    /// of the connected servers, or may have one.
    bool isOfMinority = false;
    /// With a guard the command is sent as a transaction, on the connection that has it.
    std::optional<KeyGuard> guard;
    /// For each of its servers that is a replica, the master to which the command is sent instead,
    /// "10.0.0.5:6379". The user confirms the plan for exactly this master.
    std::vector<std::pair<std::uint16_t, std::string>> masters;
    std::shared_ptr<const FormatTable> formats; // by which the lock was read; null: those built in

    /// The token to name when confirming: the owner of the first hold that it ends; empty when the
    /// format records none.
    const Bytes& owner() const;
    /// The master to which the command is sent instead of to this server; empty: the server is no
    /// replica.
    std::string masterOf(std::uint16_t server) const;
    /// It ends some of the lock's holds, and others stay.
    bool leavesOthers() const;
    /// It would end the next hold as well as the one that was seen: nothing stored tells them
    /// apart, and no guard notices that another one began. Such a plan is never carried out. A cap
    /// may be: it leaves the next holder time to notice.
    bool mayEndAnotherHold() const;
    /// A holder that lives on renews before the key would have run out: when its renewal would have
    /// made the key anew at the latest, counted from the release. nullopt: it does not.
    std::optional<Duration> recreatedWithin() const;
    /// It ends more than one hold that an owner could be named for, so it has to be asked for in so
    /// many words: several holders at once, or readers that the format does not tell apart.
    bool endsSeveral() const;
};

/// The plan with the one EVAL that carries it out. The recipe has at least one check; `expiresAtMs`
/// has as many, and is compared exactly (Redis >= 7) or within 2 ms. `cap` (CapTtl only) is rounded
/// down to whole ms, but never to 0.
///
/// The plan ends all of the lock's holds; code that narrows the recipe narrows `holders`, too.
///
/// The command answers {1, n}: done, n subscribers were woken · {0}: not what was seen, nothing
/// done · {-1}: nothing of what was to be removed exists · {-3, "host:port"}: the server is a
/// replica of that master, nothing done. A key of another type counts as not what was seen. A
/// server error means that nothing was done.
ReleasePlan makePlan(ReleaseAction action, LockPtr lock, ReleaseRecipe recipe,
                     std::vector<std::optional<std::int64_t>> expiresAtMs,
                     Duration cap = Duration(0));

/// Makes it a plan that ends left-over votes only: see isOfMinority.
void keepToMinority(ReleasePlan& plan);

/// Begins the value of a tombstone; a random part follows.
inline constexpr std::string_view kTombstonePrefix = "lockscope-tombstone:";

/// The release as one that leaves a tombstone, for as long as is asked for or, with nullopt, until
/// the holder must have tried to renew. Offered for a lock in one string that a renewal may make
/// anew; nullopt for any other.
std::optional<ReleasePlan> tombstonePlan(const ReleasePlan& release, std::optional<Duration> stay,
                                         Bytes tombstone);

enum class ReleaseResult : std::uint8_t {
    Released,     // deleted (or capped, or made anew) by us
    ChangedHands, // not what was seen any more; nothing was done
    AlreadyGone,  // no such key any more; nothing was done
    Refused,      // by the server, by the permissions or by read-only mode; nothing was done
    Unknown,      // sent, and no answer: it may have been done
};

struct ReleaseReport {
    ReleaseResult result = ReleaseResult::Unknown;
    store::Problem problem; // why, for Refused and Unknown
    /// Why, where this program is the reason and not the server: a sentence. Empty otherwise.
    std::string ownReason;
    /// ChangedHands: what is there instead, if it could be read. AlreadyGone: the lock that
    /// others hold, when only the named hold is gone.
    LockPtr nowThere;
    /// ChangedHands: a client wrote to the keys; whether another hold began cannot be told.
    bool wasWritten = false;
    std::int64_t woken = 0; // subscribers that received the wake-up
    /// What each server said, when the plan ran on several; `result` sums them up.
    std::vector<std::pair<std::uint16_t, ReleaseResult>> perServer;
    /// Of a hold that may have been a vote in a Redlock set: the servers that have it even now,
    /// among all that are connected. A total of 1: there may be others that nobody asked.
    std::optional<Quorum> votesLeft;
    /// The other locks that the released owner has even now on that server, as far as known.
    std::vector<Bytes> stillHeld;
};

/// Who came next.
struct NextHold {
    enum class Kind {
        StillFree,
        TakenByOther,
        Taken,            // by the same client or another: their owners do not tell them apart
        TakenBySameOwner, // an owner that is the same for every hold of its process or thread
        CameBack,         // the very token that was removed: a renewal made the key anew
        NotKnown,
    };
    Kind kind = Kind::NotKnown;
    LockPtr next;             // the new hold
    Duration after{0};        // since the release
    bool isOfOneVote = false; // only one server was asked, and others may have votes

    /// The same holder has it: the release did not last.
    bool isBack() const { return kind == Kind::TakenBySameOwner || kind == Kind::CameBack; }
};

std::string_view idOf(NextHold::Kind kind); // "still-free", "taken-by-other", "taken",
                                            // "taken-by-same-owner", "came-back", "not-known"

std::string_view idOf(ReleaseResult result); // "released", "changed-hands", "already-gone",
                                             // "refused", "unknown"

} // namespace lockscope::inspect
