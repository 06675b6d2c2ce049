#include "core/conduct/client_process.h"
#include "core/wire/process_tree.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lockscope::tst_client_process {

using conduct::ClientProcess;

namespace {

constexpr int kPatienceMs = 10'000;

ClientProcess::Setting shell(const std::string& text)
{
    ClientProcess::Setting setting;
    setting.words = {"sh", "-c", text};
    return setting;
}

/// Lines come when they come.
class Listener {
public:
    explicit Listener(ClientProcess& process) : m_process(process) {}

    std::string nextLine() { return next(m_lines, &ClientProcess::takeLines); }
    std::string nextErrorLine() { return next(m_errors, &ClientProcess::takeErrorLines); }

private:
    using Take = std::vector<std::string> (ClientProcess::*)();

    std::string next(std::vector<std::string>& lines, Take take)
    {
        const auto came = [&] {
            const auto more = (m_process.*take)();
            lines.insert(lines.end(), more.begin(), more.end());
            return !lines.empty();
        };
        if (!QTest::qWaitFor(came, kPatienceMs)) {
            return "nothing";
        }
        std::string line = lines.front();
        lines.erase(lines.begin());
        return line;
    }

    ClientProcess& m_process;
    std::vector<std::string> m_lines;
    std::vector<std::string> m_errors;
};

bool isThere(pid_t process)
{
    const auto entry = wire::processEntry(process);
    return entry && !entry->isOver;
}

bool ends(pid_t process)
{
    return QTest::qWaitFor([process] { return !isThere(process); }, kPatienceMs);
}

/// A client that starts one that leaves its process group, and says who that is.
const std::string kWithGrandchild = "setsid sleep 1000 & echo $!; cat";

} // namespace

class TestClientProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void linesGoThereAndBack();
    void errorsComeApart();
    void whatIsNoUtf8IsEscaped();
    void halfALineWaitsForItsEnd();
    void variablesAreItsOwn();
    void itsFolderGoesWithIt();
    void whatIsNoProgramIsNotStarted();
    void whoStandsStillAnswersLater();
    void itComesToRest();
    void workIsNotWaiting();
    void killingEndsWhateverBelongsToIt();
    void itsEndEndsWhateverBelongsToIt();
    void whoEndsByItselfIsGone();
    void nothingSurvivesTheDeathOfThisProgram();
    void nothingSurvivesTheDeathOfTheGuard();
};

void TestClientProcess::initTestCase()
{
    std::signal(SIGPIPE, SIG_IGN); // as a conductor does
}

void TestClientProcess::linesGoThereAndBack()
{
    ClientProcess process(shell("while read line; do echo \"got $line\"; done"));
    Listener listener(process);
    process.say("one");
    process.say("two words");
    QCOMPARE(listener.nextLine(), std::string("got one"));
    QCOMPARE(listener.nextLine(), std::string("got two words"));
    QVERIFY(isThere(process.id()));
    QVERIFY(!process.isGone());
}

void TestClientProcess::errorsComeApart()
{
    ClientProcess process(shell("echo out; echo oops >&2; cat"));
    Listener listener(process);
    QCOMPARE(listener.nextErrorLine(), std::string("oops"));
    QCOMPARE(listener.nextLine(), std::string("out"));
}

/// Reports are UTF-8, whatever a program writes.
void TestClientProcess::whatIsNoUtf8IsEscaped()
{
    ClientProcess process(shell("printf 'caf\\351\\n'; printf '\\303\\251\\t\\n' >&2; cat"));
    Listener listener(process);
    QCOMPARE(listener.nextLine(), std::string("caf\\xe9"));
    QCOMPARE(listener.nextErrorLine(), std::string("é\t"));
}

void TestClientProcess::halfALineWaitsForItsEnd()
{
    ClientProcess process(shell("printf 'whole\\nha'; read line; printf 'lf\\n'; cat"));
    Listener listener(process);
    QCOMPARE(listener.nextLine(), std::string("whole"));
    QVERIFY(process.takeLines().empty());
    process.say("go on");
    QCOMPARE(listener.nextLine(), std::string("half"));
}

void TestClientProcess::variablesAreItsOwn()
{
    ::setenv("LOCKSCOPE_TEST_KEPT", "ours", 1);
    ::setenv("LOCKSCOPE_TEST_SET", "ours", 1);
    ClientProcess::Setting setting = shell(
        "echo \"$LOCKSCOPE_TEST_KEPT $LOCKSCOPE_TEST_SET\"; env | grep -c ^LOCKSCOPE_TEST_SET; "
        "cat");
    setting.variables = {{"LOCKSCOPE_TEST_SET", "its own"}};
    ClientProcess process(setting);
    Listener listener(process);
    QCOMPARE(listener.nextLine(), std::string("ours its own"));
    QCOMPARE(listener.nextLine(), std::string("1"));
    QCOMPARE(qgetenv("LOCKSCOPE_TEST_SET"), QByteArray("ours"));
}

void TestClientProcess::itsFolderGoesWithIt()
{
    auto process = std::make_unique<ClientProcess>(shell("echo $TMPDIR; touch $TMPDIR/left; cat"));
    const QString folder = QString::fromStdString(Listener(*process).nextLine());
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(folder + u"/left"_qs); }, kPatienceMs));
    process.reset();
    QVERIFY(!QFileInfo::exists(folder));
}

void TestClientProcess::whatIsNoProgramIsNotStarted()
{
    ClientProcess::Setting setting;
    setting.words = {"/there/is/no/such/program"};
    try {
        const ClientProcess process(setting);
        QFAIL("it was started");
    } catch (const std::system_error& error) {
        QCOMPARE(error.code().value(), ENOENT);
        QVERIFY(std::string(error.what()).find("/there/is/no/such/program") != std::string::npos);
    }
}

void TestClientProcess::whoStandsStillAnswersLater()
{
    ClientProcess process(shell("echo ready; while read line; do echo \"got $line\"; done"));
    Listener listener(process);
    QCOMPARE(listener.nextLine(), std::string("ready"));
    process.stop();
    QVERIFY(process.isStopped());
    process.say("later");
    QVERIFY(process.isAtRest());
    QVERIFY(process.takeLines().empty());
    process.goOn();
    QVERIFY(!process.isStopped());
    QCOMPARE(listener.nextLine(), std::string("got later"));
}

void TestClientProcess::itComesToRest()
{
    ClientProcess process(shell("read line; while :; do :; done"));
    QVERIFY(QTest::qWaitFor([&process] { return process.isAtRest(); }, kPatienceMs));
    process.say("go");
    QVERIFY(QTest::qWaitFor([&process] { return !process.isAtRest(); }, kPatienceMs));
}

/// Who turns round and round works; who waits for us, however long, does not.
void TestClientProcess::workIsNotWaiting()
{
    ClientProcess process(shell("echo up; read line; while :; do :; done"));
    QCOMPARE(Listener(process).nextLine(), std::string("up"));
    QVERIFY(QTest::qWaitFor([&] { return process.isAtRest(); }, kPatienceMs));
    const Duration before = process.workTime();
    QVERIFY(before > Duration(0));
    QVERIFY(process.workTime() < before + std::chrono::milliseconds(50));
    process.say("go");
    QVERIFY(QTest::qWaitFor(
        [&] { return process.workTime() > before + std::chrono::seconds(1) / 10; }, kPatienceMs));
}

void TestClientProcess::killingEndsWhateverBelongsToIt()
{
    ClientProcess process(shell(kWithGrandchild));
    const auto grandchild = static_cast<pid_t>(std::stoi(Listener(process).nextLine()));
    QVERIFY(isThere(grandchild));
    process.kill();
    // Not only told to end.
    QVERIFY(!isThere(process.id()));
    QVERIFY(!isThere(grandchild));
    QVERIFY(process.isGone());
    process.say("is anybody there");
    process.kill();
}

void TestClientProcess::itsEndEndsWhateverBelongsToIt()
{
    auto process = std::make_unique<ClientProcess>(shell(kWithGrandchild));
    const auto grandchild = static_cast<pid_t>(std::stoi(Listener(*process).nextLine()));
    const pid_t client = process->id();
    process->stop(); // those that stand still, too
    process.reset();
    QVERIFY(!isThere(client));
    QVERIFY(!isThere(grandchild));
}

void TestClientProcess::whoEndsByItselfIsGone()
{
    ClientProcess process(shell("setsid sleep 1000 & echo $!; read line"));
    const auto grandchild = static_cast<pid_t>(std::stoi(Listener(process).nextLine()));
    QVERIFY(!process.isGone());
    process.say("go");
    QVERIFY(QTest::qWaitFor([&process] { return process.isGone(); }, kPatienceMs));
    QVERIFY(!isThere(grandchild));
}

void TestClientProcess::nothingSurvivesTheDeathOfThisProgram()
{
    const QTemporaryDir folder;
    std::array<int, 2> said{};
    QCOMPARE(::pipe(said.data()), 0);
    const pid_t conductor = ::fork();
    if (conductor == 0) {
        ::setenv("TMPDIR", folder.path().toStdString().c_str(), 1);
        ClientProcess process(shell(kWithGrandchild));
        const std::array<pid_t, 2> ids{process.id(),
                                       static_cast<pid_t>(std::stoi(Listener(process).nextLine()))};
        [[maybe_unused]] const ssize_t count = ::write(said[1], ids.data(), sizeof(ids));
        ::pause();
        ::_exit(0);
    }
    ::close(said[1]);
    std::array<pid_t, 2> ids{};
    const bool isHeard = ::read(said[0], ids.data(), sizeof(ids)) == sizeof(ids);
    ::close(said[0]);
    const bool wereThere = isHeard && isThere(ids[0]) && isThere(ids[1]);
    ::kill(conductor, SIGKILL);
    ::waitpid(conductor, nullptr, 0);
    QVERIFY(wereThere);
    QVERIFY(ends(ids[0]));
    QVERIFY(ends(ids[1]));
}

void TestClientProcess::nothingSurvivesTheDeathOfTheGuard()
{
    ClientProcess process(shell("echo ready; cat"));
    Listener listener(process);
    QCOMPARE(listener.nextLine(), std::string("ready"));
    const auto entry = wire::processEntry(process.id());
    QVERIFY(entry && entry->parent != ::getpid());
    ::kill(entry->parent, SIGKILL);
    QVERIFY(ends(process.id()));
    QVERIFY(QTest::qWaitFor([&process] { return process.isGone(); }, kPatienceMs));
}

LOCKSCOPE_TEST(TestClientProcess, Core)

} // namespace lockscope::tst_client_process

#include "tst_client_process.moc"
