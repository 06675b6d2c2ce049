#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/tls_server.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

namespace lockscope::tst_cli_connect {

using namespace lockscope::testing;

namespace {

const QString kSecret = QStringLiteral("s3cr3t-pass");

QString urlOf(const store::Endpoint& endpoint, const QString& userInfo = {})
{
    return QStringLiteral("redis://") + userInfo
           + QStringLiteral("127.0.0.1:%1").arg(endpoint.port);
}

QString fileWith(const QTemporaryDir& folder, const QByteArray& content)
{
    QFile file(folder.filePath(QStringLiteral("password")));
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size()
               ? file.fileName()
               : QString();
}

} // namespace

/// Every command that talks to a server connects in the same way; `list` stands for all of them.
class TestCliConnect final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whatCannotBeReachedIsExplained_data();
    void whatCannotBeReachedIsExplained();
    void aWebServerIsNoRedis();
    void aPortThatWantsTlsIsNamed();
    void aSilentServerTimesOut();
    void passwordsComeFromThreePlaces();
    void aWrongPasswordIsExplained();
    void passwordsAreNeverShown();
    void databasesAreSelected();
    void oneUnreachableMasterOfSeveralIsNamed();
    void badArgumentsEndBeforeConnecting();
    void helpAndVersionNeedNoServer();
    void formatsNeedNoServer();
};

void TestCliConnect::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliConnect::whatCannotBeReachedIsExplained_data()
{
    QTest::addColumn<QStringList>("call");
    QTest::addColumn<QByteArray>("words");
    const QByteArray refused("The connection was refused.");
    QTest::newRow("list, refused") << words("list --url redis://127.0.0.1:1") << refused;
    QTest::newRow("show, refused") << words("show k --url redis://127.0.0.1:1") << refused;
    QTest::newRow("release, refused")
        << words("release k --owner me --url redis://127.0.0.1:1") << refused;
    QTest::newRow("host")
        << words("list --url redis://no-such-host.invalid")
        << QByteArray("no-such-host.invalid:6379: The host name could not be resolved.");
    QTest::newRow("socket") << words("list --url unix:///nowhere/redis.sock")
                            << QByteArray("/nowhere/redis.sock: There is no socket at this path.");
}

void TestCliConnect::whatCannotBeReachedIsExplained()
{
    QFETCH(const QStringList, call);
    QFETCH(const QByteArray, words);
    CliProcess cli;
    const CliResult result = cli.run(call);
    QCOMPARE(result.exitCode, 1);
    QVERIFY(result.output.isEmpty());
    QVERIFY2(result.diagnostics.contains(words), result.diagnostics.constData());
    QCOMPARE(result.diagnostics.count('\n'), 1);
}

void TestCliConnect::aWebServerIsNoRedis()
{
    ScriptedPeer peer;
    peer.answerWith([](const QByteArray&) {
        return QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    CliProcess cli;
    const CliResult result =
        cli.run(words("list --url") + QStringList(QStringLiteral("127.0.0.1:%1").arg(peer.port())));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("does not speak the Redis protocol"),
             result.diagnostics.constData());
}

void TestCliConnect::aPortThatWantsTlsIsNamed()
{
    if (!TestCertificates::canBeMade()) {
        QSKIP("openssl is not installed");
    }
    TestCertificates certificates;
    certificates.makeAuthority(QStringLiteral("ours"));
    certificates.issue(QStringLiteral("server"), QStringLiteral("ours"),
                       QStringLiteral("IP:127.0.0.1"));
    const TlsServer server(certificates, QStringLiteral("server"), QStringLiteral("no"));
    CliProcess cli;
    const CliResult result = cli.run(
        words("list --url") + QStringList(QStringLiteral("redis://127.0.0.1:%1").arg(server.port)));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("The server uses TLS on this port. Use rediss://"),
             result.diagnostics.constData());
}

void TestCliConnect::aSilentServerTimesOut()
{
    ScriptedPeer peer;
    CliProcess cli;
    const CliResult result =
        cli.run(words("list --timeout 200ms --url")
                + QStringList(QStringLiteral("127.0.0.1:%1").arg(peer.port())));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("did not reply in time"), result.diagnostics.constData());
}

void TestCliConnect::passwordsComeFromThreePlaces()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("CONFIG", "SET", "requirepass", kSecret.toStdString());
    const QTemporaryDir folder;
    const QString url = urlOf(server.endpoint());
    {
        CliProcess cli;
        QCOMPARE(cli.run(words("list --url")
                         + QStringList(urlOf(server.endpoint(), u':' + kSecret + u'@')))
                     .exitCode,
                 0);
        QCOMPARE(cli.run(words("list --url")
                         + QStringList{url, QStringLiteral("--password-file"),
                                       fileWith(folder, kSecret.toUtf8() + '\n')})
                     .exitCode,
                 0);
    }
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", kSecret);
    QCOMPARE(cli.run(words("list --url") + QStringList(url)).exitCode, 0);
}

void TestCliConnect::aWrongPasswordIsExplained()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("CONFIG", "SET", "requirepass", "another");
    CliProcess cli;
    const QString url = urlOf(server.endpoint());
    const CliResult without = cli.run(words("list --url") + QStringList(url));
    QCOMPARE(without.exitCode, 1);
    QVERIFY2(without.diagnostics.contains("requires a password"), without.diagnostics.constData());
    cli.setVariable("LOCKSCOPE_PASSWORD", kSecret);
    const CliResult wrong = cli.run(words("list --url") + QStringList(url));
    QCOMPARE(wrong.exitCode, 1);
    QVERIFY2(wrong.diagnostics.contains("does not accept this user name and password"),
             wrong.diagnostics.constData());
    QVERIFY(!wrong.diagnostics.contains(kSecret.toUtf8()));
}

void TestCliConnect::passwordsAreNeverShown()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("CONFIG", "SET", "requirepass", kSecret.toStdString());
    server.client()("SET", "lock:a", "1");
    const QString url = urlOf(server.endpoint(), u':' + kSecret + u'@');
    CliProcess cli;
    for (const char* const call :
         {"list --format json", "show lock:a", "show lock:a --format json",
          "release lock:a --owner 1 --dry-run", "release lock:a --owner x"}) {
        const CliResult result = cli.run(words(call) + QStringList{QStringLiteral("--url"), url});
        QVERIFY2(!result.output.contains(kSecret.toUtf8()), result.output.constData());
        QVERIFY2(!result.diagnostics.contains(kSecret.toUtf8()), result.diagnostics.constData());
        QCOMPARE(result.diagnostics.count("LOCKSCOPE_PASSWORD or --password-file"), 1);
    }
    cli.start(words("watch --url") + QStringList(url));
    QTRY_COMPARE_WITH_TIMEOUT(cli.lines().size(), 1, 30'000);
    QFile processList(QStringLiteral("/proc/%1/cmdline").arg(cli.process().processId()));
    QVERIFY(processList.open(QIODevice::ReadOnly));
    const QByteArray shown = processList.readAll();
    QVERIFY2(shown.contains("redis://:***********@127.0.0.1"), shown.constData());
    cli.interrupt();
    const CliResult watched = cli.waitForEnd();
    QCOMPARE(watched.exitCode, 0);
    QVERIFY(!watched.diagnostics.contains(kSecret.toUtf8()));
}

void TestCliConnect::databasesAreSelected()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("SELECT", 3);
    server.client()("SET", "lock:a", "1");
    CliProcess cli;
    const CliResult third = cli.run(words("list --format json --url")
                                    + QStringList(urlOf(server.endpoint()) + u"/3"));
    QCOMPARE(third.json().size(), 1U);
    QCOMPARE(text(third.json()[0]["db"]), text(3));
    const CliResult none = cli.run(words("list --url")
                                   + QStringList(urlOf(server.endpoint()) + u"/99"));
    QCOMPARE(none.exitCode, 1);
    QVERIFY2(none.diagnostics.contains("does not have this database"),
             none.diagnostics.constData());
}

void TestCliConnect::oneUnreachableMasterOfSeveralIsNamed()
{
    LiveServer server;
    server.client()("SET", "lock:a", "1");
    CliProcess cli;
    const CliResult result = cli.run(words("list --url redis://127.0.0.1:1")
                                     + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 1);
    QVERIFY(result.output.isEmpty());
    QVERIFY2(
        result.diagnostics.startsWith("lockscope-cli: 127.0.0.1:1: The connection was refused"),
        result.diagnostics.constData());
}

void TestCliConnect::badArgumentsEndBeforeConnecting()
{
    CliProcess cli;
    for (const char* const call :
         {"", "lst", "list --url redis://h:99999", "list --fitler x", "list --filter onwer:x",
          "list --timeout never", "show", "show a b", "release k", "watch --format csv"}) {
        const CliResult result = cli.run(words(call));
        QCOMPARE(result.exitCode, 2);
        QVERIFY(result.output.isEmpty());
        QCOMPARE(result.diagnostics.count('\n'), 1);
        QVERIFY2(result.diagnostics.contains("--help"), result.diagnostics.constData());
    }
}

void TestCliConnect::helpAndVersionNeedNoServer()
{
    CliProcess cli;
    const CliResult help = cli.run(words("release --help"));
    QCOMPARE(help.exitCode, 0);
    QVERIFY(help.output.startsWith("Usage: lockscope-cli release KEY --owner TOKEN"));
    const CliResult version = cli.run(words("--version"));
    QCOMPARE(version.exitCode, 0);
    QCOMPARE(version.output, QByteArray("lockscope-cli " LOCKSCOPE_VERSION "\n"));
}

void TestCliConnect::formatsNeedNoServer()
{
    CliProcess cli;
    const CliResult table = cli.run(words("formats"));
    QCOMPARE(table.exitCode, 0);
    QVERIFY(table.output.startsWith("FORMAT "));
    const Json formats = cli.run(words("formats --format json")).json();
    QStringList ids;
    for (const auto& format : formats) {
        ids.append(QString::fromStdString(format["id"].get<std::string>()));
        QVERIFY(format["title"].is_string());
        QVERIFY(format["summary"].is_string());
        QVERIFY(table.output.contains(QByteArray("\n" + ids.back().toUtf8() + ' ')));
    }
    for (const char* const id :
         {"flag", "expiry-stamp", "token", "token-stamp", "reentrant-hash", "redisson-lock",
          "rw-hash-stamps", "rw-two-keys", "redlock", "redis-py"}) {
        QVERIFY2(ids.contains(QLatin1String(id)), id);
    }
}

LOCKSCOPE_TEST(TestCliConnect, Core)

} // namespace lockscope::tst_cli_connect

#include "tst_cli_connect.moc"
