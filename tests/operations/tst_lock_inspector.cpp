#include "core/operations/lock_inspector.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <string>

namespace lockscope::tst_lock_inspector {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using operations::InspectedLock;
using operations::LockDetails;
using operations::LockInspector;
using Purpose = LockInspector::Purpose;
using store::Problem;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const LockId kOrder{0, "order:lock"};
const LockId kOrderOfAll{LockId::kWholeSet, "order:lock"};

/// Three servers with the same keys.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore::Script script = [this](const store::Command& command) {
        const bool isWatch = command.words.front() == "WATCH";
        return isWatch ? store::Outcome(store::Reply::ofStatus("OK")) : keyspace.answer(command);
    };
    ScriptedServers servers{{script, script, script}};
    LockInspector inspector{servers, loop.clock()};

    InspectedLock inspected(const LockId& id, Purpose purpose = Purpose::Look)
    {
        return loop.run(inspector.inspectLock(id, purpose));
    }
    ReleasePlan planToRelease(const LockId& id)
    {
        return loop.run(inspector.explain(id, Purpose::Release)).release.value();
    }
};

} // namespace

class TestLockInspector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockOfOneServerIsReadThereAlone();
    void aSetIsReadOnEveryServer();
    void aServerThatCannotBeAskedIsNamed();
    void withoutAnyAnswerThereIsAProblem();
    void aServerThatIsNotThereIsAProblem();
    void whatMayNotBeReadIsAnObstacle();
    void anAnonymousHoldIsGuardedByAConnectionOfItsOwn();
    void whatAServerSaysOfItselfIsAskedOfEachNode();
};

void TestLockInspector::aLockOfOneServerIsReadThereAlone()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const InspectedLock inspected = bench.inspected(kOrder);
    QCOMPARE(inspected.inspections.size(), std::size_t(1));
    QVERIFY(inspected.exists());
    QVERIFY(!inspected.obstacle());
    QVERIFY(bench.servers.store(1).asked().empty());
}

void TestLockInspector::aSetIsReadOnEveryServer()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const LockDetails details = bench.loop.run(bench.inspector.explain(kOrderOfAll, Purpose::Look));
    QVERIFY(details.lock->id == kOrderOfAll);
    QVERIFY(details.lock->quorum() == (Quorum{3, 3}));
    QVERIFY(details.release->servers == (std::vector<std::uint16_t>{0, 1, 2}));
}

void TestLockInspector::aServerThatCannotBeAskedIsNamed()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.servers.store(1).breakLink();
    const LockDetails details = bench.loop.run(bench.inspector.explain(kOrderOfAll, Purpose::Look));
    QVERIFY(details.unasked == std::vector<std::uint16_t>{1});
    QCOMPARE(details.problem.kind, Problem::Kind::None);
    QVERIFY(details.warnings.back().starts_with("127.0.0.1:7001 could not be asked: "));
    QCOMPARE(bench.inspected(kOrderOfAll).obstacle()->first, std::uint16_t(1));
}

void TestLockInspector::withoutAnyAnswerThereIsAProblem()
{
    Bench bench;
    bench.servers.store(0).breakLink();
    const LockDetails details = bench.loop.run(bench.inspector.explain(kOrder, Purpose::Look));
    QVERIFY(details.problem.kind != Problem::Kind::None);
    QVERIFY(details.warnings.empty());
}

void TestLockInspector::aServerThatIsNotThereIsAProblem()
{
    Bench bench;
    const LockId nowhere{7, "order:lock"};
    const LockDetails details = bench.loop.run(bench.inspector.explain(nowhere, Purpose::Look));
    QCOMPARE(details.problem.kind, Problem::Kind::NotConnected);
}

void TestLockInspector::whatMayNotBeReadIsAnObstacle()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.refuse("GET", "NOPERM this user has no permissions to run the 'get' command");
    bench.keyspace.refuse("GETRANGE",
                          "NOPERM this user has no permissions to run the 'getrange' command");
    const auto obstacle = bench.inspected(kOrder).obstacle();
    QVERIFY(obstacle.has_value());
    QCOMPARE(obstacle->second.kind, Problem::Kind::NoPermission);
}

void TestLockInspector::anAnonymousHoldIsGuardedByAConnectionOfItsOwn()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1", 30s);
    QVERIFY(!bench.inspected(kOrder).inspections.front().guard);
    QCOMPARE(bench.servers.furtherCount(), std::size_t(0));
    const ReleasePlan plan = bench.planToRelease(kOrder);
    QVERIFY(plan.guard.has_value());
    QCOMPARE(bench.servers.furtherCount(), std::size_t(1));
    QCOMPARE(bench.inspector.guards().connectionCount(), std::size_t(1));
}

/// What one node of a cluster said counts for that one.
void TestLockInspector::whatAServerSaysOfItselfIsAskedOfEachNode()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const auto infoCount = [&] {
        bench.loop.run(bench.inspector.factsOfServers(kOrder));
        return std::ranges::count(bench.servers.store(0).asked(), std::string("INFO"));
    };
    bench.servers.setNode("10.0.0.6:7001");
    QCOMPARE(infoCount(), std::ptrdiff_t(1));
    QCOMPARE(infoCount(), std::ptrdiff_t(1)); // as of a few seconds ago
    bench.servers.setNode("10.0.0.6:7002");
    QCOMPARE(infoCount(), std::ptrdiff_t(2));
    bench.loop.advance(5s);
    QCOMPARE(infoCount(), std::ptrdiff_t(3));
}

LOCKSCOPE_TEST(TestLockInspector, Core)

} // namespace lockscope::tst_lock_inspector

#include "tst_lock_inspector.moc"
