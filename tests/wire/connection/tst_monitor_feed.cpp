#include "core/wire/connection/monitor_feed.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_monitor_feed {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using diagnosis::CaptureEnd;
using operations::CommandFeed;
using store::Problem;

namespace {

constexpr int kPatienceMs = 20'000;
const QByteArray kLine = "+1.5 [0 127.0.0.1:1] \"ping\"\r\n";

/// A feed of a peer that answers as a Redis does.
struct Bench {
    ScriptedPeer peer;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    QByteArray answerToMonitor = "+OK\r\n" + kLine;
    std::vector<std::string> lines;

    Bench()
    {
        peer.answerWith([this](const QByteArray& heard) {
            return heard.contains("MONITOR")   ? answerToMonitor
                   : heard.contains("SETNAME") ? QByteArray("+OK\r\n")
                                               : QByteArray();
        });
    }

    StartedTask<CommandFeed::Result> listen(wire::MonitorFeed& feed, operations::FeedLimits limits)
    {
        return {executor,
                feed.listen(limits, [this](std::string_view line) { lines.emplace_back(line); })};
    }
    store::Endpoint endpoint() const
    {
        store::Endpoint endpoint;
        endpoint.port = peer.port();
        return endpoint;
    }
};

CaptureEnd::Kind endOf(const StartedTask<CommandFeed::Result>& task)
{
    return std::get<CaptureEnd>(task.result()).kind;
}

} // namespace

class TestMonitorFeed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itEndsInTime();
    void itEndsAfterSoManyBytes();
    void itEndsWithTheConnection();
    void itEndsWhenItIsStopped();
    void whatIsStoppedBeforehandHearsNothing();
    void aRefusalIsAProblem();
};

void TestMonitorFeed::itEndsInTime()
{
    Bench bench;
    wire::MonitorFeed feed(bench.endpoint(), bench.executor, bench.clock, Rng(1));
    const auto task = bench.listen(feed, {50ms, 1000});
    QTRY_VERIFY_WITH_TIMEOUT(task.isFinished(), kPatienceMs);
    QVERIFY(endOf(task) == CaptureEnd::Kind::TimeOver);
    QCOMPARE(bench.lines, std::vector<std::string>{"1.5 [0 127.0.0.1:1] \"ping\""});
    QTRY_VERIFY_WITH_TIMEOUT(!bench.peer.hasClient(), kPatienceMs);
}

void TestMonitorFeed::itEndsAfterSoManyBytes()
{
    Bench bench;
    bench.answerToMonitor = "+OK\r\n" + kLine + kLine + kLine;
    wire::MonitorFeed feed(bench.endpoint(), bench.executor, bench.clock, Rng(1));
    const auto task = bench.listen(feed, {60s, 30});
    QTRY_VERIFY_WITH_TIMEOUT(task.isFinished(), kPatienceMs);
    QVERIFY(endOf(task) == CaptureEnd::Kind::BytesOver);
    QCOMPARE(bench.lines.size(), std::size_t(2)); // the one that went over the limit is the last
}

void TestMonitorFeed::itEndsWithTheConnection()
{
    Bench bench;
    wire::MonitorFeed feed(bench.endpoint(), bench.executor, bench.clock, Rng(1));
    const auto task = bench.listen(feed, {60s, 1000});
    QTRY_VERIFY_WITH_TIMEOUT(!bench.lines.empty(), kPatienceMs);
    bench.peer.hangUp();
    QTRY_VERIFY_WITH_TIMEOUT(task.isFinished(), kPatienceMs);
    QVERIFY(endOf(task) == CaptureEnd::Kind::ConnectionLost);
}

void TestMonitorFeed::itEndsWhenItIsStopped()
{
    Bench bench;
    wire::MonitorFeed feed(bench.endpoint(), bench.executor, bench.clock, Rng(1));
    const auto task = bench.listen(feed, {60s, 1000});
    QTRY_VERIFY_WITH_TIMEOUT(!bench.lines.empty(), kPatienceMs);
    QVERIFY(!task.isFinished());
    feed.stop();
    QTRY_VERIFY_WITH_TIMEOUT(task.isFinished(), kPatienceMs);
    QVERIFY(endOf(task) == CaptureEnd::Kind::Stopped);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.peer.hasClient(), kPatienceMs);
}

void TestMonitorFeed::whatIsStoppedBeforehandHearsNothing()
{
    Bench bench;
    wire::MonitorFeed feed(bench.endpoint(), bench.executor, bench.clock, Rng(1));
    feed.stop();
    const auto task = bench.listen(feed, {60s, 1000});
    QTRY_VERIFY_WITH_TIMEOUT(task.isFinished(), kPatienceMs);
    QVERIFY(endOf(task) == CaptureEnd::Kind::Stopped);
}

void TestMonitorFeed::aRefusalIsAProblem()
{
    Bench bench;
    bench.answerToMonitor = "-NOPERM this user has no permissions to run the 'monitor' command\r\n";
    wire::MonitorFeed feed(bench.endpoint(), bench.executor, bench.clock, Rng(1));
    const auto task = bench.listen(feed, {60s, 1000});
    QTRY_VERIFY_WITH_TIMEOUT(task.isFinished(), kPatienceMs);
    const auto& problem = std::get<Problem>(task.result());
    QCOMPARE(problem.kind, Problem::Kind::NoPermission);
    QCOMPARE(problem.rule, std::string("+monitor"));
}

LOCKSCOPE_TEST(TestMonitorFeed, Core)

} // namespace lockscope::tst_monitor_feed

#include "tst_monitor_feed.moc"
