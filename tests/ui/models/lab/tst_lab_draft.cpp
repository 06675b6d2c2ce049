#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/lab_draft.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_lab_draft {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using world::FaultKind;

namespace {

ProtocolPtr builtin(const char* id)
{
    return {protocol::findProtocol(id), [](const protocol::LockProtocol*) {}};
}

LabDraft draftOf(const char* id, std::vector<FaultKind> faults)
{
    LabDraft draft;
    draft.protocol = builtin(id);
    draft.faults = std::move(faults);
    return draft;
}

} // namespace

class TestLabDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatMakesADifferenceIsOffered();
    void theOrderOfTheStepsComesFirst();
    void theBoundIsThatOfEveryPlan();
    void moreClientsMakeLargerPlans();
    void theCommandDoesTheSame();
    void aFileIsOneWordForTheShell();
    void randomRunsMeetEveryFault();
    void aScenarioIsRunAsItIs();
    void whatIsInNoFileHasNoCommand();
    void runsAreNamedByWhatIsTried();
};

void TestLabDraft::onlyWhatMakesADifferenceIsOffered()
{
    const auto offered = [](const char* id, FaultKind fault) {
        const auto faults = faultsFor(protocol::findProtocol(id)->info());
        return std::ranges::find(faults, fault) != faults.end();
    };
    QVERIFY(!offered("set-nx-ex", FaultKind::Hang));
    QVERIFY(offered("redisson-lock", FaultKind::Hang));
    QVERIFY(!offered("set-nx-ex", FaultKind::Interleaving));       // is always looked at
    QVERIFY(!offered("redisson-lock", FaultKind::SharedIdentity)); // is no fault
}

void TestLabDraft::theOrderOfTheStepsComesFirst()
{
    const auto order = orderOf(draftOf("set-nx-ex", {FaultKind::Pause, FaultKind::Crash}));
    QCOMPARE(order.tasks.size(), 3U);
    QVERIFY(order.tasks[0].fault == FaultKind::Interleaving);
    QVERIFY(order.tasks[1].fault == FaultKind::Pause);
    for (const search::SearchTask& task : order.tasks) {
        QVERIFY(!task.plans.empty());
        QCOMPARE(task.protocol->info().id, std::string("set-nx-ex"));
    }
    QCOMPARE(orderOf(draftOf("set-nx-ex", {})).tasks.size(), 1U);
}

void TestLabDraft::theBoundIsThatOfEveryPlan()
{
    LabDraft draft = draftOf("set-nx-ex", {});
    draft.schedulesMax = 77;
    const auto order = orderOf(draft);
    const auto& method = std::get<search::SystematicSearch>(order.tasks[0].method);
    QCOMPARE(method.bounds.schedulesMax, std::uint64_t(77));
}

void TestLabDraft::moreClientsMakeLargerPlans()
{
    LabDraft draft = draftOf("set-nx-ex", {});
    draft.clientCount = 4;
    const auto order = orderOf(draft);
    for (const world::WorldPlan& plan : order.tasks[0].plans) {
        QCOMPARE(plan.clients.size(), 4U);
    }
}

void TestLabDraft::theCommandDoesTheSame()
{
    LabDraft draft = draftOf("set-nx-ex", {FaultKind::Pause});
    QCOMPARE(exploreCommand(draft, {}),
             u"lockscope-cli explore --protocol set-nx-ex --faults interleaving,pause "
             "--max-schedules 3000"_s);
    draft.clientCount = 3;
    QVERIFY(exploreCommand(draft, {}).contains(u" --clients 3 "_s));
}

void TestLabDraft::aFileIsOneWordForTheShell()
{
    const QString command = exploreCommand(draftOf("set-nx-ex", {}), u"/tmp/my lock.json"_s);
    QVERIFY2(command.contains(u"--protocol '/tmp/my lock.json' "_s), qPrintable(command));
}

void TestLabDraft::randomRunsMeetEveryFault()
{
    LabDraft draft = draftOf("set-nx-ex", {FaultKind::Pause, FaultKind::Crash});
    draft.seed = 7;
    draft.runCount = 50;
    const auto order = simulateOrderOf(draft);
    QCOMPARE(order.tasks.size(), 1U);
    const auto& method = std::get<search::RandomSearch>(order.tasks[0].method);
    QCOMPARE(method.seed, std::uint64_t(7));
    QCOMPARE(method.runCount, std::uint64_t(50));
    QVERIFY(!order.tasks[0].fault);
    for (const world::WorldPlan& plan : order.tasks[0].plans) {
        QVERIFY(plan.faults.allows(FaultKind::Pause) && plan.faults.allows(FaultKind::Crash));
        QCOMPARE(plan.faults.totalMax, 2);
    }
    QCOMPARE(
        simulateCommand(draft, {}),
        u"lockscope-cli simulate --protocol set-nx-ex --faults pause,crash --seed 7 --runs 50"_s);
    const LabDraft calm = draftOf("set-nx-ex", {});
    QVERIFY(simulateOrderOf(calm).tasks[0].fault == FaultKind::Interleaving);
    QVERIFY(simulateCommand(calm, {}).contains(u" --faults interleaving "_s));
}

void TestLabDraft::aScenarioIsRunAsItIs()
{
    LabDraft draft = draftOf("set-nx-ex", {FaultKind::Pause});
    draft.scenario.emplace();
    draft.scenario->name = "mine";
    draft.scenarioFile = u"/tmp/my scenario.json"_s;
    for (const auto& order : {orderOf(draft), simulateOrderOf(draft)}) {
        QCOMPARE(order.tasks.size(), 1U);
        QVERIFY(!order.tasks[0].fault);
        QCOMPARE(order.tasks[0].plans.size(), 1U);
        QCOMPARE(order.tasks[0].plans[0].name, std::string("mine"));
    }
    QCOMPARE(exploreCommand(draft, {}), u"lockscope-cli explore --scenario '/tmp/my scenario.json' "
                                        "--max-schedules 3000"_s);
    QVERIFY(simulateCommand(draft, {}).startsWith(u"lockscope-cli simulate --scenario "_s));
}

void TestLabDraft::whatIsInNoFileHasNoCommand()
{
    LabDraft draft = draftOf("set-nx-ex", {});
    draft.scenario.emplace();
    QVERIFY(exploreCommand(draft, {}).isEmpty());
    QVERIFY(simulateCommand(draft, {}).isEmpty());
}

void TestLabDraft::runsAreNamedByWhatIsTried()
{
    LabDraft draft = draftOf("set-nx-ex", {FaultKind::Pause});
    QCOMPARE(runName(orderOf(draft)), u"set-nx-ex, Pause"_s);
    QCOMPARE(runName(simulateOrderOf(draft)), u"set-nx-ex, random runs"_s);
    draft.faults = {FaultKind::Pause, FaultKind::Crash};
    QCOMPARE(runName(orderOf(draft)), u"set-nx-ex, 2 faults"_s);
    draft.faults.clear();
    QCOMPARE(runName(orderOf(draft)), u"set-nx-ex, no faults"_s);
    draft.scenario = world::WorldPlan();
    QCOMPARE(runName(orderOf(draft)), u"set-nx-ex, custom scenario"_s);
}

LOCKSCOPE_TEST(TestLabDraft, None)

} // namespace lockscope::tst_lab_draft

#include "tst_lab_draft.moc"
