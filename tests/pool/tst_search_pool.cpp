#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/report/search_json.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/matrix_tasks.h"
#include "core/pool/search_part.h"
#include "core/pool/search_pool.h"
#include "core/pool/worker_pool.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

namespace lockscope::tst_search_pool {

using report::CellReport;
using search::RandomSearch;
using search::SearchTask;
using search::SystematicSearch;
using service::SearchOrder;
using service::SearchProgress;
using world::FaultKind;

namespace {

constexpr int kPatienceMs = 120'000;

SearchTask taskFor(const char* id, FaultKind fault)
{
    SearchTask task;
    task.protocol = {std::shared_ptr<const void>(), protocol::findProtocol(id)};
    task.fault = fault;
    if (search::isApplicable(fault, task.protocol->info())) {
        task.plans = search::defaultPlans(task.protocol->info(), fault);
    }
    task.method = SystematicSearch{{200, 1'000'000, 60}};
    return task;
}

SearchTask randomTaskFor(const char* id, std::uint64_t runCount)
{
    SearchTask task = taskFor(id, FaultKind::Pause);
    task.method = RandomSearch{5, runCount};
    return task;
}

/// Something that takes longer than any test waits.
SearchOrder endlessOrder()
{
    SearchOrder order;
    for (int i = 0; i < 20; ++i) {
        order.tasks.push_back(taskFor("redisson-fair", FaultKind::MessageDelay));
        order.tasks.back().method = SystematicSearch{{10'000'000, 50'000'000, 60}};
    }
    return order;
}

/// Everything that a search says, as text.
std::string reportsOf(const SearchOrder& order)
{
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    pool.start(order);
    if (!QTest::qWaitFor([&pool] { return pool.progress().isOver(); }, kPatienceMs)) {
        return "it does not end";
    }
    std::string text;
    for (const CellReport& cell : pool.reports()) {
        for (const report::Json& entry : report::matrixEntries(cell)) {
            text += entry.dump() + '\n';
        }
    }
    return text + report::runJson(report::searchReport("explore", pool.reports())).dump();
}

} // namespace

class TestSearchPool final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePoolDoesEveryJobOnce();
    void aDismissedPoolBeginsNothingMore();
    void partsCoverTheTasks();
    void resultsDoNotDependOnTheNumberOfThreads();
    void aFlawIsFoundAndTold();
    void whatWasFoundIsThereWhileItIsTold();
    void whatMakesNoDifferenceIsNotApplicable();
    void cancellingTakesLessThanATenthOfASecond();
    void scriptsThatLoopEndTheSearch();
    void aPausedSearchStandsStill();
    void aPausedSearchCanBeCancelled();
    void anEmptyOrderIsOverAtOnce();
};

void TestSearchPool::thePoolDoesEveryJobOnce()
{
    constexpr std::size_t kJobCount = 100;
    std::vector<std::atomic<int>> counts(kJobCount);
    std::vector<pool::WorkerPool::Job> jobs;
    for (auto& count : counts) {
        jobs.emplace_back([&count](sim::LuaEngine&) { ++count; });
    }
    pool::WorkerPool pool;
    QSignalSpy finished(&pool, &pool::WorkerPool::finished);
    pool.start(std::move(jobs), 4);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatienceMs);
    QCOMPARE(pool.doneCount(), kJobCount);
    QVERIFY(std::ranges::all_of(counts, [](const auto& count) { return count == 1; }));
}

void TestSearchPool::aDismissedPoolBeginsNothingMore()
{
    pool::WorkerPool pool;
    QSignalSpy finished(&pool, &pool::WorkerPool::finished);
    std::vector<pool::WorkerPool::Job> jobs(10, [&pool](sim::LuaEngine&) { pool.dismiss(); });
    pool.start(std::move(jobs), 1);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatienceMs);
    QCOMPARE(pool.doneCount(), std::size_t(1));
}

void TestSearchPool::partsCoverTheTasks()
{
    const std::vector<SearchTask> tasks{taskFor("set-nx-ex", FaultKind::Crash),
                                        randomTaskFor("set-nx-ex", 1000)};
    const std::vector<pool::SearchPart> parts = pool::partsOf(tasks);
    std::uint64_t runCount = 0;
    std::size_t planCount = 0;
    for (const pool::SearchPart& part : parts) {
        planCount += part.task == 0 ? 1 : 0;
        if (part.task == 1) {
            QCOMPARE(part.firstRun, runCount);
        }
        runCount += part.runCount;
        QVERIFY(pool::weightOf(part, tasks) > 0);
    }
    QCOMPARE(planCount, tasks[0].plans.size());
    QCOMPARE(runCount, std::uint64_t(1000));
}

void TestSearchPool::resultsDoNotDependOnTheNumberOfThreads()
{
    SearchOrder order;
    order.tasks = {taskFor("set-nx-ex", FaultKind::Pause),
                   taskFor("reentrant-hash", FaultKind::Crash), randomTaskFor("set-nx-ex", 300)};
    order.threadCount = 1;
    const std::string alone = reportsOf(order);
    order.threadCount = 7;
    QCOMPARE(reportsOf(order), alone);
}

void TestSearchPool::aFlawIsFoundAndTold()
{
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    SearchOrder order;
    order.tasks = {taskFor("set-nx-ex", FaultKind::Pause)};
    std::get<SystematicSearch>(order.tasks[0].method).bounds.schedulesMax = 5'000;
    QSignalSpy progressed(&pool, &service::SearchRunner::progressed);
    pool.start(order);
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
    QCOMPARE(pool.progress().phase, SearchProgress::Phase::Finished);
    QVERIFY(progressed.count() >= 3);
    QVERIFY(pool.progress().coverage.schedules > 0);
    QCOMPARE(pool.reports().size(), std::size_t(1));
    const report::CellVerdict& release =
        pool.reports()[0].verdicts.at(std::size_t(protocol::Promise::OwnerOnlyRelease));
    QVERIFY(release.isBroken());
    QVERIFY(!release.story.empty());
    QVERIFY(release.story.back().isViolation);
}

void TestSearchPool::whatWasFoundIsThereWhileItIsTold()
{
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    SearchOrder order;
    order.tasks = {randomTaskFor("set-nx-ex", 200)};
    constexpr auto kPromise = std::size_t(protocol::Promise::OwnerOnlyRelease);
    bool isFoundWhenTellingBegins = false;
    connect(&pool, &service::SearchRunner::progressed, this, [&](const SearchProgress& progress) {
        if (progress.phase == SearchProgress::Phase::Telling) {
            isFoundWhenTellingBegins = pool.findings().size() == 1
                                       && pool.findings()[0].verdicts.at(kPromise).isBroken();
        }
    });
    pool.start(order);
    QVERIFY(pool.findings().empty());
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
    QVERIFY(isFoundWhenTellingBegins);
    QVERIFY(!pool.reports()[0].verdicts.at(kPromise).story.empty());
    // What the workers write is another one.
    QVERIFY(pool.findings()[0].verdicts.at(kPromise).story.empty());
    QCOMPARE(pool.findings()[0].statistics->acquisitions,
             pool.reports()[0].statistics->acquisitions);
}

void TestSearchPool::whatMakesNoDifferenceIsNotApplicable()
{
    const SearchTask task = taskFor("set-nx-ex", FaultKind::Hang);
    QVERIFY(task.plans.empty());
    const CellReport cell = pool::addedUp(task, {}, {});
    QVERIFY(!cell.isApplicable);
    QVERIFY(cell.headline() == nullptr);
}

void TestSearchPool::cancellingTakesLessThanATenthOfASecond()
{
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    pool.start(endlessOrder());
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().coverage.schedules > 100, kPatienceMs);
    QElapsedTimer timer;
    timer.start();
    pool.cancel();
    QVERIFY(pool.progress().isStopping && pool.progress().isUnderWay());
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
    QCOMPARE(pool.progress().phase, SearchProgress::Phase::Cancelled);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr qint64 kMaxMs = 5'000;
#else
    constexpr qint64 kMaxMs = 1'000; // 100 ms on a machine that has nothing else to do
#endif
    QVERIFY2(timer.elapsed() < kMaxMs, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(!pool.progress().isStopping);
    QVERIFY(!pool.reports()[0].coverage.isComplete);
}

/// Each of its scripts takes a thousand times as long as those of a lock; the search ends at them.
void TestSearchPool::scriptsThatLoopEndTheSearch()
{
    constexpr std::string_view kEndless = R"({
"id": "endless", "title": "A lock", "summary": "That loops.",
"acquire": {"script": "while true do end", "keys": ["{key}"], "granted": [1], "refused": [0]},
"release": {"script": "return 1", "keys": ["{key}"], "released": [1]}})";
    auto read = protocol::readProtocol(kEndless);
    const std::shared_ptr<const protocol::LockProtocol> endless(
        std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read)));
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    SearchOrder order;
    order.tasks = search::matrixRow(endless, search::matrixFaults(), {});
    pool.start(order);
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
    QCOMPARE(pool.progress().phase, SearchProgress::Phase::Finished);
    const CellReport& cell = pool.reports().front();
    QVERIFY(cell.coverage.isScriptStopped && !cell.coverage.isComplete);
    QVERIFY(cell.isNeverGranted());
    QVERIFY2(cell.reasonNeverGranted.find("more steps than the simulation allows")
                 != std::string::npos,
             cell.reasonNeverGranted.c_str());
    QVERIFY2(cell.reasonNeverGranted.find("Line 1 of the script: while true do end")
                 != std::string::npos,
             cell.reasonNeverGranted.c_str());
    QVERIFY(report::untestedText(pool.reports()).starts_with(report::nothingTestedText()));
}

void TestSearchPool::aPausedSearchStandsStill()
{
    constexpr int kThreads = 2;
    constexpr std::uint64_t kMost = kThreads * 64; // a worker asks every so many runs
    testing::ManualClock clock;
    pool::SearchPool pool(clock);
    pool.setPaused(true); // nothing to pause
    QVERIFY(!pool.progress().isPaused);
    SearchOrder order = endlessOrder();
    order.threadCount = kThreads;
    QSignalSpy progressed(&pool, &service::SearchRunner::progressed);
    pool.start(order);
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().coverage.schedules > 4 * kMost, kPatienceMs);
    // As many looks as this took would see four times as much if nothing stood still.
    const auto looks = progressed.count();
    clock.moveBy(std::chrono::seconds(3));
    pool.setPaused(true);
    QVERIFY(pool.progress().isPaused);
    const std::uint64_t before = pool.progress().coverage.schedules;
    clock.moveBy(std::chrono::seconds(100));
    QTRY_VERIFY_WITH_TIMEOUT(progressed.count() > 2 * looks, kPatienceMs);
    const std::uint64_t after = pool.progress().coverage.schedules;
    QVERIFY2(after <= before + kMost, qPrintable(QString::number(after - before)));
    QCOMPARE(pool.progress().elapsed, Duration(std::chrono::seconds(3)));
    pool.setPaused(false);
    QVERIFY(!pool.progress().isPaused);
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().coverage.schedules > before + kMost, kPatienceMs);
    QCOMPARE(pool.progress().elapsed, Duration(std::chrono::seconds(3)));
    pool.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
}

void TestSearchPool::aPausedSearchCanBeCancelled()
{
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    pool.start(endlessOrder());
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().coverage.schedules > 100, kPatienceMs);
    pool.setPaused(true);
    pool.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
    QCOMPARE(pool.progress().phase, SearchProgress::Phase::Cancelled);
    QVERIFY(!pool.progress().isPaused);
    // The next one is not paused.
    SearchOrder order;
    order.tasks = {taskFor("set-nx-ex", FaultKind::Crash)};
    pool.start(order);
    QTRY_COMPARE_WITH_TIMEOUT(pool.progress().phase, SearchProgress::Phase::Finished, kPatienceMs);
}

void TestSearchPool::anEmptyOrderIsOverAtOnce()
{
    const testing::ManualClock clock;
    pool::SearchPool pool(clock);
    pool.start({});
    QTRY_VERIFY_WITH_TIMEOUT(pool.progress().isOver(), kPatienceMs);
    QVERIFY(pool.reports().empty());
}

LOCKSCOPE_TEST(TestSearchPool, Core)

} // namespace lockscope::tst_search_pool

#include "tst_search_pool.moc"
