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
    plan->masters.clear();
    for (const LockInspection& inspection : inspections) {
        if (!hasOwner(inspection, plan->owner())) {
            continue;
        }
        plan->servers.push_back(inspection.snapshot.server);
        if (!inspection.master.empty()) {
            plan->masters.emplace_back(inspection.snapshot.server, inspection.master);
        }
    }
    inspect::Quorum votes = row->quorum();
    votes.held = static_cast<std::uint16_t>(plan->servers.size());
    if (votes.isMinority() && plan->action == inspect::ReleaseAction::Release) {
        inspect::keepToMinority(*plan);
    }
}

/// The votes of the owners that do not lead.
std::vector<inspect::ReleasePlan> plansForRivals(const inspect::LockPtr& row,
                                                 const std::vector<LockInspection>& inspections)
{
    std::vector<inspect::ReleasePlan> plans;
    for (std::size_t i = 1; i < row->holders.size(); ++i) {
        const auto vote = std::ranges::find_if(inspections, [&](const LockInspection& inspection) {
            return hasOwner(inspection, row->holders[i].owner);
        });
        auto plan = vote != inspections.end()
                        ? inspect::planFor(*vote, inspect::ReleaseAction::Release)
                        : std::nullopt;
        spread(plan, row, inspections);
        if (plan) {
            plans.push_back(std::move(*plan));
        }
    }
    return plans;
}

diagnosis::SetNode nodeOf(const LockInspection& inspection, const Bytes& leader)
{
    using Vote = diagnosis::SetNode::Vote;
    diagnosis::SetNode node;
    node.server = inspection.snapshot.server;
    if (!inspection.snapshot.exists()) {
        node.vote = Vote::None;
        return node;
    }
    const inspect::Observation& key = inspection.snapshot.main();
    if (key.ttl) {
        node.expiresAt = key.seenAt + *key.ttl;
    }
    const inspect::LockPtr record = inspection.record();
    if (!record || !inspect::isQuorumVote(*record)) {
        node.vote = Vote::OtherKey;
        return node;
    }
    node.owner = record->holders.front().owner;
    node.vote = node.owner == leader ? Vote::SameOwner : Vote::OtherOwner;
    return node;
}

std::vector<diagnosis::SetNode> nodesOf(const inspect::LockRecord& row,
                                        const std::vector<LockInspection>& inspections)
{
    std::vector<diagnosis::SetNode> nodes(row.quorum().total);
    for (std::uint16_t server = 0; server < nodes.size(); ++server) {
        nodes[server].server = server;
    }
    for (const LockInspection& inspection : inspections) {
        nodes[inspection.snapshot.server] = nodeOf(inspection, row.holders.front().owner);
    }
    return nodes;
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
    details.lock = row ? makeShared<const inspect::LockRecord>(*row) : main.record();
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
    const std::string_view format = details.lock ? details.lock->format() : std::string_view();
    for (const std::string_view warning : inspect::releaseWarnings(main, format)) {
        details.warnings.emplace_back(warning);
    }
    if (row) {
        details.nodes = nodesOf(*row, inspections);
        details.releaseOne = plansForRivals(details.lock, inspections);
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
