#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/random_pick.h"
#include "core/kernel/search/random_search.h"
#include "core/kernel/search/replayed_run.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_random_search {

using namespace std::chrono_literals;
using search::RandomPicker;
using search::RandomResult;
using search::RandomSetting;
using world::FaultKind;
using world::Step;
using world::WorldPlan;

namespace {

RandomResult runs(const char* protocolId, FaultKind fault, std::uint64_t seed,
                  std::uint64_t runCount)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(protocolId);
    const std::vector<WorldPlan> plans = search::defaultPlans(protocol.info(), fault);
    RandomSetting setting{protocol, plans, lua};
    setting.seed = seed;
    setting.runCount = runCount;
    return searchRandomly(setting);
}

bool hasFound(const RandomResult& result, world::ViolationKind kind)
{
    return std::ranges::any_of(result.found, [kind](const RandomResult::Found& found) {
        return found.finding.violation.kind == kind;
    });
}

} // namespace

class TestRandomSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void raceIsFoundWithinSomeRuns();
    void pauseIsFoundWithinSomeRuns();
    void sameSeedIsTheSameRun();
    void foundRunIsReplayedExactly();
    void theFirstRunCanBeLookedAt();
    void runsAreCounted();
    void faultsOfAllKindsTogetherDoNoHarm();
    void stopsWhenAsked();
    void priorityPicksTheSameClientUntilTheOrderChanges();
    void everyPickIsPossible();
    void aChangeGoesBelowEverybody();
    void everyPlanIsRunByPriorities();
    void boundIsThatOfThePaper();
    void theChanceIsThatOfThePlanWithTheLeast();
    void whatIsSaidOfTheChanceIsKept();
};

void TestRandomSearch::raceIsFoundWithinSomeRuns()
{
    QVERIFY(hasFound(runs("exists-then-set", FaultKind::Interleaving, 1, 50),
                     world::ViolationKind::DoubleGrant));
}

void TestRandomSearch::pauseIsFoundWithinSomeRuns()
{
    QVERIFY(hasFound(runs("set-nx-ex", FaultKind::Pause, 1, 300),
                     world::ViolationKind::DoubleBelief));
}

void TestRandomSearch::sameSeedIsTheSameRun()
{
    const RandomResult all = runs("exists-then-set", FaultKind::Crash, 7, 20);
    const RandomResult again = runs("exists-then-set", FaultKind::Crash, 7, 20);
    QCOMPARE(all.found.size(), again.found.size());
    QVERIFY(!all.found.empty());
    for (std::size_t i = 0; i < all.found.size(); ++i) {
        QCOMPARE(all.found[i].seed, again.found[i].seed);
        QVERIFY(all.found[i].finding.steps == again.found[i].finding.steps);
    }
    // The run of one seed is the same whatever ran before it.
    const RandomResult alone = runs("exists-then-set", FaultKind::Crash, all.found[0].seed, 1);
    QVERIFY(std::ranges::any_of(alone.found, [&all](const RandomResult::Found& found) {
        return found.finding.steps == all.found[0].finding.steps;
    }));
}

void TestRandomSearch::foundRunIsReplayedExactly()
{
    const RandomResult result = runs("exists-then-set", FaultKind::Interleaving, 1, 50);
    QVERIFY(!result.found.empty());
    const RandomResult::Found& found = result.found.front();
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Interleaving);
    sim::LuaEngine lua;
    const auto replayed = search::replaySteps(protocol, plans[found.planIndex], found.finding.steps,
                                              lua);
    QVERIFY(!replayed.impossibleStep);
    QVERIFY(std::ranges::find(replayed.violations, found.finding.violation)
            != replayed.violations.end());
}

void TestRandomSearch::theFirstRunCanBeLookedAt()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Interleaving);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomSetting setting{protocol, plans, lua};
        setting.seed = seed;
        setting.runCount = 1;
        const search::RandomPath path = firstRunOf(setting);
        const auto replayed = search::replaySteps(protocol, plans[path.planIndex], path.steps, lua);
        QVERIFY(!replayed.impossibleStep);
        for (const RandomResult::Found& found : searchRandomly(setting).found) {
            QCOMPARE(found.planIndex, path.planIndex);
            QVERIFY(std::ranges::equal(found.finding.steps,
                                       std::span(path.steps).first(found.finding.steps.size())));
        }
    }
}

void TestRandomSearch::runsAreCounted()
{
    const RandomResult result = runs("set-nx-px-token", FaultKind::Interleaving, 1, 25);
    QCOMPARE(result.coverage.schedules, 25U);
    QVERIFY(result.coverage.commands > 25);
    QVERIFY(result.statistics.acquisitions > 25);
    QVERIFY(result.found.empty()
            || result.found.front().finding.violation.promise == protocol::Promise::Fairness);
}

/// What one kind of fault leaves behind, another one may meet: a late request of a dead client, a
/// server that starts again while a client stands still.
void TestRandomSearch::faultsOfAllKindsTogetherDoNoHarm()
{
    sim::LuaEngine lua;
    for (const char* const id : {"set-nx-ex", "redisson-lock", "list-handoff", "redlock"}) {
        const protocol::LockProtocol& protocol = *protocol::findProtocol(id);
        std::vector<WorldPlan> plans = search::defaultShapes(protocol.info());
        for (WorldPlan& plan : plans) {
            for (int i = 1; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
                plan.faults.add(static_cast<FaultKind>(i), 10s);
            }
        }
        RandomSetting setting{protocol, plans, lua};
        setting.runCount = 200;
        const RandomResult result = searchRandomly(setting);
        QCOMPARE(result.coverage.schedules, 200U);
        QCOMPARE(result.coverage.endedRuns + result.coverage.cutRuns, 200U);
        for (const RandomResult::Found& found : result.found) {
            QVERIFY(found.finding.length <= setting.lengthMax);
            // Also where the run had only some of the faults that its plan allows.
            const auto replayed = search::replaySteps(protocol, plans[found.planIndex],
                                                      found.finding.steps, lua);
            QVERIFY2(!replayed.impossibleStep, id);
            QVERIFY2(std::ranges::find(replayed.violations, found.finding.violation)
                         != replayed.violations.end(),
                     id);
        }
    }
}

void TestRandomSearch::stopsWhenAsked()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Interleaving);
    RandomSetting setting{protocol, plans, lua};
    setting.runCount = 1'000'000;
    setting.goOn = [](const search::Coverage& coverage) { return coverage.schedules < 100; };
    QVERIFY(searchRandomly(setting).coverage.schedules < 200);
}

void TestRandomSearch::priorityPicksTheSameClientUntilTheOrderChanges()
{
    const std::vector<Step> steps{Step::serve(0, 0, world::LinkRole::Commands),
                                  Step::serve(1, 0, world::LinkRole::Commands),
                                  Step::serve(2, 0, world::LinkRole::Commands)};
    RandomPicker unchanging(Rng(3), 3, search::Picking::Priority, 0);
    const std::size_t first = unchanging.pick(steps);
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(unchanging.pick(steps), first);
    }
    RandomPicker changing(Rng(3), 3, search::Picking::Priority, 1);
    std::vector<std::size_t> picked;
    for (int i = 0; i < 100; ++i) {
        picked.push_back(changing.pick(steps));
    }
    QVERIFY(std::ranges::adjacent_find(picked, std::ranges::not_equal_to()) != picked.end());
}

void TestRandomSearch::everyPickIsPossible()
{
    const std::vector<Step> steps{Step::serve(0, 0, world::LinkRole::Commands), Step{},
                                  Step::ofFault(FaultKind::Crash, 0, 0),
                                  Step::ofFault(FaultKind::Crash, 1, 0)};
    std::vector<int> counts(steps.size());
    for (std::uint64_t seed = 1; seed < 200; ++seed) {
        RandomPicker picker(Rng(seed), 2, search::Picking::Uniform, 2);
        ++counts.at(picker.pick(steps));
    }
    QVERIFY(std::ranges::all_of(counts, [](int count) { return count > 0; }));
}

void TestRandomSearch::boundIsThatOfThePaper()
{
    QCOMPARE(search::priorityBound(3, 30, 1), 1.0 / 3);
    QCOMPARE(search::priorityBound(4, 64, 3), 1.0 / (4.0 * 64 * 64));
}

/// With as many changes as steps every client is put last in turn, and in the end none twice.
void TestRandomSearch::aChangeGoesBelowEverybody()
{
    const std::vector<Step> steps{Step::serve(0, 0, world::LinkRole::Commands),
                                  Step::serve(1, 0, world::LinkRole::Commands)};
    for (std::uint64_t seed = 1; seed < 50; ++seed) {
        RandomPicker picker(Rng(seed), 2, search::Picking::Priority, 1);
        int changeCount = 0;
        std::size_t before = picker.pick(steps);
        for (std::uint64_t i = 1; i < search::kPriorityReach; ++i) {
            const std::size_t now = picker.pick(steps);
            changeCount += now != before ? 1 : 0;
            before = now;
        }
        QVERIFY(changeCount <= 1);
    }
}

void TestRandomSearch::everyPlanIsRunByPriorities()
{
    for (const char* const id : {"set-nx-px-token", "redisson-read-write"}) {
        const RandomResult result = runs(id, FaultKind::Interleaving, 0, 400);
        const auto& counts = result.priorityRuns.counts;
        const auto [least, most] = std::ranges::minmax(counts);
        QVERIFY(least + 1 >= 400 / counts.size() / 2);
        QVERIFY(most <= 400 / counts.size() / 2 + 2);
        QVERIFY(result.priorityRuns.longest > 4);
    }
}

void TestRandomSearch::theChanceIsThatOfThePlanWithTheLeast()
{
    std::vector<WorldPlan> plans(2);
    plans[0].clients.resize(2);
    plans[1].clients.resize(3);
    search::PriorityRuns runs{{100, 100}, 33};
    search::PriorityChance chance = search::chanceOf(runs, plans, 1);
    QCOMPARE(chance.threadCount, 4);
    QCOMPARE(chance.depth, 2);
    QCOMPARE(chance.longest, 33);
    QCOMPARE(chance.perRun, 1.0 / (4 * 40));
    QVERIFY(chance.together > 0.46 && chance.together < 0.47);
    runs.add({{0, 10'000}, 20});
    chance = search::chanceOf(runs, plans, 1);
    QCOMPARE(chance.threadCount, 3); // the other plan has had enough by now
    QCOMPARE(chance.runCount, std::uint64_t{100});
    QCOMPARE(search::chanceOf({}, plans).together, 0.0);
}

/// The race of check and set takes two orderings of two clients.
void TestRandomSearch::whatIsSaidOfTheChanceIsKept()
{
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    WorldPlan plan;
    plan.clients.resize(2);
    for (world::ClientPlan& client : plan.clients) {
        client.acts = {world::Act::acquire(10s), world::Act::work(4s), world::Act::release()};
    }
    sim::LuaEngine lua;
    const std::vector<WorldPlan> plans{plan};
    RandomSetting setting{protocol, plans, lua};
    setting.runCount = 1;
    int foundCount = 0;
    constexpr int kRunCount = 1000;
    for (int i = 0; i < kRunCount; ++i) {
        setting.seed = 2 * static_cast<std::uint64_t>(i) + 1; // by priorities
        foundCount += hasFound(searchRandomly(setting), world::ViolationKind::DoubleGrant) ? 1 : 0;
    }
    QVERIFY(foundCount >= kRunCount * search::priorityBound(3, 40, 3));
}

LOCKSCOPE_TEST(TestRandomSearch, None)

} // namespace lockscope::tst_random_search

#include "tst_random_search.moc"
