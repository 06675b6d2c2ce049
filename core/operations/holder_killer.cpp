#include "core/operations/holder_killer.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <variant>

namespace lockscope::operations {

using inspect::KillReport;
using inspect::ReleaseResult;
using store::Problem;

namespace {

KillReport reportOf(ReleaseResult result, std::string ownReason = {})
{
    KillReport report;
    report.result = result;
    report.ownReason = std::move(ownReason);
    return report;
}

KillReport reportOf(const Problem& problem)
{
    KillReport report = reportOf(ReleaseResult::Refused);
    report.problem = problem;
    return report;
}

} // namespace

HolderKiller::HolderKiller(Servers& servers, LockInspector& inspector, Clock& clock, AuditLog& log,
                           report::AuditAuthor author, std::uint64_t seed)
    : m_servers(servers),
      m_inspector(inspector),
      m_book{clock, log, std::move(author), Rng(seed), {}}
{}

std::optional<KillReport> HolderKiller::objectionTo(const inspect::LockId& lock) const
{
    if (lock.server == inspect::LockId::kWholeSet || lock.server >= m_servers.count()) {
        return reportOf(ReleaseResult::Refused,
                        KernelText::tr("A holder on several servers has a connection to each: name "
                                       "one server."));
    }
    if (m_servers.topology(lock.server) != nullptr) {
        return reportOf(ReleaseResult::Refused,
                        KernelText::tr("In a cluster a holder may be connected to any node: name "
                                       "the node that lists the client."));
    }
    return std::nullopt;
}

async::Task<FoundHolder> HolderKiller::readHolder(inspect::LockId lock, Bytes owner)
{
    FoundHolder found;
    const auto details = co_await m_inspector.explain(std::move(lock),
                                                      LockInspector::Purpose::Plan);
    found.lock = details.lock;
    if (details.problem.kind != Problem::Kind::None) {
        found.report = reportOf(details.problem);
    } else if (details.lock == nullptr) {
        found.report = reportOf(ReleaseResult::AlreadyGone,
                                KernelText::tr("The lock no longer exists."));
    } else if (owner.empty()
               || std::ranges::find(details.lock->holders, owner, &inspect::Holder::owner)
                      == details.lock->holders.end()) {
        found.report = reportOf(ReleaseResult::ChangedHands,
                                KernelText::tr("This owner does not hold the lock any more."));
    } else {
        found.report = reportOf(ReleaseResult::Released);
    }
    co_return found;
}

async::Task<FoundHolder> HolderKiller::find(inspect::LockId lock, Bytes owner)
{
    if (auto objection = objectionTo(lock)) {
        FoundHolder refused;
        refused.report = std::move(*objection);
        co_return refused;
    }
    const auto place = co_await m_inspector.masters().find(lock.server);
    if (const auto* const problem = std::get_if<Problem>(&place)) {
        FoundHolder refused;
        refused.report = reportOf(*problem);
        co_return refused;
    }
    auto found = co_await findAt(std::get<WritePlace>(place), std::move(lock), std::move(owner));
    co_return found;
}

async::Task<FoundHolder> HolderKiller::findAt(WritePlace place, inspect::LockId lock, Bytes owner)
{
    FoundHolder found = co_await readHolder(std::move(lock), owner);
    found.master = place.master;
    if (found.report.result != ReleaseResult::Released) {
        co_return found;
    }
    auto search = co_await inspect::findClientOf(*place.store, std::move(owner));
    found.client = std::move(search.client);
    if (!found.client) {
        found.report =
            search.problem.kind != Problem::Kind::None ? reportOf(search.problem)
            : search.fitSeveral
                ? reportOf(ReleaseResult::Refused,
                           KernelText::tr("Several connected clients fit this owner, so none of "
                                          "them is certainly the holder."))
                : reportOf(ReleaseResult::Refused,
                           KernelText::tr("No connected client is certainly this owner: its token "
                                          "names neither an address nor a client name."));
    }
    co_return found;
}

async::Task<void> HolderKiller::kill(KillOrder order, KillReport& report)
{
    report = reportOf(ReleaseResult::Refused, "It was interrupted before anything was sent.");
    AuditedAttempt<KillReport> attempt(m_book, lineOf(order), report);
    if (auto objection = objectionTo(order.lock)) {
        report = std::move(*objection);
        co_return;
    }
    const std::uint16_t server = order.lock.server;
    const auto found = co_await m_inspector.masters().find(server);
    if (const auto* const problem = std::get_if<Problem>(&found)) {
        report = reportOf(*problem);
        co_return;
    }
    const WritePlace place = std::get<WritePlace>(found);
    if (place.master != order.master) {
        report = reportOf(ReleaseResult::Refused,
                          KernelText::tr("The master is another server by now. Look for the holder "
                                         "again."));
        co_return;
    }
    attempt.setNode(m_servers.node(server, order.lock.name));
    FoundHolder before = co_await readHolder(order.lock, order.owner);
    if (before.report.result != ReleaseResult::Released) {
        report = std::move(before.report);
        report.lockNow = before.lock;
        co_return;
    }
    const std::string failure = attempt.announce();
    if (!failure.empty()) {
        report = reportOf(ReleaseResult::Refused, notWrittenSentence(failure));
        co_return;
    }
    report = reportOf(ReleaseResult::Unknown); // until there is an answer
    auto answered = co_await inspect::killClient(*place.store, order.client);
    report = std::move(answered);
    const FoundHolder after = co_await readHolder(order.lock, order.owner);
    report.lockNow = after.lock;
}

void HolderKiller::noteUnsent(const KillOrder& order, const KillReport& report)
{
    const AuditedAttempt<KillReport> unsent(m_book, lineOf(order), report);
}

report::AuditAttempt HolderKiller::lineOf(const KillOrder& order) const
{
    report::AuditAttempt line;
    if (order.lock.server < m_servers.count()) {
        const store::Endpoint& named = m_servers.endpoint(order.lock.server);
        line.server = store::serverName(m_inspector.masters().endpoint(order.lock.server,
                                                                       order.master));
        line.database = named.database;
        if (!order.master.empty()) {
            line.replica = store::serverName(named);
        }
    }
    line.key = order.lock.name;
    line.named = order.owner;
    line.client = order.client;
    line.reason = order.reason;
    return line;
}

} // namespace lockscope::operations
