#include "tests/live/cli_process.h"
#include "tests/live/relay.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <vector>

namespace lockscope::tst_cli_release {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";
const Bytes kOtherUuid = "00000000-1111-4222-8333-444444444444";
const Bytes kRedissonOwner = "5f0c2e1a-0d2b-4a7e-9f0e-1b2c3d4e5f60:63";

QStringList releaseCall(const char* key, const Bytes& owner, const store::Endpoint& endpoint)
{
    return words("release --follow 0s")
           + QStringList{QString::fromUtf8(key), QStringLiteral("--owner"),
                         QString::fromStdString(owner)}
           + urlOption(endpoint);
}

/// "lock:rw", as Redisson's readers take it.
void takeAsReaders(LiveServer& server, const std::vector<Bytes>& readers)
{
    server.client()("HSET", "lock:rw", "mode", "read");
    for (const Bytes& reader : readers) {
        server.client()("HSET", "lock:rw", reader, 1);
        server.client()("SET", "{lock:rw}:" + reader + ":rwlock_timeout:1", "1", "PX", 600'000);
    }
    server.client()("PEXPIRE", "lock:rw", 600'000);
}

bool exists(LiveServer& server, const Bytes& key)
{
    return server.client()("EXISTS", key).integer() == 1;
}

/// What became of the attempts. The rest of the audit file is tested in tst_cli_audit.
QList<Json> outcomes(const CliProcess& cli)
{
    QList<Json> lines = cli.auditLines();
    lines.removeIf([](const Json& line) { return line["event"] != "outcome"; });
    return lines;
}

} // namespace

class TestCliRelease final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void theOwnersLockIsReleased();
    void waitersAreWoken();
    void anotherOwnerIsLeftAlone();
    void aLockThatIsGoneIsSaidToBeGone();
    void aLockWithoutOwnerIsNamedByItsValueOrByNothing_data();
    void aLockWithoutOwnerIsNamedByItsValueOrByNothing();
    void oneReaderMeansOne();
    void allReadersHaveToBeAskedFor();
    void readersThatShareACountHaveToBeAskedFor();
    void whatTheSameOwnerStillHoldsIsTold();
    void binaryOwnersAreNamedEscaped();
    void dryRunChangesNothing();
    void dryRunWorksReadOnly();
    void readOnlyRefuses();
    void missingPermissionRefuses();
    void whatIsNoLockIsRefused();
    void aFrozenServerLeavesItUnknown();
    void changingHandsAtTheLastMomentIsNoticed();
    void whoComesNextIsTold();
    void aTokenComingBackIsTold();
    void aTombstoneKeepsTheOldHolderOut();
    void aTombstoneIsRefusedForWhatDoesNotComeBack();
    void aReleaseIsWatchedUntilARenewalWouldBringItBack();
    void aVoteIsNotCalledFree();
    void aRedlockIsReleasedWhereverItsTokenIs();
    void aMinorityTokenIsReleasedAlone();
    void everyAttemptIsWrittenDown();
};

void TestCliRelease::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliRelease::theOwnersLockIsReleased()
{
    LiveServer server;
    CliProcess cli;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    const CliResult people = cli.run(releaseCall("lock:a", kUuid, server.endpoint()));
    QCOMPARE(people.exitCode, 0);
    QCOMPARE(people.output, QByteArray("Released.\n"));
    QCOMPARE(people.diagnostics, QByteArray());
    QVERIFY(!exists(server, "lock:a"));

    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    const CliResult programs = cli.run(releaseCall("lock:a", kUuid, server.endpoint())
                                       + words("--format json"));
    QCOMPARE(programs.exitCode, 0);
    QCOMPARE(text(programs.json()["outcome"]), text("released"));
    QVERIFY(!exists(server, "lock:a"));
}

void TestCliRelease::waitersAreWoken()
{
    LiveServer server;
    server.client()("HSET", "lock:billing", kRedissonOwner, 2);
    PlainClient waiter(server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{lock:billing}");
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("lock:billing", kRedissonOwner, server.endpoint())
                                     + words("--format json"));
    QCOMPARE(text(result.json()["woken"]), text(1));
    const std::optional<store::Reply> message = waiter.listen();
    QVERIFY(message && message->array() != nullptr);
    QCOMPARE(*(*message->array())[2].text(), std::string("0"));
}

void TestCliRelease::anotherOwnerIsLeftAlone()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    const CliResult people = cli.run(releaseCall("lock:a", kOtherUuid, server.endpoint()));
    QCOMPARE(people.exitCode, 3);
    QVERIFY(people.output.isEmpty());
    QVERIFY2(people.diagnostics.contains(
                 "The lock changed hands; nothing was done. It is now held by 8b1a9953-c461"),
             people.diagnostics.constData());
    const CliResult programs = cli.run(releaseCall("lock:a", kOtherUuid, server.endpoint())
                                       + words("--format json"));
    QCOMPARE(programs.exitCode, 3);
    QCOMPARE(text(programs.json()["outcome"]), text("changed-hands"));
    QCOMPARE(text(programs.json()["nowThere"]["holders"][0]["owner"]), text(kUuid));
    QVERIFY(exists(server, "lock:a"));
}

void TestCliRelease::aLockThatIsGoneIsSaidToBeGone()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("lock:a", kUuid, server.endpoint()));
    QCOMPARE(result.exitCode, 4);
    QCOMPARE(result.diagnostics,
             QByteArray("lockscope-cli: The lock was already gone; nothing was done.\n"));
}

void TestCliRelease::aLockWithoutOwnerIsNamedByItsValueOrByNothing_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("value") << QByteArray("1") << 0;
    QTest::newRow("nothing") << QByteArray("") << 0;
    QTest::newRow("another value") << QByteArray("2") << 3;
}

void TestCliRelease::aLockWithoutOwnerIsNamedByItsValueOrByNothing()
{
    QFETCH(const QByteArray, owner);
    QFETCH(const int, exitCode);
    LiveServer server;
    server.client()("SET", "job:sync:lock", "1");
    CliProcess cli;
    QCOMPARE(cli.run(releaseCall("job:sync:lock", owner.toStdString(), server.endpoint())).exitCode,
             exitCode);
    QCOMPARE(exists(server, "job:sync:lock"), exitCode != 0);
}

void TestCliRelease::oneReaderMeansOne()
{
    LiveServer server;
    takeAsReaders(server, {kRedissonOwner, kUuid + ":1", kUuid + ":2"});
    CliProcess cli;
    const CliResult people = cli.run(releaseCall("lock:rw", kUuid + ":1", server.endpoint()));
    QCOMPARE(people.exitCode, 0);
    QVERIFY2(people.output.startsWith("Released.\nReleases only the hold of 8b1a9953-c461-")
                 && people.output.endsWith(":1; 2 other holders remain.\n"),
             people.output.constData());
    QCOMPARE(server.client()("HLEN", "lock:rw").integer(), 3); // mode and two readers
    QCOMPARE(server.client()("HEXISTS", "lock:rw", kUuid + ":1").integer(), 0);
    const Json line = outcomes(cli).constLast();
    QCOMPARE(text(line["holders"][0]["owner"]), text(kUuid + ":1"));
    QCOMPARE(line["holders"].size(), 1U);

    const CliResult again = cli.run(releaseCall("lock:rw", kUuid + ":1", server.endpoint()));
    QCOMPARE(again.exitCode, 4);
    QVERIFY2(
        again.diagnostics.contains("That owner does not hold the lock; nothing was done. It is "
                                   "held by "),
        again.diagnostics.constData());
    QVERIFY(again.diagnostics.contains(kRedissonOwner.substr(0, 13).c_str()));
    QVERIFY(again.diagnostics.contains(kUuid.substr(0, 13).c_str()));
    QCOMPARE(server.client()("HLEN", "lock:rw").integer(), 3);
}

void TestCliRelease::allReadersHaveToBeAskedFor()
{
    LiveServer server;
    takeAsReaders(server, {kUuid + ":1", kUuid + ":2"});
    CliProcess cli;
    const QStringList all = words("release lock:rw --all --follow 0s")
                            + urlOption(server.endpoint());
    const CliResult dry = cli.run(all + words("--dry-run"));
    QCOMPARE(dry.exitCode, 0);
    QVERIFY2(dry.output.contains("Ends: All 2 holds: "), dry.output.constData());
    QVERIFY(exists(server, "lock:rw"));
    QCOMPARE(cli.run(all + words("--owner x")).exitCode, 2);
    QCOMPARE(cli.run(all).exitCode, 0);
    QVERIFY(!exists(server, "lock:rw"));
    QCOMPARE(outcomes(cli).constLast()["holders"].size(), 2U);

    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    const CliResult exclusive = cli.run(words("release lock:a --all")
                                        + urlOption(server.endpoint()));
    QCOMPARE(exclusive.exitCode, 5);
    QVERIFY(exclusive.diagnostics.contains("use --owner"));
    QVERIFY(exists(server, "lock:a"));
}

void TestCliRelease::readersThatShareACountHaveToBeAskedFor()
{
    LiveServer server;
    server.client()("SET", "lock:doc:read", "3", "PX", 600'000);
    CliProcess cli;
    const CliResult one = cli.run(releaseCall("lock:doc", "3", server.endpoint()));
    QCOMPARE(one.exitCode, 5);
    QVERIFY2(one.diagnostics.contains("cannot be distinguished"), one.diagnostics.constData());
    QVERIFY(exists(server, "lock:doc:read"));
    QCOMPARE(cli.run(words("release lock:doc --all --follow 0s") + urlOption(server.endpoint()))
                 .exitCode,
             0);
    QVERIFY(!exists(server, "lock:doc:read"));
}

void TestCliRelease::whatTheSameOwnerStillHoldsIsTold()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    server.client()("SET", "lock:b", kUuid, "PX", 600'000);
    CliProcess cli;
    const QStringList call = releaseCall("lock:a", kUuid, server.endpoint());
    const CliResult dry = cli.run(call + words("--dry-run"));
    QVERIFY2(dry.output.contains("The same owner also holds lock:b."), dry.output.constData());
    const CliResult released = cli.run(call);
    QCOMPARE(released.exitCode, 0);
    QVERIFY2(released.output.contains("Released here; the same owner still holds lock:b."),
             released.output.constData());
    QVERIFY(exists(server, "lock:b"));
}

void TestCliRelease::binaryOwnersAreNamedEscaped()
{
    LiveServer server;
    const Bytes key("lock:\xff\x00", 7);
    const Bytes owner(
        "\x12\x81\xf0\xe7\x99\x03\x41\x5c\xaa\x9e\x01\x00\xd3\x7b\x44\xfe\x20\x8f\xc1\x6d", 20);
    server.client()("SET", key, owner, "PX", 600'000);
    CliProcess cli;
    QCOMPARE(cli.run(releaseCall("lock:\\xff\\x00", escaped(owner), server.endpoint())).exitCode,
             0);
    QVERIFY(!exists(server, key));
}

void TestCliRelease::dryRunChangesNothing()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    const QStringList call = releaseCall("lock:a", kUuid, server.endpoint()) + words("--dry-run");
    const CliResult people = cli.run(call);
    QCOMPARE(people.exitCode, 0);
    QVERIFY2(people.output.startsWith("Would do on "), people.output.constData());
    QVERIFY(people.output.contains("2. Stop unless the value of lock:a is \""));
    QVERIFY(people.output.contains("3. Delete lock:a.\n"));
    QVERIFY(people.output.contains("\n  EVAL "));
    const Json plans = cli.run(call + words("--format json")).json();
    QCOMPARE(text(plans["dryRun"]), text(true));
    QCOMPARE(text(plans["plans"][0]["command"][0]), text("EVAL"));
    QCOMPARE(text(plans["plans"][0]["owner"]), text(kUuid));
    QVERIFY(exists(server, "lock:a"));
    QVERIFY(outcomes(cli).isEmpty());
    QCOMPARE(
        cli.run(releaseCall("lock:a", kOtherUuid, server.endpoint()) + words("--dry-run")).exitCode,
        3);
    QCOMPARE(cli.run(releaseCall("lock:b", kUuid, server.endpoint()) + words("--dry-run")).exitCode,
             4);
}

void TestCliRelease::dryRunWorksReadOnly()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    QCOMPARE(cli.run(releaseCall("lock:a", kUuid, server.endpoint())
                     + words("--dry-run --read-only"))
                 .exitCode,
             0);
}

void TestCliRelease::readOnlyRefuses()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    server.client()("CONFIG", "RESETSTAT");
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("lock:a", kUuid, server.endpoint())
                                     + words("--read-only"));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("read-only"), result.diagnostics.constData());
    QVERIFY(exists(server, "lock:a"));
    QCOMPARE(server.callCount("eval"), 0);
}

void TestCliRelease::missingPermissionRefuses()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    server.client()("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-eval");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("pw"));
    const CliResult result = cli.run(releaseCall("lock:a", kUuid, endpoint));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("ACL SETUSER <user> +eval"),
             result.diagnostics.constData());
    QVERIFY(exists(server, "lock:a"));
}

void TestCliRelease::whatIsNoLockIsRefused()
{
    LiveServer server;
    server.client()("RPUSH", "queue", "a");
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("queue", "a", server.endpoint()));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("No known format fits its value"),
             result.diagnostics.constData());
    QVERIFY(exists(server, "queue"));
}

void TestCliRelease::aFrozenServerLeavesItUnknown()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    Relay relay(server.endpoint(), [&server](const QByteArray& sent) {
        if (sent.contains("\r\nEVAL\r\n")) {
            server.process().freeze();
        }
    });
    CliProcess cli;
    const CliResult result = cli.run(words("release lock:a --timeout 1s --format json --owner")
                                     + QStringList{QString::fromStdString(kUuid),
                                                   QStringLiteral("--url"), relay.url()});
    server.process().thaw();
    QCOMPARE(result.exitCode, 6);
    QCOMPARE(text(result.json()["outcome"]), text("unknown"));
    QVERIFY2(result.diagnostics.contains("It is unknown whether the lock was released"),
             result.diagnostics.constData());
    QCOMPARE(outcomes(cli).size(), 1);
    QCOMPARE(text(outcomes(cli).front()["outcome"]), text("unknown"));
}

void TestCliRelease::changingHandsAtTheLastMomentIsNoticed()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    Relay relay(server.endpoint(), [&server](const QByteArray& sent) {
        if (sent.contains("\r\nEVAL\r\n")) {
            server.client()("SET", "lock:a", kOtherUuid, "PX", 600'000);
        }
    });
    CliProcess cli;
    const CliResult result = cli.run(words("release lock:a --owner")
                                     + QStringList{QString::fromStdString(kUuid),
                                                   QStringLiteral("--url"), relay.url()});
    QCOMPARE(result.exitCode, 3);
    QVERIFY2(result.diagnostics.contains("It is now held by 00000000-1111-"),
             result.diagnostics.constData());
    QVERIFY(exists(server, "lock:a"));
}

/// Lets another client take the lock as soon as it has been released.
struct Successor {
    LiveServer& server;
    Bytes owner;
    bool hasSeenRelease = false;

    void operator()(const QByteArray& sent)
    {
        if (hasSeenRelease) {
            server.client()("SET", "lock:a", owner, "NX", "PX", 600'000);
        }
        hasSeenRelease = hasSeenRelease || sent.contains("\r\nEVAL\r\n");
    }
};

void TestCliRelease::whoComesNextIsTold()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    Relay relay(server.endpoint(), Successor{server, kOtherUuid});
    CliProcess cli;
    const CliResult result = cli.run(words("release lock:a --follow 30s --format json --owner")
                                     + QStringList{QString::fromStdString(kUuid),
                                                   QStringLiteral("--url"), relay.url()});
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(text(result.json()["next"]["what"]), text("taken-by-other"));
    QCOMPARE(text(result.json()["next"]["lock"]["holders"][0]["owner"]), text(kOtherUuid));
}

void TestCliRelease::aTokenComingBackIsTold()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    Relay relay(server.endpoint(), Successor{server, kUuid});
    CliProcess cli;
    const CliResult result = cli.run(words("release lock:a --follow 30s --owner")
                                     + QStringList{QString::fromStdString(kUuid),
                                                   QStringLiteral("--url"), relay.url()});
    QCOMPARE(result.exitCode, 8);
    QVERIFY2(result.output.contains("It came back after"), result.output.constData());
}

void TestCliRelease::aTombstoneKeepsTheOldHolderOut()
{
    LiveServer server;
    server.client()("SET", "redlock:a", kUuid, "PX", 20'000);
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("redlock:a", kUuid, server.endpoint())
                                     + words("--tombstone 30s"));
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.output.contains("Replaced by a tombstone"), result.output.constData());
    const std::string left = *server.client()("GET", "redlock:a").text();
    QVERIFY(left.starts_with("lockscope-tombstone:"));
    QVERIFY(server.client()("PTTL", "redlock:a").integer().value_or(0) > 20'000);
    QCOMPARE(text(outcomes(cli).front()["action"]), text("tombstone"));
    QCOMPARE(text(outcomes(cli).front()["outcome"]), text("replaced"));
    const CliResult shown = cli.run(words("show redlock:a --format json")
                                    + urlOption(server.endpoint()));
    QCOMPARE(text(shown.json()["lock"]["format"]), text("lockscope-tombstone"));
}

void TestCliRelease::aTombstoneIsRefusedForWhatDoesNotComeBack()
{
    LiveServer server;
    server.client()("SET", "gitlab:exclusive_lease:a", kUuid, "PX", 20'000);
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("gitlab:exclusive_lease:a", kUuid,
                                                 server.endpoint())
                                     + words("--tombstone auto"));
    QCOMPARE(result.exitCode, 5);
    QVERIFY(exists(server, "gitlab:exclusive_lease:a"));
}

void TestCliRelease::aReleaseIsWatchedUntilARenewalWouldBringItBack()
{
    LiveServer server;
    server.client()("SET", "redlock:a", kUuid, "PX", 2'500);
    CliProcess cli;
    const CliResult result = cli.run(words("release redlock:a --format json --owner")
                                     + QStringList{QString::fromStdString(kUuid)}
                                     + urlOption(server.endpoint()));
    QCOMPARE(text(result.json()["next"]["what"]), text("still-free"));
    QVERIFY(result.json()["next"]["afterMs"].get<int>() > 2'500);
}

void TestCliRelease::aVoteIsNotCalledFree()
{
    LiveServer server;
    server.client()("SET", "redlock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    const CliResult result = cli.run(words("release redlock:a --follow 10ms --owner")
                                     + QStringList{QString::fromStdString(kUuid)}
                                     + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.output.contains("This is about one server only"), result.output.constData());
    QVERIFY2(result.output.contains("Still free on this server"), result.output.constData());
}

void TestCliRelease::aRedlockIsReleasedWhereverItsTokenIs()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    a.client()("SET", "lock:pay", kOtherUuid, "PX", 600'000);
    b.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    c.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    CliProcess cli;
    const CliResult result = cli.run(releaseCall("lock:pay", kUuid, a.endpoint())
                                     + urlOption(b.endpoint()) + urlOption(c.endpoint())
                                     + words("--format json"));
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.json()["servers"].size(), 2U);
    QVERIFY(exists(a, "lock:pay"));
    QVERIFY(!exists(b, "lock:pay"));
    QVERIFY(!exists(c, "lock:pay"));
    QCOMPARE(outcomes(cli).size(), 2);
}

void TestCliRelease::aMinorityTokenIsReleasedAlone()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    a.client()("SET", "lock:pay", kOtherUuid, "PX", 600'000);
    b.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    c.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    CliProcess cli;
    QCOMPARE(cli.run(releaseCall("lock:pay", kOtherUuid, a.endpoint()) + urlOption(b.endpoint())
                     + urlOption(c.endpoint()))
                 .exitCode,
             0);
    QVERIFY(!exists(a, "lock:pay"));
    QVERIFY(exists(b, "lock:pay"));
    QVERIFY(exists(c, "lock:pay"));
}

void TestCliRelease::everyAttemptIsWrittenDown()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    const QStringList reason = words("--reason")
                               + QStringList(QStringLiteral("worker-7 died,\n\"INC-812\""));
    QCOMPARE(cli.run(releaseCall("lock:a", kUuid, server.endpoint()) + reason
                     + words("--read-only"))
                 .exitCode,
             5);
    QCOMPARE(cli.run(releaseCall("lock:a", kUuid, server.endpoint()) + reason).exitCode, 0);
    const QList<Json> lines = outcomes(cli);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(text(lines[0]["outcome"]), text("refused"));
    QCOMPARE(text(lines[1]["outcome"]), text("released"));
    QCOMPARE(text(lines[1]["server"]), text(store::serverName(server.endpoint())));
    QCOMPARE(text(lines[1]["key"]), text("lock:a"));
    QCOMPARE(text(lines[1]["holders"][0]["owner"]), text(kUuid));
    QCOMPARE(text(lines[1]["reason"]), text("worker-7 died,\n\"INC-812\""));
}

LOCKSCOPE_TEST(TestCliRelease, Core)

} // namespace lockscope::tst_cli_release

#include "tst_cli_release.moc"
