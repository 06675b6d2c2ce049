#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/run_record.h"

#include <QTest>

namespace lockscope::tst_run_record {

using namespace std::chrono_literals;
using models::recordOf;
using models::RunRecord;
using protocol::Promise;
using world::FaultKind;

namespace {

search::SearchTask taskFor(const char* id, FaultKind fault)
{
    search::SearchTask task;
    task.protocol = {std::shared_ptr<const void>(), protocol::findProtocol(id)};
    task.fault = fault;
    task.plans = search::defaultPlans(task.protocol->info(), fault);
    task.method = search::SystematicSearch{};
    return task;
}

RunRecord sampled(const search::SearchTask& task)
{
    return models::sampleOf({task.protocol, {}}, task, {});
}

} // namespace

class TestRunRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatBrokeIsDrawnAndTold();
    void whatHeldHasASampleRun();
    void aRandomSampleIsTheRunOfItsSeed();
    void withoutAPlanThereIsNothing();
    void aRunWithoutEventsIsNotDrawn();
};

void TestRunRecord::whatBrokeIsDrawnAndTold()
{
    const search::SearchTask task = taskFor("set-nx-ex", FaultKind::Pause);
    sim::LuaEngine lua;
    search::Bounds bounds;
    bounds.schedulesMax = 300;
    const auto report = searchPlans(*task.protocol, task.plans, lua, bounds);
    report::CellVerdict verdict;
    verdict.result = report.promises.at(std::size_t(Promise::MutualExclusion));
    verdict.plan = task.plans[verdict.result.planIndex];
    const RunRecord record = recordOf({task.protocol, {}}, verdict, QStringLiteral("again"));
    QVERIFY(record.chronicle != nullptr);
    QVERIFY(!record.chronicle->overlaps.empty());
    QVERIFY(record.run->story.back().isViolation);
    QCOMPARE(record.contenderCount(), static_cast<int>(verdict.plan.clients.size()));
    QCOMPARE(record.run->command, std::string("again"));
    QCOMPARE(record.run->mode, std::string("explore"));
    QCOMPARE(record.names.contender(1), QStringLiteral("B"));
    QCOMPARE(record.names.lock(0), QStringLiteral("k"));
}

void TestRunRecord::whatHeldHasASampleRun()
{
    const RunRecord record = sampled(taskFor("set-nx-px-token", FaultKind::Crash));
    QVERIFY(record.chronicle != nullptr);
    QVERIFY(!record.chronicle->spans.empty());
    QVERIFY(record.chronicle->overlaps.empty());
    QVERIFY(record.run->story.empty());
}

void TestRunRecord::aRandomSampleIsTheRunOfItsSeed()
{
    search::SearchTask task = taskFor("set-nx-px-token", FaultKind::Pause);
    task.method = search::RandomSearch{7, 10};
    const RunRecord record = sampled(task);
    const RunRecord again = sampled(task);
    QVERIFY(record.chronicle->spans == again.chronicle->spans);
    task.method = search::RandomSearch{8, 10};
    QVERIFY(!(sampled(task).chronicle->spans == record.chronicle->spans));
}

void TestRunRecord::withoutAPlanThereIsNothing()
{
    search::SearchTask task = taskFor("set-nx-ex", FaultKind::Pause);
    task.plans.clear();
    QVERIFY(sampled(task).chronicle == nullptr);
}

void TestRunRecord::aRunWithoutEventsIsNotDrawn()
{
    report::RunFile run;
    run.labels.contenders = {"A", "B"};
    const RunRecord record = recordOf(std::move(run));
    QVERIFY(record.chronicle == nullptr);
    QCOMPARE(record.contenderCount(), 2);
    QCOMPARE(record.names.contender(1), QStringLiteral("B"));
}

LOCKSCOPE_TEST(TestRunRecord, Core)

} // namespace lockscope::tst_run_record

#include "tst_run_record.moc"
