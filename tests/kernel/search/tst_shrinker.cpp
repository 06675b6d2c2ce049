#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/random_search.h"
#include "core/kernel/search/replayed_run.h"
#include "core/kernel/search/shrinker.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <span>

namespace lockscope::tst_shrinker {

using namespace std::chrono_literals;
using search::Counterexample;
using world::Act;
using world::FaultKind;
using world::WorldPlan;

namespace {

std::vector<Act> roundOf(Duration work)
{
    return {Act::acquire(10s), Act::work(work), Act::release()};
}

/// More clients, rounds and faults than it takes.
WorldPlan crowdedPlan()
{
    WorldPlan plan;
    for (int i = 0; i < 3; ++i) {
        world::ClientPlan client;
        client.acts = roundOf(4s);
        client.acts.push_back(Act::sleep(1s));
        const std::vector<Act> second = roundOf(2s);
        client.acts.insert(client.acts.end(), second.begin(), second.end());
        plan.clients.push_back(std::move(client));
    }
    plan.faults.add(FaultKind::Crash, 10s);
    plan.faults.add(FaultKind::Pause, 10s);
    return plan;
}

} // namespace

class TestShrinker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLeftThatIsNotNeeded();
    void neededFaultStays();
    void whatShowsAtTheEndLosesWhatWentOnBesideIt();
    void whatIsStrippedBreaksInTheSameWay();
};

void TestShrinker::nothingIsLeftThatIsNotNeeded()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    const std::vector<WorldPlan> plans{crowdedPlan()};
    search::RandomSetting setting{protocol, plans, lua};
    setting.runCount = 50;
    const auto result = searchRandomly(setting);
    const auto found = std::ranges::find_if(result.found, [](const auto& each) {
        return each.finding.violation.kind == world::ViolationKind::DoubleGrant;
    });
    QVERIFY(found != result.found.end());

    const Counterexample example = search::shrink(protocol, {plans[0], found->finding}, lua,
                                                  search::Bounds{300});
    QCOMPARE(example.plan.clients.size(), 2U);
    for (const world::ClientPlan& client : example.plan.clients) {
        QVERIFY(client.acts.size() <= 3);
        QVERIFY(client.acts.front().kind == Act::Kind::Acquire);
    }
    QVERIFY(!example.plan.faults.allows(FaultKind::Crash));
    QVERIFY(!example.plan.faults.allows(FaultKind::Pause));
    QCOMPARE(example.finding.length, 4);
}

void TestShrinker::neededFaultStays()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Pause);
    search::RandomSetting setting{protocol, plans, lua};
    setting.runCount = 300;
    const auto result = searchRandomly(setting);
    const auto found = std::ranges::find_if(result.found, [](const auto& each) {
        return each.finding.violation.kind == world::ViolationKind::DoubleBelief;
    });
    QVERIFY(found != result.found.end());
    const Counterexample example = search::shrink(protocol,
                                                  {plans[found->planIndex], found->finding}, lua,
                                                  search::Bounds{300});
    QVERIFY(example.plan.faults.allows(FaultKind::Pause));
    QCOMPARE(example.plan.clients.size(), 2U);
    QVERIFY(example.finding.length <= found->finding.length);
    QVERIFY(example.finding.violation.kind == world::ViolationKind::DoubleBelief);
}

void TestShrinker::whatShowsAtTheEndLosesWhatWentOnBesideIt()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("setnx-no-expiry");
    const auto plans = search::plansFor(protocol.info(), FaultKind::Crash);
    const search::SearchReport report = search::searchPlans(protocol, plans, lua, {});
    const search::PromiseResult& result = report.of(protocol::Promise::NoStuckLock);
    QVERIFY(result.finding.has_value());
    QVERIFY(plans[result.planIndex].clients.size() > 1);

    const Counterexample example = search::strip(protocol,
                                                 {plans[result.planIndex], *result.finding}, lua);
    QCOMPARE(example.finding.length, 2); // the grant and the crash
    QVERIFY(result.finding->length > 2);
    QCOMPARE(example.plan.clients.size(), 1U);
    QVERIFY(example.plan.faults.allows(FaultKind::Crash));
    QVERIFY(example.finding.violation.kind == world::ViolationKind::PermanentLock);
}

/// All that breaks in some plans of every protocol: none gets longer, and a run of its steps in
/// what is left of its plan shows it.
void TestShrinker::whatIsStrippedBreaksInTheSameWay()
{
    sim::LuaEngine lua;
    int count = 0;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        const auto plans = search::plansFor(protocol->info(), FaultKind::Crash);
        const std::size_t planCount = std::min<std::size_t>(plans.size(), 2);
        for (const WorldPlan& plan : std::span(plans).first(planCount)) {
            search::Bounds bounds;
            bounds.schedulesMax = 300;
            const auto found = search::Explorer({*protocol, plan, lua, bounds, {}, true, {}}).run();
            for (const search::Finding& finding : found.findings) {
                const auto [smaller, stripped] = search::strip(*protocol, {plan, finding}, lua);
                const auto again = search::replaySteps(*protocol, smaller, stripped.steps, lua);
                QVERIFY(stripped.length <= finding.length);
                QCOMPARE(again.length, stripped.length);
                QVERIFY(std::ranges::find(again.violations, stripped.violation)
                        != again.violations.end());
                QVERIFY(stripped.violation.promise == finding.violation.promise);
                QVERIFY(stripped.violation.kind == finding.violation.kind);
                ++count;
            }
        }
    }
    QVERIFY(count > 10);
}

LOCKSCOPE_TEST(TestShrinker, None)

} // namespace lockscope::tst_shrinker

#include "tst_shrinker.moc"
