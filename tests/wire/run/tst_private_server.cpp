#include "core/wire/run/private_server.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace lockscope::tst_private_server {

using namespace lockscope::testing;
using wire::PrivateServer;

namespace {

constexpr int kPatienceMs = 30'000;
constexpr auto kCrashVariable = "LOCKSCOPE_START_A_SERVER_AND_CRASH";

/// A process that has ended may still wait for its parent to ask how.
bool isRunning(qint64 processId)
{
    QFile status(u"/proc/%1/stat"_qs.arg(processId));
    return status.open(QIODevice::ReadOnly) && !status.readAll().contains(") Z ");
}

/// What this program does when it is started by aServerDiesWithTheProgramThatCrashes().
void startAServerAndCrash()
{
    PrivateServer server;
    server.start();
    QVERIFY(server.waitUntilReady());
    std::fprintf(stderr, "%lld\n", static_cast<long long>(server.processId()));
    ::kill(::getpid(), SIGKILL);
}

} // namespace

class TestPrivateServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void itListensWhereItSays_data();
    void itListensWhereItSays();
    void readinessIsSignalled();
    void argumentsArePassedOn();
    void argumentsThatMakeNoSenseFail();
    void aKilledServerMayBeStartedAgainAtTheSamePlace_data();
    void aKilledServerMayBeStartedAgainAtTheSamePlace();
    void aFrozenServerIsSilentUntilItThaws();
    void nothingIsLeftBehind();
    void aServerDiesWithTheProgramThatCrashes();
};

void TestPrivateServer::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    if (qEnvironmentVariableIsSet(kCrashVariable)) {
        startAServerAndCrash();
    }
}

void TestPrivateServer::itListensWhereItSays_data()
{
    QTest::addColumn<PrivateServer::Listen>("listen");
    QTest::newRow("unix socket") << PrivateServer::Listen::UnixSocket;
    QTest::newRow("loopback port") << PrivateServer::Listen::LoopbackPort;
}

void TestPrivateServer::itListensWhereItSays()
{
    QFETCH(const PrivateServer::Listen, listen);
    PrivateServer server(listen);
    QVERIFY(!server.isReady());
    server.start();
    QVERIFY(server.waitUntilReady(kPatienceMs));
    QVERIFY(server.isReady());
    PlainClient client(server.endpoint());
    QCOMPARE(*client("PING").text(), std::string("PONG"));
    QCOMPARE((*client("CONFIG", "GET", "save").array())[1], store::Reply::ofBulk(""));
}

void TestPrivateServer::readinessIsSignalled()
{
    PrivateServer server;
    QSignalSpy ready(&server, &PrivateServer::ready);
    QSignalSpy failed(&server, &PrivateServer::failed);
    server.start();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    QCOMPARE(failed.size(), 0);
}

void TestPrivateServer::argumentsArePassedOn()
{
    LiveServer server(LiveServer::Listen::UnixSocket, {u"--databases"_qs, u"3"_qs});
    QVERIFY(server.client()("SELECT", 3).isError());
    QVERIFY(!server.client()("SELECT", 2).isError());
}

void TestPrivateServer::argumentsThatMakeNoSenseFail()
{
    PrivateServer server;
    QSignalSpy failed(&server, &PrivateServer::failed);
    server.start({u"--no-such-setting"_qs, u"1"_qs});
    QVERIFY(!server.waitUntilReady(kPatienceMs));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatienceMs);
    QVERIFY(!failed.front().front().toString().isEmpty());
}

void TestPrivateServer::aKilledServerMayBeStartedAgainAtTheSamePlace_data()
{
    itListensWhereItSays_data();
}

void TestPrivateServer::aKilledServerMayBeStartedAgainAtTheSamePlace()
{
    QFETCH(const PrivateServer::Listen, listen);
    LiveServer server(listen);
    const store::Endpoint before = server.endpoint();
    server.client()("SET", "k", "v");
    server.kill();
    QVERIFY(!server.process().isReady());
    server.restart();
    QVERIFY(server.endpoint() == before);
    QVERIFY(server.client()("GET", "k").isNil());
}

void TestPrivateServer::aFrozenServerIsSilentUntilItThaws()
{
    LiveServer server;
    server.process().freeze();
    server.client().send(store::Command("PING"));
    QVERIFY(!server.client().listen(100));
    server.process().thaw();
    QVERIFY(server.client().listen(kPatienceMs).has_value());
}

void TestPrivateServer::nothingIsLeftBehind()
{
    QString directory;
    qint64 processId = 0;
    {
        LiveServer server;
        directory = server.process().directory();
        processId = server.process().processId();
        QVERIFY(isRunning(processId));
        QVERIFY(QDir(directory).exists());
    }
    QVERIFY(!isRunning(processId));
    QVERIFY(!QDir(directory).exists());
}

void TestPrivateServer::aServerDiesWithTheProgramThatCrashes()
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(kCrashVariable), u"1"_qs);
    program.setProcessEnvironment(environment);
    program.start(QCoreApplication::applicationFilePath(), {u"tst_private_server"_qs});
    QVERIFY(program.waitForFinished(kPatienceMs));
    QCOMPARE(program.exitStatus(), QProcess::CrashExit);
    const qint64 processId = program.readAllStandardError().trimmed().toLongLong();
    QVERIFY(processId > 0);
    QTRY_VERIFY_WITH_TIMEOUT(!isRunning(processId), kPatienceMs);
}

LOCKSCOPE_TEST(TestPrivateServer, Core)

} // namespace lockscope::tst_private_server

#include "tst_private_server.moc"
