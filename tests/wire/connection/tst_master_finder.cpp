#include "core/wire/connection/master_finder.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "tests/wire/scripted_sentinel.h"

#include <QElapsedTimer>
#include <QTest>

#include <array>
#include <memory>
#include <optional>

namespace lockscope::tst_master_finder {

using namespace lockscope::testing;
using store::MasterLocation;
using store::Problem;
using wire::MasterFinder;

namespace {

constexpr int kPatienceMs = 20'000;

/// Three Sentinels in the hands of the test.
struct Bench {
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::array<ScriptedSentinel, 3> sentinels;
    std::unique_ptr<MasterFinder> finder;
    std::optional<MasterFinder::Found> found;
    async::BackgroundTask task;

    void start()
    {
        store::Endpoint endpoint;
        endpoint.sentinels.masterName = "mymaster";
        for (ScriptedSentinel& sentinel : sentinels) {
            endpoint.sentinels.hosts.push_back({"127.0.0.1", sentinel.peer.port()});
            sentinel.start();
        }
        finder = std::make_unique<MasterFinder>(endpoint, executor, clock, Rng(1));
    }

    async::Task<void> findOnce() { found = co_await finder->find(); }

    /// The address that is found, or what is wrong.
    std::string find()
    {
        found.reset();
        task = async::BackgroundTask(executor, findOnce());
        if (!QTest::qWaitFor([this] { return found.has_value(); }, kPatienceMs)) {
            return "nothing";
        }
        const auto* const master = std::get_if<MasterLocation>(&*found);
        return master != nullptr ? master->address.host : store::explain(std::get<Problem>(*found));
    }
};

} // namespace

class TestMasterFinder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLatestFailoverCounts();
    void aSilentSentinelIsNotWaitedForLong();
    void aSentinelThatIsCutOffMisleadsNobody();
    void connectionsAreKeptForTheNextQuestion();
    void theNamesThatAreKnownAreAskedFor();
    void restingClosesTheConnections();
};

void TestMasterFinder::theLatestFailoverCounts()
{
    Bench bench;
    bench.start();
    QCOMPARE(bench.find(), std::string("10.0.0.5"));
    bench.sentinels[2].master = "10.0.0.6";
    bench.sentinels[2].epoch = 2;
    QCOMPARE(bench.find(), std::string("10.0.0.6"));
}

void TestMasterFinder::aSilentSentinelIsNotWaitedForLong()
{
    Bench bench;
    bench.sentinels[0].isSilent = true;
    bench.start();
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(bench.find(), std::string("10.0.0.5"));
    QVERIFY2(timer.elapsed() < 1900, qPrintable(QString::number(timer.elapsed())));
}

void TestMasterFinder::aSentinelThatIsCutOffMisleadsNobody()
{
    Bench bench;
    bench.sentinels[1].master = bench.sentinels[2].master = "10.0.0.6";
    bench.sentinels[1].epoch = bench.sentinels[2].epoch = 2;
    bench.start();
    QCOMPARE(bench.find(), std::string("10.0.0.6"));
    bench.sentinels[1].isSilent = bench.sentinels[2].isSilent = true;
    QCOMPARE(bench.find(), std::string("10.0.0.6"));
}

void TestMasterFinder::connectionsAreKeptForTheNextQuestion()
{
    Bench bench;
    bench.start();
    bench.find();
    bench.find();
    for (const ScriptedSentinel& sentinel : bench.sentinels) {
        QCOMPARE(sentinel.questionCount, 2);
        QCOMPARE(sentinel.peer.clientCount(), 1);
    }
}

void TestMasterFinder::theNamesThatAreKnownAreAskedFor()
{
    Bench bench;
    for (ScriptedSentinel& sentinel : bench.sentinels) {
        sentinel.master.clear();
    }
    bench.start();
    QCOMPARE(bench.find(),
             std::string("The Sentinels watch no master named mymaster. They watch cache."));
}

void TestMasterFinder::restingClosesTheConnections()
{
    Bench bench;
    bench.start();
    bench.find();
    bench.finder->rest();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.sentinels[0].peer.hasClient(), kPatienceMs);
    QCOMPARE(bench.find(), std::string("10.0.0.5"));
    QCOMPARE(bench.sentinels[0].peer.clientCount(), 2);
}

LOCKSCOPE_TEST(TestMasterFinder, Core)

} // namespace lockscope::tst_master_finder

#include "tst_master_finder.moc"
