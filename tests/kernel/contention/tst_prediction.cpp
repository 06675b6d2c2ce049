#include "core/kernel/contention/prediction.h"
#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <string_view>

namespace lockscope::tst_prediction {

using namespace lockscope::contention;
using namespace std::chrono_literals;
using workload::Distribution;
using workload::Scenario;

namespace {

/// Nothing takes any time.
Costs nothing()
{
    Costs costs;
    costs.server = {Work(0), Work(0), {}, Work(0)};
    costs.driver = {1, Work(0), Work(0), Work(0), Work(0), Work(0)};
    costs.wakeUps = {{}};
    costs.rouse = Work(0);
    costs.coldFactor = 1;
    return costs;
}

/// One lock for all, think ~20 ms, hold 1 ms.
Scenario contended(int contenderCount)
{
    Scenario scenario;
    scenario.contenderCount = contenderCount;
    scenario.hold = Distribution::constant(1ms);
    scenario.duration = 1s;
    scenario.retry.interval = 10ms;
    return scenario;
}

/// The same, over sooner: it keeps the server busy.
Scenario crowded(int contenderCount, Duration duration)
{
    Scenario scenario = contended(contenderCount);
    scenario.duration = duration;
    return scenario;
}

Prediction predicted(std::string_view protocolId, const Scenario& scenario, const Costs& costs)
{
    return predict(*protocol::findProtocol(protocolId), scenario, costs);
}

bool isNear(double value, double wanted, double share)
{
    return std::abs(value - wanted) <= share * wanted;
}

} // namespace

class TestPrediction : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameSeedGivesTheSameRun();
    void oneContenderTakesThinkHoldAndTheWays();
    void contendersOfDifferentLocksAddUp();
    void noLockIsGrantedFasterThanItIsHeld();
    void aServerThatIsFullSetsThePace();
    void aDriverThatIsFullSetsThePace();
    void aQueueIsFairAndCheap();
    void wakingEverybodyIsUnfairAndDear();
    void jitterHelpsFixedPolling();
    void everybodyReleasesAtTheEnd();
    void crashedContendersComeBack();
    void quorumsAskEveryServer();
    void itCanBeStopped();
};

void TestPrediction::theSameSeedGivesTheSameRun()
{
    Scenario scenario = contended(20);
    scenario.retry.jitter = 5ms;
    Costs costs;
    costs.driver.threadCount = 2;
    const Prediction first = predicted("set-nx-px-token", scenario, costs);
    const Prediction second = predicted("set-nx-px-token", scenario, costs);
    QVERIFY(first.statistics.acquisitions > 0);
    QCOMPARE(first.statistics.acquisitionsOf, second.statistics.acquisitionsOf);
    QCOMPARE(first.statistics.commands, second.statistics.commands);
    QCOMPARE(first.serverLoad, second.serverLoad);
    scenario.seed = 2;
    const Prediction other = predicted("set-nx-px-token", scenario, costs);
    QVERIFY(first.statistics.acquisitionsOf != other.statistics.acquisitionsOf);
}

/// A round is the thinking, the holding and two round trips.
void TestPrediction::oneContenderTakesThinkHoldAndTheWays()
{
    Scenario scenario = contended(1);
    scenario.think = Distribution::constant(3ms);
    Costs costs = nothing();
    costs.roundTrip = 500us;
    const Prediction prediction = predicted("set-nx-px-token", scenario, costs);
    QVERIFY(isNear(prediction.statistics.acquisitionsPerSecond(), 1 / 0.005, 0.01));
    QVERIFY(isNear(prediction.statistics.commandsPerAcquisition(), 2, 0.01));
    QCOMPARE(prediction.statistics.jainFairness(), 1.0);
    QCOMPARE(prediction.serverLoad, 0.0);
}

/// Little's law: so many contenders, divided by how long a round takes each of them.
void TestPrediction::contendersOfDifferentLocksAddUp()
{
    Scenario scenario = crowded(50, 400ms);
    scenario.keyCount = 10'000;
    scenario.think = Distribution::exponential(9ms);
    Costs costs = nothing();
    costs.server.plain = costs.server.script = 5us;
    const Prediction prediction = predicted("set-nx-px-token", scenario, costs);
    const double perSecond = 50 / 0.010;
    QVERIFY(isNear(prediction.statistics.acquisitionsPerSecond(), perSecond, 0.05));
    QVERIFY(isNear(prediction.serverLoad, perSecond * 2 * 5e-6, 0.05));
}

void TestPrediction::noLockIsGrantedFasterThanItIsHeld()
{
    for (const char* const protocolId : {"set-nx-px-token", "list-handoff", "redisson-lock"}) {
        const Prediction prediction = predicted(protocolId, crowded(20, 300ms), nothing());
        const double perSecond = prediction.statistics.acquisitionsPerSecond();
        QVERIFY2(perSecond > 200 && perSecond <= 1010, protocolId);
        QCOMPARE(prediction.statistics.overlaps, 0u);
    }
}

/// Each of them wants two commands of 100 µs all the time, so the server can grant 5,000 locks.
void TestPrediction::aServerThatIsFullSetsThePace()
{
    Scenario scenario = contended(50);
    scenario.keyCount = 10'000;
    scenario.think = scenario.hold = Distribution::constant(0ms);
    scenario.duration = 200ms;
    Costs costs = nothing();
    costs.server.plain = costs.server.script = 100us;
    const Prediction prediction = predicted("set-nx-px-token", scenario, costs);
    QVERIFY(isNear(prediction.statistics.acquisitionsPerSecond(), 5000, 0.02));
    QVERIFY(isNear(prediction.serverLoad, 1, 0.02));
}

void TestPrediction::aDriverThatIsFullSetsThePace()
{
    Scenario scenario = contended(50);
    scenario.keyCount = 10'000;
    scenario.think = scenario.hold = Distribution::constant(0ms);
    scenario.duration = 200ms;
    Costs costs = nothing();
    costs.driver.send = 60us;
    costs.driver.receive = 40us;
    const Prediction one = predicted("set-nx-px-token", scenario, costs);
    QVERIFY(isNear(one.statistics.acquisitionsPerSecond(), 5000, 0.02));
    QVERIFY(isNear(one.driverLoad, 1, 0.02));
    costs.driver.threadCount = 2;
    const Prediction two = predicted("set-nx-px-token", scenario, costs);
    QVERIFY(isNear(two.statistics.acquisitionsPerSecond(), 10'000, 0.02));
}

void TestPrediction::aQueueIsFairAndCheap()
{
    const Prediction prediction = predicted("list-handoff", contended(60), Costs());
    QVERIFY(prediction.statistics.jainFairness() > 0.98);
    QVERIFY(prediction.statistics.commandsPerAcquisition() < 6);
    QVERIFY(prediction.statistics.longestBypass <= 60);
}

/// The first to listen is the first to be woken, and the last holder listens last.
void TestPrediction::wakingEverybodyIsUnfairAndDear()
{
    const Scenario scenario = crowded(150, 300ms);
    const Prediction all = predicted("redisson-lock", scenario, Costs());
    const Prediction queue = predicted("list-handoff", scenario, Costs());
    QVERIFY(all.statistics.commandsPerAcquisition() > 70);
    QVERIFY(all.statistics.jainFairness() < queue.statistics.jainFairness() - 0.1);
    QVERIFY(all.statistics.acquisitionsPerSecond() < queue.statistics.acquisitionsPerSecond() / 2);
}

void TestPrediction::jitterHelpsFixedPolling()
{
    Scenario scenario = crowded(100, 3s); // in which every contender has the lock ten times
    const Prediction fixed = predicted("set-nx-px-token", scenario, Costs());
    scenario.retry.interval = 5ms;
    scenario.retry.jitter = 10ms;
    const Prediction jittered = predicted("set-nx-px-token", scenario, Costs());
    QVERIFY(jittered.statistics.acquisitionsPerSecond()
            > 1.1 * fixed.statistics.acquisitionsPerSecond());
    QVERIFY(jittered.statistics.jainFairness() > fixed.statistics.jainFairness());
}

void TestPrediction::everybodyReleasesAtTheEnd()
{
    const Prediction prediction = predicted("list-handoff", contended(30), Costs());
    const trace::RunStatistics& s = prediction.statistics;
    QCOMPARE(s.hold.count(), s.acquisitions);
    QCOMPARE(s.elapsed, Duration(1s));
    QCOMPARE(s.uncertain + s.unavailable + s.lateReleases, 0u);
}

void TestPrediction::crashedContendersComeBack()
{
    Scenario scenario = contended(5);
    scenario.crashProbability = 0.2;
    scenario.lease = 100ms;
    const Prediction prediction = predicted("set-nx-px-token", scenario, Costs());
    QVERIFY(prediction.statistics.crashes > 5);
    QVERIFY(prediction.statistics.takeover.count() > 0);
    QVERIFY(prediction.statistics.overlaps == 0);
}

void TestPrediction::quorumsAskEveryServer()
{
    Scenario scenario = contended(1);
    scenario.duration = 200ms;
    const auto* const redlock = protocol::findProtocol("redlock");
    const Prediction three = predict(*redlock, scenario, Costs(), 3);
    const Prediction five = predict(*redlock, scenario, Costs(), 5);
    QVERIFY(three.statistics.acquisitions > 0);
    QVERIFY(isNear(three.statistics.commandsPerAcquisition(), 6, 0.1));
    QVERIFY(isNear(five.statistics.commandsPerAcquisition(), 10, 0.1));
}

void TestPrediction::itCanBeStopped()
{
    workload::Scenario scenario;
    scenario.contenderCount = 50;
    scenario.duration = std::chrono::hours(24);
    int questionCount = 0;
    const Prediction prediction = predict(*protocol::findProtocol("set-nx-px-token"), scenario,
                                          Costs(), 1, [&] { return ++questionCount < 3; });
    QCOMPARE(questionCount, 3);
    QCOMPARE(prediction.statistics.acquisitions, std::uint64_t(0));
}

LOCKSCOPE_TEST(TestPrediction, Core)

} // namespace lockscope::tst_prediction

#include "tst_prediction.moc"
