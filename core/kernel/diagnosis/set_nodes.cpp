#include "core/kernel/diagnosis/set_nodes.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/json_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::diagnosis {

using report::Json;
using Vote = SetNode::Vote;

namespace {

constexpr std::size_t kOwnerLength = 24;
constexpr Duration kClockTick = std::chrono::milliseconds(1);
constexpr Duration kFinest = std::chrono::microseconds(100);

double millisecondsOf(Duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

/// "0.4 ms": clocks and replies are a matter of parts of a millisecond.
std::string fineText(Duration duration)
{
    using namespace std::chrono_literals;
    if (duration >= 1s) {
        return durationText(duration);
    }
    if (duration < kFinest) {
        return "< 0.1 ms";
    }
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.1f ms", millisecondsOf(duration));
    return buffer.data();
}

/// Whose vote it is: which owner leads may have changed since.
std::string ofOwner(const SetNode& node, Instant now)
{
    const std::string owner = elidedMiddle(escaped(node.owner), kOwnerLength);
    return node.expiresAt
               ? KernelText::tr("%1, expires in %2", owner, durationText(*node.expiresAt - now))
               : KernelText::tr("%1, no expiry", owner);
}

std::string voteText(const SetNode& node, Instant now)
{
    switch (node.vote) {
    case Vote::SameOwner:
    case Vote::OtherOwner: return ofOwner(node, now);
    case Vote::None: return KernelText::tr("no such key");
    case Vote::OtherKey: return KernelText::tr("a key that is no vote");
    case Vote::Unknown: break;
    }
    return node.problem.kind == store::Problem::Kind::None
               ? KernelText::tr("unknown: no reply")
               : KernelText::tr("unknown: %1", store::explain(node.problem));
}

std::string clockText(const SetNode& node)
{
    const Duration ahead = *node.clockAhead;
    const Duration apart = ahead < Duration(0) ? -ahead : ahead;
    const std::string uncertainty = fineText(node.clockUncertainty);
    if (apart <= node.clockUncertainty) {
        return KernelText::tr("clock agrees (± %1)", uncertainty);
    }
    return ahead < Duration(0)
               ? KernelText::tr("clock %1 behind (± %2)", fineText(apart), uncertainty)
               : KernelText::tr("clock %1 ahead (± %2)", fineText(apart), uncertainty);
}

Json millisecondsOrNull(const std::optional<Duration>& duration)
{
    return duration ? Json(millisecondsOf(*duration)) : Json(nullptr);
}

} // namespace

void addFacts(std::vector<SetNode>& nodes, std::span<const ServerFacts> facts)
{
    for (SetNode& node : nodes) {
        const auto told = std::ranges::find(facts, node.server, &ServerFacts::server);
        if (told != facts.end()) {
            node.clockAhead = told->clockAhead;
            node.clockUncertainty = told->clockUncertainty + kClockTick;
            node.replyTime = told->replyTime;
        }
    }
}

std::string_view idOf(Vote vote)
{
    switch (vote) {
    case Vote::SameOwner: return "same-owner";
    case Vote::OtherOwner: return "other-owner";
    case Vote::None: return "none";
    case Vote::OtherKey: return "other-key";
    case Vote::Unknown: break;
    }
    return "unknown";
}

std::string votesText(const inspect::LockRecord& row)
{
    const inspect::Quorum& votes = row.quorum();
    switch (inspect::quorumStateOf(row)) {
    case inspect::QuorumState::Majority:
        return KernelText::tr("%1 of %2 servers, a majority (%3 are needed)", votes.held,
                              votes.total, votes.needed());
    case inspect::QuorumState::Split:
        return KernelText::tr("%1 of %2 servers: split, nobody has a majority (%3 are needed)",
                              votes.held, votes.total, votes.needed());
    case inspect::QuorumState::Minority:
        if (votes.unknown > 0) {
            return KernelText::tr("%1 of %2 servers, %3 unknown, not a majority (%4 are needed)",
                                  votes.held, votes.total, votes.unknown, votes.needed());
        }
        return KernelText::tr("%1 of %2 servers, not a majority (%3 are needed)", votes.held,
                              votes.total, votes.needed());
    case inspect::QuorumState::Unknown: break;
    }
    return KernelText::tr("%1 of %2 servers, %3 unknown: it is not known whether it is held (%4 "
                          "are needed)",
                          votes.held, votes.total, votes.unknown, votes.needed());
}

std::string nodeText(const SetNode& node, Instant now)
{
    std::string text = voteText(node, now);
    if (node.clockAhead) {
        text += " · " + clockText(node);
    }
    if (node.replyTime) {
        text += " · " + KernelText::tr("replied in %1", fineText(*node.replyTime));
    }
    return text;
}

Json nodeJson(const SetNode& node, std::string_view name, Instant now)
{
    const bool isKnown = node.clockAhead.has_value();
    return Json{{"server", escaped(name)},
                {"vote", idOf(node.vote)},
                {"owner", report::textOrNull(node.owner)},
                {"ttlMs", node.expiresAt ? Json(toMs(std::max(*node.expiresAt - now, Duration(0))))
                                         : Json(nullptr)},
                {"clockAheadMs", millisecondsOrNull(node.clockAhead)},
                {"clockUncertaintyMs",
                 isKnown ? Json(millisecondsOf(node.clockUncertainty)) : Json(nullptr)},
                {"replyMs", millisecondsOrNull(node.replyTime)},
                {"problem", node.problem.kind == store::Problem::Kind::None
                                ? Json(nullptr)
                                : Json(store::explain(node.problem))}};
}

} // namespace lockscope::diagnosis
