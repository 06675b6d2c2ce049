#include "core/wire/watch/redis_monitor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_live_watching {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::LinkStatus;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 30'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
const QStringList kDurable = {u"--appendonly"_qs, u"yes"_qs, u"--appendfsync"_qs, u"no"_qs};

/// A user who may watch, except for what `rules` take away again.
Endpoint endpointFor(LiveServer& server, std::initializer_list<const char*> rules)
{
    store::Command command("ACL", "SETUSER", "watcher", "on", ">secret", "~*", "&*", "+@all");
    for (const char* const rule : rules) {
        command.append(rule);
    }
    server.client().ask(command);
    Endpoint endpoint = server.endpoint();
    endpoint.user = "watcher";
    endpoint.password = "secret";
    return endpoint;
}

bool isSweptAndLive(LiveWatch& watch, LinkStatus::Live live)
{
    return watch.sweepCount() > 0 && watch.isOnline() && watch.status().live == live;
}

} // namespace

class TestLiveWatching : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatIsThereIsFound();
    void aLockTakenRenewedAndReleasedIsSeenByPush();
    void anExpiryIsSeenSoon();
    void aThousandChangesEndInTheTruth();
    void waitersAreCounted();
    void flushingEverythingEmptiesTheTable();
    void aDeepWatchFindsOddNames();
    void anotherDatabaseIsAnotherWorld();
    void trackingRefusedMeansKeyspaceEventsWhereTheyAreOn();
    void flushingIsNoticedWithoutTrackingToo();
    void withoutNewsTheLocksArePolled();
    void aRefusedSubscriptionMeansPolling();
    void theServersConfigurationIsLeftAlone();
    void aForbiddenCommandIsNamedWithItsRule_data();
    void aForbiddenCommandIsNamedWithItsRule();
    void aKilledDataConnectionComesBack();
    void aKilledSubscriberComesBack();
    void aKilledServerLeavesRowsUnconfirmedAndThenConfirmed();
    void aKilledServerThatForgotEmptiesTheTable();
    void aLockTakenAgainAfterARestartIsAnotherHold();
    void aFrozenServerLeavesRowsUnconfirmed();
    void aServerThatRunsASlowScriptReleasesNothing();
    void aPatternThatIsWithdrawnReleasesNothing();
    void aWrongPasswordIsTriedOnceAndNotByTheDeskToo();
};

void TestLiveWatching::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveWatching::whatIsThereIsFound()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    for (int i = 0; i < 3000; ++i) {
        server.client().send(store::Command("SET", "user:" + std::to_string(i), "1"));
    }
    server.client().send(store::Command("SET", "order:lock", kAlice, "PX", 60000));
    server.client().send(store::Command("HSET", "lock:h", "worker-17:a", "2"));
    for (int i = 0; i < 3002; ++i) {
        QVERIFY(server.client().listen(kPatienceMs).has_value());
    }
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(2), kPatienceMs);
    QCOMPARE(watch.ownerOf("order:lock"), kAlice);
    QCOMPARE(watch.row("lock:h")->holds(), 2U);
    QVERIFY(watch.row("lock:h")->flags.has(inspect::Flag::NoExpiry));
    QCOMPARE(watch.progress().total, std::uint64_t(3002));
    // The next sweep may have begun.
    QTRY_VERIFY_WITH_TIMEOUT(watch.progress().scanned >= 3002, kPatienceMs);
    QVERIFY(!watch.status().info.version.empty());
    QCOMPARE(watch.status().info.role, store::ServerInfo::Role::Master);
}

void TestLiveWatching::aLockTakenRenewedAndReleasedIsSeenByPush()
{
    LiveServer server;
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    server.client()("SET", "order:lock", kAlice, "NX", "PX", 30000);
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("appeared order:lock"), kPatienceMs);
    QVERIFY(watch.row("order:lock")->isTakenWhileWatching);
    server.client()("PEXPIRE", "order:lock", 60000);
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("renewed order:lock"), kPatienceMs);
    server.client()("DEL", "order:lock");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("released order:lock"), kPatienceMs);
    QCOMPARE(watch.rowCount(), std::size_t(0));
}

void TestLiveWatching::anExpiryIsSeenSoon()
{
    LiveServer server;
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    server.client()("DEBUG", "SET-ACTIVE-EXPIRE", 0); // the server will not tell; refused where
                                                      // DEBUG is off
    server.client()("SET", "order:lock", kAlice, "NX", "PX", 500);
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("expired order:lock"), kPatienceMs);
    const inspect::LockChange& last = watch.changes().back();
    // 50 ms is the promise; a busy machine with sanitizers gets more.
    QVERIFY(last.at - *last.lock->expiresAt < 2s);
    QVERIFY(last.at >= *last.lock->expiresAt - 25ms);
}

void TestLiveWatching::aThousandChangesEndInTheTruth()
{
    LiveServer server;
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    for (int i = 0; i < 1000; ++i) {
        const Bytes key = "lock:" + std::to_string(i % 50);
        if (i % 3 == 0) {
            server.client()("DEL", key);
        } else {
            server.client()("SET", key, i % 3 == 1 ? kAlice : kBob, "PX", 600000);
        }
    }
    std::map<Bytes, Bytes> truth;
    for (int i = 0; i < 50; ++i) {
        const Bytes key = "lock:" + std::to_string(i);
        const store::Reply value = server.client()("GET", key);
        truth[key] = value.isNil() ? "nobody" : *value.text();
    }
    const auto isTrue = [&] {
        return std::all_of(truth.begin(), truth.end(), [&](const auto& entry) {
            return watch.ownerOf(entry.first) == entry.second;
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTrue(), kPatienceMs);
}

void TestLiveWatching::waitersAreCounted()
{
    LiveServer server;
    server.client()("HSET", "order", kAlice + ":63", "1");
    server.client()("PEXPIRE", "order", 600000);
    PlainClient waiter(server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{order}");
    service::WatchOptions options;
    options.patterns = {"order"};
    LiveWatch watch({server.endpoint()}, options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order") && watch.row("order")->waiters == 1, kPatienceMs);
}

void TestLiveWatching::flushingEverythingEmptiesTheTable()
{
    LiveServer server;
    for (int i = 0; i < 300; ++i) {
        server.client()("SET", "lock:" + std::to_string(i), kAlice);
    }
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(300), kPatienceMs);
    server.client()("FLUSHALL");
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(0), kPatienceMs);
}

void TestLiveWatching::aDeepWatchFindsOddNames()
{
    LiveServer server;
    server.client()("SET", "job-7", kAlice, "PX", 600000);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(watch.sweepCount() == 1, kPatienceMs);
    QCOMPARE(watch.rowCount(), std::size_t(0));
    watch.monitor().resweep(true);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("job-7") != nullptr, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.progress().isDeep && watch.progress().isDone, kPatienceMs);
}

void TestLiveWatching::anotherDatabaseIsAnotherWorld()
{
    LiveServer server;
    server.client()("SET", "zero:lock", kAlice);
    server.client()("SELECT", 4);
    server.client()("SET", "four:lock", kBob);
    Endpoint endpoint = server.endpoint();
    endpoint.database = 4;
    LiveWatch watch({endpoint});
    QTRY_VERIFY_WITH_TIMEOUT(watch.sweepCount() > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("four:lock") != nullptr, kPatienceMs);
    QVERIFY(watch.row("zero:lock") == nullptr);
}

void TestLiveWatching::trackingRefusedMeansKeyspaceEventsWhereTheyAreOn()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "notify-keyspace-events", "KA");
    LiveWatch watch({endpointFor(server, {"-client|tracking"})});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::KeyspaceEvents), kPatienceMs);
    QCOMPARE(watch.status().problem.kind, Problem::Kind::NoPermission);
    QCOMPARE(watch.status().problem.rule, std::string("+client|tracking"));
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("appeared order:lock"), kPatienceMs);
    server.client()("DEL", "order:lock");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("released order:lock"), kPatienceMs);
    QCOMPARE(watch.sweepCount(), 1); // it was the events
}

/// No event tells of FLUSHALL; the next sweep would be two minutes away.
void TestLiveWatching::flushingIsNoticedWithoutTrackingToo()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "notify-keyspace-events", "KA");
    server.client()("SET", "order:lock", kAlice);
    LiveWatch watch({endpointFor(server, {"-client|tracking"})});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::KeyspaceEvents), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(1), kPatienceMs);
    server.client()("FLUSHALL");
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(0), kPatienceMs);
}

void TestLiveWatching::withoutNewsTheLocksArePolled()
{
    LiveServer server;
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    LiveWatch watch({endpointFor(server, {"-client|tracking"})});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Polling), kPatienceMs);
    QVERIFY(watch.status().pollInterval > 0s);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    server.client()("DEL", "order:lock");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("released order:lock"), kPatienceMs);
}

void TestLiveWatching::aRefusedSubscriptionMeansPolling()
{
    LiveServer server;
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    LiveWatch watch({endpointFor(server, {"resetchannels"})});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Polling), kPatienceMs);
    QCOMPARE(watch.status().problem.kind, Problem::Kind::NoPermission);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
}

void TestLiveWatching::theServersConfigurationIsLeftAlone()
{
    LiveServer server;
    const store::Reply before = server.client()("CONFIG", "GET", "*");
    {
        LiveWatch watch({endpointFor(server, {"-client|tracking"})});
        QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Polling), kPatienceMs);
    }
    QCOMPARE(server.callCount("config|set"), std::int64_t(0));
    QVERIFY(server.client()("CONFIG", "GET", "*") == before);
}

void TestLiveWatching::aForbiddenCommandIsNamedWithItsRule_data()
{
    QTest::addColumn<QByteArray>("command");
    for (const char* const command :
         {"scan", "type", "pttl", "getrange", "memory|usage", "hgetall", "hlen"}) {
        QTest::newRow(command) << QByteArray(command);
    }
}

void TestLiveWatching::aForbiddenCommandIsNamedWithItsRule()
{
    QFETCH(const QByteArray, command);
    LiveServer server;
    server.client()("HSET", "lock:h", "worker-17:a", "1");
    server.client()("SET", "order:lock", kAlice);
    const QByteArray rule = '-' + command;
    LiveWatch watch({endpointFor(server, {rule.constData()})});
    QTRY_COMPARE_WITH_TIMEOUT(watch.status().problem.kind, Problem::Kind::NoPermission,
                              kPatienceMs);
    QCOMPARE(watch.status().problem.command, command.toStdString());
    QCOMPARE(watch.status().problem.rule, '+' + command.toStdString());
    QVERIFY(watch.isOnline());
}

void TestLiveWatching::aKilledDataConnectionComesBack()
{
    LiveServer server;
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    const int before = watch.sweepCount();
    server.client()("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    QTRY_VERIFY_WITH_TIMEOUT(watch.sweepCount() > before, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") && watch.row("order:lock")->isConfirmed,
                             kPatienceMs);
    server.client()("DEL", "order:lock");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("released order:lock"), kPatienceMs);
}

void TestLiveWatching::aKilledSubscriberComesBack()
{
    LiveServer server;
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    const int before = watch.sweepCount();
    server.client()("CLIENT", "KILL", "TYPE", "pubsub");
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    QTRY_VERIFY_WITH_TIMEOUT(watch.sweepCount() > before, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    server.client()("DEL", "order:lock");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("released order:lock"), kPatienceMs);
}

void TestLiveWatching::aKilledServerLeavesRowsUnconfirmedAndThenConfirmed()
{
    LiveServer server(LiveServer::Listen::UnixSocket, kDurable);
    server.client()("SET", "order:lock", kAlice);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    const Instant firstSeen = watch.row("order:lock")->firstSeen;
    server.kill();
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("order:lock")->isConfirmed, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.status().state == LinkStatus::State::Waiting, kPatienceMs);
    QVERIFY(watch.status().problem.kind != Problem::Kind::None);
    server.restart();
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock")->isConfirmed, kPatienceMs);
    QVERIFY(watch.row("order:lock")->firstSeen == firstSeen);
    QVERIFY(!watch.hasHappened("released order:lock"));
}

void TestLiveWatching::aKilledServerThatForgotEmptiesTheTable()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("SET", "order:lock", kAlice);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    server.kill();
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("order:lock")->isConfirmed, kPatienceMs);
    server.restart();
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") == nullptr, kPatienceMs);
}

void TestLiveWatching::aLockTakenAgainAfterARestartIsAnotherHold()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("SET", "order:lock", kAlice);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    const Instant firstSeen = watch.row("order:lock")->firstSeen;
    server.kill();
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("order:lock")->isConfirmed, kPatienceMs);
    server.restart();
    server.client()("SET", "order:lock", kAlice); // likely before the watch is back
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") && watch.row("order:lock")->isConfirmed,
                             kPatienceMs);
    QVERIFY(watch.row("order:lock")->firstSeen > firstSeen);
}

void TestLiveWatching::aFrozenServerLeavesRowsUnconfirmed()
{
    LiveServer server;
    server.client()("SET", "order:lock", kAlice);
    Endpoint endpoint = server.endpoint();
    endpoint.requestTimeout = 500ms;
    LiveWatch watch({endpoint});
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Push), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    server.process().freeze();
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("order:lock")->isConfirmed, kPatienceMs);
    QCOMPARE(watch.status().problem.kind, Problem::Kind::ReplyTimedOut);
    server.process().thaw();
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock")->isConfirmed, kPatienceMs);
    QVERIFY(!watch.hasHappened("released order:lock"));
}

void TestLiveWatching::aServerThatRunsASlowScriptReleasesNothing()
{
    LiveServer server(LiveServer::Listen::UnixSocket, {u"--busy-reply-threshold"_qs, u"100"_qs});
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    LiveWatch watch({endpointFor(server, {"-client|tracking"})}); // polls
    QTRY_VERIFY_WITH_TIMEOUT(isSweptAndLive(watch, LinkStatus::Live::Polling), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    PlainClient culprit(server.endpoint());
    culprit.send(store::Command("EVAL", "while true do end", 0));
    const auto isBusy = [&] { return server.client()("PING").isError(); };
    QTRY_VERIFY_WITH_TIMEOUT(isBusy(), kPatienceMs);
    server.client()("SCRIPT", "KILL");
    QVERIFY(culprit.listen(kPatienceMs).has_value());
    server.client()("DEL", "order:lock");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("released order:lock"), kPatienceMs);
    QCOMPARE(std::count(watch.story().begin(), watch.story().end(), "released order:lock"), 1);
}

void TestLiveWatching::aPatternThatIsWithdrawnReleasesNothing()
{
    LiveServer server;
    server.client()("SET", "night-job", "host-7", "PX", 600000);
    server.client()("SET", "order:lock", kAlice, "PX", 600000);
    service::WatchOptions options;
    options.patterns = {"night-*"};
    LiveWatch watch({server.endpoint()}, options);
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(2), kPatienceMs);
    watch.monitor().setPatterns({});
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(1), kPatienceMs);
    QVERIFY(watch.hasHappened("unwatched night-job"));
    QVERIFY(!watch.hasHappened("released night-job"));
    watch.monitor().setPatterns({"night-*"});
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(2), kPatienceMs);
}

/// Every attempt is a line in the server's log, and may lock the user out where they are counted.
void TestLiveWatching::aWrongPasswordIsTriedOnceAndNotByTheDeskToo()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "requirepass", "right");
    Endpoint endpoint = server.endpoint();
    endpoint.password = "wrong";
    LiveDesk desk({endpoint}); // opened beside the monitor, as the window does
    LiveWatch watch({endpoint});
    const auto problemOf = [&desk](const inspect::LockId& id) {
        const quint64 request = desk.desk().inspectLock(id);
        const bool isAnswered = QTest::qWaitFor([&] { return desk.details(request) != nullptr; },
                                                kPatienceMs);
        return isAnswered ? desk.details(request)->problem.kind : Problem::Kind::None;
    };
    QTRY_COMPARE_WITH_TIMEOUT(watch.status().problem.kind, Problem::Kind::PasswordWrong,
                              kPatienceMs);
    QCOMPARE(problemOf({7, "no such server"}), Problem::Kind::NotConnected); // it is awake
    QCOMPARE(server.callCount("auth"), std::int64_t(1));
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(problemOf({0, "order:lock"}), Problem::Kind::PasswordWrong);
        QCOMPARE(server.callCount("auth"), std::int64_t(2)); // asked for once, and remembered
    }
}

LOCKSCOPE_TEST(TestLiveWatching, Core)

} // namespace lockscope::tst_live_watching

#include "tst_live_watching.moc"
