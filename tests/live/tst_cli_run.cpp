#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <vector>

namespace lockscope::tst_cli_run {

using namespace lockscope::testing;

namespace {

const Bytes kOther = "8b1a9953-c461-4296-a827-abf8c47804d7";
constexpr int kPatienceMs = 30'000;

/// `options` of run, and a command for sh.
QStringList runCall(const char* options, const char* script, const store::Endpoint& endpoint)
{
    return words("run --key lock:a") + words(options) + urlOption(endpoint)
           + QStringList{QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"),
                         QString::fromUtf8(script)};
}

bool exists(LiveServer& server)
{
    return server.client()("EXISTS", "lock:a").integer() == 1;
}

void send(CliProcess& cli, int signalNumber)
{
    ::kill(static_cast<pid_t>(cli.process().processId()), signalNumber);
}

/// The processes whose numbers the command has printed; empty as long as one is missing.
std::vector<pid_t> processesIn(const QByteArray& output, int count)
{
    std::vector<pid_t> processes;
    for (const QByteArray& line : output.split('\n')) {
        if (line.toInt() > 0) {
            processes.push_back(line.toInt());
        }
    }
    return processes.size() == static_cast<std::size_t>(count) ? processes : std::vector<pid_t>();
}

bool areGone(const std::vector<pid_t>& processes)
{
    return std::ranges::none_of(processes, [](pid_t process) {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(process));
        return stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
    });
}

/// What the command has printed so far.
QByteArray printed(CliProcess& cli)
{
    return cli.process().peek(4096);
}

} // namespace

class TestCliRun final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void holdsTheLockWhileTheCommandRuns();
    void passesTheExitCodeThrough_data();
    void passesTheExitCodeThrough();
    void theCommandKnowsItsLock();
    void standardStreamsAreUntouched();
    void keepsTheLockRenewed();
    void forwardsSignals_data();
    void forwardsSignals();
    void signalsReachTheWholeProcessGroup();
    void whatCannotBeStartedIsReleased_data();
    void whatCannotBeStartedIsReleased();
    void somebodyElseHasIt();
    void waitsUntilItIsFree();
    void interruptedWhileWaiting();
    void aLostLockEndsTheCommand_data();
    void aLostLockEndsTheCommand();
    void whatIgnoresTheEndIsKilled();
    void descendantsEndAsWell();
    void aServerThatGoesAwayEndsTheCommand();
    void aLockLostAtTheLastMomentIsSaid();
    void withoutRenewalTheCommandEndsWithTheLease();
    void aFlawedProtocolWarnsOnce();
    void anUnreachableServerStartsNothing();
    void aForcedReleaseEndsTheCommandAtOnce_data();
    void aForcedReleaseEndsTheCommandAtOnce();
    void aForcedReleaseIsHeardOfWithinASecond();
    void nothingOutlivesAKilledProgram_data();
    void nothingOutlivesAKilledProgram();
    void nothingGoesOnBehindAStoppedProgram();
    void theLockIsKeptForWhatTheCommandLeavesBehind();
    void whatDetachedItselfIsNamed();
    void thePasswordStaysHere();
};

void TestCliRun::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliRun::holdsTheLockWhileTheCommandRuns()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("", "echo started; read line", server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("started\n"), kPatienceMs);
    QVERIFY(exists(server));
    cli.process().write("go on\n");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.diagnostics, QByteArray());
    QVERIFY(!exists(server));
}

void TestCliRun::passesTheExitCodeThrough_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("success") << QByteArray("exit 0") << 0;
    QTest::newRow("failure") << QByteArray("exit 42") << 42;
    QTest::newRow("killed") << QByteArray("kill -KILL $$") << 128 + SIGKILL;
    QTest::newRow("terminated") << QByteArray("kill -TERM $$") << 128 + SIGTERM;
}

void TestCliRun::passesTheExitCodeThrough()
{
    QFETCH(const QByteArray, script);
    QFETCH(const int, exitCode);
    LiveServer server;
    CliProcess cli;
    QCOMPARE(cli.run(runCall("", script.constData(), server.endpoint())).exitCode, exitCode);
    QVERIFY(!exists(server));
}

void TestCliRun::theCommandKnowsItsLock()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("--protocol fenced-token",
                      "echo $LOCKSCOPE_KEY $LOCKSCOPE_TOKEN $LOCKSCOPE_FENCE; read line",
                      server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(printed(cli).endsWith('\n'), kPatienceMs);
    const QList<QByteArray> said = printed(cli).trimmed().split(' ');
    QCOMPARE(said.size(), 3);
    QCOMPARE(said[0], QByteArray("lock:a"));
    QVERIFY(said[2].toInt() > 0);
    const std::string value = *server.client()("GET", "lock:a").text();
    QVERIFY2(value.find(said[1].toStdString()) != std::string::npos, value.c_str());
    cli.process().closeWriteChannel();
    cli.waitForEnd();
}

void TestCliRun::standardStreamsAreUntouched()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("", "cat; echo problem >&2", server.endpoint()));
    cli.process().write("a\0b\n", 4);
    cli.process().closeWriteChannel();
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.output, QByteArray("a\0b\n", 4));
    QCOMPARE(result.diagnostics, QByteArray("problem\n"));
}

void TestCliRun::keepsTheLockRenewed()
{
    LiveServer server;
    CliProcess cli;
    QCOMPARE(cli.run(runCall("--lease 600ms", "sleep 2", server.endpoint())).exitCode, 0);
}

void TestCliRun::forwardsSignals_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
    QTest::newRow("SIGQUIT") << SIGQUIT;
    QTest::newRow("SIGUSR1") << SIGUSR1;
    QTest::newRow("SIGUSR2") << SIGUSR2;
}

void TestCliRun::forwardsSignals()
{
    QFETCH(const int, signalNumber);
    LiveServer server;
    CliProcess cli;
    const QByteArray script = "trap 'echo caught; exit 5' " + QByteArray::number(signalNumber)
                              + "; echo ready; while :; do read line || sleep 0.05; done";
    cli.start(runCall("", script.constData(), server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    cli.process().closeWriteChannel();
    send(cli, signalNumber);
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 5);
    QCOMPARE(result.output, QByteArray("ready\ncaught\n"));
    QVERIFY(!exists(server));
}

void TestCliRun::signalsReachTheWholeProcessGroup()
{
    LiveServer server;
    CliProcess cli;
    // The child holds the pipe open: without a signal of its own this would take an hour.
    cli.start(runCall("", "sleep 3600 & echo ready; wait", server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    send(cli, SIGTERM);
    QCOMPARE(cli.waitForEnd().exitCode, 128 + SIGTERM);
}

void TestCliRun::whatCannotBeStartedIsReleased_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("not there") << QStringLiteral("no-such-program-here") << 127;
    QTest::newRow("not there, with a path") << QStringLiteral("/nonexistent/program") << 127;
    QTest::newRow("not executable") << QStringLiteral("/etc/passwd") << 126;
    QTest::newRow("a folder") << QStringLiteral("/tmp") << 126;
}

void TestCliRun::whatCannotBeStartedIsReleased()
{
    QFETCH(const QString, program);
    QFETCH(const int, exitCode);
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(words("run --key lock:a") + urlOption(server.endpoint())
                                     + QStringList{QStringLiteral("--"), program});
    QCOMPARE(result.exitCode, exitCode);
    QVERIFY2(result.diagnostics.contains("cannot be started"), result.diagnostics.constData());
    QVERIFY(!exists(server));
    QVERIFY(server.callCount("set") >= 1); // it had the lock
}

void TestCliRun::somebodyElseHasIt()
{
    LiveServer server;
    server.client()("SET", "lock:a", kOther);
    CliProcess cli;
    const CliResult result = cli.run(runCall("--wait 300ms", "echo ran", server.endpoint()));
    QCOMPARE(result.exitCode, 7);
    QCOMPARE(result.output, QByteArray());
    QCOMPARE(result.diagnostics,
             QByteArray("lockscope-cli: lock:a is held by another owner; not acquired within 300 "
                        "ms. The command was not started.\n"));
    QCOMPARE(*server.client()("GET", "lock:a").text(), kOther);
}

void TestCliRun::waitsUntilItIsFree()
{
    LiveServer server;
    server.client()("SET", "lock:a", kOther);
    CliProcess cli;
    cli.start(runCall("--wait 1m", "echo ran", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(server.callCount("set") >= 3, kPatienceMs); // it has been refused
    server.client()("DEL", "lock:a");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.output, QByteArray("ran\n"));
}

void TestCliRun::interruptedWhileWaiting()
{
    LiveServer server;
    server.client()("SET", "lock:a", kOther);
    CliProcess cli;
    cli.start(runCall("--wait 1h", "echo ran", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(server.callCount("set") >= 2, kPatienceMs);
    cli.interrupt();
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 128 + SIGINT);
    QCOMPARE(result.output, QByteArray());
}

void TestCliRun::aLostLockEndsTheCommand_data()
{
    QTest::addColumn<bool>("isTakenOver");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("deleted") << false << 4;
    QTest::newRow("taken over") << true << 3;
}

void TestCliRun::aLostLockEndsTheCommand()
{
    QFETCH(const bool, isTakenOver);
    QFETCH(const int, exitCode);
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("--lease 900ms",
                      "trap 'echo ended; exit 0' TERM; echo ready; "
                      "while :; do sleep 0.05; done",
                      server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    if (isTakenOver) {
        server.client()("SET", "lock:a", kOther);
    } else {
        server.client()("DEL", "lock:a");
    }
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, exitCode);
    QCOMPARE(result.output, QByteArray("ready\nended\n"));
    QVERIFY2(result.diagnostics.contains("the lock on lock:a is lost: "),
             result.diagnostics.constData());
    QCOMPARE(exists(server), isTakenOver); // the next holder's lock is left alone
}

void TestCliRun::whatIgnoresTheEndIsKilled()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("--lease 900ms --kill-after 200ms",
                      "trap '' TERM; echo ready; while :; do sleep 0.05; done", server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    server.client()("DEL", "lock:a");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 4);
    QVERIFY2(result.diagnostics.contains("SIGKILL.\n"), result.diagnostics.constData());
    QVERIFY2(result.diagnostics.contains("The command ended with 137"),
             result.diagnostics.constData());
}

void TestCliRun::descendantsEndAsWell()
{
    LiveServer server;
    CliProcess cli;
    // The command ends at once; its child ignores the wish and holds the pipe open.
    cli.start(runCall("--lease 900ms --kill-after 300ms",
                      "(trap '' TERM; while :; do sleep 0.05; done) & echo ready; wait",
                      server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    server.client()("DEL", "lock:a");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 4);
    QVERIFY2(result.diagnostics.contains("SIGKILL.\n"), result.diagnostics.constData());
}

void TestCliRun::aServerThatGoesAwayEndsTheCommand()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("--lease 900ms", "echo ready; sleep 3600", server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    server.kill();
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("the server was unreachable for longer than its lease"),
             result.diagnostics.constData());
}

void TestCliRun::aLockLostAtTheLastMomentIsSaid()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "default", "-client|tracking"); // no earlier news of the loss
    CliProcess cli;
    cli.start(runCall("--lease 1h", "echo ready; read line", server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    server.client()("DEL", "lock:a");
    cli.process().write("\n");
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 4);
    QVERIFY2(result.diagnostics.contains(
                 "the lock on lock:a was lost before the command ended: it was deleted"),
             result.diagnostics.constData());
}

void TestCliRun::withoutRenewalTheCommandEndsWithTheLease()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(runCall("--lease 1s --renew off --protocol set-nx-ex",
                                             "sleep 3600", server.endpoint()));
    QCOMPARE(result.exitCode, 4);
    QVERIFY2(result.diagnostics.contains("its lease expired"), result.diagnostics.constData());
}

void TestCliRun::aFlawedProtocolWarnsOnce()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(runCall("--protocol setnx-no-expiry", "exit 3",
                                             server.endpoint()));
    QCOMPARE(result.exitCode, 3);
    QCOMPARE(result.diagnostics.count("setnx-no-expiry is flawed: "), 1);
    QCOMPARE(result.diagnostics.count('\n'), 1);
}

void TestCliRun::anUnreachableServerStartsNothing()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("run --key lock:a --url unix:///nonexistent/redis.sock -- echo ran"));
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.diagnostics.contains("The command was not started."),
             result.diagnostics.constData());
}

void TestCliRun::aForcedReleaseEndsTheCommandAtOnce_data()
{
    QTest::addColumn<bool>("isTakenOver");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("released") << false << 4;
    QTest::newRow("taken over") << true << 3;
}

void TestCliRun::aForcedReleaseEndsTheCommandAtOnce()
{
    QFETCH(const bool, isTakenOver);
    QFETCH(const int, exitCode);
    LiveServer server;
    CliProcess cli;
    // The next renewal is in twenty minutes.
    cli.start(runCall("--lease 1h", "echo ready; exec sleep 3600", server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
    const Bytes token = *server.client()("GET", "lock:a").text();
    CliProcess operators;
    if (isTakenOver) {
        server.client()("SET", "lock:a", kOther);
    } else {
        const CliResult release = operators.run(words("release lock:a --follow 0s --owner")
                                                + QStringList{QString::fromStdString(token)}
                                                + urlOption(server.endpoint()));
        QCOMPARE(release.exitCode, 0);
    }
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, exitCode);
    QVERIFY2(result.diagnostics.contains("the lock on lock:a is lost"),
             result.diagnostics.constData());
}

/// From the release to the moment when the command, told by SIGTERM, looks at the clock.
void TestCliRun::aForcedReleaseIsHeardOfWithinASecond()
{
    using namespace std::chrono;
    constexpr int kRounds = 5;
    LiveServer server;
    std::vector<qint64> spentMs;
    for (int round = 0; round < kRounds; ++round) {
        CliProcess cli;
        cli.start(runCall("--lease 1h",
                          "trap 'date +%s%N; exit 0' TERM; echo ready; while :; do sleep 1; done & "
                          "wait",
                          server.endpoint()));
        QTRY_COMPARE_WITH_TIMEOUT(printed(cli), QByteArray("ready\n"), kPatienceMs);
        const auto releasedAt = system_clock::now().time_since_epoch();
        QCOMPARE(server.client()("DEL", "lock:a").integer(), 1);
        const CliResult result = cli.waitForEnd();
        const qint64 heardAtNs = result.output.split('\n').value(1).toLongLong();
        QVERIFY2(heardAtNs > 0, result.output.constData());
        spentMs.push_back(duration_cast<milliseconds>(nanoseconds(heardAtNs) - releasedAt).count());
    }
    std::ranges::sort(spentMs);
    qInfo("from a forced release to SIGTERM: median %lld ms, longest %lld ms of %d",
          spentMs[kRounds / 2], spentMs.back(), kRounds);
    QVERIFY(spentMs.back() < 1000);
}

void TestCliRun::nothingOutlivesAKilledProgram_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("count");
    const QByteArray deaf = "trap '' TERM; echo $$; while :; do sleep 0.05; done";
    QTest::newRow("the command") << QByteArray("echo $$; exec sleep 3600") << 1;
    QTest::newRow("that ignores SIGTERM") << deaf << 1;
    QTest::newRow("a grandchild") << QByteArray("echo $$; sh -c 'echo $$; sleep 3600; true' & wait")
                                  << 2;
    QTest::newRow("that ignores SIGTERM, too")
        << QByteArray("trap '' TERM; echo $$; sh -c 'echo $$; sleep 3600; true' & wait") << 2;
    QTest::newRow("that detached itself")
        << QByteArray("echo $$; setsid sh -c 'trap \"\" TERM; echo $$; sleep 3600; true' & wait")
        << 2;
}

void TestCliRun::nothingOutlivesAKilledProgram()
{
    QFETCH(const QByteArray, script);
    QFETCH(const int, count);
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("--kill-after 200ms", script.constData(), server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(!processesIn(printed(cli), count).empty(), kPatienceMs);
    const std::vector<pid_t> processes = processesIn(printed(cli), count);
    send(cli, SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(areGone(processes), kPatienceMs);
    QVERIFY(exists(server)); // the lock lasted longer
}

void TestCliRun::nothingGoesOnBehindAStoppedProgram()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("--lease 900ms", "echo $$; exec sleep 3600", server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(!processesIn(printed(cli), 1).empty(), kPatienceMs);
    const std::vector<pid_t> processes = processesIn(printed(cli), 1);
    send(cli, SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(areGone(processes), kPatienceMs);
    send(cli, SIGCONT);
    const CliResult result = cli.waitForEnd();
    QVERIFY(result.exitCode != 0);
    QVERIFY2(result.diagnostics.contains("no renewal of the lock was reported")
                 || result.diagnostics.contains("is lost"),
             result.diagnostics.constData());
}

void TestCliRun::theLockIsKeptForWhatTheCommandLeavesBehind()
{
    LiveServer server;
    CliProcess cli;
    QTemporaryDir directory;
    const QByteArray pipe = QFile::encodeName(directory.filePath(QStringLiteral("pipe")));
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    const QByteArray script = "cat " + pipe + " & exit 3";
    cli.start(runCall("", script.constData(), server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(
        cli.diagnostics().contains("The command ended with 3 and left process "), kPatienceMs);
    QVERIFY(exists(server));
    std::ofstream(pipe.constData()) << "done\n";
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 3);
    QCOMPARE(result.output, QByteArray("done\n"));
    QVERIFY(!exists(server));
}

void TestCliRun::whatDetachedItselfIsNamed()
{
    LiveServer server;
    CliProcess cli;
    cli.start(runCall("", "setsid sh -c 'echo $$; exec sleep 3600 >/dev/null 2>&1' & read line",
                      server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(!processesIn(printed(cli), 1).empty(), kPatienceMs);
    const pid_t detached = processesIn(printed(cli), 1).front();
    cli.process().write("\n");
    const CliResult result = cli.waitForEnd();
    const QByteArray news = "process " + QByteArray::number(detached)
                            + ", detached by the command, will continue without the lock";
    QVERIFY2(result.diagnostics.contains(news), result.diagnostics.constData());
    QVERIFY(!exists(server));
    ::kill(detached, SIGKILL);
}

void TestCliRun::thePasswordStaysHere()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "runner", "on", ">hunter2", "~*", "&*", "+@all");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "runner";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("hunter2"));
    // Its own environment, and that of those who started it.
    const CliResult result =
        cli.run(runCall("",
                        "env; p=$PPID; cat /proc/$p/environ; read -r x x x p x < /proc/$p/stat; "
                        "cat /proc/$p/environ /proc/$p/cmdline",
                        endpoint));
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.output.contains("LOCKSCOPE_TOKEN="));
    QVERIFY2(!result.output.contains("hunter2"), result.output.constData());
}

LOCKSCOPE_TEST(TestCliRun, Core)

} // namespace lockscope::tst_cli_run

#include "tst_cli_run.moc"
