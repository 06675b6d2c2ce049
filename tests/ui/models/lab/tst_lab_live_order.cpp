#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/lab_draft.h"

#include <QTest>

namespace lockscope::tst_lab_live_order {

using models::LabDraft;
using world::FaultKind;
using namespace std::chrono_literals;

namespace {

LabDraft draftOf(const char* id, std::vector<FaultKind> faults = {})
{
    LabDraft draft;
    draft.protocol = {std::shared_ptr<const void>(), protocol::findProtocol(id)};
    draft.faults = std::move(faults);
    return draft;
}

} // namespace

class TestLabLiveOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyProtocolCanRun();
    void itRunsOnServersOfItsOwn();
    void clientsAreTaken();
    void crashesAndPausesComeAlong();
    void aScenarioIsTaken();
    void everyUsualPlanCanRun();
};

void TestLabLiveOrder::everyProtocolCanRun()
{
    for (const protocol::LockProtocol* protocol : protocol::builtinProtocols()) {
        const LabDraft draft = draftOf(protocol->info().id.c_str(),
                                       {FaultKind::Crash, FaultKind::Pause});
        const auto complaints = workload::complaintsAbout(models::liveOrderOf(draft).scenario,
                                                          protocol->info());
        QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
    }
}

void TestLabLiveOrder::itRunsOnServersOfItsOwn()
{
    QVERIFY(models::liveOrderOf(draftOf("set-nx-ex")).servers.empty());
    QCOMPARE(models::liveOrderOf(draftOf("set-nx-ex")).privateServerCount, 1);
    QCOMPARE(models::liveOrderOf(draftOf("redlock")).privateServerCount, 3);
}

void TestLabLiveOrder::clientsAreTaken()
{
    LabDraft draft = draftOf("set-nx-ex");
    draft.clientCount = 4;
    QCOMPARE(models::liveOrderOf(draft).scenario.contenderCount, 4);
}

void TestLabLiveOrder::crashesAndPausesComeAlong()
{
    const auto calm = models::liveOrderOf(draftOf("set-nx-ex", {FaultKind::ClockSkew})).scenario;
    QCOMPARE(calm.crashProbability, 0.0);
    QCOMPARE(calm.pauseProbability, 0.0);
    const auto wild = models::liveOrderOf(draftOf("set-nx-ex", {FaultKind::Crash})).scenario;
    QVERIFY(wild.crashProbability > 0);
    QCOMPARE(wild.pauseProbability, 0.0);
    QVERIFY(wild.lease <= 1s);
}

void TestLabLiveOrder::aScenarioIsTaken()
{
    using world::Act;
    world::WorldPlan plan;
    const std::vector<Act> acts = {Act::acquire(4s, 1).as(protocol::Mode::Read),
                                   Act::work(20ms),
                                   Act::release(1),
                                   Act::sleep(50ms),
                                   Act::acquire(4s, 1),
                                   Act::work(40ms),
                                   Act::release(1)};
    plan.clients.resize(3);
    for (world::ClientPlan& client : plan.clients) {
        client.acts = acts;
    }
    plan.nodeCount = 5;
    plan.retryPause = 70ms;
    plan.triesMax = 5;
    plan.permits = 1;
    plan.areWritersPreferred = false;
    plan.seed = 9;
    plan.faults = world::FaultPlan::only(FaultKind::Pause, 4s);
    LabDraft draft = draftOf("rw-two-keys", {FaultKind::Crash}); // of the usual plans alone
    draft.clientCount = 17;
    draft.scenario = plan;
    const workload::LiveRunOrder order = models::liveOrderOf(draft);
    const workload::Scenario& taken = order.scenario;
    QCOMPARE(order.privateServerCount, 1);
    QCOMPARE(taken.contenderCount, 3);
    QCOMPARE(taken.keyCount, 2);
    QCOMPARE(taken.lease, Duration(4s));
    QVERIFY(taken.hold == workload::Distribution::constant(30ms));
    QVERIFY(taken.think == workload::Distribution::constant(50ms));
    QCOMPARE(taken.retry.interval, Duration(70ms));
    QVERIFY(taken.retry.triesMax == 5);
    QCOMPARE(taken.waitLimit, Duration(350ms));
    QVERIFY(!taken.renewal.isOn());
    QCOMPARE(taken.readShare, 0.5);
    QVERIFY(!taken.areWritersPreferred);
    QCOMPARE(taken.seed, 9U);
    QCOMPARE(taken.crashProbability, 0.0);
    QVERIFY(taken.pauseProbability > 0);
    QCOMPARE(taken.pauseFor, Duration(6s));
    QCOMPARE(taken.duration, Duration(40s));

    draft.protocol = draftOf("redlock").protocol;
    QCOMPARE(models::liveOrderOf(draft).privateServerCount, 5);
}

void TestLabLiveOrder::everyUsualPlanCanRun()
{
    for (const protocol::LockProtocol* protocol : protocol::builtinProtocols()) {
        LabDraft draft = draftOf(protocol->info().id.c_str());
        for (const world::WorldPlan& plan : search::defaultShapes(protocol->info())) {
            draft.scenario = plan;
            const workload::Scenario taken = models::liveOrderOf(draft).scenario;
            const auto complaints = workload::complaintsAbout(taken, protocol->info());
            QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
        }
    }
}

LOCKSCOPE_TEST(TestLabLiveOrder, Core)

} // namespace lockscope::tst_lab_live_order

#include "tst_lab_live_order.moc"
