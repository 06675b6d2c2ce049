#pragma once

#include "core/kernel/diagnosis/server_facts.h"
#include "core/kernel/diagnosis/set_nodes.h"
#include "core/kernel/inspect/lock_inspection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::operations {

/// One lock explained: read afresh, with everything that was seen and every way to understand it.
struct LockDetails {
    inspect::LockPtr lock;                          // null: it is gone
    std::vector<inspect::LockSnapshot> snapshots;   // one per server that has it
    std::vector<std::uint16_t> unasked;             // servers that did not answer
    std::vector<diagnosis::SetNode> nodes;          // of a Redlock row: one per server of the set
    std::vector<inspect::DecodedLock> decodedLocks; // best first
    /// What a release would send: of the only holder, or of all of them at once. None: not
    /// supported.
    std::optional<inspect::ReleasePlan> release;
    /// Where several hold it: the release of each alone, in the order of lock->holders. Of a
    /// Redlock row with several owners, the release of each one's votes but the first one's.
    std::vector<inspect::ReleasePlan> releaseOne;
    std::optional<inspect::ReleasePlan> capTtl; // offered for a lock without expiry
    std::vector<std::string> warnings;
    /// What its servers said of themselves, as of a few seconds ago at most; none: not asked.
    std::vector<diagnosis::ServerFacts> serverFacts;
    inspect::FormatTablePtr formats; // by which it was read; null: those that are built in
    store::Problem problem;          // why it could not be read, if it could not
};

/// What the inspections of one lock on its servers come to: for a Redlock row the folded record,
/// and a plan that runs on every server which has the leading token; where that cannot be a
/// majority, the plan is refused once it may be one. `inspections` is not empty.
LockDetails detailsOf(std::vector<inspect::LockInspection> inspections, std::size_t serverCount);

} // namespace lockscope::operations
