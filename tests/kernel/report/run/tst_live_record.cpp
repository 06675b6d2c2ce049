#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/live_record.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_live_record {

using namespace std::chrono_literals;
using trace::EventKind;

class TestLiveRecord final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timesCountFromTheFirstEvent();
    void whatWasSeenOnTheServerCountsFromThereToo();
    void namesAreThoseOfTheRun();
    void sharedConnectionsAreSaid();
    void aRunThatHasNotBegunIsEmpty();
};

namespace {

report::SavedProtocol someProtocol()
{
    return report::SavedProtocol::builtin("set-nx-ex");
}

} // namespace

void TestLiveRecord::timesCountFromTheFirstEvent()
{
    const Instant begin(3h);
    const std::vector<trace::Event> events{{begin, 0, 0, 0, EventKind::Requested},
                                           {begin + 2ms, 1, 0, 0, EventKind::Granted},
                                           {begin + 7ms, 0, 0, 0, EventKind::Released}};
    workload::Scenario scenario;
    scenario.seed = 9;
    workload::LiveRunProgress progress;
    progress.statistics.acquisitions = 1;
    progress.droppedEventCount = 4;
    const auto run = report::runFileOf(someProtocol(), scenario, progress, {events, {}});
    QCOMPARE(run.events.front().at, Instant());
    QCOMPARE(run.end, Instant(7ms));
    QCOMPARE(run.chronicle().spans.front().from, Instant());
    QCOMPARE(run.statistics->acquisitions, 1U);
    QCOMPARE(run.droppedEventCount, 4U);
    QCOMPARE(run.seed, 9U);
    QCOMPARE(run.mode, std::string("contend"));
    QCOMPARE(run.promises.size(), static_cast<std::size_t>(protocol::Promise::PromiseCount));
}

void TestLiveRecord::whatWasSeenOnTheServerCountsFromThereToo()
{
    const Instant begin(3h);
    const std::vector<trace::Event> events{{begin, 0, 0, 0, EventKind::Requested}};
    const std::vector<trace::ServerHold> serverHolds{
        {begin + 1ms, begin + 5ms, 0, 0, trace::SpanEnd::Uncertain, begin + 8ms}};
    const auto run = report::runFileOf(someProtocol(), {}, {}, {events, serverHolds});
    QCOMPARE(run.serverHolds.front().from, Instant(1ms));
    QCOMPARE(run.serverHolds.front().overBy, std::optional(Instant(8ms)));
    QCOMPARE(run.end, Instant(5ms));
    QCOMPARE(run.chronicle().serverHolds.size(), 1U);
}

void TestLiveRecord::namesAreThoseOfTheRun()
{
    workload::Scenario scenario;
    scenario.contenderCount = 2;
    scenario.keyCount = 2;
    workload::LiveRunProgress progress;
    progress.keyPrefix = "run:7";
    const auto run = report::runFileOf(someProtocol(), scenario, progress, {});
    QCOMPARE(run.labels.lock(1), std::string("run:7:1"));
    QCOMPARE(run.labels.contender(1), std::string("contender 1"));
}

/// Throughput over one connection is not that of one connection each.
void TestLiveRecord::sharedConnectionsAreSaid()
{
    workload::Scenario scenario;
    scenario.contenderCount = 20;
    QCOMPARE(report::contendersText(scenario), std::string("20 contenders"));
    scenario.connectionCount = 2;
    QCOMPARE(report::contendersText(scenario), std::string("20 contenders on 2 connections"));
    scenario.connectionCount = 1;
    QCOMPARE(report::contendersText(scenario), std::string("20 contenders on 1 connection"));
    scenario.connectionCount = 20; // one each, as usual
    QCOMPARE(report::contendersText(scenario), std::string("20 contenders"));
    scenario.contenderCount = 1;
    QCOMPARE(report::contendersText(scenario), std::string("1 contender"));
}

void TestLiveRecord::aRunThatHasNotBegunIsEmpty()
{
    const auto run = report::runFileOf(someProtocol(), {}, {}, {});
    QVERIFY(run.events.empty() && run.story.empty());
    QCOMPARE(run.end, Instant());
}

LOCKSCOPE_TEST(TestLiveRecord, Core)

} // namespace lockscope::tst_live_record

#include "tst_live_record.moc"
