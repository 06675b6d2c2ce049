#include "core/kernel/search/cell.h"
#include "tests/kernel/search/search_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <span>

namespace lockscope::tst_cell {

using namespace lockscope::testing;
using protocol::Condition;
using protocol::Promise;
using protocol::ProtocolInfo;
using search::Exploration;
using search::Finding;
using search::PromiseResult;
using search::SearchReport;
using Status = search::PromiseResult::Status;
using world::FaultKind;
using world::WorldPlan;

namespace {

ProtocolInfo claiming()
{
    ProtocolInfo info;
    info.claims = {{Promise::MutualExclusion, "in time", Condition::HolderInTime}};
    return info;
}

Exploration broken(Promise promise, int length)
{
    Exploration exploration;
    Finding finding;
    finding.violation.promise = promise;
    finding.length = length;
    exploration.findings.push_back(finding);
    exploration.coverage = {1, 2, 3, length, true, Duration(5)};
    exploration.coverage.chances.counts.fill(2);
    return exploration;
}

Exploration fine()
{
    Exploration exploration;
    exploration.coverage = {1, 2, 3, 4, true, Duration(5)};
    exploration.coverage.chances.counts.fill(1);
    return exploration;
}

} // namespace

class TestCell : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inTheBeginningNothingIsExercised();
    void whatCouldHaveBrokenHolds();
    void aFindingBreaksItsPromise();
    void theShorterFindingStays();
    void aPromisedFindingComesBeforeAShorterOne();
    void heldIsPromisedOnlyWhereEveryPlanAllows();
    void theHeadlineIsThePromisedOne();
    void coverageAddsUp();
    void plansAreSearchedInTurn();
    void aSearchMayBeEnded();
    void somethingIsFoundSoon();
    void nothingIsFoundWhereNothingBreaks();
};

void TestCell::inTheBeginningNothingIsExercised()
{
    const SearchReport report = search::emptyReport(claiming());
    QCOMPARE(report.promises.size(), std::size_t(Promise::PromiseCount));
    QCOMPARE(report.of(Promise::MutualExclusion).status, Status::NotExercised);
    QVERIFY(report.of(Promise::MutualExclusion).isPromised);
    QCOMPARE(report.of(Promise::FencingOrder).status, Status::NotApplicable);
    QCOMPARE(report.of(Promise::Fairness).status, Status::NotExercised);
    QVERIFY(!report.of(Promise::Fairness).isPromised);
    QVERIFY(!report.isAnyBroken());
    QVERIFY(report.headline() == nullptr);
}

void TestCell::whatCouldHaveBrokenHolds()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    Exploration exploration = fine();
    exploration.coverage.chances = {};
    exploration.coverage.chances.of(Promise::Progress) = 3;
    addTo(report, exploration, info, twoAtOnce(), 0);
    QCOMPARE(report.of(Promise::Progress).status, Status::Held);
    QCOMPARE(report.of(Promise::Progress).chances, std::uint64_t(3));
    QCOMPARE(report.of(Promise::MutualExclusion).status, Status::NotExercised);
    addTo(report, fine(), info, twoAtOnce(), 1);
    QCOMPARE(report.of(Promise::MutualExclusion).status, Status::Held);
    QCOMPARE(report.of(Promise::Progress).chances, std::uint64_t(4));
    QCOMPARE(report.of(Promise::FencingOrder).status, Status::NotApplicable);
}

void TestCell::aFindingBreaksItsPromise()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    addTo(report, broken(Promise::MutualExclusion, 9), info, twoAtOnce(), 3);
    const PromiseResult& result = report.of(Promise::MutualExclusion);
    QCOMPARE(result.status, Status::Broken);
    QVERIFY(result.isPromised);
    QCOMPARE(result.finding->length, 9);
    QCOMPARE(result.planIndex, std::size_t{3});
    QCOMPARE(report.of(Promise::Progress).status, Status::Held);
}

void TestCell::theShorterFindingStays()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    addTo(report, broken(Promise::MutualExclusion, 9), info, twoAtOnce(), 0);
    addTo(report, broken(Promise::MutualExclusion, 7), info, twoAtOnce(), 1);
    addTo(report, broken(Promise::MutualExclusion, 8), info, twoAtOnce(), 2);
    addTo(report, broken(Promise::MutualExclusion, 7), info, twoAtOnce(), 3);
    QCOMPARE(report.of(Promise::MutualExclusion).finding->length, 7);
    QCOMPARE(report.of(Promise::MutualExclusion).planIndex, std::size_t{1});
}

void TestCell::aPromisedFindingComesBeforeAShorterOne()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    addTo(report, broken(Promise::MutualExclusion, 4), info, twoAtOnce(FaultKind::Pause), 0);
    QVERIFY(!report.of(Promise::MutualExclusion).isPromised);
    addTo(report, broken(Promise::MutualExclusion, 9), info, twoAtOnce(FaultKind::Crash), 1);
    QVERIFY(report.of(Promise::MutualExclusion).isPromised);
    QCOMPARE(report.of(Promise::MutualExclusion).finding->length, 9);
    addTo(report, broken(Promise::MutualExclusion, 3), info, twoAtOnce(FaultKind::Pause), 2);
    QCOMPARE(report.of(Promise::MutualExclusion).planIndex, std::size_t{1});
}

void TestCell::heldIsPromisedOnlyWhereEveryPlanAllows()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    addTo(report, fine(), info, twoAtOnce(FaultKind::Crash), 0);
    QVERIFY(report.of(Promise::MutualExclusion).isPromised);
    addTo(report, fine(), info, twoAtOnce(FaultKind::Pause), 1);
    QVERIFY(!report.of(Promise::MutualExclusion).isPromised);
}

void TestCell::theHeadlineIsThePromisedOne()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    addTo(report, broken(Promise::Progress, 2), info, twoAtOnce(), 0);
    addTo(report, broken(Promise::Fairness, 5), info, twoAtOnce(), 0);
    QCOMPARE(report.headline()->promise, Promise::Progress);
    addTo(report, broken(Promise::MutualExclusion, 9), info, twoAtOnce(), 1);
    QCOMPARE(report.headline()->promise, Promise::MutualExclusion);
    QVERIFY(report.isAnyBroken());
}

void TestCell::coverageAddsUp()
{
    const ProtocolInfo info = claiming();
    SearchReport report = search::emptyReport(info);
    addTo(report, fine(), info, twoAtOnce(), 0);
    addTo(report, broken(Promise::Progress, 9), info, twoAtOnce(), 1);
    QCOMPARE(report.coverage.schedules, std::uint64_t{2});
    QCOMPARE(report.coverage.longest, 9);
    QVERIFY(report.coverage.isComplete);
    Exploration partial = fine();
    partial.coverage.isComplete = false;
    addTo(report, partial, info, twoAtOnce(), 2);
    addTo(report, fine(), info, twoAtOnce(), 3);
    QVERIFY(!report.coverage.isComplete);
}

void TestCell::plansAreSearchedInTurn()
{
    WorldPlan brief = twoAtOnce();
    brief.triesMax = 1;
    const std::vector<WorldPlan> plans{planOf({aRound()}), brief};
    sim::LuaEngine lua;
    const SearchReport report = search::searchPlans(*protocol::findProtocol("exists-then-set"),
                                                    plans, lua, {});
    const PromiseResult& result = report.of(Promise::MutualExclusion);
    QCOMPARE(result.status, Status::Broken);
    QCOMPARE(result.planIndex, std::size_t{1});
    QCOMPARE(result.finding->length, 4);
    QVERIFY(!result.isPromised); // it never claimed that
    QVERIFY(report.coverage.isComplete);
}

void TestCell::aSearchMayBeEnded()
{
    WorldPlan brief = twoAtOnce();
    brief.triesMax = 1;
    const std::vector<WorldPlan> plans{planOf({aRound()}), brief};
    sim::LuaEngine lua;
    const auto never = [](const search::Coverage&) { return false; };
    const SearchReport report = search::searchPlans(*protocol::findProtocol("exists-then-set"),
                                                    plans, lua, {}, never);
    QVERIFY(!report.isAnyBroken());
    QVERIFY(!report.coverage.isComplete);
}

void TestCell::somethingIsFoundSoon()
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    const std::vector<WorldPlan> plans{planOf({aRound()}),
                                       planOf({aRound(), aRound(), aRound(), aRound()}),
                                       twoAtOnce(FaultKind::Pause)};
    sim::LuaEngine lua;
    const auto quick = search::findSoon(protocol, plans, lua, {});
    QVERIFY(quick);
    QVERIFY(quick->planIndex > 0);
    world::World world(protocol, plans[quick->planIndex], lua);
    for (const world::Step& step : quick->finding.steps) {
        QVERIFY(world.takeStep(step));
    }
    QVERIFY(std::ranges::find(world.violations(), quick->finding.violation)
            != world.violations().end());
}

void TestCell::nothingIsFoundWhereNothingBreaks()
{
    const std::vector<WorldPlan> plans{planOf({aRound()}), planOf({aRound(), aRound()})};
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    QVERIFY(!search::findSoon(protocol, plans, lua, {}));
    search::Bounds bounds;
    bounds.schedulesMax = 3; // less than the first look
    QVERIFY(!search::findSoon(*protocol::findProtocol("exists-then-set"), std::span(plans).first(1),
                              lua, bounds));
}

LOCKSCOPE_TEST(TestCell, Core)

} // namespace lockscope::tst_cell

#include "tst_cell.moc"
