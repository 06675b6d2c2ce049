// `disconnect` against a real server: the client that holds the lock goes, the lock stays.

#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_disconnect {

using namespace lockscope::testing;

namespace {

/// A lock whose token is the name of the client that took it.
struct Bench {
    LiveServer server;
    PlainClient holder{server.endpoint()};
    CliProcess cli;
    std::int64_t id = 0;

    Bench()
    {
        holder("CLIENT", "SETNAME", "billing-worker-7");
        id = holder("CLIENT", "ID").integer().value();
        holder("SET", "lock:a", "billing-worker-7", "PX", 600'000, "NX");
    }

    CliResult disconnect(const QString& more)
    {
        return cli.run(words("disconnect lock:a --owner billing-worker-7")
                       + urlOption(server.endpoint()) + more.split(u' '));
    }
    bool isConnected()
    {
        const store::Reply list = server.client()("CLIENT", "LIST", "ID", id);
        return list.text() != nullptr && !list.text()->empty();
    }
    bool isLocked() { return server.client()("EXISTS", "lock:a").integer() == 1; }
};

} // namespace

class TestCliDisconnect final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aDryRunNamesTheClient();
    void theClientGoesAndTheLockStays();
    void anotherNumberIsRefused();
    void twoClientsOfANameAreNotTold();
    void aLockInOtherHandsIsLeftAlone();
    void readOnlyRefuses();
    void aUserWhoMayNotKillIsRefused();
};

void TestCliDisconnect::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliDisconnect::aDryRunNamesTheClient()
{
    Bench bench;
    const CliResult result = bench.disconnect(QStringLiteral("--dry-run --format json"));
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.json()["client"]["id"].get<std::int64_t>(), bench.id);
    QCOMPARE(text(result.json()["client"]["name"]), std::string("\"billing-worker-7\""));
    QVERIFY(bench.isConnected());
    QVERIFY(bench.cli.auditLines().isEmpty());
    const CliResult inWords = bench.disconnect(QStringLiteral("--dry-run"));
    const QByteArray option = "--client " + QByteArray::number(bench.id);
    QVERIFY2(inWords.output.contains(option), inWords.output.constData());
}

void TestCliDisconnect::theClientGoesAndTheLockStays()
{
    Bench bench;
    const CliResult result =
        bench.disconnect(QStringLiteral("--reason hangs --client %1").arg(bench.id));
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    QVERIFY2(result.output.contains("Disconnected: the server does not list"),
             result.output.constData());
    QVERIFY2(result.output.contains("Its lock is still there and expires in"),
             result.output.constData());
    QVERIFY(!bench.isConnected());
    QVERIFY(bench.isLocked());
    const QList<Json> lines = bench.cli.auditLines();
    QCOMPARE(lines.size(), 2);
    QCOMPARE(text(lines[0]["event"]), std::string("\"intent\""));
    QCOMPARE(text(lines[0]["action"]), std::string("\"kill-client\""));
    QCOMPARE(lines[0]["client"]["id"].get<std::int64_t>(), bench.id);
    QCOMPARE(text(lines[1]["outcome"]), std::string("\"killed\""));
    const CliResult again = bench.disconnect(QStringLiteral("--client %1").arg(bench.id));
    QCOMPARE(again.exitCode, 5); // nobody is certainly the holder any more
}

void TestCliDisconnect::anotherNumberIsRefused()
{
    Bench bench;
    const CliResult result = bench.disconnect(QStringLiteral("--client %1").arg(bench.id + 1000));
    QCOMPARE(result.exitCode, 3);
    QVERIFY(bench.isConnected());
    QCOMPARE(bench.cli.auditLines().size(), 1);
}

void TestCliDisconnect::twoClientsOfANameAreNotTold()
{
    Bench bench;
    PlainClient other(bench.server.endpoint());
    other("CLIENT", "SETNAME", "billing-worker-7");
    const CliResult result = bench.disconnect(QStringLiteral("--dry-run"));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("Several connected clients fit"),
             result.diagnostics.constData());
}

void TestCliDisconnect::aLockInOtherHandsIsLeftAlone()
{
    Bench bench;
    bench.server.client()("SET", "lock:a", "somebody-else", "PX", 600'000);
    const CliResult result = bench.disconnect(QStringLiteral("--client %1").arg(bench.id));
    QCOMPARE(result.exitCode, 3);
    QVERIFY(bench.isConnected());
}

void TestCliDisconnect::readOnlyRefuses()
{
    Bench bench;
    const CliResult result =
        bench.disconnect(QStringLiteral("--read-only --client %1").arg(bench.id));
    QCOMPARE(result.exitCode, 5);
    QVERIFY(bench.isConnected());
}

void TestCliDisconnect::aUserWhoMayNotKillIsRefused()
{
    Bench bench;
    bench.server.client()("ACL", "SETUSER", "w", "on", ">p", "~*", "&*", "+@all", "-client|kill");
    bench.cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("p"));
    store::Endpoint endpoint = bench.server.endpoint();
    endpoint.user = "w";
    endpoint.password = "p";
    const CliResult result = bench.cli.run(words("disconnect lock:a --owner billing-worker-7")
                                           + urlOption(endpoint)
                                           + QStringList{QStringLiteral("--client"),
                                                         QString::number(bench.id)});
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("client|kill"), result.diagnostics.constData());
    QVERIFY(bench.isConnected());
    QCOMPARE(bench.cli.auditLines().size(), 2);
}

LOCKSCOPE_TEST(TestCliDisconnect, Core)

} // namespace lockscope::tst_cli_disconnect

#include "tst_cli_disconnect.moc"
