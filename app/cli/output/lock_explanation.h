#pragma once

#include "core/kernel/diagnosis/server_facts.h"
#include "core/kernel/diagnosis/set_nodes.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/store/endpoint.h"
#include "core/operations/owner_names.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::cli {

/// Everything that `show` tells about one name.
struct LockExplanation {
    Bytes name;
    inspect::LockPtr lock;                          // null: no decoder recognises it
    std::vector<inspect::LockSnapshot> snapshots;   // of the servers that have it
    std::vector<diagnosis::SetNode> nodes;          // of a Redlock row: one per server
    std::vector<inspect::DecodedLock> decodedLocks; // best first
    std::vector<inspect::Fact> facts; // what the value says beyond the best decoded lock
    std::optional<inspect::ReleasePlan> release;
    std::vector<std::string> warnings;
    std::vector<diagnosis::ServerFacts> serverFacts; // of the servers that were asked
    operations::OwnerNames owners;                   // as the user calls them
    inspect::FormatTablePtr formats = inspect::builtinFormatTable(); // by which it was read
};

/// For people, in sections.
std::string explanationText(const LockExplanation& explanation,
                            const std::vector<store::Endpoint>& endpoints, Instant now);

report::Json explanationJson(const LockExplanation& explanation,
                             const std::vector<store::Endpoint>& endpoints, Instant now);

/// Of the first, with those of further servers as "others". `explanations` is not empty.
report::Json explanationsJson(const std::vector<LockExplanation>& explanations,
                              const std::vector<store::Endpoint>& endpoints, Instant now);

/// The call that releases it, for every server of the Redlock set; empty when it cannot be
/// released.
std::string releaseCall(const LockExplanation& explanation,
                        const std::vector<store::Endpoint>& endpoints);

} // namespace lockscope::cli
