#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_acquire {

using namespace lockscope::testing;

namespace {

const Bytes kOther = "8b1a9953-c461-4296-a827-abf8c47804d7";
constexpr int kPatienceMs = 30'000;

QStringList acquireCall(const char* options, const store::Endpoint& endpoint)
{
    return words("acquire --key lock:a") + words(options) + urlOption(endpoint);
}

bool exists(LiveServer& server)
{
    return server.client()("EXISTS", "lock:a").integer() == 1;
}

} // namespace

class TestCliAcquire final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void takesKeepsAndReleases();
    void jsonIsOneObject();
    void keepsRenewingWhileItHolds();
    void interruptReleasesEarly_data();
    void interruptReleasesEarly();
    void somebodyElseHasIt();
    void waitsUntilItIsFree();
    void aLockThatIsGoneIsLost();
    void aLockOfSomebodyElseIsLeftAlone();
    void goneWithoutRenewalIsFoundAtTheEnd();
    void anUnreachableServerIsSaid();
    void aFrozenServerLeavesItUnknown();
    void readersShareAndWritersDoNot();
    void threeServersAreARedlock();
    void aProtocolOfOnesOwnLocks();
    void everyProtocolOfOneServerGivesItsKeyBack();
};

void TestCliAcquire::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliAcquire::takesKeepsAndReleases()
{
    LiveServer server;
    CliProcess cli;
    cli.start(acquireCall("--hold 300ms --lease 20s", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(exists(server), kPatienceMs);
    const std::int64_t ttlMs = server.client()("PTTL", "lock:a").integer().value_or(0);
    QVERIFY(ttlMs > 10'000 && ttlMs <= 20'000);
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 0);
    QVERIFY(!exists(server));
    QVERIFY2(result.output.contains("  held after ") && result.output.contains("  released after "),
             result.output.constData());
    QCOMPARE(result.diagnostics, QByteArray());
}

void TestCliAcquire::jsonIsOneObject()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(
        acquireCall("--hold 50ms --format json --protocol fenced-token", server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    const Json json = result.json();
    QCOMPARE(text(json["outcome"]), text("released"));
    QCOMPARE(text(json["key"]), text("lock:a"));
    QCOMPARE(text(json["protocol"]), text("fenced-token"));
    QVERIFY(json["fence"].is_number());
    QVERIFY(json["heldMs"].get<int>() >= 50);
    QVERIFY(json["lost"].is_null());
    QVERIFY2(result.diagnostics.contains("held after"), "the news are on standard error");
}

void TestCliAcquire::keepsRenewingWhileItHolds()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(acquireCall("--hold 2s --lease 600ms --format json",
                                                 server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.json()["renewals"].get<int>() >= 3, result.output.constData());
}

void TestCliAcquire::interruptReleasesEarly_data()
{
    QTest::addColumn<bool>("isTerminate");
    QTest::newRow("SIGINT") << false;
    QTest::newRow("SIGTERM") << true;
}

void TestCliAcquire::interruptReleasesEarly()
{
    QFETCH(const bool, isTerminate);
    LiveServer server;
    CliProcess cli;
    cli.start(acquireCall("--hold 1h", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(exists(server), kPatienceMs);
    isTerminate ? cli.terminate() : cli.interrupt();
    QCOMPARE(cli.waitForEnd().exitCode, 0);
    QVERIFY(!exists(server));
}

void TestCliAcquire::somebodyElseHasIt()
{
    LiveServer server;
    server.client()("SET", "lock:a", kOther);
    CliProcess cli;
    const CliResult result = cli.run(acquireCall("--hold 1s --wait 300ms --format json",
                                                 server.endpoint()));
    QCOMPARE(result.exitCode, 7);
    QCOMPARE(text(result.json()["outcome"]), text("not-acquired"));
    QVERIFY(result.json()["heldAt"].is_null());
    QVERIFY2(
        result.diagnostics.contains("lock:a is held by another owner; not acquired within 300 ms"),
        result.diagnostics.constData());
    QCOMPARE(server.client()("GET", "lock:a").text() != nullptr, true);
}

void TestCliAcquire::waitsUntilItIsFree()
{
    LiveServer server;
    server.client()("SET", "lock:a", kOther);
    CliProcess cli;
    cli.start(acquireCall("--hold 0s --wait 1m", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(server.callCount("set") >= 3, kPatienceMs); // it has been refused
    server.client()("DEL", "lock:a");
    QCOMPARE(cli.waitForEnd().exitCode, 0);
}

void TestCliAcquire::aLockThatIsGoneIsLost()
{
    LiveServer server;
    CliProcess cli;
    cli.start(acquireCall("--hold 1h --lease 900ms --format json", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(exists(server), kPatienceMs);
    server.client()("DEL", "lock:a");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 4);
    QCOMPARE(text(result.json()["outcome"]), text("already-gone"));
    QCOMPARE(text(result.json()["lost"]), text("gone"));
}

void TestCliAcquire::aLockOfSomebodyElseIsLeftAlone()
{
    LiveServer server;
    CliProcess cli;
    cli.start(acquireCall("--hold 1h --lease 900ms", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(exists(server), kPatienceMs);
    server.client()("SET", "lock:a", kOther);
    QCOMPARE(cli.waitForEnd().exitCode, 3);
    QCOMPARE(*server.client()("GET", "lock:a").text(), kOther);
}

void TestCliAcquire::goneWithoutRenewalIsFoundAtTheEnd()
{
    LiveServer server;
    CliProcess cli;
    cli.start(acquireCall("--hold 1s --lease 30s", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(exists(server), kPatienceMs);
    server.client()("DEL", "lock:a");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 4);
    QVERIFY2(result.diagnostics.contains("the lock no longer existed when it was to be released"),
             result.diagnostics.constData());
}

void TestCliAcquire::anUnreachableServerIsSaid()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("acquire --key lock:a --hold 1s --url unix:///nonexistent/redis.sock"));
    QCOMPARE(result.exitCode, 1);
    QVERIFY(result.output.contains("requesting lock:a"));
    QVERIFY2(result.diagnostics.contains("/nonexistent/redis.sock"),
             result.diagnostics.constData());
}

void TestCliAcquire::aFrozenServerLeavesItUnknown()
{
    LiveServer server;
    CliProcess cli;
    server.client()("SET", "lock:a", kOther);
    cli.start(acquireCall("--hold 1s --wait 3s --timeout 500ms", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(server.callCount("set") >= 2, kPatienceMs); // connected
    server.process().freeze();
    const CliResult result = cli.waitForEnd();
    server.process().thaw();
    QCOMPARE(result.exitCode, 6);
    QVERIFY2(result.diagnostics.contains("unknown whether lock:a was acquired"),
             result.diagnostics.constData());
}

void TestCliAcquire::readersShareAndWritersDoNot()
{
    LiveServer server;
    CliProcess reader;
    reader.start(acquireCall("--hold 1h --protocol rw-hash-owners --mode read", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(reader.process().peek(4096).contains("held after"), kPatienceMs);
    CliProcess other;
    QCOMPARE(
        other.run(acquireCall("--hold 0s --protocol rw-hash-owners --mode read", server.endpoint()))
            .exitCode,
        0);
    QCOMPARE(other
                 .run(acquireCall("--hold 0s --protocol rw-hash-owners --mode write",
                                  server.endpoint()))
                 .exitCode,
             7);
    reader.terminate();
    QCOMPARE(reader.waitForEnd().exitCode, 0);
}

void TestCliAcquire::threeServersAreARedlock()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    const QStringList call = words("acquire --key lock:a --hold 0s") + urlOption(a.endpoint())
                             + urlOption(b.endpoint()) + urlOption(c.endpoint());
    CliProcess cli;
    const CliResult free = cli.run(call);
    QCOMPARE(free.exitCode, 0);
    QVERIFY2(free.output.contains("(redlock)"), free.output.constData());
    a.client()("SET", "lock:a", kOther);
    QCOMPARE(cli.run(call).exitCode, 0); // two of three
    b.client()("SET", "lock:a", kOther);
    QCOMPARE(cli.run(call).exitCode, 7);
    QVERIFY(!exists(c)); // what it got there was given back
}

void TestCliAcquire::aProtocolOfOnesOwnLocks()
{
    LiveServer server;
    CliProcess cli;
    const QStringList call =
        acquireCall("--hold 0s", server.endpoint())
        + QStringList{QStringLiteral("--protocol-file"),
                      inSourceTree(QStringLiteral("resources/protocols/token-lock.json"))};
    QCOMPARE(cli.run(call).exitCode, 0);
    server.client()("SET", "lock:a", kOther);
    QCOMPARE(cli.run(call).exitCode, 7);
}

void TestCliAcquire::everyProtocolOfOneServerGivesItsKeyBack()
{
    LiveServer server;
    CliProcess cli;
    const Json catalogue = cli.run(words("protocols --format json")).json();
    for (const Json& entry : catalogue) {
        if (entry["keys"] == "n servers") {
            continue;
        }
        const QString id = QString::fromStdString(entry["id"].get<std::string>());
        const CliResult result = cli.run(acquireCall("--hold 0s", server.endpoint())
                                         + QStringList{QStringLiteral("--protocol"), id});
        QVERIFY2(result.exitCode == 0,
                 qPrintable(id + QLatin1Char(' ') + QString::fromUtf8(result.diagnostics)));
        QVERIFY2(!exists(server), qPrintable(id));
        QCOMPARE(result.diagnostics.contains(" is flawed: "), !entry["flaw"].is_null());
    }
}

LOCKSCOPE_TEST(TestCliAcquire, Core)

} // namespace lockscope::tst_cli_acquire

#include "tst_cli_acquire.moc"
