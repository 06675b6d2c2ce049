#include "core/kernel/report/audit_json.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/sha1.h"
#include "core/kernel/report/json_text.h"

namespace lockscope::report {

using inspect::Holder;
using inspect::ReleaseAction;
using inspect::ReleaseResult;

namespace {

constexpr std::string_view kKillAction = "kill-client";

Json holdersJson(const std::vector<Holder>& holders)
{
    Json all = Json::array();
    for (const Holder& holder : holders) {
        all.push_back(Json{{"owner", textOrNull(holder.owner)},
                           {"mode", inspect::idOf(holder.mode)},
                           {"holds", holder.holds}});
    }
    return all;
}

std::string_view outcomeOf(const AuditAttempt& attempt, ReleaseResult result)
{
    if (result != ReleaseResult::Released) {
        return inspect::idOf(result);
    }
    if (attempt.client) {
        return "killed";
    }
    switch (attempt.action) {
    case ReleaseAction::Release: break;
    case ReleaseAction::CapTtl: return "capped";
    case ReleaseAction::Tombstone: return "replaced";
    case ReleaseAction::Restore: return "restored";
    }
    return inspect::idOf(result);
}

/// What a person reading the audit file wants to know beyond the outcome.
Json detailJson(const inspect::ReleaseReport& report)
{
    if (!report.ownReason.empty()) {
        return readable(report.ownReason);
    }
    if (report.problem.kind != store::Problem::Kind::None) {
        return store::explain(report.problem);
    }
    if (report.nowThere && !report.nowThere->holders.empty()) {
        const Bytes& owner = report.nowThere->holders.front().owner;
        return owner.empty() ? Json(nullptr)
                             : Json(KernelText::tr("now held by %1", escaped(owner)));
    }
    return nullptr;
}

Json detailJson(const inspect::KillReport& report)
{
    if (!report.ownReason.empty()) {
        return readable(report.ownReason);
    }
    if (report.problem.kind != store::Problem::Kind::None) {
        return store::explain(report.problem);
    }
    if (report.result != ReleaseResult::Released) {
        return nullptr;
    }
    return report.isProven ? KernelText::tr("the server does not list the connection any more")
                           : KernelText::tr("whether the connection is gone was not answered");
}

Json clientJson(const inspect::HolderClient& client)
{
    return Json{{"id", client.info.id},
                {"address", escaped(client.info.address)},
                {"name", textOrNull(client.info.name)},
                {"how", client.info.how},
                {"line", escaped(client.line)}};
}

Json lineOf(const AuditAttempt& attempt, std::string_view event, WallTime at)
{
    const AuditAuthor& author = attempt.author;
    Json json{{"time", isoTime(at)},
              {"event", event},
              {"attempt", attempt.id},
              {"user", readable(author.user)},
              {"sudoUser", textOrNull(author.sudoUser)},
              {"host", readable(author.host)},
              {"program", author.program},
              {"process", author.process},
              {"server", escaped(attempt.server)},
              {"db", attempt.database},
              {"key", escaped(attempt.key)},
              {"named", textOrNull(attempt.named)},
              {"holders", holdersJson(attempt.holders)},
              {"action", attempt.client ? kKillAction : idOf(attempt.action)},
              {"reason", readable(attempt.reason)}};
    if (!attempt.replica.empty()) {
        json["replica"] = escaped(attempt.replica);
    }
    if (!attempt.node.empty()) {
        json["node"] = escaped(attempt.node);
    }
    if (attempt.client) {
        json["client"] = clientJson(*attempt.client);
        return json;
    }
    if (attempt.expiresAtMs) {
        json["expiresAtMs"] = *attempt.expiresAtMs;
    }
    if (!attempt.scriptSha1.empty()) {
        json["script"] = attempt.scriptSha1;
    }
    if (attempt.action != ReleaseAction::Release) {
        json["capMs"] = toMs(attempt.cap);
    }
    return json;
}

template<class Report>
Json outcomeLine(const AuditAttempt& attempt, const Report& report, WallTime at)
{
    Json json = lineOf(attempt, "outcome", at);
    json["outcome"] = outcomeOf(attempt, report.result);
    json["detail"] = detailJson(report);
    return json;
}

} // namespace

AuditAttempt attemptOf(const inspect::ReleasePlan& plan, const store::Endpoint& server,
                       std::string_view reason)
{
    AuditAttempt attempt;
    attempt.server = store::serverName(server);
    attempt.database = server.database;
    attempt.key = plan.lock->id.name;
    attempt.holders = plan.holders;
    attempt.action = plan.action;
    attempt.cap = plan.cap;
    attempt.expiresAtMs = plan.expiresAtMs.empty() ? std::nullopt : plan.expiresAtMs.front();
    const std::vector<Bytes>& words = plan.command.words;
    attempt.scriptSha1 = words.size() > 1 && words.front() == "EVAL" ? sha1Hex(words[1])
                                                                     : std::string();
    attempt.reason = reason;
    return attempt;
}

Json auditIntentJson(const AuditAttempt& attempt, WallTime at)
{
    return lineOf(attempt, "intent", at);
}

Json auditOutcomeJson(const AuditAttempt& attempt, const inspect::ReleaseReport& report,
                      WallTime at)
{
    return outcomeLine(attempt, report, at);
}

Json auditOutcomeJson(const AuditAttempt& attempt, const inspect::KillReport& report, WallTime at)
{
    return outcomeLine(attempt, report, at);
}

} // namespace lockscope::report
