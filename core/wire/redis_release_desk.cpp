#include "redis_release_desk.h"

#include "entropy.h"
#include "inspect/force_release.h"
#include "inspect/quorum_fold.h"
#include "value_types.h"

#include <QRandomGenerator>
#include <QScopeGuard>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::wire {

using inspect::Examination;
using service::LockDossier;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// How long somebody is given to take the lock after a release before we say that it is still free.
constexpr Duration kFollowPatience = 4s;
/// What capping is planned with until the user chooses: long enough for most holders to notice and
/// renew.
constexpr Duration kDefaultCap = 60s;
/// Each holds a connection; only the dialogs that are open need theirs.
constexpr std::size_t kGuardsMax = 4;

bool hasOwner(const Examination& examination, const Bytes& owner)
{
    return !examination.readings.empty()
           && examination.readings.front().holders.front().owner == owner;
}

/// The record of a Redlock row; nullopt when none of the servers has a vote.
std::optional<inspect::LockRecord> foldedOf(const std::vector<Examination>& examinations,
                                            std::size_t serverCount)
{
    std::vector<inspect::LockPtr> votes(serverCount);
    std::vector<std::uint16_t> unasked(serverCount);
    std::iota(unasked.begin(), unasked.end(), std::uint16_t(0));
    for (const Examination& examination : examinations) {
        std::erase(unasked, examination.sighting.server);
        const inspect::LockPtr record = examination.record();
        if (record && inspect::isQuorumVote(*record)) {
            votes[examination.sighting.server] = record;
        }
    }
    return inspect::foldQuorum(votes, {}, unasked);
}

/// Makes a plan for one server's vote one for the row: it runs on every server that has the same
/// token.
void spread(std::optional<inspect::ReleasePlan>& plan, const inspect::LockPtr& row,
            const std::vector<Examination>& examinations)
{
    if (!plan) {
        return;
    }
    plan->lock = row;
    plan->servers.clear();
    for (const Examination& examination : examinations) {
        if (hasOwner(examination, plan->owner())) {
            plan->servers.push_back(examination.sighting.server);
        }
    }
}

} // namespace

LockDossier dossierOf(std::vector<Examination> examinations, std::size_t serverCount)
{
    const std::optional<inspect::LockRecord> row = serverCount > 1
                                                       ? foldedOf(examinations, serverCount)
                                                       : std::nullopt;
    // The plan compares what this one saw, so it has to be one of those that have the row's token.
    const auto representative =
        std::find_if(examinations.begin(), examinations.end(), [&row](const Examination& e) {
            return row ? hasOwner(e, row->holders.front().owner) : !e.readings.empty();
        });
    const Examination& main = representative != examinations.end() ? *representative
                                                                   : examinations.front();
    LockDossier dossier;
    dossier.lock = row ? std::make_shared<const inspect::LockRecord>(*row) : main.record();
    dossier.readings = main.readings;
    dossier.release = inspect::planFor(main, inspect::ReleaseAction::Release);
    if (!row) {
        dossier.releaseOne = inspect::plansForEach(main);
    }
    if (dossier.lock && !dossier.lock->expiresAt) {
        dossier.capTtl = inspect::planFor(main, inspect::ReleaseAction::CapTtl,
                                          inspect::HolderChoice::all(), kDefaultCap);
    }
    const std::string_view format = dossier.lock ? dossier.lock->format : std::string_view();
    for (const std::string_view warning : inspect::releaseWarnings(main, format)) {
        dossier.warnings.emplace_back(warning);
    }
    if (row) {
        spread(dossier.release, dossier.lock, examinations);
        spread(dossier.capTtl, dossier.lock, examinations);
    }
    for (Examination& examination : examinations) {
        if (examination.sighting.exists()) {
            dossier.sightings.push_back(std::move(examination.sighting));
        }
    }
    return dossier;
}

DeskWorker::DeskWorker(std::unique_ptr<service::AuditLog> log, const report::AuditAuthor& author)
    : m_executor(this),
      m_clock(this),
      m_log(std::move(log)),
      m_audit(*m_log, m_clock, author, freshSeed()),
      m_tasks(m_executor)
{}

DeskWorker::~DeskWorker()
{
    m_tasks.cancelAll();
    m_guards.clear();
    m_servers.clear();
}

std::unique_ptr<Connection> DeskWorker::connectionTo(const store::Endpoint& endpoint)
{
    Rng rng(QRandomGenerator::system()->generate64()); // only spreads the attempts to reconnect
    auto connection = std::make_unique<Connection>(endpoint, m_executor, m_clock, rng);
    connection->leaveNoTrace();
    return connection;
}

void DeskWorker::setEndpoints(const std::vector<store::Endpoint>& endpoints)
{
    m_tasks.cancelAll();
    m_guards.clear();
    m_servers.clear();
    for (const store::Endpoint& endpoint : endpoints) {
        m_servers.push_back(connectionTo(endpoint));
    }
}

void DeskWorker::examine(quint64 request, const inspect::LockId& id)
{
    m_tasks.start(runExamine(request, id, false));
}

void DeskWorker::examineToRelease(quint64 request, const inspect::LockId& id)
{
    m_tasks.start(runExamine(request, id, true));
}

void DeskWorker::execute(quint64 request, const inspect::ReleasePlan& plan,
                         const std::string& reason)
{
    m_tasks.start(runExecute(request, plan, reason));
}

std::vector<std::uint16_t> DeskWorker::serversOf(const inspect::LockId& id) const
{
    if (id.server != inspect::LockId::kWholeSet) {
        return id.server < m_servers.size() ? std::vector{id.server} : std::vector<std::uint16_t>();
    }
    std::vector<std::uint16_t> all(m_servers.size());
    for (std::uint16_t i = 0; i < all.size(); ++i) {
        all[i] = i;
    }
    return all;
}

async::Task<void> DeskWorker::waitUntilOnline(Connection& connection)
{
    if (connection.state() == Connection::State::Closed) {
        connection.open();
    }
    co_await connection.whenSettled();
}

async::Task<DeskWorker::Examined> DeskWorker::examineOn(std::uint16_t server, Bytes name,
                                                        bool isToRelease)
{
    co_await waitUntilOnline(*m_servers[server]);
    Examined found = co_await inspect::examine(*m_servers[server], m_clock, server, name);
    const auto* const examination = std::get_if<Examination>(&found);
    const auto plan = examination != nullptr && isToRelease
                          ? inspect::planFor(*examination, inspect::ReleaseAction::Release)
                          : std::nullopt;
    if (!plan || !plan->recipe.isAnonymous()) {
        co_return found;
    }
    Examined guarded = co_await examineGuarded(server, std::move(name));
    co_return guarded;
}

/// On a connection that is used for nothing else until the plan is carried out or given up.
async::Task<DeskWorker::Examined> DeskWorker::examineGuarded(std::uint16_t server, Bytes name)
{
    const store::Endpoint endpoint = m_servers[server]->endpoint();
    if (m_guards.size() == kGuardsMax) {
        m_guards.pop_front();
    }
    const quint64 link = ++m_lastGuard;
    m_guards.push_back({link, connectionTo(endpoint)});
    const std::shared_ptr<Connection> guard = m_guards.back().connection;
    co_await waitUntilOnline(*guard);
    Examined found = co_await inspect::examineToRelease(*guard, m_clock, server, std::move(name));
    auto* const examination = std::get_if<Examination>(&found);
    if (examination != nullptr && examination->guard) {
        examination->guard->link = link;
    }
    co_return found;
}

std::shared_ptr<Connection> DeskWorker::guardOf(const inspect::ReleasePlan& plan)
{
    const auto guard = std::ranges::find(m_guards, plan.guard->link, &Guard::link);
    return guard == m_guards.end() ? nullptr : guard->connection;
}

async::Task<void> DeskWorker::runExamine(quint64 request, inspect::LockId id, bool isToRelease)
{
    std::vector<Examination> examinations;
    Problem problem{Problem::Kind::NotConnected, {}, {}, {}};
    std::vector<std::string> warnings;
    std::vector<std::uint16_t> unasked;
    for (const std::uint16_t server : serversOf(id)) {
        Examined found = co_await examineOn(server, id.name, isToRelease);
        if (auto* const examination = std::get_if<Examination>(&found)) {
            examinations.push_back(std::move(*examination));
        } else {
            problem = std::get<Problem>(found);
            unasked.push_back(server);
            const store::Endpoint& endpoint = m_servers[server]->endpoint();
            warnings.push_back(store::serverName(endpoint)
                               + " could not be asked: " + store::explain(problem));
        }
    }
    LockDossier dossier;
    if (examinations.empty()) {
        dossier.problem = problem;
    } else {
        const bool isOfSet = id.server == inspect::LockId::kWholeSet;
        dossier = dossierOf(std::move(examinations), isOfSet ? m_servers.size() : 1);
        dossier.warnings.insert(dossier.warnings.end(), warnings.begin(), warnings.end());
    }
    dossier.unasked = std::move(unasked);
    Q_EMIT examined(request, dossier);
}

async::Task<void> DeskWorker::runExecute(quint64 request, inspect::ReleasePlan plan,
                                         std::string reason)
{
    std::vector<std::pair<std::uint16_t, inspect::ReleaseReport>> reports;
    for (const std::uint16_t server : plan.servers) {
        if (server >= m_servers.size()) {
            continue;
        }
        auto report = co_await attempt(server, plan, reason);
        reports.emplace_back(server, std::move(report));
    }
    if (reports.empty()) {
        inspect::ReleaseReport refused;
        refused.result = inspect::ReleaseResult::Refused;
        refused.problem = {Problem::Kind::NotConnected, {}, {}, {}};
        report::AuditAttempt nowhere = report::attemptOf(plan, store::Endpoint(), reason);
        nowhere.server.clear();
        m_audit.noteUnsent(std::move(nowhere), refused);
        tellIfAuditFailed();
        Q_EMIT executed(request, refused);
        co_return;
    }
    const Instant releasedAt = m_clock.now();
    const std::uint16_t first = reports.front().first;
    const inspect::ReleaseReport summary = inspect::summaryOf(std::move(reports));
    Q_EMIT executed(request, summary);
    const bool isRelease = plan.action == inspect::ReleaseAction::Release;
    if (!isRelease || summary.result != inspect::ReleaseResult::Released || plan.leavesOthers()) {
        co_return;
    }
    const inspect::Aftermath aftermath = co_await inspect::follow(*m_servers[first], m_clock, first,
                                                                  plan.lock, releasedAt,
                                                                  kFollowPatience);
    Q_EMIT followed(request, aftermath);
}

async::Task<inspect::ReleaseReport> DeskWorker::attempt(std::uint16_t server,
                                                        const inspect::ReleasePlan& plan,
                                                        const std::string& reason)
{
    Connection& connection = *m_servers[server];
    auto entry = report::attemptOf(plan, connection.endpoint(), reason);
    auto whenDropped = qScopeGuard([&] { noteInterruption(entry); });
    co_await waitUntilOnline(*m_servers[server]);
    whenDropped.dismiss();
    const std::shared_ptr<Connection> guard = plan.guard ? guardOf(plan) : nullptr;
    inspect::ReleaseReport report;
    if (plan.guard && !guard) {
        report.result = inspect::ReleaseResult::Refused;
        report.problem = {Problem::Kind::GuardLost, {}, {}, {}};
        m_audit.noteUnsent(std::move(entry), report);
    } else {
        report = co_await m_audit.execute(guard ? *guard : connection, server, plan,
                                          std::move(entry));
    }
    if (plan.guard) {
        std::erase_if(m_guards, [&plan](const Guard& g) { return g.link == plan.guard->link; });
    }
    tellIfAuditFailed();
    co_return report;
}

void DeskWorker::noteInterruption(const report::AuditAttempt& attempt)
{
    inspect::ReleaseReport refused;
    refused.result = inspect::ReleaseResult::Refused;
    refused.ownReason = service::kInterrupted;
    m_audit.noteUnsent(attempt, refused);
}

void DeskWorker::tellIfAuditFailed()
{
    const std::string failure = m_audit.takeFailure();
    if (!failure.empty()) {
        Q_EMIT auditFailed(QString::fromStdString(failure));
    }
}

RedisReleaseDesk::RedisReleaseDesk(std::unique_ptr<service::AuditLog> log,
                                   const report::AuditAuthor& author, QObject* parent)
    : ReleaseDesk(parent),
      m_worker(QStringLiteral("release desk"), std::move(log), author)
{
    service::registerValueTypes();
    const DeskWorker* const worker = m_worker.object();
    connect(worker, &DeskWorker::examined, this, &RedisReleaseDesk::examined);
    connect(worker, &DeskWorker::executed, this, &RedisReleaseDesk::executed);
    connect(worker, &DeskWorker::followed, this, &RedisReleaseDesk::followed);
    connect(worker, &DeskWorker::auditFailed, this, &RedisReleaseDesk::auditFailed);
}

RedisReleaseDesk::~RedisReleaseDesk() = default;

void RedisReleaseDesk::setEndpoints(std::vector<store::Endpoint> endpoints)
{
    m_worker.post([endpoints = std::move(endpoints)](DeskWorker& worker) {
        worker.setEndpoints(endpoints);
    });
}

service::ReleaseDesk::RequestId RedisReleaseDesk::examine(const inspect::LockId& id)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([request, id](DeskWorker& worker) { worker.examine(request, id); });
    return request;
}

service::ReleaseDesk::RequestId RedisReleaseDesk::examineToRelease(const inspect::LockId& id)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([request, id](DeskWorker& worker) { worker.examineToRelease(request, id); });
    return request;
}

service::ReleaseDesk::RequestId RedisReleaseDesk::execute(const inspect::ReleasePlan& plan,
                                                          const QString& reason)
{
    const RequestId request = ++m_lastRequest;
    m_worker.post([request, plan, reason = reason.toStdString()](DeskWorker& worker) {
        worker.execute(request, plan, reason);
    });
    return request;
}

} // namespace lockscope::wire
