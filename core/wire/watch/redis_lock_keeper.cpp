#include "core/wire/watch/redis_lock_keeper.h"

#include "core/kernel/protocol/attempts.h"
#include "core/wire/entropy.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using namespace std::chrono_literals;
using protocol::Grant;
using protocol::Hold;
using protocol::NotHeld;
using protocol::Unavailable;
using protocol::Uncertain;
using service::KeepOrder;
using service::KeptLock;
using State = KeptLock::State;

namespace {

constexpr Duration kConnectPatience = 5s;
/// How long to wait for something that only a bell can end.
constexpr Duration kForEver = std::chrono::days(365);

std::string joinedNames(const std::vector<store::Endpoint>& servers)
{
    std::string names;
    for (const store::Endpoint& server : servers) {
        names.append(names.empty() ? "" : ",").append(serverName(server));
    }
    return names;
}

} // namespace

KeeperWorker::KeeperWorker(std::uint64_t seed) : m_executor(this), m_clock(this), m_rng(seed)
{}

KeeperWorker::~KeeperWorker() = default;

void KeeperWorker::acquire(quint64 id, const KeepOrder& order)
{
    std::erase_if(m_desks, [](const auto& entry) { return entry.second->task.isFinished(); });
    auto desk = std::make_unique<Desk>();
    desk->order = order;
    desk->lock.id = id;
    desk->lock.protocolId = order.protocol->info().id;
    desk->lock.key = order.request.key;
    desk->lock.server = joinedNames(order.servers);
    desk->memory = order.protocol->makeMemory();
    protocol::ClientEnvironment environment{connectDesk(*desk), m_executor, m_clock, m_log};
    const protocol::Identity identity{protocol::randomUuid(m_rng), id};
    desk->contender = std::make_unique<protocol::Contender>(std::move(environment), identity, 0,
                                                            m_rng.split(), *desk->memory);
    desk->task = async::BackgroundTask(m_executor, serve(*desk));
    m_desks.emplace(id, std::move(desk));
}

/// A cluster is a member of no set: several servers of which one is a cluster are refused by their
/// connections.
std::vector<store::Node> KeeperWorker::connectDesk(Desk& desk)
{
    const std::vector<store::Endpoint>& servers = desk.order.servers;
    std::vector<store::Channels*> channels;
    for (const store::Endpoint& server : servers) {
        desk.channels.push_back(std::make_unique<RedisChannels>(listeningEndpointOf(server),
                                                                m_executor, m_clock,
                                                                m_rng.split()));
        channels.push_back(desk.channels.back().get());
    }
    if (servers.size() == 1 && servers.front().isCluster()) {
        desk.cluster = std::make_unique<ClusterClient>(servers.front(), *channels.front(),
                                                       m_executor, m_clock, m_rng.split());
        return desk.cluster->nodes();
    }
    desk.client = std::make_unique<LockClient>(servers, channels, m_executor, m_clock,
                                               m_rng.split());
    return desk.client->nodes();
}

void KeeperWorker::release(quint64 id)
{
    const auto found = m_desks.find(id);
    if (found != m_desks.end()) {
        found->second->contender->interrupt();
    }
}

void KeeperWorker::tell(Desk& desk, State state)
{
    if (desk.lock.state != state || desk.lock.since == Instant()) {
        desk.lock.since = m_clock.now();
    }
    desk.lock.state = state;
    Q_EMIT changed(desk.lock);
}

/// Skipped when the lock is not wanted any more.
async::Task<void> KeeperWorker::waitForConnections(Desk& desk)
{
    const async::BackgroundTask settling(m_executor, ringWhenSettled(desk));
    co_await desk.contender->waitForBell(m_clock.now() + kConnectPatience);
}

async::Task<void> KeeperWorker::ringWhenSettled(Desk& desk)
{
    if (desk.cluster) {
        co_await desk.cluster->whenSettled();
    } else {
        co_await desk.client->whenSettled();
    }
    desk.contender->bell().open();
}

async::Task<void> KeeperWorker::serve(Desk& desk)
{
    tell(desk, State::Connecting);
    if (desk.cluster) {
        desk.cluster->open();
    } else {
        desk.client->followMaster();
        desk.client->open();
    }
    co_await waitForConnections(desk);
    tell(desk, State::Waiting);
    auto outcome = co_await protocol::acquire(*desk.order.protocol, *desk.contender,
                                              desk.order.request);
    if (auto* const grant = grantOf(outcome)) {
        co_await keep(desk, std::move(*grant));
    } else if (auto* const uncertain = std::get_if<Uncertain>(&outcome)) {
        co_await settleUncertain(desk, std::move(*uncertain));
    } else if (const auto* const unavailable = std::get_if<Unavailable>(&outcome)) {
        desk.lock.problem = *unavailable->problem;
        tell(desk, State::Failed);
    } else {
        tell(desk, State::Refused);
    }
}

async::Task<void> KeeperWorker::keep(Desk& desk, Grant grant)
{
    desk.lock.token = grant.token;
    desk.lock.fence = grant.fence;
    desk.lock.trustedUntil = grant.trustedUntil;
    protocol::Renewal renewal = desk.order.renewal;
    renewal.tellsHolder = true; // also where the protocol's own worker would never hear of it
    Hold hold(*desk.order.protocol, *desk.contender, std::move(grant), renewal);
    tell(desk, State::Held);
    watchHold(desk);
    co_await waitForRelease(desk, hold);
    endWatches(desk);
    tell(desk, State::Releasing);
    const protocol::ReleaseOutcome outcome = co_await hold.release();
    tellRelease(desk, outcome);
}

void KeeperWorker::watchHold(Desk& desk)
{
    const bool isLostWithOne = desk.order.servers.size() == 1;
    if (!isLostWithOne && !desk.order.renewal.isOn()) {
        return; // no caller would ask how many of them still have it
    }
    desk.isServerWatched.assign(desk.order.servers.size(), false);
    if (desk.cluster) {
        ClusterMap& map = desk.cluster->map();
        // Queued, so that no watch is destroyed from inside a call that it made itself.
        connect(
            &map, &ClusterMap::topologyChanged, this, [this, &desk] { watchOnOwner(desk); },
            Qt::QueuedConnection);
        map.follow();
        watchOnOwner(desk);
        return;
    }
    for (const store::Endpoint& server : desk.order.servers) {
        watchOn(desk, server);
    }
}

void KeeperWorker::watchOn(Desk& desk, const store::Endpoint& server)
{
    auto watch = std::make_unique<HoldWatch>(server, m_executor, m_clock, m_rng.split(),
                                             desk.lock.key, desk.lock.token,
                                             desk.order.renewal.isOn());
    connect(watch.get(), &HoldWatch::lost, this, [&desk](bool isGone) {
        desk.doubt = isGone ? trace::LossReason::Gone : trace::LossReason::OtherOwner;
        desk.contender->bell().open();
    });
    connect(watch.get(), &HoldWatch::watching, this,
            [this, &desk, index = desk.watches.size()](bool isOn) {
                desk.isServerWatched[index] = isOn;
                tellWhetherItIsWatched(desk);
            });
    desk.watches.push_back(std::move(watch));
}

/// In a cluster the key may move, and its node may be replaced.
void KeeperWorker::watchOnOwner(Desk& desk)
{
    const Connection* const owner = desk.cluster->map().connectionOf(store::slotOf(desk.lock.key));
    const std::string node = owner != nullptr ? store::serverName(owner->endpoint()) : "";
    if (desk.lock.state != State::Held || node == desk.watchedNode) {
        return;
    }
    desk.watchedNode = node;
    desk.watches.clear();
    desk.isServerWatched.assign(1, false);
    tellWhetherItIsWatched(desk);
    if (owner != nullptr) {
        watchOn(desk, owner->endpoint());
    }
}

void KeeperWorker::endWatches(Desk& desk)
{
    if (desk.cluster) {
        desk.cluster->map().disconnect(this);
    }
    desk.watches.clear();
}

void KeeperWorker::tellWhetherItIsWatched(Desk& desk)
{
    const bool isWatched = std::ranges::all_of(desk.isServerWatched, std::identity());
    if (desk.lock.state == State::Held && isWatched != desk.lock.isWatched) {
        desk.lock.isWatched = isWatched;
        tell(desk, State::Held);
    }
}

async::Task<void> KeeperWorker::waitForRelease(Desk& desk, Hold& hold)
{
    while (!desk.contender->isInterrupted()) {
        if (const auto doubt = std::exchange(desk.doubt, std::nullopt)) {
            co_await hold.doubt(*doubt);
        }
        const bool isNews = hold.renewalCount() != desk.lock.renewalCount
                            || hold.loss().has_value() != desk.lock.loss.has_value();
        if (isNews) {
            desk.lock.renewalCount = hold.renewalCount();
            desk.lock.trustedUntil = hold.grant().trustedUntil;
            if (hold.loss()) {
                desk.lock.loss = hold.loss()->reason;
            }
            tell(desk, hold.loss() ? State::Lost : State::Held);
        }
        co_await desk.contender->waitForBell(m_clock.now() + kForEver);
    }
}

async::Task<void> KeeperWorker::settleUncertain(Desk& desk, Uncertain uncertain)
{
    desk.lock.problem = *uncertain.problem;
    desk.lock.isStillWanted = uncertain.possible.has_value();
    tell(desk, State::Uncertain);
    if (!uncertain.possible) {
        co_return;
    }
    desk.lock.token = uncertain.possible->token;
    while (!desk.contender->isInterrupted()) {
        co_await desk.contender->waitForBell(m_clock.now() + kForEver);
    }
    tell(desk, State::Releasing);
    desk.lock.isStillWanted = false;
    const auto outcome = co_await desk.order.protocol->release(*desk.contender,
                                                               *uncertain.possible);
    tellRelease(desk, outcome);
}

void KeeperWorker::tellRelease(Desk& desk, const protocol::ReleaseOutcome& outcome)
{
    if (const auto* const notHeld = std::get_if<NotHeld>(&outcome)) {
        desk.lock.wasOtherOwner = notHeld->isOtherOwner;
        desk.lock.loss = desk.lock.loss.value_or(notHeld->isOtherOwner
                                                     ? trace::LossReason::OtherOwner
                                                     : trace::LossReason::Gone);
        tell(desk, State::Released);
    } else if (const auto* const uncertain = std::get_if<Uncertain>(&outcome)) {
        desk.lock.problem = *uncertain->problem;
        tell(desk, State::Uncertain);
    } else if (const auto* const unavailable = std::get_if<Unavailable>(&outcome)) {
        // Certainly not released: it is still there until its lease ends.
        desk.lock.problem = *unavailable->problem;
        tell(desk, State::Failed);
    } else {
        tell(desk, State::Released);
    }
}

RedisLockKeeper::RedisLockKeeper(QObject* parent)
    : LockKeeper(parent),
      m_worker(QStringLiteral("lock keeper"), freshSeed())
{
    qRegisterMetaType<KeptLock>("lockscope::service::KeptLock");
    connect(m_worker.object(), &KeeperWorker::changed, this, &RedisLockKeeper::takeKeptLock);
}

RedisLockKeeper::~RedisLockKeeper() = default;

quint64 RedisLockKeeper::acquire(const KeepOrder& order)
{
    const quint64 id = ++m_lastId;
    KeptLock lock;
    lock.id = id;
    lock.protocolId = order.protocol->info().id;
    lock.key = order.request.key;
    lock.server = joinedNames(order.servers);
    lock.since = now();
    m_locks[id] = lock;
    m_worker.post([id, order](KeeperWorker& worker) { worker.acquire(id, order); });
    return id;
}

void RedisLockKeeper::release(quint64 id)
{
    m_worker.post([id](KeeperWorker& worker) { worker.release(id); });
}

void RedisLockKeeper::releaseAll()
{
    m_isReleasingAll = true;
    for (const auto& [id, lock] : m_locks) {
        release(id);
    }
    QMetaObject::invokeMethod(this, &RedisLockKeeper::tellIfAllReleased, Qt::QueuedConnection);
}

std::vector<KeptLock> RedisLockKeeper::held() const
{
    std::vector<KeptLock> locks;
    for (const auto& [id, lock] : m_locks) {
        locks.push_back(lock);
    }
    return locks;
}

void RedisLockKeeper::takeKeptLock(const KeptLock& lock)
{
    if (lock.isOver()) {
        m_locks.erase(lock.id);
    } else {
        m_locks[lock.id] = lock;
    }
    Q_EMIT changed(lock);
    tellIfAllReleased();
}

void RedisLockKeeper::tellIfAllReleased()
{
    if (m_isReleasingAll && m_locks.empty()) {
        m_isReleasingAll = false;
        Q_EMIT allReleased();
    }
}

} // namespace lockscope::wire
