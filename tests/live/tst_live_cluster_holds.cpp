#include "core/kernel/protocol/catalogue.h"
#include "core/wire/watch/redis_lock_keeper.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

// Locks that are held in a cluster by hand or by `run`: that they are lost is told at once.
namespace lockscope::tst_live_cluster_holds {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::KeptLock;
using State = KeptLock::State;
using store::Command;

namespace {

constexpr int kPatienceMs = 60'000;

} // namespace

class TestLiveClusterHolds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_group.reset(); }
    void theHolderIsToldAtOnce();
    void theHolderIsToldAtOnceWhereTheKeyHasMoved();
    void theHolderIsToldWhenAFailoverForgetsTheLock();

private:
    /// Neither a renewal nor the end of the lease would tell in time.
    service::KeepOrder orderFor(const std::string& key) const;
    bool isHeldAndWatched() const { return m_lock.state == State::Held && m_lock.isWatched; }

    std::unique_ptr<ClusterGroup> m_group;
    KeptLock m_lock; // as the keeper described it last
};

void TestLiveClusterHolds::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    m_group = std::make_unique<ClusterGroup>();
}

service::KeepOrder TestLiveClusterHolds::orderFor(const std::string& key) const
{
    const protocol::LockProtocol* const found = protocol::findProtocol("set-nx-px-token");
    service::KeepOrder order;
    order.servers = {m_group->endpoint()};
    order.protocol = {found, [](const protocol::LockProtocol*) {}};
    order.request = protocol::LockRequest::withDefaults(found->info(), key);
    order.request.lease = 1h;
    order.renewal.period = 30min;
    return order;
}

void TestLiveClusterHolds::theHolderIsToldAtOnce()
{
    wire::RedisLockKeeper keeper;
    connect(&keeper, &service::LockKeeper::changed, this,
            [this](const KeptLock& lock) { m_lock = lock; });
    const std::string key = m_group->lockOn(1);
    keeper.acquire(orderFor(key));
    QTRY_VERIFY_WITH_TIMEOUT(isHeldAndWatched(), kPatienceMs);
    m_group->ask(1, Command("SET", key, "somebody else"));
    QTRY_COMPARE_WITH_TIMEOUT(m_lock.state, State::Lost, kPatienceMs);
    QCOMPARE(m_lock.loss, std::optional(trace::LossReason::OtherOwner));
}

void TestLiveClusterHolds::theHolderIsToldAtOnceWhereTheKeyHasMoved()
{
    wire::RedisLockKeeper keeper;
    bool wasUnwatched = false;
    connect(&keeper, &service::LockKeeper::changed, this, [&](const KeptLock& lock) {
        wasUnwatched = wasUnwatched || (m_lock.isWatched && !lock.isWatched);
        m_lock = lock;
    });
    m_lock = {};
    const std::string key = m_group->lockOn(0);
    const std::uint16_t slot = store::slotOf(key);
    keeper.acquire(orderFor(key));
    QTRY_VERIFY_WITH_TIMEOUT(isHeldAndWatched(), kPatienceMs);
    m_group->openSlot(slot, 0, 2);
    m_group->moveKey(key, 0, 2);
    m_group->closeSlot(slot, 0, 2);
    QTRY_VERIFY_WITH_TIMEOUT(wasUnwatched && isHeldAndWatched(), kPatienceMs);
    m_group->ask(2, Command("DEL", key));
    QTRY_COMPARE_WITH_TIMEOUT(m_lock.state, State::Lost, kPatienceMs);
    QCOMPARE(m_lock.loss, std::optional(trace::LossReason::Gone));
}

void TestLiveClusterHolds::theHolderIsToldWhenAFailoverForgetsTheLock()
{
    wire::RedisLockKeeper keeper;
    connect(&keeper, &service::LockKeeper::changed, this,
            [this](const KeptLock& lock) { m_lock = lock; });
    m_lock = {};
    const std::string key = m_group->lockOn(1, 1000);
    const std::uint16_t slot = store::slotOf(key);
    m_group->freeze(4); // its replica hears of nothing that follows
    m_group->ask(1, Command("CLIENT", "KILL", "TYPE", "replica"));
    keeper.acquire(orderFor(key));
    QTRY_VERIFY_WITH_TIMEOUT(isHeldAndWatched(), kPatienceMs);
    m_group->kill(1);
    m_group->thaw(4);
    m_group->waitForMaster(slot, 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_lock.state, State::Lost, kPatienceMs);
    QCOMPARE(m_lock.loss, std::optional(trace::LossReason::Gone));
}

LOCKSCOPE_TEST(TestLiveClusterHolds, Core)

} // namespace lockscope::tst_live_cluster_holds

#include "tst_live_cluster_holds.moc"
