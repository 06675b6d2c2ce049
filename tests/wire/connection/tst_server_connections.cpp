#include "core/wire/connection/server_connections.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_connections {

using namespace lockscope::testing;

namespace {

constexpr int kPatienceMs = 20'000;

} // namespace

class TestServerConnections : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsOpenedUntilItIsNeeded();
    void oneMoreIsAnotherClient();
    void readOnlyIsTurnedWithoutReconnecting();
    void anotherServerIsReachedByItsEndpoint();
};

void TestServerConnections::anotherServerIsReachedByItsEndpoint()
{
    ScriptedPeer replica;
    ScriptedPeer master;
    store::Endpoint endpoint;
    endpoint.port = replica.port();
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::ServerConnections servers(executor, clock, Rng(1));
    servers.setEndpoints({endpoint});
    endpoint.port = master.port();
    endpoint.password = "s3cret";
    const auto store = servers.connectTo(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(master.heard().contains("s3cret"), kPatienceMs);
    QCOMPARE(replica.clientCount(), 0);
}

void TestServerConnections::nothingIsOpenedUntilItIsNeeded()
{
    ScriptedPeer idle;
    ScriptedPeer used;
    store::Endpoint first;
    first.port = idle.port();
    store::Endpoint second;
    second.port = used.port();
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::ServerConnections servers(executor, clock, Rng(1));
    servers.setEndpoints({first, second});
    QCOMPARE(servers.count(), std::size_t(2));
    QCOMPARE(servers.endpoint(1).port, used.port());
    servers.store(1);
    QTRY_VERIFY_WITH_TIMEOUT(used.hasClient(), kPatienceMs);
    servers.store(1); // the same one
    QTRY_VERIFY_WITH_TIMEOUT(used.heard().contains("SETNAME"), kPatienceMs);
    QCOMPARE(used.clientCount(), 1);
    QCOMPARE(idle.clientCount(), 0);
}

void TestServerConnections::oneMoreIsAnotherClient()
{
    ScriptedPeer peer;
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::ServerConnections servers(executor, clock, Rng(1));
    servers.setEndpoints({endpoint});
    servers.store(0);
    QTRY_COMPARE_WITH_TIMEOUT(peer.clientCount(), 1, kPatienceMs);
    const std::shared_ptr<store::Store> guard = servers.connectAgain(0);
    QTRY_COMPARE_WITH_TIMEOUT(peer.clientCount(), 2, kPatienceMs);
}

void TestServerConnections::readOnlyIsTurnedWithoutReconnecting()
{
    ScriptedPeer peer;
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    endpoint.isReadOnly = true;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::ServerConnections servers(executor, clock, Rng(1));
    servers.setEndpoints({endpoint});
    const store::Store& connection = servers.store(0);
    QTRY_COMPARE_WITH_TIMEOUT(peer.clientCount(), 1, kPatienceMs);
    endpoint.isReadOnly = false;
    QVERIFY(servers.adoptReadOnly({endpoint}));
    QVERIFY(!servers.endpoint(0).isReadOnly);
    QCOMPARE(&servers.store(0), &connection);
    endpoint.database = 1;
    QVERIFY(!servers.adoptReadOnly({endpoint}));
    QVERIFY(!servers.adoptReadOnly({}));
    QCOMPARE(servers.endpoint(0).database, 0);
}

LOCKSCOPE_TEST(TestServerConnections, Core)

} // namespace lockscope::tst_server_connections

#include "tst_server_connections.moc"
