#include "inspect/force_release.h"

#include "inspect/examination.h"

#include <algorithm>
#include <utility>

namespace lockscope::inspect {

using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// How often follow() looks: at once, because the next holder is often waiting, then less and less.
constexpr Duration kFirstLook = 2ms;
constexpr Duration kLongestPause = 250ms;

bool hasOwnerOf(const LockRecord& next, const LockRecord& released)
{
    return std::any_of(next.holders.begin(), next.holders.end(), [&](const Holder& holder) {
        return !holder.owner.empty()
               && std::any_of(released.holders.begin(), released.holders.end(),
                              [&](const Holder& old) { return old.owner == holder.owner; });
    });
}

} // namespace

ReleaseReport reportOf(const Outcome& outcome)
{
    ReleaseReport report;
    if (const auto* const unknown = std::get_if<store::Unknown>(&outcome)) {
        report.result = ReleaseResult::Unknown;
        report.problem = unknown->problem;
        return report;
    }
    if (std::optional<Problem> problem = problemOf(outcome)) {
        report.result = ReleaseResult::Refused;
        report.problem = std::move(*problem);
        return report;
    }
    const store::Reply::Array* const answer = std::get<store::Reply>(outcome).array();
    const auto numberAt = [answer](std::size_t index) -> std::optional<std::int64_t> {
        return answer != nullptr && index < answer->size() ? (*answer)[index].integer()
                                                           : std::nullopt;
    };
    switch (numberAt(0).value_or(-2)) {
    case 1:
        report.result = ReleaseResult::Released;
        report.woken = numberAt(1).value_or(0);
        return report;
    case 0: report.result = ReleaseResult::ChangedHands; return report;
    case -1: report.result = ReleaseResult::AlreadyGone; return report;
    default:
        report.result = ReleaseResult::Unknown;
        report.problem = {
            Problem::Kind::ProtocolBroken, "the script answered something else", {}, {}};
        return report;
    }
}

async::Task<ReleaseReport> execute(store::Store& store, Clock& clock, std::uint16_t server,
                                   ReleasePlan plan)
{
    const Outcome outcome = co_await store.submit(plan.command);
    ReleaseReport report = reportOf(outcome);
    if (report.result == ReleaseResult::ChangedHands) {
        const auto found = co_await examine(store, clock, server, plan.lock->id.name);
        if (const auto* const now = std::get_if<Examination>(&found)) {
            report.nowThere = now->record();
        }
    }
    co_return report;
}

ReleaseReport summaryOf(std::vector<std::pair<std::uint16_t, ReleaseReport>> reports)
{
    // From what needs the user's attention most to what needs it least.
    static constexpr ReleaseResult kOrder[] = {ReleaseResult::Unknown, ReleaseResult::Released,
                                               ReleaseResult::Refused, ReleaseResult::ChangedHands,
                                               ReleaseResult::AlreadyGone};
    ReleaseReport summary;
    for (const ReleaseResult result : kOrder) {
        const auto first = std::find_if(reports.begin(), reports.end(), [result](const auto& r) {
            return r.second.result == result;
        });
        if (first != reports.end()) {
            summary = first->second;
            break;
        }
    }
    summary.woken = 0;
    for (const auto& [server, report] : reports) {
        summary.woken += report.woken;
        summary.perServer.emplace_back(server, report.result);
    }
    return summary;
}

async::Task<Aftermath> follow(store::Store& store, Clock& clock, std::uint16_t server,
                              LockPtr released, Instant releasedAt, Duration patience)
{
    Aftermath aftermath;
    Duration pause = kFirstLook;
    while (true) {
        const auto found = co_await examine(store, clock, server, released->id.name);
        const auto* const now = std::get_if<Examination>(&found);
        if (now == nullptr) {
            co_return aftermath; // not known: the server cannot be asked
        }
        aftermath.after = clock.now() - releasedAt;
        if (LockPtr next = now->record()) {
            aftermath.kind = hasOwnerOf(*next, *released) ? Aftermath::Kind::TakenBySameOwner
                                                          : Aftermath::Kind::TakenByOther;
            aftermath.next = std::move(next);
            co_return aftermath;
        }
        if (aftermath.after >= patience) {
            aftermath.kind = Aftermath::Kind::StillFree;
            co_return aftermath;
        }
        co_await clock.wakeAt(clock.now() + pause);
        pause = std::min(2 * pause, kLongestPause);
    }
}

} // namespace lockscope::inspect
