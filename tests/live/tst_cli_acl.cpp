#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_acl {

using namespace lockscope::testing;

namespace {

const Bytes kToken = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const QStringList kRelease{QStringLiteral("release"), QStringLiteral("lock:a"),
                           QStringLiteral("--owner"), QString::fromStdString(kToken)};

/// Runs what was printed, as whoever copies it would; the reply.
store::Reply obey(LiveServer& server, const QByteArray& printed)
{
    QByteArrayList words =
        QByteArray(printed).replace("PASSWORD", "secret").simplified().split(' ');
    store::Command command(words.takeFirst().toStdString());
    for (const QByteArray& word : words) {
        command.append(word.toStdString());
    }
    return server.client().ask(command);
}

store::Endpoint endpointOf(const LiveServer& server, const std::string& user)
{
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = user;
    return endpoint;
}

} // namespace

/// The rules themselves are held to the program by tst_live_permissions.
class TestCliAcl final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whoIsAllowedToWatchListsAndDoesNotRelease();
    void whoIsAllowedToReleaseReleases();
    void whoIsAllowedToDisconnectDisconnects();
    void whoIsAllowedToCaptureSeesWhoActs();
    void theServerIsAskedForItsVersion();
    void noServerIsNeededForAVersion();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
};

void TestCliAcl::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliAcl::whoIsAllowedToWatchListsAndDoesNotRelease()
{
    LiveServer server;
    server.client()("SET", "lock:a", kToken, "PX", 600000);
    CliProcess cli;
    // Somebody of this name may do more.
    server.client()("ACL", "SETUSER", "lockscope-watch", "on", ">old", "~*", "&*", "+@all");
    const CliResult rules = cli.run(words("acl --watch") + urlOption(server.endpoint()));
    QCOMPARE(rules.exitCode, 0);
    const store::Reply reply = obey(server, rules.output);
    QVERIFY2(reply.error() == nullptr, rules.output.constData());
    const store::Reply signIn = server.client()("AUTH", "lockscope-watch", "old");
    QVERIFY(signIn.error() != nullptr); // nor is the old password one of its own

    CliProcess asUser;
    asUser.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("secret"));
    const auto url = urlOption(endpointOf(server, "lockscope-watch"));
    const CliResult list = asUser.run(words("list") + url);
    QCOMPARE(list.exitCode, 0);
    QVERIFY2(list.output.contains("lock:a"), list.output.constData());
    const CliResult release = asUser.run(kRelease + url);
    QCOMPARE(release.exitCode, 5);
    QVERIFY2(release.diagnostics.contains("eval"), release.diagnostics.constData());
    QCOMPARE(server.client()("EXISTS", "lock:a").integer(), 1);
}

void TestCliAcl::whoIsAllowedToReleaseReleases()
{
    LiveServer server;
    server.client()("SET", "lock:a", kToken, "PX", 600000);
    CliProcess cli;
    const auto call = words("acl --release --user oncall") + urlOption(server.endpoint());
    const CliResult rules = cli.run(call);
    QVERIFY(obey(server, rules.output).error() == nullptr);
    CliProcess asUser;
    asUser.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("secret"));
    const CliResult release = asUser.run(kRelease + urlOption(endpointOf(server, "oncall")));
    QVERIFY2(release.exitCode == 0, release.diagnostics.constData());
    QCOMPARE(server.client()("EXISTS", "lock:a").integer(), 0);
}

void TestCliAcl::whoIsAllowedToDisconnectDisconnects()
{
    LiveServer server;
    PlainClient holder(server.endpoint());
    holder("CLIENT", "SETNAME", "billing-worker-7");
    holder("SET", "lock:a", "billing-worker-7", "PX", 600'000, "NX");
    const std::int64_t id = holder("CLIENT", "ID").integer().value();
    const auto disconnect = [&server, id](const QString& acl) {
        CliProcess cli;
        const CliResult rules = cli.run(acl.split(u' ') + urlOption(server.endpoint()));
        obey(server, rules.output);
        cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("secret"));
        return cli.run(words("disconnect lock:a --owner billing-worker-7 --client")
                       + QStringList{QString::number(id)}
                       + urlOption(endpointOf(server, "oncall")));
    };
    const CliResult refused = disconnect(QStringLiteral("acl --release --user oncall"));
    QCOMPARE(refused.exitCode, 5);
    QVERIFY2(refused.diagnostics.contains("client|kill"), refused.diagnostics.constData());
    const auto allowing = QStringLiteral("acl --release --disconnect --user oncall");
    const CliResult done = disconnect(allowing);
    QVERIFY2(done.exitCode == 0, done.diagnostics.constData());
}

void TestCliAcl::whoIsAllowedToCaptureSeesWhoActs()
{
    LiveServer server;
    server.client()("SET", "lock:a", kToken, "PX", 600'000);
    const auto capture = [&server](const QString& acl) {
        CliProcess cli;
        const CliResult rules = cli.run(acl.split(u' ') + urlOption(server.endpoint()));
        obey(server, rules.output);
        cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("secret"));
        return cli.run(words("who lock:a --for 1s")
                       + urlOption(endpointOf(server, "lockscope-watch")));
    };
    const CliResult refused = capture(QStringLiteral("acl --watch"));
    QCOMPARE(refused.exitCode, 5);
    QVERIFY2(refused.diagnostics.contains("monitor"), refused.diagnostics.constData());
    const CliResult done = capture(QStringLiteral("acl --watch --who"));
    QVERIFY2(done.exitCode == 0, done.diagnostics.constData());
}

void TestCliAcl::theServerIsAskedForItsVersion()
{
    LiveServer server;
    const QByteArray info = QByteArray::fromStdString(*server.client()("INFO", "server").text());
    const QByteArray version = info.mid(info.indexOf("redis_version:") + 14, 3);
    CliProcess cli;
    const auto call = words("acl --watch --format json") + urlOption(server.endpoint());
    const CliResult result = cli.run(call);
    QCOMPARE(result.exitCode, 0);
    const QByteArray beginning = QByteArray("{\"version\":\"") + version + '"';
    QVERIFY2(result.output.startsWith(beginning), result.output.constData());
    QVERIFY(result.output.contains("\"rules\":[\"resetchannels\","));
    QVERIFY(result.diagnostics.isEmpty());
}

void TestCliAcl::noServerIsNeededForAVersion()
{
    CliProcess cli;
    const CliResult result = cli.run(words("acl --watch --for 6.2"));
    QCOMPARE(result.exitCode, 0);
    QVERIFY(
        result.output.startsWith("ACL SETUSER lockscope-watch reset on >PASSWORD resetchannels "));
    QVERIFY(result.output.contains(" ~* -@all ") && !result.output.contains("pexpiretime"));
    QVERIFY2(result.diagnostics.contains("replace PASSWORD"), result.diagnostics.constData());
    const CliResult ofCluster = cli.run(words("acl --watch --for 7.0 --cluster"));
    QVERIFY2(ofCluster.output.contains(" +asking"), ofCluster.output.constData());
    const CliResult ofSentinels = cli.run(words("acl --sentinel"));
    QVERIFY2(ofSentinels.output.startsWith("ACL SETUSER lockscope-sentinel reset on "),
             ofSentinels.output.constData());
}

void TestCliAcl::nonsenseIsRefused_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char* call, const char* reason) {
        QTest::newRow(call) << QString::fromLatin1(call) << QByteArray(reason);
    };
    row("acl", "--watch, --release or --sentinel");
    row("acl --watch --release", "--watch, --release or --sentinel");
    row("acl --watch --disconnect --for 7.2", "--disconnect needs --release");
    row("acl --watch --cluster", "--cluster needs --for");
    row("acl --sentinel --for 7.2", "neither server nor version");
    row("acl --sentinel --who", "not combined");
    row("acl --watch --for 6.0", "6.2 or newer");
    row("acl --watch --for seven", "6.2 or newer");
    row("acl --watch --for 7.2 --url redis://127.0.0.1:1", "exclude each other");
    row("acl --watch --for 7.2 --user a\"b", "one word");
}

void TestCliAcl::nonsenseIsRefused()
{
    QFETCH(const QString, call);
    QFETCH(const QByteArray, reason);
    CliProcess cli;
    const CliResult result = cli.run(call.split(u' '));
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains(reason), result.diagnostics.constData());
    QVERIFY(result.output.isEmpty());
}

LOCKSCOPE_TEST(TestCliAcl, Core)

} // namespace lockscope::tst_cli_acl

#include "tst_cli_acl.moc"
