#include "core/wire/connection/cluster_map.h"

#include "core/kernel/base/joined.h"

#include <QHostAddress>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// For the other answers, once there is one.
constexpr Duration kGrace = 250ms;
/// For nodes that only the answers named.
constexpr Duration kGraceOfNewcomers = 1s;
constexpr Duration kLookInterval = 500ms;
constexpr Duration kSilence = 700ms;

/// Says more than that nobody answers.
bool isToBeMended(const Problem& problem)
{
    switch (problem.kind) {
    case Problem::Kind::NotACluster:
    case Problem::Kind::PasswordWrong:
    case Problem::Kind::PasswordNeeded:
    case Problem::Kind::NoPermission:
    case Problem::Kind::NoSuchDatabase: return true;
    default: return false;
    }
}

std::uint64_t highestEpochOf(const store::ClusterTopology& topology)
{
    std::uint64_t highest = 0;
    for (const store::ClusterNode& node : topology.nodes()) {
        highest = std::max(highest, node.epoch);
    }
    return highest;
}

/// A few nodes that know less than is known already are cut off from the others.
bool isBelievable(const store::ClusterTopology& fresh, std::size_t viewCount,
                  const store::ClusterTopologyPtr& known)
{
    return !known || 2 * viewCount > known->nodes().size()
           || highestEpochOf(fresh) >= highestEpochOf(*known);
}

} // namespace

ClusterMap::ClusterMap(store::Endpoint endpoint, async::Executor& executor, Clock& clock, Rng rng,
                       QObject* parent)
    : QObject(parent),
      m_endpoint(std::move(endpoint)),
      m_executor(executor),
      m_clock(clock),
      m_rng(rng),
      m_tasks(executor)
{}

ClusterMap::~ClusterMap()
{
    close();
}

void ClusterMap::open()
{
    m_isOpen = true;
}

void ClusterMap::follow()
{
    m_following = async::BackgroundTask(m_executor, keepLooking());
}

void ClusterMap::close()
{
    m_isOpen = false;
    m_following = {};
    m_looking = {};
    m_tasks.cancelAll();
    m_asked.clear();
    m_isLooking = false;
    for (const auto& [address, connection] : m_connections) {
        connection->close();
    }
    setProblem({Problem::Kind::NotConnected, {}, {}, {}});
    for (async::Completer<bool>& waiter : std::exchange(m_waiters, {})) {
        waiter.complete(true);
    }
}

void ClusterMap::setReadOnly(bool isReadOnly)
{
    m_endpoint.isReadOnly = isReadOnly;
    for (const auto& [address, connection] : m_connections) {
        connection->setReadOnly(isReadOnly);
    }
}

Connection& ClusterMap::connectionTo(const store::HostPort& address)
{
    const store::ClusterNode* const node = m_topology ? m_topology->nodeAt(address) : nullptr;
    return node != nullptr ? connectionTo(*node) : connectionBy(address);
}

Connection& ClusterMap::connectionBy(const store::HostPort& address)
{
    std::unique_ptr<Connection>& connection = m_connections[hostPortText(address)];
    if (!connection) {
        store::Endpoint place = m_endpoint;
        place.clusterSeeds = {};
        place.host = address.host;
        place.port = address.port;
        connection = std::make_unique<Connection>(place, m_executor, m_clock, m_rng.split());
        if (m_leavesNoTrace) {
            connection->leaveNoTrace();
        }
        connect(connection.get(), &Connection::stateChanged, this, [this, link = connection.get()] {
            if (link->state() == Connection::State::Waiting) {
                m_lookGate.open();
            }
        });
    }
    if (connection->state() == Connection::State::Closed) {
        connection->open();
    }
    return *connection;
}

/// Where it answered as itself, it can be reached, whatever address it announces.
Connection& ClusterMap::connectionTo(const store::ClusterNode& node)
{
    const auto self = m_self.find(node.id);
    const bool isKnown = self != m_self.end() && self->second->state() == Connection::State::Online;
    if (isKnown) {
        return *self->second;
    }
    Connection& first = connectionBy(node.address);
    const std::optional<store::HostPort> other = store::otherAddressOf(node);
    if (!other || first.state() != Connection::State::Waiting) {
        return first;
    }
    Connection& second = connectionBy(*other);
    return second.state() != Connection::State::Waiting ? second : first;
}

/// Certificates are made for names, and whoever named the first nodes by names can resolve them.
bool ClusterMap::prefersNames() const
{
    return m_endpoint.transport == store::Endpoint::Transport::Tls
           || std::ranges::any_of(m_endpoint.clusterSeeds, [](const store::HostPort& seed) {
                  return QHostAddress(QString::fromStdString(seed.host)).isNull();
              });
}

std::map<std::string, const Connection*> ClusterMap::ways()
{
    std::map<std::string, const Connection*> all;
    for (const store::ClusterNode& node : m_topology->nodes()) {
        all[node.id] = &connectionTo(node);
    }
    return all;
}

Connection* ClusterMap::connectionOf(std::uint16_t slot)
{
    const store::ClusterNode* const master = m_topology ? m_topology->masterOf(slot) : nullptr;
    return master != nullptr ? &connectionTo(*master) : nullptr;
}

bool ClusterMap::isSilent(const Connection& connection) const
{
    const auto asked = m_asked.find(&connection);
    return asked != m_asked.end() && m_clock.now() - asked->second > kSilence;
}

Connection::Traffic ClusterMap::takeTraffic()
{
    Connection::Traffic all;
    for (const auto& [address, connection] : m_connections) {
        const Connection::Traffic traffic = connection->takeTraffic();
        all.commandCount += traffic.commandCount;
        all.slowestCall = std::max(all.slowestCall, traffic.slowestCall);
    }
    return all;
}

async::Task<Problem> ClusterMap::refresh(Duration age)
{
    if (!m_isOpen) {
        co_return Problem{Problem::Kind::NotConnected, {}, {}, {}};
    }
    const bool isFresh = m_topology && m_problem.kind == Problem::Kind::None
                         && m_clock.now() - m_lookedAt <= age;
    if (isFresh) {
        co_return Problem();
    }
    if (!std::exchange(m_isLooking, true)) {
        m_looking = async::BackgroundTask(m_executor, look());
    }
    co_await m_waiters.emplace_back().pending();
    co_return m_problem;
}

async::Task<Problem> ClusterMap::askAgain()
{
    if (m_isLooking) {
        co_await m_waiters.emplace_back().pending();
    }
    co_return co_await refresh(Duration(0));
}

async::Task<void> ClusterMap::keepLooking()
{
    while (true) {
        co_await refresh(Duration(0));
        const Instant next = m_clock.now() + kLookInterval;
        co_await m_lookGate.passBefore(m_clock, next);
    }
}

/// The nodes that are known; where none of them is connected, those that the user named as well.
std::vector<Connection*> ClusterMap::thoseToAsk()
{
    std::set<Connection*> all;
    bool isAnyOnline = false;
    if (m_topology) {
        for (const store::ClusterNode& node : m_topology->nodes()) {
            Connection& connection = connectionTo(node);
            isAnyOnline = isAnyOnline || connection.state() == Connection::State::Online;
            all.insert(&connection);
        }
    }
    for (std::size_t i = 0; !isAnyOnline && i < m_endpoint.clusterSeeds.size(); ++i) {
        Connection& connection = connectionTo(m_endpoint.clusterSeeds[i]);
        if (connection.state() == Connection::State::Waiting
            && connection.nextAttempt() != Instant::max()) {
            connection.open(); // who waits for the next attempt has to wait no longer
        }
        all.insert(&connection);
    }
    std::erase_if(all, [this](Connection* c) { return m_asked.contains(c); });
    return {all.begin(), all.end()};
}

/// Those that only the answers named.
std::vector<Connection*> ClusterMap::unaskedNodes(const store::ClusterTopology& topology,
                                                  const std::vector<Connection*>& asked)
{
    std::set<Connection*> more;
    for (const store::ClusterNode& node : topology.nodes()) {
        if (m_topology && m_topology->nodeOfId(node.id) != nullptr) {
            continue; // known before: nobody waits longer for one that is silent
        }
        Connection& connection = connectionTo(node);
        const bool wasAsked = std::ranges::find(asked, &connection) != asked.end();
        if (!wasAsked && !node.isFailed && !m_asked.contains(&connection)) {
            more.insert(&connection);
        }
    }
    return {more.begin(), more.end()};
}

async::Task<void> ClusterMap::look()
{
    const auto round = std::make_shared<Round>();
    const std::vector<Connection*> first = thoseToAsk();
    co_await askAll(first, round);
    if (!round->views.empty()) {
        const store::ClusterTopology soFar(round->views);
        co_await askAll(unaskedNodes(soFar, first), round);
    }
    take(*round);
    m_isLooking = false;
    for (async::Completer<bool>& waiter : std::exchange(m_waiters, {})) {
        waiter.complete(true);
    }
}

/// Ends a moment after the first answer at the latest.
async::Task<void> ClusterMap::askAll(std::vector<Connection*> connections,
                                     std::shared_ptr<Round> round)
{
    const bool areNewcomers = !round->views.empty();
    round->openCount = connections.size();
    for (Connection* const connection : connections) {
        m_asked.emplace(connection, m_clock.now());
        m_tasks.start(ask(*connection, round));
    }
    const std::size_t before = round->views.size();
    Instant deadline = m_clock.now()
                       + (areNewcomers ? kGraceOfNewcomers : m_endpoint.connectTimeout);
    bool isInGrace = areNewcomers;
    while (round->openCount > 0 && m_clock.now() < deadline) {
        co_await round->news.passBefore(m_clock, deadline);
        if (round->views.size() > before && !std::exchange(isInGrace, true)) {
            deadline = std::min(deadline, m_clock.now() + kGrace);
        }
    }
}

async::Task<void> ClusterMap::ask(Connection& connection, std::shared_ptr<Round> round)
{
    const store::HostPort address{connection.endpoint().host, connection.endpoint().port};
    Problem problem = co_await connection.whenSettled();
    if (problem.kind == Problem::Kind::None) {
        std::vector<Command> questions;
        questions.emplace_back("CLUSTER", "NODES");
        questions.emplace_back("CLUSTER", "INFO");
        const std::vector<Outcome> outcomes = co_await connection.submitAll(std::move(questions));
        auto view = store::clusterViewOf(outcomes.front(), outcomes.back(), address);
        if (auto* const known = std::get_if<store::ClusterView>(&view)) {
            if (prefersNames()) {
                store::preferNames(*known);
            }
            m_self[known->selfId] = &connection;
            round->views.push_back(std::move(*known));
        } else {
            problem = std::get<Problem>(view);
        }
    }
    if (problem.kind != Problem::Kind::None) {
        round->complaints.push_back(hostPortText(address) + ": "
                                    + (problem.detail.empty() ? store::explain(problem)
                                                              : problem.detail));
        round->problem = isToBeMended(problem) ? problem : round->problem;
    }
    m_asked.erase(&connection);
    --round->openCount;
    round->news.open();
}

void ClusterMap::take(const Round& round)
{
    if (round.views.empty()) {
        const bool isClear = round.problem.kind != Problem::Kind::None;
        setProblem(isClear
                       ? round.problem
                       : Problem{
                           Problem::Kind::NoClusterNode, joined(round.complaints, "; "), {}, {}});
        return;
    }
    store::ClusterTopology fresh(round.views);
    if (!isBelievable(fresh, round.views.size(), m_topology)) {
        setProblem({Problem::Kind::NoClusterNode, joined(round.complaints, "; "), {}, {}});
        return;
    }
    m_lookedAt = m_clock.now();
    setProblem({});
    const bool isNew = !m_topology || fresh != *m_topology;
    if (isNew) {
        m_topology = std::make_shared<const store::ClusterTopology>(std::move(fresh));
        ++m_version;
        closeStrangers();
    }
    std::map<std::string, const Connection*> now = ways();
    const bool areOthers = now != m_ways;
    m_ways = std::move(now);
    if (isNew || areOthers) {
        Q_EMIT topologyChanged();
    }
}

void ClusterMap::setProblem(const Problem& problem)
{
    if (problem != m_problem) {
        m_problem = problem;
        Q_EMIT problemChanged();
    }
}

/// Connections to what is no node any more.
void ClusterMap::closeStrangers()
{
    std::set<const Connection*> members;
    for (const store::ClusterNode& node : m_topology->nodes()) {
        members.insert(&connectionTo(node));
    }
    for (const auto& [address, connection] : m_connections) {
        if (!members.contains(connection.get())) {
            connection->close();
        }
    }
}

} // namespace lockscope::wire
