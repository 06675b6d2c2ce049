#include "lab_live_order.h"
#include "protocol/catalogue.h"

#include <QTest>

using namespace lockscope;
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

QTEST_GUILESS_MAIN(TestLabLiveOrder)
#include "tst_lab_live_order.moc"
