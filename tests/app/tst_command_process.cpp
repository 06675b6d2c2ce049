#include "cli/command_process.h"
#include "cli/signal_relay.h"
#include "kernel/text_in_failures.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>

using namespace lockscope;
using namespace lockscope::cli;

namespace {

/// A command in a shell. Nobody tells of its end here: a thread of Qt Test gets the signal.
class ShellCommand {
public:
    int start(const std::string& script, const CommandProcess::Variables& variables = {})
    {
        return m_process.start({"sh", "-c", script}, variables);
    }
    /// -1 before its end.
    int exitCode()
    {
        m_process.reap();
        return m_process.exitCode().value_or(-1);
    }
    bool isGroupGone()
    {
        m_process.reap();
        return m_process.isGroupGone();
    }
    void signalGroup(int signalNumber) { m_process.signalGroup(signalNumber); }

private:
    CommandProcess m_process;
};

QByteArray contentOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The process whose number is in the file.
bool isStopped(const QString& pidFile)
{
    const QString process = QString::fromUtf8(contentOf(pidFile).trimmed());
    return contentOf(QStringLiteral("/proc/%1/stat").arg(process)).contains(") T ");
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
    void theGroupLivesAsLongAsItsLastMember();
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
    QTRY_VERIFY(command.isGroupGone());
}

void TestCommandProcess::whatIsNotThereSaysWhy()
{
    CommandProcess process;
    QCOMPARE(process.start({"/nonexistent/program"}, {}), ENOENT);
    QVERIFY(!process.isStarted());
    process.signalGroup(SIGTERM); // reaches nobody
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
    const SignalRelay blocked({SIGINT, SIGTERM, SIGUSR1});
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
    command.signalGroup(SIGTERM);
    QTRY_COMPARE(command.exitCode(), 128 + SIGTERM);
}

void TestCommandProcess::theGroupLivesAsLongAsItsLastMember()
{
    ShellCommand command;
    QCOMPARE(command.start("sleep 3600 & exit 0"), 0);
    QTRY_COMPARE(command.exitCode(), 0);
    QVERIFY(!command.isGroupGone());
    command.signalGroup(SIGKILL);
    QTRY_VERIFY(command.isGroupGone());
}

QTEST_GUILESS_MAIN(TestCommandProcess)
#include "tst_command_process.moc"
