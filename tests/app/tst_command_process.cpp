#include "app/cli/process/command_process.h"
#include "app/cli/process/signal_relay.h"
#include "core/wire/loop_clock.h"
#include "core/wire/process_tree.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace lockscope::tst_command_process {

using namespace lockscope::cli;
using namespace std::chrono_literals;

namespace {

/// A command in a shell.
class ShellCommand {
public:
    explicit ShellCommand(Duration killAfter = 1h) : m_process(killAfter) {}

    int start(const std::string& script, const CommandProcess::Variables& variables = {},
              std::optional<Instant> trustedUntil = std::nullopt)
    {
        return m_process.start({"sh", "-c", script}, variables, trustedUntil);
    }
    /// -1 before its end.
    int exitCode() const { return m_process.exitCode().value_or(-1); }
    CommandProcess* operator->() { return &m_process; }

private:
    CommandProcess m_process;
};

QByteArray contentOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The process whose number is in the file; 0: not yet.
pid_t processIn(const QString& name)
{
    const QByteArray content = contentOf(name);
    return content.endsWith('\n') ? content.trimmed().toInt() : 0;
}

bool isStopped(const QString& pidFile)
{
    return contentOf(QStringLiteral("/proc/%1/stat").arg(processIn(pidFile))).contains(") T ");
}

bool isThere(pid_t process)
{
    const auto entry = wire::processEntry(process);
    return entry && !entry->isOver;
}

} // namespace

class TestCommandProcess final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theExitCodeIsThatOfAShell_data();
    void theExitCodeIsThatOfAShell();
    void whatIsNotThereSaysWhy();
    void variablesReplaceThoseOfTheEnvironment();
    void signalsAreAtTheirDefaults();
    void aStoppedCommandHearsTheSignal();
    void secretsStayHere();
    void filesOfTheCallerAreTheCommands();
    void itIsNotOverBeforeWhatItStarted();
    void whatDetachedItselfMayGoOn();
    void theEndReachesEverybody_data();
    void theEndReachesEverybody();
    void whatIsNotSaidToBeRenewedIsEnded();
    void aKilledGuardIsReplaced();
    void theEndOfTheCallerEndsTheCommand();
};

void TestCommandProcess::theExitCodeIsThatOfAShell_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("success") << std::string("true") << 0;
    QTest::newRow("failure") << std::string("exit 200") << 200;
    QTest::newRow("signal") << std::string("kill -HUP $$") << 128 + SIGHUP;
}

void TestCommandProcess::theExitCodeIsThatOfAShell()
{
    QFETCH(const std::string, script);
    QFETCH(const int, exitCode);
    ShellCommand command;
    QCOMPARE(command.start(script), 0);
    QTRY_COMPARE(command.exitCode(), exitCode);
    QTRY_VERIFY(command->isOver());
}

void TestCommandProcess::whatIsNotThereSaysWhy()
{
    CommandProcess process(1h);
    QCOMPARE(process.start({"/nonexistent/program"}, {}), ENOENT);
    QVERIFY(!process.isStarted());
    process.signalGroup(SIGTERM); // reaches no process
}

void TestCommandProcess::variablesReplaceThoseOfTheEnvironment()
{
    const QTemporaryDir directory;
    const QString file = directory.filePath(QStringLiteral("out"));
    qputenv("LOCKSCOPE_KEY", "old");
    ShellCommand command;
    QCOMPARE(command.start("env | grep '^LOCKSCOPE_KEY' > " + file.toStdString(),
                           {{"LOCKSCOPE_KEY", "new"}}),
             0);
    QTRY_COMPARE(command.exitCode(), 0);
    QCOMPARE(contentOf(file), QByteArray("LOCKSCOPE_KEY=new\n"));
    qunsetenv("LOCKSCOPE_KEY");
}

void TestCommandProcess::signalsAreAtTheirDefaults()
{
    const QTemporaryDir directory;
    const QString file = directory.filePath(QStringLiteral("out"));
    const auto before = ::signal(SIGPIPE, SIG_IGN); // as the program does it
    Output output(STDOUT_FILENO, STDERR_FILENO);
    const SignalRelay blocked({SIGINT, SIGTERM, SIGUSR1}, output);
    ShellCommand command;
    QCOMPARE(command.start("grep SigBlk /proc/self/status > " + file.toStdString()
                           + "; kill -PIPE $$"),
             0);
    QTRY_COMPARE(command.exitCode(), 128 + SIGPIPE);
    ::signal(SIGPIPE, before);
    QCOMPARE(contentOf(file), QByteArray("SigBlk:\t0000000000000000\n"));
}

void TestCommandProcess::aStoppedCommandHearsTheSignal()
{
    const QTemporaryDir directory;
    const QString name = directory.filePath(QStringLiteral("pid"));
    ShellCommand command;
    QCOMPARE(command.start("echo $$ > " + name.toStdString() + "; kill -STOP $$"), 0);
    QTRY_VERIFY(isStopped(name));
    command->signalGroup(SIGTERM);
    QTRY_COMPARE(command.exitCode(), 128 + SIGTERM);
}

void TestCommandProcess::secretsStayHere()
{
    const QTemporaryDir directory;
    const QString file = directory.filePath(QStringLiteral("out"));
    qputenv("LOCKSCOPE_PASSWORD", "hunter2");
    qputenv("LOCKSCOPE_KEY_PASSPHRASE", "hunter2");
    qputenv("LOCKSCOPE_SENTINEL_PASSWORD", "hunter2");
    ShellCommand command;
    QCOMPARE(command.start("env > " + file.toStdString()), 0);
    qunsetenv("LOCKSCOPE_PASSWORD");
    qunsetenv("LOCKSCOPE_KEY_PASSPHRASE");
    qunsetenv("LOCKSCOPE_SENTINEL_PASSWORD");
    QTRY_COMPARE(command.exitCode(), 0);
    QVERIFY(contentOf(file).contains("PATH="));
    QVERIFY(!contentOf(file).contains("hunter2"));
}

void TestCommandProcess::filesOfTheCallerAreTheCommands()
{
    const QTemporaryDir directory;
    const QString name = directory.filePath(QStringLiteral("out"));
    const int file = ::open(QFile::encodeName(name).constData(), O_CREAT | O_WRONLY, 0600);
    ShellCommand command;
    QCOMPARE(command.start("echo hello > /proc/self/fd/" + std::to_string(file)), 0);
    QTRY_COMPARE(command.exitCode(), 0);
    ::close(file);
    QCOMPARE(contentOf(name), QByteArray("hello\n"));
}

void TestCommandProcess::itIsNotOverBeforeWhatItStarted()
{
    ShellCommand command;
    QSignalSpy waiting(command.operator->(), &CommandProcess::waiting);
    QCOMPARE(command.start("sleep 3600 & exit 7"), 0);
    QTRY_COMPARE(waiting.size(), 1);
    QCOMPARE(command.exitCode(), 7);
    QVERIFY(!command->isOver());
    command->signalGroup(SIGTERM);
    QTRY_VERIFY(command->isOver());
    QCOMPARE(command.exitCode(), 7);
}

void TestCommandProcess::whatDetachedItselfMayGoOn()
{
    const QTemporaryDir directory;
    const QString name = directory.filePath(QStringLiteral("pid"));
    ShellCommand command;
    CommandProcess::Others left;
    QObject::connect(command.operator->(), &CommandProcess::over,
                     [&left](const CommandProcess::Others& others) { left = others; });
    QCOMPARE(command.start("setsid sh -c 'echo $$ > " + name.toStdString()
                           + "; exec sleep 3600' & while ! test -s " + name.toStdString()
                           + "; do sleep 0.01; done"),
             0);
    QTRY_VERIFY(command->isOver());
    QCOMPARE(left.count, 1);
    QCOMPARE(left.example, processIn(name));
    QVERIFY(isThere(left.example));
    ::kill(left.example, SIGKILL);
}

void TestCommandProcess::theEndReachesEverybody_data()
{
    QTest::addColumn<std::string>("how");
    QTest::newRow("a child") << std::string("sh -c");
    QTest::newRow("a child that detached itself") << std::string("setsid sh -c");
    QTest::newRow("an orphan") << std::string("setsid setsid sh -c");
}

void TestCommandProcess::theEndReachesEverybody()
{
    QFETCH(const std::string, how);
    const QTemporaryDir directory;
    const QString name = directory.filePath(QStringLiteral("pid"));
    ShellCommand command(200ms);
    QCOMPARE(command.start(how + " 'trap \"\" TERM; echo $$ > " + name.toStdString()
                           + "; while :; do sleep 0.05; done' & sleep 3600"),
             0);
    QTRY_VERIFY(processIn(name) > 0);
    const pid_t child = processIn(name);
    QSignalSpy killed(command.operator->(), &CommandProcess::killed);
    command->end();
    QTRY_VERIFY(command->isOver());
    QVERIFY(!isThere(child));
    QCOMPARE(killed.size(), 1);
}

void TestCommandProcess::whatIsNotSaidToBeRenewedIsEnded()
{
    ShellCommand command;
    QSignalSpy ended(command.operator->(), &CommandProcess::trustEnded);
    const Instant now = wire::LoopClock::present();
    QCOMPARE(command.start("sleep 3600", {}, now + 1h), 0);
    command->trustUntil(now + 100ms);
    QTRY_VERIFY(command->isOver());
    QCOMPARE(ended.size(), 1);
    QCOMPARE(command.exitCode(), 128 + SIGTERM);
}

void TestCommandProcess::aKilledGuardIsReplaced()
{
    const QTemporaryDir directory;
    const QString name = directory.filePath(QStringLiteral("pid"));
    const QString guardName = directory.filePath(QStringLiteral("guard"));
    ShellCommand command;
    QCOMPARE(command.start("echo $PPID > " + guardName.toStdString() + "; sh -c 'echo $$ > "
                           + name.toStdString() + "; exec sleep 3600' & wait"),
             0);
    QTRY_VERIFY(processIn(name) > 0);
    const pid_t child = processIn(name);
    QVERIFY(processIn(guardName) > 0);
    ::kill(processIn(guardName), SIGKILL);
    QTRY_VERIFY(command->isOver());
    QCOMPARE(command.exitCode(), 128 + SIGKILL);
    QVERIFY(!isThere(child));
}

void TestCommandProcess::theEndOfTheCallerEndsTheCommand()
{
    const QTemporaryDir directory;
    const QString name = directory.filePath(QStringLiteral("pid"));
    pid_t child = 0;
    {
        ShellCommand command(0s);
        QCOMPARE(command.start("echo $$ > " + name.toStdString() + "; exec sleep 3600"), 0);
        QTRY_VERIFY(processIn(name) > 0);
        child = processIn(name);
        QVERIFY(isThere(child));
    }
    QVERIFY(!isThere(child));
}

LOCKSCOPE_TEST(TestCommandProcess, Core)

} // namespace lockscope::tst_command_process

#include "tst_command_process.moc"
