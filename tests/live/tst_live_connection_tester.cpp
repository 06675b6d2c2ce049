#include "core/wire/connection/redis_connection_tester.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_live_connection_tester {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::TestResult;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 30'000;

/// What the Test button of the dialog would say; kind None and no version when it says nothing in
/// time.
TestResult resultFor(const Endpoint& endpoint)
{
    wire::RedisConnectionTester tester;
    std::vector<TestResult> results;
    QObject::connect(&tester, &wire::RedisConnectionTester::tested, &tester,
                     [&results](const TestResult& result) { results.push_back(result); });
    tester.test(endpoint);
    const bool isAnswered = QTest::qWaitFor([&results] { return !results.empty(); }, kPatienceMs);
    return isAnswered ? results.front() : TestResult();
}

Endpoint endpointFor(LiveServer& server, std::initializer_list<const char*> rules)
{
    store::Command command("ACL", "SETUSER", "watcher", "on", ">secret", "~*", "&*", "+@all");
    for (const char* const rule : rules) {
        command.append(rule);
    }
    server.client().ask(command);
    Endpoint endpoint = server.endpoint();
    endpoint.user = "watcher";
    endpoint.password = "secret";
    return endpoint;
}

} // namespace

class TestLiveConnectionTester : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aGoodServerIsDescribed_data();
    void aGoodServerIsDescribed();
    void theWrongHostIsSaid();
    void theWrongPortIsSaid();
    void theWrongSocketIsSaid();
    void theWrongPasswordIsSaid();
    void aServerThatSpeaksHttpIsSaid();
    void aServerThatSaysNothingIsSaid();
    void aPlainServerIsNoTlsServer();
    void missingPermissionsAreNamed();
    void aTestLeavesNothingBehind();
};

void TestLiveConnectionTester::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveConnectionTester::aGoodServerIsDescribed_data()
{
    QTest::addColumn<LiveServer::Listen>("listen");
    QTest::newRow("unix socket") << LiveServer::Listen::UnixSocket;
    QTest::newRow("loopback port") << LiveServer::Listen::LoopbackPort;
}

void TestLiveConnectionTester::aGoodServerIsDescribed()
{
    QFETCH(const LiveServer::Listen, listen);
    LiveServer server(listen);
    server.client()("MSET", "a", 1, "b", 2);
    const TestResult result = resultFor(server.endpoint());
    QCOMPARE(result.problem.kind, Problem::Kind::None);
    QVERIFY(!result.info.version.empty());
    QCOMPARE(result.info.role, store::ServerInfo::Role::Master);
    QCOMPARE(result.keyCount, std::int64_t(2));
    QVERIFY(result.roundTrip > 0us);
    QVERIFY(result.limits.empty());
}

void TestLiveConnectionTester::theWrongHostIsSaid()
{
    Endpoint endpoint;
    endpoint.host = "no such host";
    QCOMPARE(resultFor(endpoint).problem.kind, Problem::Kind::HostNotFound);
}

void TestLiveConnectionTester::theWrongPortIsSaid()
{
    Endpoint endpoint;
    {
        LiveServer server(LiveServer::Listen::LoopbackPort);
        endpoint = server.endpoint();
    }
    QCOMPARE(resultFor(endpoint).problem.kind, Problem::Kind::ConnectionRefused);
}

void TestLiveConnectionTester::theWrongSocketIsSaid()
{
    const QTemporaryDir folder;
    Endpoint endpoint;
    endpoint.transport = Endpoint::Transport::UnixSocket;
    endpoint.socketPath = folder.filePath(u"none.sock"_qs).toStdString();
    QCOMPARE(resultFor(endpoint).problem.kind, Problem::Kind::SocketMissing);
}

void TestLiveConnectionTester::theWrongPasswordIsSaid()
{
    LiveServer server;
    Endpoint endpoint = endpointFor(server, {});
    endpoint.password = "wrong";
    QCOMPARE(resultFor(endpoint).problem.kind, Problem::Kind::PasswordWrong);
    endpoint.user = "nobody";
    QCOMPARE(resultFor(endpoint).problem.kind, Problem::Kind::PasswordWrong);
}

void TestLiveConnectionTester::aServerThatSpeaksHttpIsSaid()
{
    QTcpServer http;
    QVERIFY(http.listen(QHostAddress::LocalHost, 0));
    connect(&http, &QTcpServer::newConnection, &http, [&http] {
        QTcpSocket* const client = http.nextPendingConnection();
        connect(client, &QTcpSocket::readyRead, client, [client] {
            client->readAll();
            client->write(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
                "<html><body>Your browser sent a request that this server could not "
                "understand.</body></html>");
            client->disconnectFromHost();
        });
    });
    Endpoint endpoint;
    endpoint.port = http.serverPort();
    const TestResult result = resultFor(endpoint);
    QCOMPARE(result.problem.kind, Problem::Kind::NotRedis);
    QVERIFY(result.problem.detail.starts_with("HTTP/1.1 400 Bad Request"));
}

void TestLiveConnectionTester::aServerThatSaysNothingIsSaid()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost, 0));
    Endpoint endpoint;
    endpoint.port = silent.serverPort();
    endpoint.requestTimeout = 300ms;
    QCOMPARE(resultFor(endpoint).problem.kind, Problem::Kind::ReplyTimedOut);
}

void TestLiveConnectionTester::aPlainServerIsNoTlsServer()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    Endpoint endpoint = server.endpoint();
    endpoint.transport = Endpoint::Transport::Tls;
    endpoint.connectTimeout = 20s;
    // A plain Redis waits for the end of what it takes for a command, so it may also be our
    // patience that ends.
    server.client()("CONFIG", "SET", "timeout", 1);
    const Problem::Kind kind = resultFor(endpoint).problem.kind;
    QVERIFY(kind == Problem::Kind::TlsNotSpoken || kind == Problem::Kind::TlsFailed
            || kind == Problem::Kind::ConnectTimedOut);
}

void TestLiveConnectionTester::missingPermissionsAreNamed()
{
    LiveServer server;
    const TestResult result = resultFor(endpointFor(server, {"-scan", "-client|tracking",
                                                             "-memory|usage", "resetchannels"}));
    QCOMPARE(result.problem.kind, Problem::Kind::None);
    QStringList rules;
    for (const Problem& limit : result.limits) {
        QCOMPARE(limit.kind, Problem::Kind::NoPermission);
        rules << QString::fromStdString(limit.rule);
    }
    QCOMPARE(rules,
             (QStringList{u"+scan"_qs, u"+memory|usage"_qs, u"+client|tracking"_qs, u"&*"_qs}));
}

void TestLiveConnectionTester::aTestLeavesNothingBehind()
{
    LiveServer server;
    QCOMPARE(resultFor(server.endpoint()).problem.kind, Problem::Kind::None);
    QCOMPARE(server.client()("DBSIZE").integer().value(), std::int64_t(0));
    const auto areGone = [&] {
        return server.client()("CLIENT", "LIST").text()->find("name=lockscope")
               == std::string::npos;
    };
    QTRY_VERIFY_WITH_TIMEOUT(areGone(), kPatienceMs);
}

LOCKSCOPE_TEST(TestLiveConnectionTester, Core)

} // namespace lockscope::tst_live_connection_tester

#include "tst_live_connection_tester.moc"
