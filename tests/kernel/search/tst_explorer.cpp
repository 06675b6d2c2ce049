#include "core/kernel/search/replayed_run.h"
#include "tests/kernel/search/search_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_explorer {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using protocol::Promise;
using search::Bounds;
using search::Exploration;
using search::Goal;
using world::FaultKind;
using world::FaultPlan;
using world::ViolationKind;
using world::WorldPlan;

namespace {

WorldPlan briefly(WorldPlan plan)
{
    plan.triesMax = 2;
    return plan;
}

SearchBench naiveLock()
{
    return {"exists-then-set", briefly(twoAtOnce())};
}

} // namespace

class TestExplorer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theShortestRunIsFound();
    void aSafeLockIsSeenCompletely();
    void everyFindingCanBeReplayed_data();
    void everyFindingCanBeReplayed();
    void theSameIsFoundWithEveryOrderTried_data();
    void theSameIsFoundWithEveryOrderTried();
    void theReductionSavesRuns();
    void theSameSearchFindsTheSame();
    void boundsAreKept();
    void aBoundOnPreemptionsIsKept();
    void manyPreemptionsAreNoBound_data();
    void manyPreemptionsAreNoBound();
    void whereNobodyCanBeInterruptedNothingIsLeftOut();
    void aGoalEndsTheSearch();
    void anyFindingMayBeEnough();
    void aGoalThatCannotBeMetIsSearchedForEverywhere();
    void goOnIsAskedAndObeyed();
    void coverageAddsUp();
};

void TestExplorer::theShortestRunIsFound()
{
    const Exploration result = naiveLock().run();
    const auto* const finding = result.find(Promise::MutualExclusion);
    QVERIFY(finding != nullptr);
    // Flaw 1: both see that the lock is free, both write.
    QCOMPARE(finding->length, 4);
    QCOMPARE(finding->steps.size(), std::size_t{4});
    QCOMPARE(finding->violation.stepCount, 4);
    QCOMPARE(finding->violation.kind, ViolationKind::DoubleGrant);
    QVERIFY(result.coverage.isComplete);
    for (std::size_t i = 1; i < result.findings.size(); ++i) {
        QVERIFY(result.findings[i - 1].length <= result.findings[i].length);
    }
}

void TestExplorer::aSafeLockIsSeenCompletely()
{
    const Exploration result = SearchBench{"set-nx-ex", briefly(twoAtOnce())}.run();
    QCOMPARE(textOf(result), "");
    QVERIFY(result.coverage.isComplete);
    QVERIFY(result.coverage.schedules > 1);
    QVERIFY(result.coverage.states > result.coverage.schedules);
    QVERIFY(result.coverage.commands > 0);
    QVERIFY(result.coverage.longest > 4);
    QVERIFY(result.coverage.virtualTime > Duration(0));
}

void TestExplorer::everyFindingCanBeReplayed_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<int>("fault");
    const std::pair<const char*, FaultKind> rows[] = {
        {"exists-then-set", FaultKind::Interleaving}, {"set-nx-ex", FaultKind::Pause},
        {"exists-then-set", FaultKind::Crash},        {"set-nx-ex", FaultKind::MessageDelay},
        {"setnx-getset", FaultKind::ClockSkew},       {"set-nx-ex", FaultKind::ForceRelease},
    };
    for (const auto& [protocol, fault] : rows) {
        const QByteArray name = QByteArray(protocol) + ' ' + idOf(fault).data();
        QTest::newRow(name.constData()) << QByteArray(protocol) << static_cast<int>(fault);
    }
}

void TestExplorer::everyFindingCanBeReplayed()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const int, fault);
    const SearchBench bench{protocol.constData(), twoAtOnce(FaultKind(fault))};
    const Exploration result = bench.run();
    QVERIFY(!result.findings.empty());
    for (const search::Finding& finding : result.findings) {
        sim::LuaEngine lua;
        const auto replayed = search::replaySteps(*protocol::findProtocol(bench.protocol),
                                                  bench.plan, finding.steps, lua);
        const QByteArray story = textOf(finding.steps);
        QVERIFY2(!replayed.impossibleStep, story.constData());
        QVERIFY2(std::ranges::find(replayed.violations, finding.violation)
                     != replayed.violations.end(),
                 story.constData());
        QVERIFY2(replayed.length == finding.length, story.constData());
    }
}

void TestExplorer::theSameIsFoundWithEveryOrderTried_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("nodeCount");
    QTest::newRow("one server") << QByteArray("exists-then-set") << int(FaultKind::Interleaving)
                                << 1;
    QTest::newRow("two servers") << QByteArray("redlock") << int(FaultKind::Interleaving) << 2;
    QTest::newRow("two servers, one jumps")
        << QByteArray("redlock") << int(FaultKind::ClockStep) << 2;
}

void TestExplorer::theSameIsFoundWithEveryOrderTried()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const int, fault);
    QFETCH(const int, nodeCount);
    SearchBench bench{protocol.constData(), twoAtOnce(FaultKind(fault))};
    bench.plan.triesMax = 1;
    bench.plan.nodeCount = nodeCount;
    const Exploration reduced = bench.run();
    bench.isReduced = false;
    const Exploration full = bench.run();
    QVERIFY(reduced.coverage.isComplete);
    QVERIFY(full.coverage.isComplete);
    QCOMPARE(textOf(reduced), textOf(full));
}

void TestExplorer::theReductionSavesRuns()
{
    SearchBench bench{"redlock", twoAtOnce()};
    bench.plan.triesMax = 1;
    bench.plan.nodeCount = 2;
    const std::uint64_t reduced = bench.run().coverage.schedules;
    bench.isReduced = false;
    QVERIFY(reduced < bench.run().coverage.schedules);
}

void TestExplorer::theSameSearchFindsTheSame()
{
    const SearchBench bench{"set-nx-ex", twoAtOnce(FaultKind::Pause)};
    const Exploration one = bench.run();
    const Exploration other = bench.run();
    QVERIFY(!one.findings.empty());
    QCOMPARE(one.findings.size(), other.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
        QCOMPARE(textOf(one.findings[i].steps), textOf(other.findings[i].steps));
        QVERIFY(one.findings[i].violation == other.findings[i].violation);
    }
    QCOMPARE(one.coverage.states, other.coverage.states);
    QCOMPARE(one.coverage.schedules, other.coverage.schedules);
}

void TestExplorer::boundsAreKept()
{
    SearchBench bench = naiveLock();
    const std::uint64_t everything = bench.run().coverage.schedules;
    bench.bounds.schedulesMax = 3;
    Exploration result = bench.run();
    QVERIFY(everything > 3);
    QCOMPARE(result.coverage.schedules, std::uint64_t{3});
    QVERIFY(!result.coverage.isComplete);

    bench.bounds = Bounds{};
    bench.bounds.lengthMax = 3; // one less than the flaw needs
    result = bench.run();
    QVERIFY(result.coverage.longest <= 3);
    QCOMPARE(textOf(result), "");
    QVERIFY(!result.coverage.isComplete);
    QVERIFY(result.coverage.cutRuns > 0);
    QCOMPARE(result.coverage.endedRuns, std::uint64_t{0});
    bench.bounds.lengthMax = 4;
    QVERIFY(bench.run().find(Promise::MutualExclusion) != nullptr);
    bench.bounds = Bounds{};
    result = bench.run();
    QCOMPARE(result.coverage.cutRuns, std::uint64_t{0});
    QVERIFY(result.coverage.endedRuns > 0);
    bench.plan.horizon = 0s; // nothing that takes time happens
    result = bench.run();
    QVERIFY(result.coverage.cutRuns > 0);
    QVERIFY(!result.coverage.isComplete);

    bench.bounds = Bounds{};
    bench.bounds.statesMax = 10;
    result = bench.run();
    QVERIFY(result.coverage.schedules < everything);
    QVERIFY(!result.coverage.isComplete);
}

void TestExplorer::aBoundOnPreemptionsIsKept()
{
    SearchBench bench = naiveLock();
    bench.bounds.preemptionsMax = 0; // a client that sees the lock free takes it at once
    Exploration result = bench.run();
    QCOMPARE(textOf(result), "");
    QVERIFY(result.coverage.arePreemptionsLeftOut);
    QVERIFY(!result.coverage.isComplete);

    bench.bounds.preemptionsMax = 1;
    result = bench.run();
    QVERIFY(result.find(Promise::MutualExclusion) != nullptr);
    QCOMPARE(result.find(Promise::MutualExclusion)->length, 4);
    QVERIFY(result.coverage.schedules < naiveLock().run().coverage.schedules);
}

void TestExplorer::manyPreemptionsAreNoBound_data()
{
    QTest::addColumn<QByteArray>("protocol");
    for (const char* const protocol : {"exists-then-set", "setnx-getset", "redlock"}) {
        QTest::newRow(protocol) << QByteArray(protocol);
    }
}

void TestExplorer::manyPreemptionsAreNoBound()
{
    QFETCH(const QByteArray, protocol);
    WorldPlan plan = briefly(twoAtOnce());
    plan.nodeCount = protocol == "redlock" ? 2 : 1;
    const std::string id = protocol.toStdString();
    SearchBench bench{id, plan};
    const Exploration everything = bench.run();
    QVERIFY(everything.coverage.isComplete);
    bench.bounds.preemptionsMax = 100;
    const Exploration result = bench.run();
    QVERIFY(result.coverage.isComplete);
    QVERIFY(!result.coverage.arePreemptionsLeftOut);
    QCOMPARE(textOf(result), textOf(everything));
    QVERIFY(result.coverage.states >= everything.coverage.states);
}

void TestExplorer::whereNobodyCanBeInterruptedNothingIsLeftOut()
{
    SearchBench bench{"exists-then-set", planOf({aRound()})};
    bench.bounds.preemptionsMax = 0;
    const Exploration result = bench.run();
    QVERIFY(result.coverage.isComplete);
    QVERIFY(!result.coverage.arePreemptionsLeftOut);
}

void TestExplorer::anyFindingMayBeEnough()
{
    SearchBench bench{"exists-then-set", twoAtOnce(FaultKind::Pause)};
    bench.goal = Goal{Promise::MutualExclusion, std::nullopt};
    const std::uint64_t untilShortest = bench.run().coverage.schedules;
    bench.goal->isAnyEnough = true;
    const Exploration result = bench.run();
    QVERIFY(result.find(*bench.goal) != nullptr);
    QVERIFY(result.coverage.schedules <= untilShortest);
    QVERIFY(!result.coverage.isComplete);
}

void TestExplorer::aGoalEndsTheSearch()
{
    SearchBench bench{"exists-then-set", twoAtOnce(FaultKind::Pause)};
    const Exploration everything = bench.run();
    bench.goal = Goal{Promise::MutualExclusion, std::nullopt};
    const Exploration result = bench.run();
    QVERIFY(result.find(*bench.goal) != nullptr);
    QCOMPARE(result.find(*bench.goal)->length, everything.find(*bench.goal)->length);
    QVERIFY(result.coverage.schedules < everything.coverage.schedules);
    QVERIFY(!result.coverage.isComplete);

    bench.goal = Goal{std::nullopt, ViolationKind::WrongRelease};
    QCOMPARE(bench.run().find(*bench.goal)->length, everything.find(*bench.goal)->length);
}

void TestExplorer::aGoalThatCannotBeMetIsSearchedForEverywhere()
{
    SearchBench bench{"set-nx-ex", briefly(twoAtOnce())};
    const std::uint64_t everything = bench.run().coverage.schedules;
    bench.goal = Goal{Promise::MutualExclusion, std::nullopt};
    const Exploration result = bench.run();
    QVERIFY(result.find(*bench.goal) == nullptr);
    QVERIFY(result.coverage.isComplete);
    QCOMPARE(result.coverage.schedules, everything);
}

void TestExplorer::goOnIsAskedAndObeyed()
{
    SearchBench bench{"exists-then-set", planOf({aRound(), aRound(), aRound()})};
    bench.plan.faults = FaultPlan::only(FaultKind::Pause, 10s);
    bench.bounds.schedulesMax = 1000;
    const std::uint64_t everything = bench.run().coverage.schedules;
    int questions = 0;
    bench.goOn = [&questions](const search::Coverage& coverage) {
        ++questions;
        return coverage.schedules < 100;
    };
    const Exploration result = bench.run();
    QVERIFY(questions > 1);
    QVERIFY(result.coverage.schedules >= 100);
    QVERIFY(result.coverage.schedules < 300);
    QVERIFY(result.coverage.schedules < everything);
    QVERIFY(!result.coverage.isComplete);
}

void TestExplorer::coverageAddsUp()
{
    search::Coverage sum{2, 30, 400, 5, true, 6s};
    sum.add({1, 10, 100, 9, true, 4s});
    QVERIFY(!sum.arePreemptionsLeftOut);
    sum.add({0, 0, 0, 0, false, 0s, true});
    QVERIFY(sum.arePreemptionsLeftOut);
    search::Coverage cut;
    cut.endedRuns = 3;
    cut.cutRuns = 2;
    sum.add(cut);
    sum.add(cut);
    QCOMPARE(sum.endedRuns, std::uint64_t{6});
    QCOMPARE(sum.cutRuns, std::uint64_t{4});
    QCOMPARE(sum.schedules, std::uint64_t{3});
    QCOMPARE(sum.states, std::uint64_t{40});
    QCOMPARE(sum.commands, std::uint64_t{500});
    QCOMPARE(sum.longest, 9);
    QCOMPARE(sum.virtualTime, Duration(10s));
}

LOCKSCOPE_TEST(TestExplorer, Core)

} // namespace lockscope::tst_explorer

#include "tst_explorer.moc"
