#include "core/conduct/rest.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

#include <unistd.h>

#include <csignal>

namespace lockscope::tst_rest {

using conduct::RestProbe;

namespace {

constexpr int kPatienceMs = 10'000;

/// A program that prints "ready" and then does what its test is about.
class Program {
public:
    Program(const QString& name, const QString& text) { m_process.start(name, {u"-c"_qs, text}); }
    ~Program()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    bool isReady()
    {
        const bool came = QTest::qWaitFor([this] { return m_process.canReadLine(); }, kPatienceMs);
        return came && m_process.readLine() == "ready\n";
    }
    void say(const char* line) { m_process.write(line); }
    void signal(int number) const { ::kill(id(), number); }
    void end()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    pid_t id() const { return static_cast<pid_t>(m_process.processId()); }

private:
    QProcess m_process;
};

Program shell(const QString& text)
{
    return Program(u"/bin/sh"_qs, text);
}

bool comesToRest(RestProbe& probe)
{
    return QTest::qWaitFor([&probe] { return probe.isAtRest(); }, kPatienceMs);
}

/// It is seen at work again and again: whoever is busy for a moment only is not.
bool staysBusy(RestProbe& probe)
{
    constexpr int kLooks = 20;
    int looks = 0;
    return QTest::qWaitFor([&] { return !probe.isAtRest() && ++looks > kLooks; }, kPatienceMs)
           && !probe.isAtRest();
}

} // namespace

class TestRest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoLooksIsBusy();
    void whoWaitsForALineIsAtRest();
    void whoComputesIsNot();
    void aBusyThreadIsSeenWhoeverWaits();
    void aThreadThatBeginsLaterIsSeen();
    void aBusyChildIsSeen();
    void whoIsStoppedStandsStill();
    void whoIsGoneIsAtRest();
};

void TestRest::whoLooksIsBusy()
{
    RestProbe probe(::getpid());
    QVERIFY(!probe.isAtRest());
    QVERIFY(!probe.isStandingStill());
}

void TestRest::whoWaitsForALineIsAtRest()
{
    Program program = shell(u"echo ready; read line"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(comesToRest(probe));
    QVERIFY(probe.isAtRest());
    QVERIFY(!probe.isStandingStill());
}

void TestRest::whoComputesIsNot()
{
    Program program = shell(u"echo ready; read line; while :; do :; done"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(comesToRest(probe));
    program.say("go\n");
    QVERIFY(staysBusy(probe));
}

void TestRest::aBusyThreadIsSeenWhoeverWaits()
{
    Program program(u"python3"_qs, u"import threading\n"
                                   "def spin():\n"
                                   "    while True: pass\n"
                                   "threading.Thread(target=spin, daemon=True).start()\n"
                                   "print('ready', flush=True)\n"
                                   "input()\n"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(staysBusy(probe));
}

void TestRest::aThreadThatBeginsLaterIsSeen()
{
    Program program(u"python3"_qs, u"import threading\n"
                                   "def spin():\n"
                                   "    while True: pass\n"
                                   "print('ready', flush=True)\n"
                                   "input()\n"
                                   "threading.Thread(target=spin, daemon=True).start()\n"
                                   "input()\n"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(comesToRest(probe));
    program.say("go\n");
    QVERIFY(staysBusy(probe));
}

void TestRest::aBusyChildIsSeen()
{
    Program program = shell(u"echo ready; read line; sh -c 'while :; do :; done' & "
                            "child=$!; read line; kill -9 $child; wait; read line"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(comesToRest(probe));
    program.say("go\n");
    QVERIFY(staysBusy(probe));
    program.say("stop\n");
    QVERIFY(comesToRest(probe));
}

void TestRest::whoIsStoppedStandsStill()
{
    Program program = shell(u"echo ready; while :; do :; done"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(!probe.isStandingStill());
    program.signal(SIGSTOP);
    QVERIFY(QTest::qWaitFor([&probe] { return probe.isStandingStill(); }, kPatienceMs));
    QVERIFY(probe.isAtRest());
    program.signal(SIGCONT);
    QVERIFY(staysBusy(probe));
    QVERIFY(!probe.isStandingStill());
}

void TestRest::whoIsGoneIsAtRest()
{
    Program program = shell(u"echo ready; while :; do :; done"_qs);
    QVERIFY(program.isReady());
    RestProbe probe(program.id());
    QVERIFY(!probe.isAtRest());
    program.end();
    QVERIFY(probe.isAtRest());
    QVERIFY(probe.isStandingStill());
}

LOCKSCOPE_TEST(TestRest, Core)

} // namespace lockscope::tst_rest

#include "tst_rest.moc"
