#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "inspect/lock_record.h"
#include "store/command.h"
#include "store/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// How a format is released: what must still be true on the server, and who has to be told
/// afterwards.
struct ReleaseRecipe {
    /// One key that is deleted, and only if it is still what was seen.
    struct KeyCheck {
        enum class Kind {
            Value,   // a string whose bytes equal `value`
            Fields,  // a hash with exactly the field names `fields` (counts may differ: reentry)
            Members, // a sorted set with exactly the members `fields` (scores may differ: renewal)
        };
        Kind kind = Kind::Value;
        Bytes key;
        Bytes value;
        std::vector<Bytes> fields;
        /// Fields only: what each of `fields` must hold, in the same order, where the values are
        /// what identifies a hold (stamps); empty: they may differ.
        std::vector<Bytes> fieldValues;
        /// The value does not identify one hold (a constant such as "1"): also compare the instant
        /// of expiry, which changes with every renewal and every new hold.
        bool comparesExpiry = false;
    };

    std::vector<KeyCheck> checks;
    Bytes channel; // published to after the deletion, in the same script; empty: nobody listens
    Bytes payload;
    std::vector<std::string_view> warnings; // sentences, e.g. that the old holder will later delete
                                            // blindly
    bool isSupported = true; // false: this format cannot be released safely; `warnings` says why
};

enum class ReleaseAction : std::uint8_t {
    Release, // compare and delete, wake the waiters
    CapTtl,  // compare and PEXPIRE, only if it has no expiry or a later one
};

/// Everything needed to do it, shown before it is done. Self-contained: it can be logged and
/// copied.
struct ReleasePlan {
    ReleaseAction action = ReleaseAction::Release;
    LockPtr lock; // as it was when the plan was made
    ReleaseRecipe recipe;
    std::vector<std::optional<std::int64_t>> expiresAtMs; // per check, server clock; nullopt: no
                                                          // expiry
    Duration cap{0};                                      // CapTtl
    std::vector<std::uint16_t> servers; // where the command is to run: one, or every server of a
                                        // Redlock set
    store::Command command;             // exactly what will be sent

    /// The token to name when confirming: the first holder's owner; empty when the format records
    /// none.
    const Bytes& owner() const;
};

/// The plan with the one EVAL that carries it out. The recipe has at least one check; `expiresAtMs`
/// has as many, and is compared exactly (Redis >= 7) or within 2 ms. `cap` (CapTtl only) is rounded
/// down to whole ms, but never to 0.
///
/// The command answers {1, n}: done, n subscribers were woken · {0}: not what was seen, nothing
/// done · {-1}: none of the keys exists. A key of another type counts as not what was seen. A
/// server error means that nothing was done.
ReleasePlan makePlan(ReleaseAction action, LockPtr lock, ReleaseRecipe recipe,
                     std::vector<std::optional<std::int64_t>> expiresAtMs,
                     Duration cap = Duration(0));

enum class ReleaseResult : std::uint8_t {
    Released,     // deleted (or capped) by us
    ChangedHands, // not what was seen any more; nothing was done
    AlreadyGone,  // no such key any more; nothing was done
    Refused,      // by the server, by the permissions or by read-only mode; nothing was done
    Unknown,      // sent, and no answer: it may have been done
};

struct ReleaseReport {
    ReleaseResult result = ReleaseResult::Unknown;
    store::Problem problem; // why, for Refused and Unknown
    LockPtr nowThere;       // ChangedHands: what is there instead, if it could be read
    std::int64_t woken = 0; // subscribers that received the wake-up
    /// What each server said, when the plan ran on several; `result` sums them up.
    std::vector<std::pair<std::uint16_t, ReleaseResult>> perServer;
};

/// Who came next.
struct Aftermath {
    enum class Kind { StillFree, TakenByOther, TakenBySameOwner, NotKnown };
    Kind kind = Kind::NotKnown;
    LockPtr next;      // the new hold
    Duration after{0}; // since the release
};

std::string_view idOf(ReleaseResult result); // "released", "changed-hands", "already-gone",
                                             // "refused", "unknown"

} // namespace lockscope::inspect
