#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/sentinel_group.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <memory>

namespace lockscope::tst_cli_sentinel {

using namespace lockscope::testing;
using store::Command;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

} // namespace

class TestCliSentinel final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_group.reset(); }
    void theLocksOfTheMasterAreListed();
    void oneSentinelIsEnough();
    void aReleaseReachesTheMaster();
    void contendersRunOnTheMaster();
    void aNameThatNobodyKnowsIsExplained();
    void whereNoSentinelAnswersEachIsNamed();
    void aSentinelThatIsTakenForAServerNamesTheUrl();
    void aReplicaThatASentinelNamesIsNotUsed();
    void aMasterThatCannotBeReachedIsNamed();
    void theSentinelsHaveAPasswordOfTheirOwn();

private:
    CliResult list(const QString& url);

    std::unique_ptr<SentinelGroup> m_group;
};

void TestCliSentinel::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    m_group = std::make_unique<SentinelGroup>();
    m_group->ask(0, Command("SET", "order:lock", kAlice, "PX", 600'000));
}

CliResult TestCliSentinel::list(const QString& url)
{
    CliProcess cli;
    return cli.run(words("list --format json --url") << url);
}

void TestCliSentinel::theLocksOfTheMasterAreListed()
{
    const CliResult result = list(m_group->url());
    QCOMPARE(result.exitCode, 0);
    const Json locks = result.json();
    QCOMPARE(locks.size(), std::size_t(1));
    QCOMPARE(text(locks[0]["key"]), std::string("\"order:lock\""));
    QCOMPARE(text(locks[0]["server"]), std::string("\"mymaster\""));
}

void TestCliSentinel::oneSentinelIsEnough()
{
    const QString url = m_group->url().replace(u"redis+sentinel://"_qs,
                                               u"redis+sentinel://127.0.0.1:1,"_qs);
    QCOMPARE(list(url).exitCode, 0);
}

void TestCliSentinel::aReleaseReachesTheMaster()
{
    m_group->ask(0, Command("SET", "job:lock", kAlice, "PX", 600'000));
    CliProcess cli;
    const CliResult result = cli.run(words("release job:lock --owner")
                                     << QString::fromStdString(kAlice) << u"--url"_qs
                                     << m_group->url());
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    QCOMPARE(m_group->ask(0, Command("EXISTS", "job:lock")), store::Reply::ofInteger(0));
}

void TestCliSentinel::contendersRunOnTheMaster()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("contend --protocol set-nx-ex --clients 2 --for 300ms --format json --url")
                << m_group->url());
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    QVERIFY(result.json()["stats"]["acquisitions"].get<int>() > 0);
}

void TestCliSentinel::aNameThatNobodyKnowsIsExplained()
{
    const CliResult result = list(m_group->url().replace(u"/mymaster"_qs, u"/yours"_qs));
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.diagnostics,
             QByteArray("lockscope-cli: yours: The Sentinels watch no master named yours. They "
                        "watch mymaster.\n"));
}

void TestCliSentinel::whereNoSentinelAnswersEachIsNamed()
{
    const std::string node = m_group->nodeName(0);
    const CliResult result =
        list(u"redis+sentinel://127.0.0.1:1,no-such-host.invalid,%1/mymaster"_qs.arg(
            QString::fromStdString(node)));
    QCOMPARE(result.exitCode, 1);
    for (const QByteArray& part :
         {QByteArray("mymaster: No Sentinel could be asked"), QByteArray("127.0.0.1:1: Connection"),
          QByteArray::fromStdString(node + ": this is not a Sentinel")}) {
        QVERIFY2(result.diagnostics.contains(part), result.diagnostics.constData());
    }
    // In the words of the system's resolver; without any DNS it is called temporary.
    const QRegularExpression unknownHost(
        u"no-such-host\\.invalid:26379: (Name or service not known|No address associated with "
        u"hostname|Temporary failure in name resolution)"_qs);
    QVERIFY2(unknownHost.match(QString::fromUtf8(result.diagnostics)).hasMatch(),
             result.diagnostics.constData());
    QCOMPARE(result.diagnostics.count('\n'), 1);
}

void TestCliSentinel::aSentinelThatIsTakenForAServerNamesTheUrl()
{
    const CliResult result =
        list(QString::fromStdString(store::toUrl(m_group->sentinelEndpoint(1))));
    QCOMPARE(result.exitCode, 1);
    const QRegularExpression pattern(u"mymaster \\(now 127\\.0\\.0\\.1:\\d+\\): (\\S+)"_qs);
    const auto match = pattern.match(QString::fromUtf8(result.diagnostics));
    QVERIFY2(match.hasMatch(), result.diagnostics.constData());
    QCOMPARE(list(match.captured(1)).exitCode, 0);
}

void TestCliSentinel::aReplicaThatASentinelNamesIsNotUsed()
{
    const auto port = m_group->node(1).endpoint().port;
    m_group->askSentinel(0, Command("SENTINEL", "MONITOR", "wrong", "127.0.0.1", port, 2));
    store::Endpoint endpoint = m_group->endpoint();
    endpoint.sentinels.hosts.resize(1);
    endpoint.sentinels.masterName = "wrong";
    const CliResult result = list(QString::fromStdString(store::toUrl(endpoint)));
    m_group->askSentinel(0, Command("SENTINEL", "REMOVE", "wrong"));
    QCOMPARE(result.exitCode, 1);
    for (const std::string& part : {std::string("is not a master at present"), m_group->nodeName(1),
                                    store::serverName(m_group->sentinelEndpoint(0))}) {
        QVERIFY2(result.diagnostics.contains(part.c_str()), result.diagnostics.constData());
    }
}

void TestCliSentinel::aMasterThatCannotBeReachedIsNamed()
{
    m_group->askSentinel(0, Command("SENTINEL", "MONITOR", "away", "127.0.0.1", 1, 2));
    store::Endpoint endpoint = m_group->endpoint();
    endpoint.sentinels.masterName = "away";
    const CliResult result = list(QString::fromStdString(store::toUrl(endpoint)));
    m_group->askSentinel(0, Command("SENTINEL", "REMOVE", "away"));
    QCOMPARE(result.exitCode, 1);
    for (const std::string& part : {std::string("cannot be reached"),
                                    std::string("127.0.0.1:1 according to the Sentinel at "),
                                    store::serverName(m_group->sentinelEndpoint(0))}) {
        QVERIFY2(result.diagnostics.contains(part.c_str()), result.diagnostics.constData());
    }
}

void TestCliSentinel::theSentinelsHaveAPasswordOfTheirOwn()
{
    for (std::size_t i = 0; i < 3; ++i) {
        m_group->askSentinel(i, Command("ACL", "SETUSER", "watcher", "on", ">s3cret", "+@all"));
    }
    const QString url = m_group->url() + u"?sentinel-user=watcher"_qs;
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_SENTINEL_PASSWORD", u"s3cret"_qs);
    const CliResult good = cli.run(words("list --url") << url);
    QVERIFY2(good.exitCode == 0, good.diagnostics.constData());
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"password"_qs));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("other\n") == 6);
    file.close();
    const CliResult bad = cli.run(words("list --sentinel-password-file")
                                  << file.fileName() << u"--url"_qs << url);
    QCOMPARE(bad.exitCode, 1);
    QVERIFY2(bad.diagnostics.contains("The Sentinels do not accept the user name and password"),
             bad.diagnostics.constData());
    QVERIFY(!bad.diagnostics.contains("other\n") && !bad.diagnostics.contains("s3cret"));
}

LOCKSCOPE_TEST(TestCliSentinel, Core)

} // namespace lockscope::tst_cli_sentinel

#include "tst_cli_sentinel.moc"
