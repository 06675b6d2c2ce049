#include "core/kernel/protocol/catalogue.h"
#include "core/wire/run/redis_mirror.h"
#include "tests/support/live/live_server.h"
#include "tests/support/reply_text.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redis_mirror {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using wire::MirrorResult;
using wire::RedisMirror;
using world::Act;
using world::FaultKind;
using world::Step;
using world::WorldPlan;
using Status = MirrorResult::Status;

namespace {

WorldPlan twoClients(Duration secondStart = 0s)
{
    WorldPlan plan;
    plan.clients.resize(2);
    plan.clients[1].startAt = secondStart;
    for (world::ClientPlan& client : plan.clients) {
        client.acts = {Act::acquire(10s), Act::work(4s), Act::release()};
    }
    return plan;
}

/// The run that takes what is possible first, to its end.
std::vector<Step> wholeRun(const protocol::LockProtocol& protocol, const WorldPlan& plan)
{
    sim::LuaEngine lua;
    world::World world(protocol, plan, lua);
    std::vector<Step> steps;
    while (!world.steps().empty()) {
        steps.push_back(world.steps().front());
        world.takeStep(steps.back());
    }
    return steps;
}

std::vector<Step> stepsOf(std::initializer_list<const char*> texts)
{
    std::vector<Step> steps;
    for (const char* const text : texts) {
        steps.push_back(*world::parseStep(text));
    }
    return steps;
}

MirrorResult mirrored(const protocol::LockProtocol& protocol, const WorldPlan& plan,
                      const std::vector<Step>& steps)
{
    RedisMirror mirror;
    std::optional<MirrorResult> result;
    QObject::connect(&mirror, &RedisMirror::finished,
                     [&result](const MirrorResult& what) { result = what; });
    mirror.start(protocol, plan, steps);
    const bool hasFinished = QTest::qWaitFor([&result] { return result.has_value(); }, 60'000);
    return hasFinished ? *result : MirrorResult{};
}

MirrorResult mirrored(const char* protocol, const WorldPlan& plan, const std::vector<Step>& steps)
{
    return mirrored(*protocol::findProtocol(protocol), plan, steps);
}

QByteArray storyOf(const MirrorResult& result)
{
    QByteArray text = "status " + QByteArray::number(static_cast<int>(result.status)) + ' '
                      + QByteArray::fromStdString(result.reason);
    for (const wire::MirrorDifference& difference : result.differences) {
        text += "\n  " + QByteArray::fromStdString(toText(difference.command)) + "\n    simulated "
                + QByteArray::fromStdString(replyText(difference.simulated)) + "\n    real      "
                + QByteArray::fromStdString(difference.real ? replyText(*difference.real)
                                                            : "nothing");
    }
    return text;
}

/// Asks for something that no two servers answer alike.
class ClockReader final : public protocol::LockProtocol {
public:
    const protocol::ProtocolInfo& info() const override { return m_info; }

    async::Task<protocol::AcquireOutcome> attempt(protocol::Contender& self,
                                                  protocol::LockRequest) const override
    {
        store::Command command("TIME");
        co_await self.node().commands.submit(std::move(command));
        co_return protocol::Refused{};
    }
    async::Task<protocol::ReleaseOutcome> release(protocol::Contender&,
                                                  protocol::Grant) const override
    {
        co_return protocol::Released{};
    }

private:
    protocol::ProtocolInfo m_info;
};

} // namespace

class TestRedisMirror : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void wholeRunsAgree_data();
    void wholeRunsAgree();
    void theViolationIsThere();
    void aDifferenceIsTold();
    void serverFaultsAreNotRepeatable();
    void anImpossibleRunIsTold();
    void nobodyCanHitTheEndOfALease();
    void itMayBeDroppedInTheMiddle();
};

void TestRedisMirror::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestRedisMirror::wholeRunsAgree_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<int>("nodeCount");
    QTest::newRow("plain commands") << QByteArray("set-nx-ex") << 1;
    QTest::newRow("a script that counts") << QByteArray("reentrant-hash") << 1;
    QTest::newRow("messages") << QByteArray("redisson-lock") << 1;
    QTest::newRow("blocking pops") << QByteArray("list-handoff") << 1;
    QTest::newRow("several servers") << QByteArray("redlock") << 3;
}

void TestRedisMirror::wholeRunsAgree()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const int, nodeCount);
    WorldPlan plan = twoClients();
    plan.nodeCount = nodeCount;
    const auto& lock = *protocol::findProtocol(protocol.constData());
    const MirrorResult result = mirrored(lock, plan, wholeRun(lock, plan));
    QVERIFY2(result.status == Status::Agrees, storyOf(result).constData());
    QVERIFY(result.exchangeCount > 4);
    QVERIFY(result.violations.empty());
    QVERIFY(result.speedFactor >= 1); // 1 where the machine was too slow for more
    QVERIFY(result.realTime < 60s);
}

void TestRedisMirror::theViolationIsThere()
{
    const MirrorResult result = mirrored("exists-then-set", twoClients(),
                                         stepsOf({"serve A 0 c", "serve B 0 c", "serve A 0 c",
                                                  "serve B 0 c"}));
    QVERIFY2(result.status == Status::Agrees, storyOf(result).constData());
    QCOMPARE(result.violations.front().kind, world::ViolationKind::DoubleGrant);
    QVERIFY(result.speedFactor >= 1);
    QCOMPARE(result.exchangeCount, 4 + 3); // and the type, value and lease of the key
}

void TestRedisMirror::aDifferenceIsTold()
{
    const ClockReader protocol;
    const MirrorResult result = mirrored(protocol, twoClients(), stepsOf({"serve B 0 c"}));
    QCOMPARE(result.status, Status::Differs);
    QCOMPARE(result.differences.size(), std::size_t{1});
    const wire::MirrorDifference& difference = result.differences.front();
    QCOMPARE(difference.step, std::optional(std::size_t{0}));
    QCOMPARE(difference.client, 1);
    QCOMPARE(toText(difference.command), std::string("TIME"));
    QVERIFY(difference.real && *difference.real != difference.simulated);
}

void TestRedisMirror::serverFaultsAreNotRepeatable()
{
    WorldPlan plan = twoClients();
    plan.faults = world::FaultPlan::only(FaultKind::Failover, 10s);
    const MirrorResult result = mirrored("set-nx-ex", plan,
                                         stepsOf({"serve A 0 c", "failover A 0 c 0"}));
    QCOMPARE(result.status, Status::NotRepeatable);
    QVERIFY(result.reason.find("failover") != std::string::npos);
}

void TestRedisMirror::anImpossibleRunIsTold()
{
    const MirrorResult result = mirrored("set-nx-ex", twoClients(),
                                         stepsOf({"serve A 0 c", "serve A 0 c"}));
    QCOMPARE(result.status, Status::NotRepeatable);
    QCOMPARE(result.reason, std::string("Step 2 of the run is not possible."));
}

void TestRedisMirror::nobodyCanHitTheEndOfALease()
{
    WorldPlan plan = twoClients(10s);
    plan.clients[0].acts[1] = Act::work(12s);
    const auto& lock = *protocol::findProtocol("set-nx-ex");
    const MirrorResult result = mirrored(lock, plan, wholeRun(lock, plan));
    QCOMPARE(result.status, Status::NotRepeatable);
    QVERIFY(result.reason.find("moment") != std::string::npos);
}

void TestRedisMirror::itMayBeDroppedInTheMiddle()
{
    const auto& lock = *protocol::findProtocol("list-handoff");
    const WorldPlan plan = twoClients();
    for (const int wait : {0, 20, 150}) {
        RedisMirror mirror;
        mirror.start(lock, plan, wholeRun(lock, plan));
        QElapsedTimer timer;
        timer.start();
        QVERIFY(QTest::qWaitFor([&] { return timer.elapsed() >= wait; }));
    }
}

LOCKSCOPE_TEST(TestRedisMirror, Core)

} // namespace lockscope::tst_redis_mirror

#include "tst_redis_mirror.moc"
