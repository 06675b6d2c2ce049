#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/change_feed.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_server.h"
#include "tests/support/manual_clock.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <stdexcept>

namespace lockscope::tst_change_feed {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::LinkStatus;
using store::Problem;
using wire::ChangeFeed;
using wire::Connection;
using wire::Subscriber;

namespace {

constexpr int kPatienceMs = 20'000;
constexpr double kQuiet = 10;
constexpr double kBusy = 10'000;

/// A feed of a real server, with a clock of its own.
struct Bench {
    LiveServer server;
    wire::LoopExecutor executor;
    wire::LoopClock loopClock;
    ManualClock clock;
    ChangeFeed::Interest interest;
    std::vector<Bytes> told;
    Connection connection{server.endpoint(), executor, loopClock, Rng(1)};
    Subscriber subscriber{server.endpoint(), executor, loopClock, Rng(2)};
    ChangeFeed feed{connection, subscriber, executor, clock, [this] { return interest; }};

    explicit Bench(const char* events = "")
    {
        server.client()("CONFIG", "SET", "notify-keyspace-events", events);
        QObject::connect(&subscriber, &Subscriber::keysChanged, &feed,
                         [this](const std::vector<Bytes>& keys) {
                             told.insert(told.end(), keys.begin(), keys.end());
                         });
        connection.open();
        subscriber.open();
        const bool isReady = QTest::qWaitFor(
            [this] {
                return connection.state() == Connection::State::Online
                       && subscriber.clientId() != 0;
            },
            kPatienceMs);
        if (!isReady) {
            throw std::runtime_error("the server is not to be reached");
        }
    }

    void begin(double writesPerSecond)
    {
        StartedTask<int> beginning(executor, beginAndReturn(writesPerSecond));
        QTRY_VERIFY_WITH_TIMEOUT(beginning.isFinished(), kPatienceMs);
    }

    /// Whether the server tells about the key when a client writes it. What it tells of both keys
    /// comes in order, and the second one is always asked for.
    bool tellsOf(const Bytes& key)
    {
        const Bytes always = "lock:told-of-always";
        told.clear();
        server.client()("SET", key, "1");
        server.client()("SET", always, "1");
        const bool isTold = QTest::qWaitFor(
            [&] { return std::ranges::find(told, always) != told.end(); }, kPatienceMs);
        return isTold && std::ranges::find(told, key) != told.end();
    }

private:
    async::Task<int> beginAndReturn(double writesPerSecond)
    {
        co_await feed.begin(writesPerSecond);
        co_return 0;
    }
};

} // namespace

/// With real servers, as they decide what they tell.
class TestChangeFeed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aQuietServerTellsOfEveryKey();
    void aBusyServerIsAskedForKnownNamesOnly();
    void namesOfTheUserAreKnown();
    void whereEventsAreOnABusyServerIsAskedForTheWord();
    void whereTrackingIsRefusedEventsWillDo();
    void withoutAnythingThereAreNoNews();
    void tooMuchThatIsNoLockNarrowsTheFeed();
    void locksInNumbersDoNot();
    void aDeepWatchHearsEverything();
    void namesThatNothingNarrowerFitsAreNotAskedForAgainAndAgain();
    void newNamesAreAskedForToo();
    void whenTheServerIsQuietAgainTheFeedIsWide();
    void whatItCostsIsKnown();
};

void TestChangeFeed::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestChangeFeed::aQuietServerTellsOfEveryKey()
{
    Bench bench("KA");
    bench.begin(kQuiet);
    QCOMPARE(bench.feed.live(), LinkStatus::Live::Push);
    QVERIFY(!bench.feed.hasGaps());
    QVERIFY(bench.tellsOf("session:42"));
}

void TestChangeFeed::aBusyServerIsAskedForKnownNamesOnly()
{
    Bench bench;
    bench.interest.names = {"order:42:lock"};
    bench.begin(kBusy);
    QCOMPARE(bench.feed.live(), LinkStatus::Live::Push);
    QVERIFY(bench.feed.hasGaps());
    QVERIFY(bench.tellsOf("order:43:lock"));
    QVERIFY(!bench.tellsOf("session:42"));
}

void TestChangeFeed::namesOfTheUserAreKnown()
{
    Bench bench;
    bench.interest.patterns = {"cron:*", "*:nightly"};
    bench.begin(kBusy);
    QVERIFY(bench.tellsOf("cron:backup"));
    QVERIFY(!bench.tellsOf("session:42"));
}

void TestChangeFeed::whereEventsAreOnABusyServerIsAskedForTheWord()
{
    Bench bench("KA");
    bench.interest.names = {"job[1]:run"};
    bench.interest.patterns = {"*:nightly"};
    bench.begin(kBusy);
    QCOMPARE(bench.feed.live(), LinkStatus::Live::KeyspaceEvents);
    QVERIFY(bench.tellsOf("never:seen:LOCK"));
    QVERIFY(bench.tellsOf("backup:nightly"));
    QVERIFY(bench.tellsOf("job[1]:run"));
    QVERIFY(!bench.tellsOf("session:42"));
}

void TestChangeFeed::whereTrackingIsRefusedEventsWillDo()
{
    Bench bench("KA");
    bench.server.client()("ACL", "SETUSER", "default", "-client|tracking");
    bench.begin(kQuiet);
    QCOMPARE(bench.feed.live(), LinkStatus::Live::KeyspaceEvents);
    QVERIFY(!bench.feed.hasGaps());
    QVERIFY(bench.tellsOf("session:42"));
    QCOMPARE(bench.feed.problem().kind, Problem::Kind::NoPermission);
    // A busy server is better asked for events anyway: then nothing is in the way.
    bench.begin(kBusy);
    QCOMPARE(bench.feed.live(), LinkStatus::Live::KeyspaceEvents);
    QCOMPARE(bench.feed.problem().kind, Problem::Kind::None);
}

void TestChangeFeed::withoutAnythingThereAreNoNews()
{
    Bench bench;
    bench.server.client()("ACL", "SETUSER", "default", "-client|tracking");
    bench.begin(kBusy);
    QCOMPARE(bench.feed.live(), LinkStatus::Live::Polling);
    QVERIFY(!bench.feed.hasGaps());
}

void TestChangeFeed::tooMuchThatIsNoLockNarrowsTheFeed()
{
    Bench bench;
    QSignalSpy changed(&bench.feed, &ChangeFeed::scopeChanged);
    bench.begin(kQuiet);
    bench.feed.count(inspect::kUnrelatedMessagesMax, 0);
    QVERIFY(!bench.feed.hasGaps());
    bench.feed.count(1, 0);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatienceMs);
    QVERIFY(bench.feed.hasGaps());
    QVERIFY(!bench.tellsOf("session:42"));
}

void TestChangeFeed::locksInNumbersDoNot()
{
    Bench bench;
    bench.begin(kQuiet);
    bench.feed.count(5'000, 4'900);
    QVERIFY(bench.tellsOf("session:42"));
    QVERIFY(!bench.feed.hasGaps());
}

void TestChangeFeed::aDeepWatchHearsEverything()
{
    Bench bench;
    QSignalSpy changed(&bench.feed, &ChangeFeed::scopeChanged);
    bench.begin(kBusy);
    QVERIFY(!bench.tellsOf("session:42"));
    bench.interest.isDeep = true;
    bench.feed.interestChanged();
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatienceMs);
    QVERIFY(bench.tellsOf("session:42"));
    bench.feed.count(50'000, 0);
    QVERIFY(bench.tellsOf("session:43"));
}

void TestChangeFeed::namesThatNothingNarrowerFitsAreNotAskedForAgainAndAgain()
{
    Bench bench;
    for (int i = 0; i < 100; ++i) {
        bench.interest.names.push_back(Bytes(1, static_cast<char>('!' + i)) + "lock");
    }
    bench.begin(kQuiet);
    const std::int64_t before = bench.server.callCount("client|tracking");
    for (int second = 0; second < 3; ++second) {
        bench.feed.count(50'000, 0);
        QVERIFY(bench.tellsOf("session:42"));
        bench.feed.endSecond(kBusy);
    }
    QCOMPARE(bench.server.callCount("client|tracking"), before);
}

void TestChangeFeed::newNamesAreAskedForToo()
{
    Bench bench;
    QSignalSpy changed(&bench.feed, &ChangeFeed::scopeChanged);
    bench.interest.names = {"order:42:lock"};
    bench.begin(kBusy);
    bench.interest.names = {"order:42:lock", "order:43:lock"};
    bench.feed.interestChanged();
    QVERIFY(!bench.tellsOf("zebra:1:lock"));
    QCOMPARE(changed.size(), 0);
    bench.interest.names = {"order:42:lock", "zebra:1:lock"};
    bench.feed.interestChanged();
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatienceMs);
    QVERIFY(bench.tellsOf("zebra:2:lock"));
}

void TestChangeFeed::whenTheServerIsQuietAgainTheFeedIsWide()
{
    Bench bench;
    QSignalSpy changed(&bench.feed, &ChangeFeed::scopeChanged);
    bench.begin(kBusy);
    bench.clock.moveBy(9s);
    bench.feed.endSecond(kBusy);
    bench.clock.moveBy(900ms);
    bench.feed.endSecond(kQuiet);
    QVERIFY(!bench.tellsOf("session:42"));
    bench.clock.moveBy(100ms);
    bench.feed.endSecond(kQuiet);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatienceMs);
    QVERIFY(!bench.feed.hasGaps());
    QVERIFY(bench.tellsOf("session:42"));
    // It was not for long: the next time it takes longer.
    bench.feed.count(50'000, 0);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, kPatienceMs);
    bench.clock.moveBy(1500ms);
    bench.feed.endSecond(kQuiet);
    QVERIFY(!bench.tellsOf("session:42"));
    bench.clock.moveBy(500ms);
    bench.feed.endSecond(kQuiet);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 3, kPatienceMs);
}

void TestChangeFeed::whatItCostsIsKnown()
{
    Bench bench;
    bench.interest.names = {"order:42:lock"};
    bench.begin(kBusy);
    const inspect::WatchWork work = bench.feed.work();
    QVERIFY(work.isTracking);
    QCOMPARE(work.prefixCount, inspect::prefixesWorthTheirCost(kBusy));
    QCOMPARE(work.writesPerSecond, kBusy);
    QCOMPARE(work.patternCount, std::size_t(0));
}

LOCKSCOPE_TEST(TestChangeFeed, Core)

} // namespace lockscope::tst_change_feed

#include "tst_change_feed.moc"
