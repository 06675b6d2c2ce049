#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/simulated_workload.h"

#include <QTest>

namespace lockscope::tst_simulated_workload {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using workload::Distribution;
using world::Act;

namespace {

constexpr std::uint64_t kSeed = 7;

SimulatedWorkload busy()
{
    SimulatedWorkload workload;
    workload.clientCount = 3;
    workload.stagger = 500ms;
    workload.keyCount = 2;
    workload.roundCount = 4;
    workload.reentryDepth = 2;
    workload.hold = Distribution::uniform(2s, 6s);
    workload.think = Distribution::exponential(1s);
    return workload;
}

} // namespace

class TestSimulatedWorkload : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRoundTakesWorksAndReleases();
    void theSeedDecides();
    void readersAreSpreadEvenly();
    void whatIsConstantIsToldBack();
    void whatIsDrawnIsNot();
    void theShapesOfTheProgramAreTold();
    void clientsAreSaidInWords();
};

void TestSimulatedWorkload::everyRoundTakesWorksAndReleases()
{
    const auto clients = clientsOf(busy(), kSeed);
    QCOMPARE(clients.size(), std::size_t(3));
    QCOMPARE(clients[2].startAt, Duration(1s));
    for (const world::ClientPlan& client : clients) {
        QCOMPARE(client.acts.size(), std::size_t(4 * (2 + 1 + 2) + 3));
        const Act& acquire = client.acts[0];
        QVERIFY(acquire == client.acts[1]);
        QCOMPARE(acquire.span, Duration(10s));
        QVERIFY(client.acts[2].span >= Duration(2s) && client.acts[2].span <= Duration(6s));
        QVERIFY(client.acts[2].span % Duration(1ms) == Duration(0));
        QVERIFY(client.acts[3] == Act::release(acquire.key));
    }
}

void TestSimulatedWorkload::theSeedDecides()
{
    QVERIFY(clientsOf(busy(), kSeed) == clientsOf(busy(), kSeed));
    QVERIFY(clientsOf(busy(), kSeed) != clientsOf(busy(), kSeed + 1));
}

void TestSimulatedWorkload::readersAreSpreadEvenly()
{
    SimulatedWorkload workload;
    workload.clientCount = 4;
    workload.roundCount = 2;
    for (const auto& [share, expected] : {std::pair(0.0, 0), {0.5, 4}, {0.75, 6}, {1.0, 8}}) {
        workload.readShare = share;
        int readCount = 0;
        for (const world::ClientPlan& client : clientsOf(workload, kSeed)) {
            for (const Act& act : client.acts) {
                QVERIFY(act.kind != Act::Kind::Acquire || act.mode != protocol::Mode::Exclusive);
                readCount += act.mode == protocol::Mode::Read ? 1 : 0;
            }
        }
        QCOMPARE(readCount, expected);
    }
}

void TestSimulatedWorkload::whatIsConstantIsToldBack()
{
    SimulatedWorkload workload = busy();
    workload.hold = Distribution::constant(3s);
    workload.think = Distribution::constant(200ms);
    QVERIFY(workloadOf(clientsOf(workload, kSeed), kSeed) == workload);
    workload.readShare = 0.5;
    QVERIFY(workloadOf(clientsOf(workload, kSeed), kSeed) == workload);
    const SimulatedWorkload simplest;
    QVERIFY(workloadOf(clientsOf(simplest, kSeed), kSeed) == simplest);
}

void TestSimulatedWorkload::whatIsDrawnIsNot()
{
    QVERIFY(!workloadOf(clientsOf(busy(), kSeed), kSeed));
    QVERIFY(!workloadOf({}, kSeed));
    auto clients = clientsOf({}, kSeed);
    clients[1].diesHolding = true;
    QVERIFY(!workloadOf(clients, kSeed));
    clients[1] = {};
    QVERIFY(!workloadOf(clients, kSeed));
}

void TestSimulatedWorkload::theShapesOfTheProgramAreTold()
{
    int toldCount = 0;
    for (const auto* const builtin : protocol::builtinProtocols()) {
        for (const world::WorldPlan& plan : search::defaultShapes(builtin->info())) {
            if (const auto workload = workloadOf(plan.clients, plan.seed)) {
                QVERIFY(clientsOf(*workload, plan.seed) == plan.clients);
                ++toldCount;
            }
        }
    }
    QVERIFY(toldCount > 0);
}

void TestSimulatedWorkload::clientsAreSaidInWords()
{
    world::WorldPlan plan;
    plan.clients = clientsOf({}, kSeed);
    plan.clients[1].acts.front() =
        plan.clients[1].acts.front().as(protocol::Mode::Read).unrenewed();
    plan.clients[1].acts.push_back(Act::sleep(250ms));
    plan.clients[0].acts.back() = Act::release().fromAnotherTask();
    plan.clients[1].sharesIdentityWith = 0;
    plan.clients[1].diesHolding = true;
    const QStringList lines = clientLines(plan);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0], u"A, from 0ms: takes k for 10s, works 4s, releases k from another task"_s);
    QCOMPARE(
        lines[1],
        u"B, from 0ms: takes k for reading for 10s without renewals, works 4s, releases k, sleeps 250ms; with the identity of A; crashes as soon as it holds a lock"_s);
}

LOCKSCOPE_TEST(TestSimulatedWorkload, None)

} // namespace lockscope::tst_simulated_workload

#include "tst_simulated_workload.moc"
