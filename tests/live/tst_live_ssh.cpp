#include "tests/kernel/text_in_failures.h"
#include "tests/live/release_bench.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/connection_attempt.h"
#include "tests/support/live/free_ports.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/sentinel_group.h"
#include "tests/support/live/ssh_host.h"
#include "tests/support/live/tls_server.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <memory>

namespace lockscope::tst_live_ssh {

using namespace lockscope::testing;
using namespace Qt::StringLiterals;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 60'000; // a login takes its time, with sanitizers more
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

Endpoint from(const std::string& sshHost, Endpoint endpoint)
{
    endpoint.sshHost = sshHost;
    endpoint.connectTimeout = endpoint.requestTimeout = std::chrono::seconds(30);
    return endpoint;
}

/// How many processes of the name this one has started and not reaped.
int childCount(const QByteArray& name)
{
    int count = 0;
    for (const QString& task :
         QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile children(u"/proc/self/task/%1/children"_s.arg(task));
        children.open(QIODevice::ReadOnly);
        for (const QByteArray& pid : children.readAll().split(' ')) {
            QFile comm(u"/proc/%1/comm"_s.arg(QString::fromLatin1(pid)));
            count += comm.open(QIODevice::ReadOnly) && comm.readAll().trimmed() == name ? 1 : 0;
        }
    }
    return count;
}

} // namespace

/// Servers behind a real sshd.
class TestLiveSsh : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void locksAreWatchedAndReleased();
    void jumpHostsAreThoseOfSsh();
    void tlsGoesThrough();
    void sentinelsAndTheirMasterAreBehindIt();
    void allMastersOfAClusterAreBehindIt();
    void whatSshSaysIsTheReason_data();
    void whatSshSaysIsTheReason();
    void theWatchComesBack();
    void noProcessIsLeft();

private:
    std::unique_ptr<SshHost> m_host;
    std::unique_ptr<ReleaseBench> m_bench;
};

void TestLiveSsh::initTestCase()
{
    if (!LiveServer::isInstalled() || !SshHost::canBeStarted()) {
        QSKIP("redis-server or sshd is not installed");
    }
    m_host = std::make_unique<SshHost>();
    m_bench.reset(new ReleaseBench{LiveServer(LiveServer::Listen::LoopbackPort), {}});
}

void TestLiveSsh::cleanupTestCase()
{
    m_bench.reset();
    m_host.reset();
}

void TestLiveSsh::locksAreWatchedAndReleased()
{
    const Endpoint endpoint = from("bastion", m_bench->server.endpoint());
    m_bench->server.client()("SET", "order:lock", kAlice, "PX", 600'000);
    LiveWatch watch({endpoint});
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") == kAlice, kPatienceMs);
    QVERIFY(m_host->loginCount() > 0);
    m_bench->open(endpoint);
    const inspect::ReleaseReport report = m_bench->executed(m_bench->plan("order:lock"));
    QCOMPARE(report.result, inspect::ReleaseResult::Released);
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") != kAlice, kPatienceMs);
    QVERIFY(!m_bench->exists("order:lock"));
    m_bench->desk.reset(); // with its connection
}

void TestLiveSsh::jumpHostsAreThoseOfSsh()
{
    const int before = m_host->loginCount();
    QCOMPARE(attemptToConnect(from("inner", m_bench->server.endpoint())).kind, Problem::Kind::None);
    QTRY_COMPARE_WITH_TIMEOUT(m_host->loginCount(), before + 2, kPatienceMs); // one in the other
}

void TestLiveSsh::tlsGoesThrough()
{
    if (!TestCertificates::canBeMade()) {
        QSKIP("openssl is not installed");
    }
    TestCertificates certificates;
    certificates.makeAuthority(u"ours"_s);
    certificates.issue(u"server"_s, u"ours"_s, u"DNS:localhost,IP:127.0.0.1"_s);
    const TlsServer server(certificates, u"server"_s, u"no"_s);
    Endpoint endpoint;
    endpoint.transport = Endpoint::Transport::Tls;
    endpoint.port = server.port;
    QCOMPARE(attemptToConnect(from("bastion", endpoint)).kind, Problem::Kind::TlsUnknownAuthority);
    endpoint.tls.caFile = certificates.certificate(u"ours"_s).toStdString();
    QCOMPARE(attemptToConnect(from("bastion", endpoint)).kind, Problem::Kind::None);
    endpoint.tls.serverName = "elsewhere.example";
    QCOMPARE(attemptToConnect(from("bastion", endpoint)).kind, Problem::Kind::TlsWrongName);
}

void TestLiveSsh::sentinelsAndTheirMasterAreBehindIt()
{
    SentinelGroup group;
    const int before = m_host->loginCount();
    QCOMPARE(attemptToConnect(from("bastion", group.endpoint())).kind, Problem::Kind::None);
    QVERIFY(m_host->loginCount() >= before + 2); // at least a Sentinel, and the master
}

void TestLiveSsh::allMastersOfAClusterAreBehindIt()
{
    ClusterGroup group(ClusterGroup::Replicas::None);
    std::vector<std::string> locks;
    for (std::size_t i = 0; i < ClusterGroup::kMasterCount; ++i) {
        locks.push_back(group.lockOn(i));
        group.ask(i, store::Command("SET", locks.back(), kAlice, "PX", 600'000));
    }
    const int before = m_host->loginCount();
    LiveWatch watch({from("bastion", group.endpoint())});
    QTRY_VERIFY_WITH_TIMEOUT(watch.isOnline() && watch.rowCount() == locks.size(), kPatienceMs);
    QVERIFY(m_host->loginCount() >= before + 3); // one for each of them at least
    LiveDesk desk({from("bastion", group.endpoint())});
    const quint64 inspection = desk.desk().inspectToRelease({0, locks[1]});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QCOMPARE(desk.report(release)->result, inspect::ReleaseResult::Released);
    QTRY_VERIFY_WITH_TIMEOUT(watch.rowCount() == locks.size() - 1, kPatienceMs);
}

void TestLiveSsh::whatSshSaysIsTheReason_data()
{
    QTest::addColumn<std::string>("host");
    QTest::addColumn<bool>("isServerThere");
    QTest::addColumn<Problem::Kind>("kind");
    QTest::addColumn<std::string>("words");
    QTest::newRow("unknown host") << std::string("stranger") << true << Problem::Kind::SshRefused
                                  << std::string("Host key verification failed.");
    QTest::newRow("key not accepted") << std::string("nobody") << true << Problem::Kind::SshRefused
                                      << std::string("Permission denied (publickey).");
    QTest::newRow("no such machine")
        << std::string("machine.invalid") << true << Problem::Kind::SshFailed
        << std::string("Could not resolve hostname machine.invalid");
    QTest::newRow("nothing listens beyond")
        << std::string("bastion") << false << Problem::Kind::SshFailed
        << std::string("connect failed: Connection refused");
}

void TestLiveSsh::whatSshSaysIsTheReason()
{
    QFETCH(const std::string, host);
    QFETCH(const bool, isServerThere);
    QFETCH(const std::string, words);
    Endpoint endpoint = m_bench->server.endpoint();
    if (!isServerThere) {
        endpoint.port = freePort();
    }
    const Problem problem = attemptToConnect(from(host, endpoint));
    QTEST(problem.kind, "kind");
    QVERIFY2(problem.detail.find(words) != std::string::npos, problem.detail.c_str());
}

void TestLiveSsh::theWatchComesBack()
{
    m_bench->server.client()("SET", "order:lock", kAlice, "PX", 600'000);
    LiveWatch watch({from("bastion", m_bench->server.endpoint())});
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") == kAlice, kPatienceMs);
    m_host->kill();
    QTRY_VERIFY_WITH_TIMEOUT(!watch.isOnline() && !watch.row("order:lock")->isConfirmed,
                             kPatienceMs);
    m_host->start();
    QTRY_VERIFY_WITH_TIMEOUT(watch.isOnline() && watch.row("order:lock")->isConfirmed, kPatienceMs);
}

void TestLiveSsh::noProcessIsLeft()
{
    {
        LiveWatch watch({from("bastion", m_bench->server.endpoint())});
        QTRY_VERIFY_WITH_TIMEOUT(watch.isOnline(), kPatienceMs);
        QVERIFY(childCount("ssh") > 0);
    }
    QTRY_COMPARE_WITH_TIMEOUT(childCount("ssh"), 0, kPatienceMs);
}

LOCKSCOPE_TEST(TestLiveSsh, Core)

} // namespace lockscope::tst_live_ssh

#include "tst_live_ssh.moc"
