#include "protocol/catalogue.h"
#include "run_record.h"
#include "search/cell.h"
#include "search/default_plans.h"

#include <QTest>

using namespace lockscope;
using namespace std::chrono_literals;
using models::recordOf;
using models::RunRecord;
using models::sampleOf;
using protocol::Promise;
using trace::EventKind;
using world::FaultKind;

namespace {

service::SearchTask taskFor(const char* id, FaultKind fault)
{
    service::SearchTask task;
    task.protocol = {std::shared_ptr<const void>(), protocol::findProtocol(id)};
    task.fault = fault;
    task.plans = search::defaultPlans(task.protocol->info(), fault);
    task.method = service::SystematicSearch{};
    return task;
}

} // namespace

class TestRunRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatBrokeIsDrawnAndTold();
    void whatHeldHasASampleRun();
    void aRandomSampleIsTheRunOfItsSeed();
    void withoutAPlanThereIsNothing();
    void liveRunsCountFromTheirFirstEvent();
    void aLiveRunThatHasNotBegunIsEmpty();
};

void TestRunRecord::whatBrokeIsDrawnAndTold()
{
    const service::SearchTask task = taskFor("set-nx-ex", FaultKind::Pause);
    sim::LuaEngine lua;
    search::Bounds bounds;
    bounds.schedulesMax = 300;
    const auto report = searchPlans(*task.protocol, task.plans, lua, bounds);
    report::CellVerdict verdict;
    verdict.result = report.promises.at(std::size_t(Promise::MutualExclusion));
    verdict.plan = task.plans[verdict.result.planIndex];
    const RunRecord record = recordOf(*task.protocol, verdict);
    QVERIFY(record.chronicle != nullptr);
    QVERIFY(!record.chronicle->overlaps.empty());
    QVERIFY(record.story.back().isViolation);
    QCOMPARE(record.contenderCount, static_cast<int>(verdict.plan.clients.size()));
    QCOMPARE(record.names.contender(1), QStringLiteral("B"));
    QCOMPARE(record.names.lock(0), QStringLiteral("k"));
}

void TestRunRecord::whatHeldHasASampleRun()
{
    const RunRecord record = sampleOf(taskFor("set-nx-px-token", FaultKind::Crash));
    QVERIFY(record.chronicle != nullptr);
    QVERIFY(!record.chronicle->spans.empty());
    QVERIFY(record.chronicle->overlaps.empty());
    QVERIFY(record.story.empty());
}

void TestRunRecord::aRandomSampleIsTheRunOfItsSeed()
{
    service::SearchTask task = taskFor("set-nx-px-token", FaultKind::Pause);
    task.method = service::RandomSearch{7, 10};
    const RunRecord record = sampleOf(task);
    const RunRecord again = sampleOf(task);
    QVERIFY(record.chronicle->spans == again.chronicle->spans);
    task.method = service::RandomSearch{8, 10};
    QVERIFY(!(sampleOf(task).chronicle->spans == record.chronicle->spans));
}

void TestRunRecord::withoutAPlanThereIsNothing()
{
    service::SearchTask task = taskFor("set-nx-ex", FaultKind::Pause);
    task.plans.clear();
    QVERIFY(sampleOf(task).chronicle == nullptr);
}

void TestRunRecord::liveRunsCountFromTheirFirstEvent()
{
    service::LiveRunOrder order;
    order.scenario.contenderCount = 2;
    service::LiveRunProgress progress;
    progress.keyPrefix = "run:7";
    const Instant begin(3h);
    const std::vector<trace::Event> events{{begin, 0, 0, 0, EventKind::Requested},
                                           {begin + 2ms, 1, 0, 0, EventKind::Granted},
                                           {begin + 7ms, 0, 0, 0, EventKind::Released}};
    const RunRecord record = recordOf(order, progress, events);
    QCOMPARE(record.chronicle->spans.front().from, Instant());
    QCOMPARE(record.chronicle->end, Instant(7ms));
    QCOMPARE(record.names.lock(0), QStringLiteral("run:7:0"));
    QCOMPARE(record.names.contender(1), QStringLiteral("contender 1"));
    QVERIFY(record.statistics.has_value());
}

void TestRunRecord::aLiveRunThatHasNotBegunIsEmpty()
{
    QVERIFY(recordOf(service::LiveRunOrder(), service::LiveRunProgress(), {}).chronicle == nullptr);
}

QTEST_GUILESS_MAIN(TestRunRecord)
#include "tst_run_record.moc"
