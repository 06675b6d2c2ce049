#include "core/kernel/inspect/force_release.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_inspection.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope::inspect {

using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// How often follow() looks: at once, because the next holder is often waiting, then less and less.
constexpr Duration kFirstLook = 2ms;
constexpr Duration kLongestPause = 250ms;

/// A renewal may be late by a busy moment.
constexpr Duration kRenewalMargin = 1s;
/// Of a lock that will hardly come back, longer leases than this are not waited for.
constexpr Duration kDoubtfulLeaseMax = 10s;
constexpr Duration kRecheckMax = 60s;

/// The command as a transaction, which the server refuses if a guarded key was written to.
std::vector<store::Command> guarded(store::Command command)
{
    std::vector<store::Command> transaction;
    transaction.emplace_back("MULTI");
    transaction.push_back(std::move(command));
    transaction.emplace_back("EXEC");
    return transaction;
}

FormatTablePtr formatsOf(const ReleasePlan& plan)
{
    return plan.formats != nullptr ? plan.formats : builtinFormatTable();
}

ReleaseReport refusalOfReplica(const store::Reply& master)
{
    ReleaseReport report;
    report.result = ReleaseResult::Refused;
    report.problem.kind = Problem::Kind::NotMaster;
    report.problem.detail = master.text() != nullptr ? *master.text() : std::string();
    return report;
}

/// Rules match as globs; what would match more than itself is no narrow rule.
bool isPlainName(const Bytes& name)
{
    return !name.empty() && name.find_first_of("*?[]\\ ") == Bytes::npos;
}

/// The keys of the plan, as the rules that allow them; "~*" where they are too many to name.
std::string keyRules(const ReleasePlan& plan)
{
    constexpr std::size_t kNamedMax = 3;
    std::vector<Bytes> keys = plan.recipe.companions;
    for (const ReleaseRecipe::KeyCheck& check : plan.recipe.checks) {
        keys.insert(keys.begin(), check.key);
    }
    if (keys.size() > kNamedMax || !std::all_of(keys.begin(), keys.end(), isPlainName)) {
        return "~*";
    }
    std::string rules;
    for (const Bytes& key : keys) {
        rules += (rules.empty() ? "~" : " ~") + key;
    }
    return rules;
}

/// A script's error does not say which key or channel it was about; the plan knows them.
void narrowRule(Problem& problem, const ReleasePlan& plan)
{
    if (problem.rule == "&*" && isPlainName(plan.recipe.channel)) {
        problem.rule = '&' + plan.recipe.channel;
    } else if (problem.rule == "~*") {
        problem.rule = keyRules(plan);
    }
}

bool hasOwnerOf(const LockRecord& next, const ReleasePlan& released)
{
    return std::any_of(next.holders.begin(), next.holders.end(), [&](const Holder& holder) {
        return !holder.owner.empty()
               && std::any_of(released.holders.begin(), released.holders.end(),
                              [&](const Holder& old) { return old.owner == holder.owner; });
    });
}

/// Its next hold has the same owner, so that seeing it again says nothing about a renewal.
bool isOwnerLasting(const ReleasePlan& plan)
{
    return plan.recipe.isAnonymous() || plan.ownerScope == OwnerScope::Thread
           || plan.ownerScope == OwnerScope::Process;
}

/// The owner identifies its holder. It does not where the format keeps none, where all holders
/// share one (a token that is handed on), or where it is the name of the lock itself.
bool isOwnerIdentity(const ReleasePlan& plan)
{
    return plan.ownerScope != OwnerScope::None
           && std::ranges::none_of(plan.holders, [&plan](const Holder& holder) {
                  return holder.owner.empty() || holder.owner == plan.lock->id.name;
              });
}

NextHold::Kind kindOf(const LockRecord& next, const ReleasePlan& released)
{
    if (!isOwnerIdentity(released)) {
        return NextHold::Kind::Taken;
    }
    if (!hasOwnerOf(next, released)) {
        return NextHold::Kind::TakenByOther;
    }
    return isOwnerLasting(released)
                   && released.recipe.recreation != ReleaseRecipe::Recreation::Certain
               ? NextHold::Kind::TakenBySameOwner
               : NextHold::Kind::CameBack;
}

} // namespace

ReleaseReport reportOfGuarded(const std::vector<Outcome>& outcomes)
{
    assert(outcomes.size() == 3);
    const Outcome& last = outcomes.back();
    const store::Reply* const answers = replyOf(last);
    if (answers != nullptr && answers->isNil()) {
        ReleaseReport report;
        report.result = ReleaseResult::ChangedHands;
        report.wasWritten = true;
        return report;
    }
    if (answers != nullptr && answers->array() != nullptr && answers->array()->size() == 1) {
        return reportOf(Outcome(answers->array()->front()));
    }
    // What the server refused to queue is refused with its own words; EXEC only counts it.
    const auto refused = std::find_if(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) {
        return replyOf(outcome) != nullptr && replyOf(outcome)->isError();
    });
    return reportOf(answers != nullptr && refused != outcomes.end() ? *refused : last);
}

ReleaseReport reportOf(const Outcome& outcome)
{
    ReleaseReport report;
    if (const auto* const unknown = std::get_if<store::Unknown>(&outcome)) {
        report.result = ReleaseResult::Unknown;
        report.problem = *unknown->problem;
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
    case -3: return refusalOfReplica((*answer)[1]);
    default:
        report.result = ReleaseResult::Unknown;
        report.problem = {Problem::Kind::ProtocolBroken,
                          KernelText::tr("the script returned an unexpected answer"),
                          {},
                          {}};
        return report;
    }
}

ReleaseReport reportOfRestore(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    const bool isMade = reply != nullptr && reply->text() != nullptr && *reply->text() == "OK";
    const bool isThere = reply != nullptr && reply->isNil();
    if (!isMade && !isThere) {
        return reportOf(outcome);
    }
    ReleaseReport report;
    report.result = isMade ? ReleaseResult::Released : ReleaseResult::ChangedHands;
    return report;
}

async::Task<ReleaseReport> execute(store::Store& store, Clock& clock, std::uint16_t server,
                                   ReleasePlan plan)
{
    if (plan.guard && plan.guard->session != store.session()) {
        ReleaseReport lost;
        lost.result = ReleaseResult::Refused;
        lost.problem.kind = Problem::Kind::GuardLost;
        co_return lost;
    }
    ReleaseReport report;
    if (plan.guard) {
        std::vector<store::Command> transaction = guarded(plan.command);
        const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(transaction));
        report = reportOfGuarded(outcomes);
    } else {
        const Outcome outcome = co_await store.submit(plan.command);
        report = plan.action == ReleaseAction::Restore ? reportOfRestore(outcome)
                                                       : reportOf(outcome);
    }
    narrowRule(report.problem, plan);
    const bool mayBeOthers = report.result == ReleaseResult::ChangedHands
                             || (report.result == ReleaseResult::AlreadyGone
                                 && plan.leavesOthers());
    if (mayBeOthers) {
        const auto found = co_await inspectLock(store, clock, server, plan.lock->id.name,
                                                formatsOf(plan));
        if (const auto* const now = std::get_if<LockInspection>(&found)) {
            report.nowThere = now->record();
        }
    }
    co_return report;
}

ReleaseReport summaryOf(std::vector<std::pair<std::uint16_t, ReleaseReport>> reports)
{
    // From what needs the user's attention most to what needs it least: where one server refused,
    // the hold may still exist.
    static constexpr ReleaseResult kOrder[] = {ReleaseResult::Unknown, ReleaseResult::Refused,
                                               ReleaseResult::Released, ReleaseResult::ChangedHands,
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

Duration followPatience(const ReleasePlan& plan, Duration usual)
{
    const std::optional<Duration> within = plan.recreatedWithin();
    const bool isCertain = plan.recipe.recreation == ReleaseRecipe::Recreation::Certain;
    if (!within || (!isCertain && *within > kDoubtfulLeaseMax)) {
        return usual;
    }
    return std::max(usual, std::min(*within + kRenewalMargin, kRecheckMax));
}

async::Task<NextHold> follow(store::Store& store, Clock& clock, std::uint16_t server,
                             ReleasePlan released, Instant releasedAt, Duration patience,
                             FormatTablePtr formats)
{
    NextHold nextHold;
    Duration pause = kFirstLook;
    while (true) {
        const auto found = co_await inspectLock(store, clock, server, released.lock->id.name,
                                                formats);
        const auto* const now = std::get_if<LockInspection>(&found);
        if (now == nullptr) {
            co_return nextHold; // not known: the server cannot be asked
        }
        nextHold.after = clock.now() - releasedAt;
        if (LockPtr next = now->record()) {
            nextHold.kind = kindOf(*next, released);
            nextHold.next = std::move(next);
            co_return nextHold;
        }
        if (nextHold.after >= patience) {
            nextHold.kind = NextHold::Kind::StillFree;
            co_return nextHold;
        }
        co_await clock.wakeAt(clock.now() + pause);
        pause = std::min(2 * pause, kLongestPause);
    }
}

} // namespace lockscope::inspect
