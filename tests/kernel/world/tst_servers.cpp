#include "core/kernel/world/servers.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_servers {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestServers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachHasItsClock();
    void slownessEnds();
    void onlyAFailoverNeedsAReplica();
    void theReplicaLagsByTwoWritesAtMost();
    void theFirstTimeoutIsTheNext();
};

namespace {

WorldPlan onTwoServers(FaultKind fault = FaultKind::Interleaving)
{
    WorldPlan plan = twoAtOnce(fault);
    plan.nodeCount = 2;
    return plan;
}

} // namespace

void TestServers::eachHasItsClock()
{
    sim::LuaEngine lua;
    const WorldPlan plan = onTwoServers();
    Instant now{};
    Servers servers(plan, lua, now);
    servers.clock(1).offset = 5s;
    now = Instant(2s);
    QCOMPARE(servers.timeOf(0) - ServerClock::kEpoch, Duration(2s));
    QCOMPARE(servers.timeOf(1) - ServerClock::kEpoch, Duration(7s));
}

void TestServers::slownessEnds()
{
    sim::LuaEngine lua;
    const WorldPlan plan = onTwoServers();
    Instant now{};
    Servers servers(plan, lua, now);
    ContentHash before;
    servers.addTo(before);
    servers.slowDown(0, 1s);
    ContentHash slow;
    servers.addTo(slow);
    QVERIFY(slow.value() != before.value());
    QCOMPARE(servers.delayOf(0), Duration(1s));
    QCOMPARE(servers.delayOf(1), Duration(0));
    now = Instant(10s);
    QCOMPARE(servers.delayOf(0), Duration(0));
    ContentHash after;
    servers.addTo(after);
    QCOMPARE(after.value(), before.value()); // what is over makes no state of its own
}

void TestServers::onlyAFailoverNeedsAReplica()
{
    sim::LuaEngine lua;
    const Instant now{};
    for (const FaultKind fault : {FaultKind::Failover, FaultKind::ServerRestart}) {
        const WorldPlan plan = onTwoServers(fault);
        const Servers servers(plan, lua, now);
        QCOMPARE(servers[1].replication().replicaCount(),
                 std::size_t(fault == FaultKind::Failover ? 1 : 0));
    }
}

void TestServers::theReplicaLagsByTwoWritesAtMost()
{
    sim::LuaEngine lua;
    const WorldPlan plan = onTwoServers(FaultKind::Failover);
    const Instant now{};
    Servers servers(plan, lua, now);
    const sim::SessionId session = servers[0].connect();
    for (std::size_t writes = 1; writes <= 4; ++writes) {
        servers[0].run(session, store::Command("INCR", "n"), servers.timeOf(0));
        servers.keepReplicaClose(0);
        QCOMPARE(servers[0].replication().lagOf(0), std::min<std::size_t>(writes, 2));
    }
}

void TestServers::theFirstTimeoutIsTheNext()
{
    sim::LuaEngine lua;
    const WorldPlan plan = onTwoServers();
    const Instant now{};
    Servers servers(plan, lua, now);
    QCOMPARE(servers.nextTimeout(), std::nullopt);
    for (const int node : {0, 1}) {
        const sim::SessionId session = servers[node].connect();
        servers[node].run(session, store::Command("BLPOP", "list", 9 - node), servers.timeOf(node));
    }
    QCOMPARE(servers.nextTimeout(), std::optional(Instant(8s)));
    servers.clock(0).offset = 4s; // the wait on it ends by its own clock
    QCOMPARE(servers.nextTimeout(), std::optional(Instant(5s)));
}

LOCKSCOPE_TEST(TestServers, Core)

} // namespace lockscope::tst_servers

#include "tst_servers.moc"
