#include "core/operations/lock_details.h"

#include "core/kernel/inspect/quorum_fold.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::operations {

using inspect::LockInspection;

namespace {

/// What capping is planned with until the user chooses: long enough for most holders to notice and
/// renew.
constexpr Duration kDefaultCap = std::chrono::seconds(60);

bool hasOwner(const LockInspection& inspection, const Bytes& owner)
{
    const bool hasHolders = !inspection.decodedLocks.empty()
                            && !inspection.decodedLocks.front().holders.empty();
    return hasHolders && inspection.decodedLocks.front().holders.front().owner == owner;
}

/// The record of a Redlock row; nullopt when none of the servers has a vote.
std::optional<inspect::LockRecord> foldedOf(const std::vector<LockInspection>& inspections,
                                            std::size_t serverCount)
{
    std::vector<inspect::LockPtr> votes(serverCount);
    std::vector<std::uint16_t> unasked(serverCount);
    std::iota(unasked.begin(), unasked.end(), std::uint16_t(0));
    for (const LockInspection& inspection : inspections) {
        std::erase(unasked, inspection.snapshot.server);
        const inspect::LockPtr record = inspection.record();
        if (record && inspect::isQuorumVote(*record)) {
            votes[inspection.snapshot.server] = record;
        }
    }
    return inspect::foldQuorum(votes, {}, unasked);
}

/// Makes a plan for one server's vote one for the row: it runs on every server that has the same
/// token.
void spread(std::optional<inspect::ReleasePlan>& plan, const inspect::LockPtr& row,
            const std::vector<LockInspection>& inspections)
{
    if (!plan) {
        return;
    }
    plan->lock = row;
    plan->servers.clear();
    for (const LockInspection& inspection : inspections) {
        if (hasOwner(inspection, plan->owner())) {
            plan->servers.push_back(inspection.snapshot.server);
        }
    }
}

} // namespace

LockDetails detailsOf(std::vector<LockInspection> inspections, std::size_t serverCount)
{
    const std::optional<inspect::LockRecord> row = serverCount > 1
                                                       ? foldedOf(inspections, serverCount)
                                                       : std::nullopt;
    // The plan compares what this one saw, so it has to be one of those that have the row's token.
    const auto representative =
        std::find_if(inspections.begin(), inspections.end(), [&row](const LockInspection& e) {
            return row ? hasOwner(e, row->holders.front().owner) : !e.decodedLocks.empty();
        });
    const LockInspection& main = representative != inspections.end() ? *representative
                                                                     : inspections.front();
    LockDetails details;
    details.lock = row ? std::make_shared<const inspect::LockRecord>(*row) : main.record();
    details.decodedLocks = main.decodedLocks;
    details.formats = main.formats;
    details.release = inspect::planFor(main, inspect::ReleaseAction::Release);
    if (!row) {
        details.releaseOne = inspect::plansForEach(main);
    }
    if (details.lock && !details.lock->expiresAt) {
        details.capTtl = inspect::planFor(main, inspect::ReleaseAction::CapTtl,
                                          inspect::HolderChoice::all(), kDefaultCap);
    }
    const std::string_view format = details.lock ? details.lock->format : std::string_view();
    for (const std::string_view warning : inspect::releaseWarnings(main, format)) {
        details.warnings.emplace_back(warning);
    }
    if (row) {
        spread(details.release, details.lock, inspections);
        spread(details.capTtl, details.lock, inspections);
    }
    for (LockInspection& inspection : inspections) {
        if (inspection.snapshot.exists()) {
            details.snapshots.push_back(std::move(inspection.snapshot));
        }
    }
    return details;
}

} // namespace lockscope::operations
