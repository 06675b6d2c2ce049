#include "core/kernel/search/replayed_run.h"
#include "tests/kernel/search/search_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

namespace lockscope::tst_replayed_run {

using namespace lockscope::testing;
using search::ReplayedRun;
using world::FaultKind;
using world::Step;

namespace {

struct CountingObserver : world::Observer {
    int servedCount = 0;

    void served(const world::Request&, const std::optional<store::Reply>&, bool, bool) override
    {
        ++servedCount;
    }
};

std::vector<Step> stepsOf(std::initializer_list<const char*> texts)
{
    std::vector<Step> steps;
    for (const char* const text : texts) {
        steps.push_back(*world::parseStep(text));
    }
    return steps;
}

ReplayedRun replay(const char* protocol, const world::WorldPlan& plan,
                   const std::vector<Step>& steps, world::Observer* observer = nullptr)
{
    sim::LuaEngine lua;
    return search::replaySteps(*protocol::findProtocol(protocol), plan, steps, lua, observer);
}

} // namespace

class TestReplayedRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsReplayed();
    void anImpossibleStepIsTold();
    void theEndOfARunIsConcluded();
    void itIsObserved();
    void digestsArePinned_data();
    void digestsArePinned();
};

void TestReplayedRun::aRunIsReplayed()
{
    const auto steps = stepsOf({"serve A 0 c", "serve B 0 c", "serve A 0 c", "serve B 0 c"});
    const ReplayedRun run = replay("exists-then-set", twoAtOnce(), steps);
    QVERIFY(!run.impossibleStep);
    QCOMPARE(run.length, 4);
    QCOMPARE(run.virtualTime, Duration(0));
    QVERIFY(textOf(run.violations).startsWith("double-grant B A"));
    QCOMPARE(run.digest, replay("exists-then-set", twoAtOnce(), steps).digest);
}

void TestReplayedRun::anImpossibleStepIsTold()
{
    const ReplayedRun run = replay("exists-then-set", twoAtOnce(),
                                   stepsOf({"serve A 0 c", "advance", "serve B 0 c"}));
    QCOMPARE(run.impossibleStep, std::optional(std::size_t{1}));
    QCOMPARE(run.length, 1);
    QVERIFY(!replay("exists-then-set", twoAtOnce(), {}).impossibleStep);
}

void TestReplayedRun::theEndOfARunIsConcluded()
{
    world::WorldPlan plan = planOf({aRound()});
    plan.faults = world::FaultPlan::only(FaultKind::Crash, std::chrono::seconds(10));
    const ReplayedRun run = replay("setnx-no-expiry", plan,
                                   stepsOf({"serve A 0 c", "crash A 0 c 0"}));
    QCOMPARE(textOf(run.violations), "permanent-lock B -");
    QCOMPARE(run.length, 2);
}

void TestReplayedRun::itIsObserved()
{
    CountingObserver observer;
    replay("exists-then-set", twoAtOnce(), stepsOf({"serve A 0 c", "serve B 0 c"}), &observer);
    QCOMPARE(observer.servedCount, 2);
}

void TestReplayedRun::digestsArePinned_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<quint64>("digest");
    QTest::newRow("a plain key") << QByteArray("set-nx-ex") << quint64{9805447737697846194ULL};
    QTest::newRow("a hash") << QByteArray("reentrant-hash") << quint64{140815885192267917ULL};
    QTest::newRow("a queue") << QByteArray("list-handoff") << quint64{13446444846535412936ULL};
    QTest::newRow("a channel") << QByteArray("redisson-lock") << quint64{6060270132911406445ULL};
    QTest::newRow("a sorted set") << QByteArray("semaphore") << quint64{14063988861678291451ULL};
}

/// The same run is the same state on every machine, with every compiler, optimised or not. These
/// change with whatever World::stateHash() or the steps are made of: then write the new ones down,
/// in the change that changes them.
void TestReplayedRun::digestsArePinned()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const quint64, digest);
    const world::WorldPlan plan = twoAtOnce(FaultKind::Pause);
    Stage stage(protocol.constData(), plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "pause A 0 c 0"}));
    stage.goOn(std::chrono::seconds(5));
    QCOMPARE(quint64(stage.world().stateHash()), digest);
}

LOCKSCOPE_TEST(TestReplayedRun, Core)

} // namespace lockscope::tst_replayed_run

#include "tst_replayed_run.moc"
