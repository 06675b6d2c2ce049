// lockscope-cli at a replica: what it releases is released on the master, which it names.

#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_replica {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";

QStringList releaseCall(const store::Endpoint& endpoint)
{
    return words("release lock:a --follow 0s")
           + QStringList{QStringLiteral("--owner"), QString::fromStdString(kUuid)}
           + urlOption(endpoint);
}

bool hasLock(LiveServer& server)
{
    return server.client()("EXISTS", "lock:a").integer() == 1;
}

} // namespace

class TestCliReplica final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }
    void nothingIsReleasedOnTheReplicaItself();
    void theMasterIsAskedWhereTheReplicaNeverSynced();
};

void TestCliReplica::nothingIsReleasedOnTheReplicaItself()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    server.client()("CONFIG", "SET", "replica-read-only", "no");
    server.client()("REPLICAOF", "127.0.0.1", 1);
    CliProcess cli;
    const CliResult result = cli.run(releaseCall(server.endpoint()));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("Its master 127.0.0.1:1 could not be asked"),
             result.diagnostics.constData());
    QVERIFY(hasLock(server));
}

void TestCliReplica::theMasterIsAskedWhereTheReplicaNeverSynced()
{
    LiveServer master(LiveServer::Listen::LoopbackPort);
    LiveServer replica;
    const QByteArray address = QByteArray::fromStdString(store::serverName(master.endpoint()));
    master.client()("CONFIG", "SET", "repl-diskless-sync", "yes");
    master.client()("CONFIG", "SET", "repl-diskless-sync-delay", 3600);
    master.client()("SET", "lock:a", kUuid, "PX", 600'000);
    replica.client()("REPLICAOF", master.endpoint().host, master.endpoint().port);
    QVERIFY(!hasLock(replica));
    CliProcess cli;
    const CliResult dry = cli.run(releaseCall(replica.endpoint()) + words("--dry-run"));
    QCOMPARE(dry.exitCode, 0);
    QVERIFY2(dry.output.contains(QByteArray("Would do on " + address + ", the master of ")),
             dry.output.constData());
    QVERIFY(hasLock(master));
    const CliResult released = cli.run(releaseCall(replica.endpoint()) + words("--format json"));
    QCOMPARE(released.exitCode, 0);
    QVERIFY2(released.diagnostics.contains(QByteArray("sending the release to " + address)),
             released.diagnostics.constData());
    QCOMPARE(text(released.json()["servers"][0]["master"]),
             text(store::serverName(master.endpoint())));
    QVERIFY(!hasLock(master));
}

LOCKSCOPE_TEST(TestCliReplica, Core)

} // namespace lockscope::tst_cli_replica

#include "tst_cli_replica.moc"
