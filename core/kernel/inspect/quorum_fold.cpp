#include "core/kernel/inspect/quorum_fold.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

namespace {

/// When fewer than `needed` of the votes are left; nullopt while one of those needed never ends.
std::optional<Instant> endOfVotes(const std::vector<const LockRecord*>& votes, std::size_t needed)
{
    std::vector<Instant> ends;
    ends.reserve(votes.size());
    for (const LockRecord* vote : votes) {
        ends.push_back(vote->expiresAt.value_or(Instant::max()));
    }
    std::sort(ends.begin(), ends.end(), std::greater<>());
    const Instant end = ends[std::min(needed, ends.size()) - 1];
    return end == Instant::max() ? std::nullopt : std::optional(end);
}

/// False if there was no vote, or the connection to its server was lost since it was read.
bool isCertain(const LockPtr& vote)
{
    return vote && vote->isConfirmed;
}

using VotesByOwner = std::map<std::string_view, std::vector<const LockRecord*>>;

/// Without the votes that are out of date on servers that are `unknown`.
VotesByOwner votesByOwner(std::span<const LockPtr> votes, std::span<const std::uint16_t> unknown)
{
    VotesByOwner byOwner;
    for (std::size_t server = 0; server < votes.size(); ++server) {
        const LockPtr& vote = votes[server];
        const bool isOutOfDate = !isCertain(vote)
                                 && std::ranges::find(unknown, server) != unknown.end();
        if (vote && !isOutOfDate) {
            byOwner[vote->holders.front().owner].push_back(vote.get());
        }
    }
    return byOwner;
}

/// A lock of several keys may not have all of them on each server.
void takeLongerTie(Holder& holder, const Holder& vote)
{
    if (vote.tie() && (!holder.tie() || vote.tie()->names.size() > holder.tie()->names.size())) {
        holder.setTie(vote.tie());
    }
}

} // namespace

bool isQuorumVote(const LockRecord& record, std::span<const Decoder> decoders)
{
    const auto decoder = std::ranges::find(decoders, record.format(), &Decoder::id);
    return decoder != decoders.end() && decoder->quorumRole == QuorumRole::Vote
           && record.holders.size() == 1 && !record.holders.front().owner.empty();
}

std::optional<LockRecord> foldQuorum(std::span<const LockPtr> votes, std::string_view incumbent,
                                     std::span<const std::uint16_t> unknown)
{
    VotesByOwner byOwner = votesByOwner(votes, unknown);
    const bool areAllOutOfDate = byOwner.empty();
    if (areAllOutOfDate) {
        byOwner = votesByOwner(votes, {});
    }
    if (byOwner.empty()) {
        return std::nullopt;
    }
    const auto rankOf = [incumbent](const auto& entry) {
        return std::pair(entry.second.size(), entry.first == incumbent);
    };
    const auto leader = std::max_element(byOwner.begin(), byOwner.end(),
                                         [&](const auto& a, const auto& b) {
                                             return rankOf(a) < rankOf(b);
                                         });
    const std::vector<const LockRecord*>& leading = leader->second;
    LockRecord row = *leading.front();
    row.id.server = LockId::kWholeSet;
    const std::size_t heldCount = areAllOutOfDate ? 0 : leading.size();
    Quorum quorum{static_cast<std::uint16_t>(heldCount), static_cast<std::uint16_t>(votes.size())};
    for (const std::uint16_t server : unknown) {
        if (!isCertain(votes[server])) {
            quorum.addUnknown(server);
        }
    }
    row.seldom->quorum = quorum;
    const auto redlock = std::ranges::find(builtinDecoders(), QuorumRole::Lock,
                                           &Decoder::quorumRole);
    if (leading.size() > 1) {
        row.kind = makeShared<const LockKind>(LockKind{redlock->id, redlock->library, {}});
        row.addEvidence(QT_TRANSLATE_NOOP(
            "KernelText", "the same token under the same key on several of the given servers"));
        row.confidence = Confidence::High;
    }
    const std::size_t majority = votes.size() / 2 + 1;
    row.expiresAt = endOfVotes(leading, leading.size() >= majority ? majority : 1);
    for (const LockRecord* vote : leading) {
        row.lease = std::max(row.lease, vote->lease);
        row.isConfirmed = row.isConfirmed && vote->isConfirmed;
        row.isTakenWhileWatching = row.isTakenWhileWatching && vote->isTakenWhileWatching;
        row.flags = row.flags.united(vote->flags);
        takeLongerTie(row.holders.front(), vote->holders.front());
    }
    row.isConfirmed = row.isConfirmed && std::ranges::none_of(votes, [&](const LockPtr& vote) {
                          return vote && !vote->isConfirmed
                                 && vote->holders.front().owner == leader->first;
                      });
    if (leading.size() > 1) {
        row.flags.remove(Flag::ProbablyData);
    }
    for (const auto& [owner, others] : byOwner) {
        if (owner != leader->first) {
            row.holders.push_back(others.front()->holders.front());
        }
    }
    return row;
}

} // namespace lockscope::inspect
