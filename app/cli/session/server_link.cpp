#include "app/cli/session/server_link.h"

#include "app/cli/exit_code.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace lockscope::cli {

using store::Problem;

std::vector<std::string> serverNames(const std::vector<store::Endpoint>& endpoints)
{
    return store::namesBeside(endpoints);
}

std::string serverNameOf(const inspect::LockRecord& record, const std::vector<std::string>& names)
{
    if (record.id.server < names.size()) {
        return names[record.id.server];
    }
    std::string all;
    for (const std::string& name : names) {
        all += (all.empty() ? "" : ",") + name;
    }
    return all;
}

JsonPlace jsonPlaceOf(const inspect::LockRecord& record,
                      const std::vector<store::Endpoint>& endpoints)
{
    std::vector<std::string> names;
    std::ranges::transform(endpoints, std::back_inserter(names), store::serverName);
    const std::size_t server = record.id.server;
    return {serverNameOf(record, names),
            endpoints[server < endpoints.size() ? server : 0].database};
}

int exitCodeOf(const Problem& problem)
{
    switch (problem.kind) {
    case Problem::Kind::None: return ExitDone;
    case Problem::Kind::NoPermission:
    case Problem::Kind::ReadOnlyMode:
    case Problem::Kind::ReplicaReadOnly:
    case Problem::Kind::NotMaster: return ExitRefused;
    default: return ExitUnreachable;
    }
}

int exitCodeOf(const inspect::ReleaseReport& report)
{
    using inspect::ReleaseResult;
    switch (report.result) {
    case ReleaseResult::Released: return ExitDone;
    case ReleaseResult::ChangedHands: return ExitChangedHands;
    case ReleaseResult::AlreadyGone: return ExitAlreadyGone;
    case ReleaseResult::Refused: break;
    case ReleaseResult::Unknown: return ExitUnknown;
    }
    switch (report.problem.kind) {
    case Problem::Kind::NotConnected:
    case Problem::Kind::ConnectionLost:
    case Problem::Kind::ConnectionRefused:
    case Problem::Kind::ConnectTimedOut:
    case Problem::Kind::ReplyTimedOut:
    case Problem::Kind::NoSentinel:
    case Problem::Kind::SentinelPassword:
    case Problem::Kind::NoSuchMaster:
    case Problem::Kind::MasterUnreachable:
    case Problem::Kind::MasterChanging:
    case Problem::Kind::MasterMoved:
    case Problem::Kind::NoClusterNode:
    case Problem::Kind::ClusterNodeLost:
    case Problem::Kind::ClusterSlotsUnowned: return ExitUnreachable; // it was never sent
    default: return ExitRefused;
    }
}

int exitCodeOf(const inspect::SweepFindings& findings)
{
    if (findings.isComplete()) {
        return ExitDone;
    }
    const std::vector<inspect::UnreadKeys> unread = findings.unread();
    const bool areAllForbidden = std::ranges::all_of(unread, [](const auto& keys) {
        return keys.reason.kind == Problem::Kind::NoPermission;
    });
    return areAllForbidden ? ExitRefused : ExitUnreachable;
}

Rng reconnectRng(const Clock& clock)
{
    const auto process = static_cast<std::uint64_t>(QCoreApplication::applicationPid());
    return Rng(process ^ static_cast<std::uint64_t>(clock.now().time_since_epoch().count()));
}

Problem complainAbout(const operations::InspectedLock& inspected, const ServerLinks& links,
                      const Context& context)
{
    const auto obstacle = inspected.obstacle(links.unreachable());
    if (!obstacle) {
        return {};
    }
    const auto& [server, problem] = *obstacle;
    context.output.complain(store::serverName(context.endpoints[server]) + ": "
                            + store::explain(problem));
    return problem;
}

ServerLinks::ServerLinks(const Context& context)
    : m_context(context),
      m_servers(context.executor, context.clock, reconnectRng(context.clock))
{
    m_servers.setEndpoints(context.endpoints);
}

void ServerLinks::complain(std::size_t server, const std::string& sentence) const
{
    m_context.output.complain(store::serverName(m_context.endpoints[server]) + ": " + sentence);
}

async::Task<bool> ServerLinks::open(Absence absence)
{
    std::vector<store::Store*> opened;
    for (std::size_t server = 0; server < count(); ++server) {
        opened.push_back(&store(server));
    }
    m_infos.resize(count());
    const bool mayLack = absence == Absence::OfSome
                         && operations::foldingOf(m_servers) == store::Folding::ByName;
    for (std::size_t server = 0; server < count(); ++server) {
        Problem problem = co_await opened[server]->whenSettled();
        if (problem.kind != Problem::Kind::None) {
            complain(server, store::explain(problem));
        } else {
            problem = co_await getToKnow(server);
        }
        if (problem.kind == Problem::Kind::None) {
            continue;
        }
        m_unreachable.push_back(static_cast<std::uint16_t>(server));
        m_problem = m_problem.kind == Problem::Kind::None ? problem : m_problem;
        if (!mayLack) {
            co_return false;
        }
    }
    if (m_unreachable.size() == count()) {
        co_return false;
    }
    if (!m_unreachable.empty()) {
        m_gap = m_problem;
    }
    const std::string doubt = store::explainSet(m_infos, m_context.endpoints);
    if (!doubt.empty()) {
        m_context.output.complain(doubt);
    }
    co_return true;
}

int ServerLinks::codeOfAbsence() const
{
    return m_unreachable.empty() ? static_cast<int>(ExitDone) : exitCodeOf(m_problem);
}

bool ServerLinks::isSet() const
{
    return store::foldingOf(m_context.endpoints) == store::Folding::ByName
           && store::mayVoteTogether(m_infos);
}

void ServerLinks::warnOfDeepLook() const
{
    for (std::size_t i = 0; i < m_infos.size(); ++i) {
        if (const std::string effect = store::explainDeepLook(m_infos[i]); !effect.empty()) {
            complain(i, effect);
        }
    }
}

/// A server that does not say what it is may be any: that is no reason not to use it.
async::Task<Problem> ServerLinks::getToKnow(std::size_t server)
{
    store::Command command("INFO");
    const store::Outcome outcome = co_await store(server).submit(std::move(command));
    const store::ServerInfo& info = m_infos[server] = store::serverInfoOf(outcome);
    const Problem problem = problemOf(outcome).value_or(Problem());
    Problem obstacle;
    const bool isReply = store::replyOf(outcome) != nullptr;
    std::string remark = store::explain(info, m_context.endpoints[server]);
    if (!isReply || store::isStateOfServer(problem)) {
        obstacle = problem;
        remark = store::explain(problem);
    } else if (store::hasNothingToShow(info)) {
        obstacle = {
            info.isLoading ? Problem::Kind::Loading : Problem::Kind::ServerRefused, remark, {}, {}};
    }
    if (!remark.empty()) {
        complain(server, remark);
    }
    lookForGap(server);
    co_return obstacle;
}

/// Slots of a cluster that no node serves.
void ServerLinks::lookForGap(std::size_t server)
{
    const store::ClusterTopologyPtr topology = m_servers.topology(server);
    const std::string unserved = topology ? topology->unservedSlots() : std::string();
    if (!unserved.empty()) {
        m_gap = {Problem::Kind::ClusterSlotsUnowned, unserved, {}, {}};
        complain(server, store::explain(m_gap));
    }
}

} // namespace lockscope::cli
