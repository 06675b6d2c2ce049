#pragma once

#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/report/lock_json.h"

#include <span>
#include <string>
#include <vector>

// Who waits behind whom, as far as the servers know it by name.
namespace lockscope::diagnosis {

struct BlockedOwner;

/// A lock that somebody waits for.
struct BlockingLock {
    inspect::LockPtr lock;
    std::vector<BlockedOwner> waiters; // those known by name, the next one first
    /// Of all that wait behind this lock, directly or behind one of its waiters.
    std::size_t waiterCount = 0;
    Duration waited{0};           // their waits so far, together
    bool hasWaitedLonger = false; // one of them waited already when it was first seen
};

/// A waiter, and what waits behind it in turn.
struct BlockedOwner {
    Bytes owner;
    Duration waited{0};              // since it was first seen to wait
    bool hasWaitedLonger = false;    // it waited already when it was first seen
    std::vector<BlockingLock> holds; // locks of its own that others wait for
};

struct BlockingForest {
    std::vector<BlockingLock> roots; // the longest wait first: their holders wait for nothing known
    /// Each holds what the next one waits for, and the last what the first one waits for.
    std::vector<std::vector<inspect::LockPtr>> deadlocks;
    std::size_t uncountedLocks = 0; // contended, but who waits for them is not known by name
    bool isEmpty() const { return roots.empty() && deadlocks.empty(); }
};

/// `locks` are the rows of a book.
BlockingForest blockingForestOf(std::span<const inspect::LockPtr> locks, Instant now);

/// What the trees do not show: that there are none, and how many locks have waiters without names.
/// Empty: nothing.
std::string forestRemark(const BlockingForest& forest);

/// For people, indented.
std::string forestText(const BlockingForest& forest, Instant now);

/// {"roots": [{"key", "owners", "waiterCount", "waitedMs", "atLeast", "waiters": [{"owner",
/// "waitedMs", "atLeast", "holds": […]}]}], "deadlocks": [[key, …]], "locksWithUnnamedWaiters"}
report::Json forestJson(const BlockingForest& forest);

} // namespace lockscope::diagnosis
