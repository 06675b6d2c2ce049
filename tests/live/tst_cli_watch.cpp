#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <csignal>
#include <string>

namespace lockscope::tst_cli_watch {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";
constexpr int kPatienceMs = 30'000;

/// "appeared lock:a, released lock:a": what was printed so far.
QString changes(CliProcess& cli)
{
    QStringList all;
    for (const Json& line : cli.lines()) {
        all.append(QString::fromStdString(line["change"].get<std::string>() + ' '
                                          + line["lock"]["key"].get<std::string>()));
    }
    return all.join(QStringLiteral(", "));
}

} // namespace

class TestCliWatch final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whatIsThereAlreadyAppearsFirst();
    void everyKindOfChangeIsPrinted();
    void linesTellWhenAndWhat();
    void filterFollowsALockToItsEnd();
    void aRestartedServerIsFoundAgain();
    void aServerThatIsNotThereYetIsWaitedFor();
    void interruptAndTerminateEndIt_data();
    void interruptAndTerminateEndIt();
    void aReaderThatLeavesEndsIt();
    void aSignalEndsWhatNobodyReads_data();
    void aSignalEndsWhatNobodyReads();
};

void TestCliWatch::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliWatch::whatIsThereAlreadyAppearsFirst()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    cli.start(words("watch") + urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), QStringLiteral("appeared lock:a"), kPatienceMs);
}

void TestCliWatch::everyKindOfChangeIsPrinted()
{
    LiveServer server;
    server.client()("HSET", "lock:a", "owner-1", 1);
    server.client()("PEXPIRE", "lock:a", 300'000);
    CliProcess cli;
    cli.start(words("watch") + urlOption(server.endpoint()));
    QString expected = QStringLiteral("appeared lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(cli.diagnostics().contains(": watching\n"), kPatienceMs);

    server.client()("PEXPIRE", "lock:a", 600'000);
    expected += QStringLiteral(", renewed lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);

    server.client()("HINCRBY", "lock:a", "owner-1", 1);
    expected += QStringLiteral(", changed lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);

    server.client()("DEL", "lock:a");
    expected += QStringLiteral(", released lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);

    server.client()("SET", "lock:b", kUuid, "PX", 300);
    expected += QStringLiteral(", appeared lock:b, expired lock:b");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);
}

void TestCliWatch::linesTellWhenAndWhat()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    cli.start(words("watch --format json") + urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(cli.lines().size(), 1, kPatienceMs);
    const Json line = cli.lines().front();
    const QDateTime at = QDateTime::fromString(
        QString::fromStdString(line["at"].get<std::string>()), Qt::ISODateWithMs);
    QVERIFY(at.isValid());
    QCOMPARE(at.timeSpec(), Qt::UTC);
    QCOMPARE(text(line["lock"]["holders"][0]["owner"]), text(kUuid));
    QCOMPARE(text(line["lock"]["server"]), text(store::serverName(server.endpoint())));
}

void TestCliWatch::filterFollowsALockToItsEnd()
{
    LiveServer server;
    server.client()("HSET", "lock:a", "owner-1", 2);
    server.client()("HSET", "lock:b", "owner-2", 1);
    CliProcess cli;
    cli.start(words("watch --filter holds=2") + urlOption(server.endpoint()));
    QString expected = QStringLiteral("appeared lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(cli.diagnostics().contains(": watching\n"), kPatienceMs);

    server.client()("HINCRBY", "lock:a", "owner-1", 1); // the last that is shown of it
    expected += QStringLiteral(", changed lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);

    server.client()("DEL", "lock:a");
    server.client()("HINCRBY", "lock:b", "owner-2", 1);
    expected += QStringLiteral(", changed lock:b");
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), expected, kPatienceMs);
}

void TestCliWatch::aRestartedServerIsFoundAgain()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    cli.start(words("watch") + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(changes(cli).contains(QStringLiteral("appeared lock:a")), kPatienceMs);
    server.kill();
    QTRY_VERIFY_WITH_TIMEOUT(cli.diagnostics().contains("Retrying until it works."), kPatienceMs);
    server.restart();
    server.client()("SET", "lock:b", kUuid, "PX", 600'000);
    QTRY_VERIFY_WITH_TIMEOUT(changes(cli).contains(QStringLiteral("appeared lock:b")), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(changes(cli).contains(QStringLiteral("released lock:a")), kPatienceMs);
    cli.interrupt();
    QCOMPARE(cli.waitForEnd().exitCode, 0);
}

void TestCliWatch::aServerThatIsNotThereYetIsWaitedFor()
{
    LiveServer server;
    const store::Endpoint endpoint = server.endpoint();
    server.kill();
    CliProcess cli;
    cli.start(words("watch") + urlOption(endpoint));
    QTRY_VERIFY_WITH_TIMEOUT(cli.diagnostics().contains("Retrying until it works."), kPatienceMs);
    server.restart();
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), QStringLiteral("appeared lock:a"), kPatienceMs);
}

void TestCliWatch::interruptAndTerminateEndIt_data()
{
    QTest::addColumn<bool>("isInterrupt");
    QTest::newRow("SIGINT") << true;
    QTest::newRow("SIGTERM") << false;
}

void TestCliWatch::interruptAndTerminateEndIt()
{
    QFETCH(const bool, isInterrupt);
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    cli.start(words("watch") + urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(changes(cli), QStringLiteral("appeared lock:a"), kPatienceMs);
    if (isInterrupt) {
        cli.interrupt();
    } else {
        cli.terminate();
    }
    QCOMPARE(cli.waitForEnd().exitCode, 0);
}

void TestCliWatch::aReaderThatLeavesEndsIt()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    CliProcess cli;
    OutputPipe output;
    output.attachTo(cli.process());
    cli.start(words("watch") + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(output.content().endsWith('\n'), kPatienceMs);
    output.closeReader();
    server.client()("SET", "lock:b", kUuid, "PX", 600'000);
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(!result.diagnostics.contains("could not write"), result.diagnostics.constData());
}

void TestCliWatch::aSignalEndsWhatNobodyReads_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("watch, SIGTERM") << QStringLiteral("watch") << SIGTERM;
    QTest::newRow("watch, SIGINT") << QStringLiteral("watch") << SIGINT;
    QTest::newRow("list, SIGTERM") << QStringLiteral("list --format json") << SIGTERM;
    QTest::newRow("list, SIGINT") << QStringLiteral("list --format json") << SIGINT;
}

void TestCliWatch::aSignalEndsWhatNobodyReads()
{
    QFETCH(const QString, command);
    QFETCH(const int, signalNumber);
    LiveServer server;
    const QString key(1000, QLatin1Char('x'));
    for (int i = 0; i < 200; ++i) {
        server.client()("SET", "lock:" + key.toStdString() + std::to_string(i), kUuid);
    }
    CliProcess cli;
    OutputPipe pipe;
    pipe.attachTo(cli.process());
    cli.start(words(command.toUtf8().constData()) + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(pipe.isFull(), kPatienceMs);
    ::kill(static_cast<pid_t>(cli.process().processId()), signalNumber);
    QTRY_COMPARE_WITH_TIMEOUT(cli.process().state(), QProcess::NotRunning, kPatienceMs);
    QVERIFY(pipe.isFull()); // no reader emptied it
}

LOCKSCOPE_TEST(TestCliWatch, Core)

} // namespace lockscope::tst_cli_watch

#include "tst_cli_watch.moc"
