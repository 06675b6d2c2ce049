#include "core/wire/connection/ssh_process.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_ssh_process {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace wire;
using store::Problem;

/// With a real ssh: see tst_live_ssh.
class TestSshProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsCalledForTheServer_data();
    void itIsCalledForTheServer();
    void itGivesUpBeforeWeDo();
    void itsWordsAreTheReason_data();
    void itsWordsAreTheReason();
};

void TestSshProcess::itIsCalledForTheServer_data()
{
    QTest::addColumn<QString>("sshHost");
    QTest::addColumn<QStringList>("destination");
    QTest::newRow("alias") << u"bastion"_s << QStringList{u"--"_s, u"bastion"_s};
    QTest::newRow("user") << u"ops@b.example"_s << QStringList{u"--"_s, u"ops@b.example"_s};
    QTest::newRow("port") << u"ops@b:2222"_s
                          << QStringList{u"-p"_s, u"2222"_s, u"--"_s, u"ops@b"_s};
    QTest::newRow("IPv6") << u"fe80::1"_s << QStringList{u"--"_s, u"fe80::1"_s};
    QTest::newRow("IPv6 with a port")
        << u"ops@[fe80::1%eth0]:22"_s
        << QStringList{u"-p"_s, u"22"_s, u"--"_s, u"ops@fe80::1%eth0"_s};
}

void TestSshProcess::itIsCalledForTheServer()
{
    QFETCH(const QString, sshHost);
    QFETCH(const QStringList, destination);
    store::Endpoint endpoint;
    endpoint.host = "::1";
    endpoint.port = 7000;
    endpoint.sshHost = sshHost.toStdString();
    const QStringList arguments = sshArguments(endpoint);
    QCOMPARE(arguments.last(destination.size()), destination);
    QVERIFY(arguments.contains(u"BatchMode=yes"_s)); // it asks nobody
    QCOMPARE(arguments[arguments.indexOf(u"-W"_s) + 1], u"[::1]:7000"_s);
}

void TestSshProcess::itGivesUpBeforeWeDo()
{
    store::Endpoint endpoint;
    endpoint.sshHost = "b";
    endpoint.connectTimeout = 5s;
    QVERIFY(sshArguments(endpoint).contains(u"ConnectTimeout=4"_s));
    endpoint.connectTimeout = 300ms;
    QVERIFY(sshArguments(endpoint).contains(u"ConnectTimeout=1"_s));
}

void TestSshProcess::itsWordsAreTheReason_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<Problem::Kind>("kind");
    QTest::addColumn<QString>("detail");
    QTest::newRow("nothing") << QString() << Problem::Kind::None << QString();
    QTest::newRow("a warning")
        << u"Warning: Permanently added 'b' to the list of known hosts.\r\n"_s
        << Problem::Kind::None << QString();
    QTest::newRow("unreachable") << u"ssh: connect to host b port 22: No route to host\r\n"_s
                                 << Problem::Kind::SshFailed
                                 << u"ssh: connect to host b port 22: No route to host"_s;
    QTest::newRow("beyond")
        << u"channel 0: open failed: connect failed: Connection refused\r\nstdio forwarding failed\r\n"_s
        << Problem::Kind::SshFailed
        << u"channel 0: open failed: connect failed: Connection refused; stdio forwarding failed"_s;
    QTest::newRow("no key") << u"ops@b: Permission denied (publickey).\n"_s
                            << Problem::Kind::SshRefused
                            << u"ops@b: Permission denied (publickey)."_s;
    QTest::newRow("unknown host") << u"Host key verification failed.\n"_s
                                  << Problem::Kind::SshRefused
                                  << u"Host key verification failed."_s;
}

void TestSshProcess::itsWordsAreTheReason()
{
    QFETCH(const QString, words);
    QFETCH(const QString, detail);
    const Problem problem = problemOfSsh(words);
    QTEST(problem.kind, "kind");
    QCOMPARE(QString::fromStdString(problem.detail), detail);
    QCOMPARE(store::isPassing(problem), problem.kind != Problem::Kind::SshRefused);
}

LOCKSCOPE_TEST(TestSshProcess, Core)

} // namespace lockscope::tst_ssh_process

#include "tst_ssh_process.moc"
