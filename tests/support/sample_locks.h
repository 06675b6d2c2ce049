#pragma once

#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/service/release_desk.h"

#include <string>

// Locks as the sketches show them, for tests of windows: instants are relative to the `now` that is
// handed in.
namespace lockscope::test {

/// A flag without owner and without expiry: stuck.
inspect::LockRecord stuckFlag(const std::string& key, Instant now);

/// A token with 30 s of lease, renewed twice.
inspect::LockRecord heldToken(const std::string& key, const std::string& owner, Instant now);

/// A Redisson lock held twice by one thread, with waiters.
inspect::LockRecord redissonLock(const std::string& key, Instant now);

/// What the desk would find out about the lock: one snapshot, one reading, a plan to release it,
/// and one to cap it when it has no expiry.
operations::LockDetails detailsOf(const inspect::LockRecord& lock);
/// The same as read at this time from the first server: what is left of its time is known.
operations::LockDetails detailsReadAt(Instant time, const inspect::LockRecord& lock);

} // namespace lockscope::test
