#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/store/cluster.h"

#include <memory>
#include <optional>

namespace lockscope::inspect {

/// The lock that a decoded lock describes, as if it had never been seen before.
LockRecord recordOf(const LockSnapshot& snapshot, const DecodedLock& decoded);
/// The same with a kind that is equal to kindOf() the decoded lock.
LockRecord recordOf(const LockSnapshot& snapshot, const DecodedLock& decoded,
                    Shared<const LockKind> kind);
LockKind kindOf(const DecodedLock& decoded);

/// How much longer the hold is a new one (LockRecord::isNewHold); nullopt: it is not.
std::optional<Duration> remainingNewness(const LockSnapshot& snapshot, const DecodedLock& decoded);

/// True when both describe the same hold: as far as the value tells, the lock was not released and
/// taken in between.
bool isSameHold(const LockRecord& before, const LockRecord& after);

/// Joins what was known of the waiters of a lock (`before`, null: nothing), whoever held it, with
/// those of a fresh look: since when each was seen to wait. `isTakenNow`: see advanceHold().
void rememberWaits(const LockRecord* before, bool isTakenNow, LockRecord& fresh);

/// What became of a lock between two looks at it.
struct HoldStep {
    LockRecord record;              // `fresh` with what is remembered of the hold
    std::optional<ChangeKind> kind; // Appeared for a new hold; nullopt: nothing that the user needs
                                    // to know
};

/// Joins what was known of a lock (`before`, null: nothing) with a fresh look at it: notices
/// renewals, keeps the time it was first seen, smooths the jitter of measured times to live.
/// `isTakenNow`: a new hold was taken just now (LockRecord::isTakenWhileWatching); false: it is
/// not known when.
HoldStep advanceHold(const LockRecord* before, LockRecord fresh, Instant now, bool isTakenNow);

/// Where in the cluster the lock is.
Shared<const ClusterPlace> placeIn(const store::ClusterTopology& topology,
                                   const LockRecord& record);
bool isSamePlace(const Shared<const ClusterPlace>& a, const Shared<const ClusterPlace>& b);

/// Released, or run out on its own: judged by whether its time had come.
ChangeKind endingOf(const LockRecord& last, Instant now);

} // namespace lockscope::inspect
