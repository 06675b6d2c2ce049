#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <span>
#include <vector>

namespace lockscope::inspect {

/// The rings of locks in which the holder of each waits for the next one, and the holder of the
/// last for the first. Only waiters that are known by name count. Owners are the same if their
/// tokens are, on the same server. A lock is in one ring at most: of rings that share a lock, one
/// is returned.
///
/// `waitingSince`: a wait that is known to have begun later does not count. A wait of a moment may
/// be over on the server while the two locks are read one after the other.
std::vector<std::vector<LockPtr>> waitRings(std::span<const LockPtr> locks,
                                            Instant waitingSince = Instant::max());

} // namespace lockscope::inspect
