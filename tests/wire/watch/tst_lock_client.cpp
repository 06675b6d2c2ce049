#include "core/wire/connection/redis_channels.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/lock_client.h"
#include "tests/support/live/live_server.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lock_client {

using namespace lockscope::testing;
using store::Command;
using store::Outcome;
using store::Reply;
using wire::LockClient;

namespace {

struct Bench {
    LiveServer server;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::RedisChannels channels{server.endpoint(), executor, clock, Rng(1)};
    LockClient client{{server.endpoint()}, {&channels}, executor, clock, Rng(2)};

    bool connect()
    {
        client.open();
        return QTest::qWaitFor([this] { return client.isOnline(); }, 10'000);
    }
    StartedTask<Outcome> send(store::Store& store, Command command)
    {
        return StartedTask<Outcome>(executor, resultOf(store.submit(std::move(command))));
    }
};

Outcome number(std::int64_t n)
{
    return Reply::ofInteger(n);
}

} // namespace

class TestLockClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsAreCounted();
    void whatBlocksIsInNobodysWay();
    void aBlockingStoreConnectsWithItsFirstCommand();
    void aBatchOnABlockingStoreWaitsForTheConnectionToo();
    void aCrashClosesTheConnectionAndOpensAnother();
    void clientsMayShareAConnection();
    void aServerThatIsAwayIsSettledToo();
};

void TestLockClient::commandsAreCounted()
{
    Bench bench;
    QVERIFY(bench.connect());
    bench.client.takeCommandCount(); // of the introduction
    const auto nodes = bench.client.nodes();
    const auto first = bench.send(nodes.front().commands, Command("INCR", "n"));
    const auto second = bench.send(nodes.front().commands, Command("INCR", "n"));
    QTRY_VERIFY(first.isFinished() && second.isFinished());
    QCOMPARE(second.result(), number(2));
    QCOMPARE(bench.client.takeCommandCount(), 2u);
    QCOMPARE(bench.client.takeCommandCount(), 0u);
    const auto third = bench.send(nodes.front().blocking, Command("BLPOP", "list", 1));
    QCOMPARE(bench.client.takeCommandCount(), 1u); // and not the introduction of its connection
}

void TestLockClient::whatBlocksIsInNobodysWay()
{
    Bench bench;
    QVERIFY(bench.connect());
    const auto nodes = bench.client.nodes();
    const auto pop = bench.send(nodes.front().blocking, Command("BLPOP", "list", 30));
    QTRY_COMPARE(bench.server.callCount("client|setname"), 2);
    const auto increment = bench.send(nodes.front().commands, Command("INCR", "n"));
    QTRY_VERIFY(increment.isFinished());
    QVERIFY(!pop.isFinished());
    bench.server.client()("RPUSH", "list", "element");
    QTRY_VERIFY(pop.isFinished());
    QCOMPARE(*replyOf(pop.result())->array()->at(1).text(), std::string("element"));
}

void TestLockClient::aBlockingStoreConnectsWithItsFirstCommand()
{
    Bench bench;
    QVERIFY(bench.connect());
    QCOMPARE(bench.server.callCount("client|setname"), 1);
    const auto ping = bench.send(bench.client.nodes().front().blocking, Command("INCR", "n"));
    QTRY_VERIFY(ping.isFinished());
    QCOMPARE(ping.result(), number(1));
    QCOMPARE(bench.server.callCount("client|setname"), 2);
}

void TestLockClient::aBatchOnABlockingStoreWaitsForTheConnectionToo()
{
    Bench bench;
    std::vector<Command> commands(2, Command("INCR", "n"));
    const StartedTask<std::vector<Outcome>> batch(
        bench.executor,
        resultOf(bench.client.nodes().front().blocking.submitAll(std::move(commands))));
    QTRY_VERIFY(batch.isFinished());
    QCOMPARE(batch.result().back(), number(2));
}

void TestLockClient::aCrashClosesTheConnectionAndOpensAnother()
{
    Bench bench;
    QVERIFY(bench.connect());
    const auto id = bench.send(bench.client.nodes().front().commands, Command("CLIENT", "ID"));
    QTRY_VERIFY(id.isFinished());
    bench.client.crash();
    QVERIFY(!bench.client.isOnline());
    QTRY_VERIFY(bench.client.isOnline());
    const auto next = bench.send(bench.client.nodes().front().commands, Command("CLIENT", "ID"));
    QTRY_VERIFY(next.isFinished());
    QVERIFY(next.result() != id.result());
}

void TestLockClient::clientsMayShareAConnection()
{
    Bench bench;
    QVERIFY(bench.connect());
    LockClient neighbour(bench.client.connections(), {&bench.channels}, bench.executor, bench.clock,
                         Rng(3));
    store::Store& commands = bench.client.nodes().front().commands;
    const auto own = bench.send(commands, Command("CLIENT", "ID"));
    const auto shared = bench.send(neighbour.nodes().front().commands, Command("CLIENT", "ID"));
    QTRY_VERIFY(own.isFinished() && shared.isFinished());
    QCOMPARE(shared.result(), own.result());
    // What one of them still waits for survives the death of the other.
    const auto pending = bench.send(commands, Command("CLIENT", "ID"));
    neighbour.crash();
    QTRY_VERIFY(pending.isFinished());
    QCOMPARE(pending.result(), own.result());
}

void TestLockClient::aServerThatIsAwayIsSettledToo()
{
    Bench bench;
    bench.server.kill();
    bench.client.open();
    const StartedTask<store::Problem> settled(bench.executor, bench.client.whenSettled());
    QTRY_VERIFY(settled.isFinished());
    QVERIFY(!bench.client.isOnline());
    QVERIFY(settled.result().kind != store::Problem::Kind::None);
    QCOMPARE(settled.result(), bench.client.problem());
}

LOCKSCOPE_TEST(TestLockClient, Core)

} // namespace lockscope::tst_lock_client

#include "tst_lock_client.moc"
