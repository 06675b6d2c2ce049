#include "core/wire/http/http_listener.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace lockscope::tst_http_listener {

using namespace lockscope::wire;
using namespace std::chrono_literals;

namespace {

constexpr int kPatienceMs = 30'000;

/// A listener that answers with the path, and a client.
struct Bench {
    HttpListener listener;
    std::vector<std::unique_ptr<QTcpSocket>> clients;

    explicit Bench(Duration patience = HttpListener::kPatience)
        : listener(
            [](const HttpRequest& request) {
                return HttpAnswer{request.path == "/none" ? 404 : 200, "text/x", request.path};
            },
            patience)
    {
        const std::string wrong = listener.listen(QHostAddress(QHostAddress::LocalHost), 0);
        if (!wrong.empty()) {
            throw std::runtime_error(wrong);
        }
    }

    QTcpSocket& connectAnother()
    {
        clients.push_back(std::make_unique<QTcpSocket>());
        clients.back()->connectToHost(QHostAddress(QHostAddress::LocalHost), listener.port());
        return *clients.back();
    }
    /// Everything until the end of the connection.
    QByteArray answerTo(const QByteArray& bytes)
    {
        QTcpSocket& client = connectAnother();
        client.write(bytes);
        return rest(client);
    }
    static QByteArray rest(QTcpSocket& client)
    {
        const bool isOver = QTest::qWaitFor(
            [&] { return client.state() == QAbstractSocket::UnconnectedState; }, kPatienceMs);
        return isOver ? client.readAll() : QByteArray("it did not end");
    }
};

} // namespace

class TestHttpListener final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void getIsAnswered();
    void headIsAnsweredWithoutTheBody();
    void otherMethodsAreRefused();
    void whatIsNoRequestIsRefused();
    void longHeadsAreRefused();
    void requestsComeInPieces();
    void statusesAreNamed();
    void aClientThatIsSlowIsDisconnected();
    void aClientThatDoesNotReadIsDisconnected();
    void idleClientsGiveWay();
    void aFloodOfIdleClientsDelaysNoRequest();
    void clientsThatDoNotReadGiveWay();
    void clientsThatLeaveBeforeTheyAreServedTakeNoPlace();
    void requestsOfASuspendedListenerAreAllAnswered();
    void clientsThatLeaveMakeRoom();
    void itGoesOnWhenFilesAreFreeAgain();
    void addressInUseIsSaid();
    void itMayEndWhileClientsAreThere();
};

void TestHttpListener::getIsAnswered()
{
    Bench bench;
    QCOMPARE(bench.answerTo("GET /a?b HTTP/1.1\r\n\r\n"),
             QByteArray("HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nContent-Length: 2\r\n"
                        "Connection: close\r\n\r\n/a"));
}

void TestHttpListener::headIsAnsweredWithoutTheBody()
{
    Bench bench;
    QCOMPARE(bench.answerTo("HEAD /abc HTTP/1.1\r\n\r\n"),
             QByteArray("HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nContent-Length: 4\r\n"
                        "Connection: close\r\n\r\n"));
}

void TestHttpListener::otherMethodsAreRefused()
{
    Bench bench;
    for (const char* const method : {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
        const QByteArray answer = bench.answerTo(QByteArray(method) + " / HTTP/1.1\r\n\r\n");
        QVERIFY2(answer.startsWith("HTTP/1.1 405 Method Not Allowed\r\n"), answer.constData());
        QVERIFY2(answer.contains("\r\nAllow: GET, HEAD\r\n"), answer.constData());
    }
}

void TestHttpListener::whatIsNoRequestIsRefused()
{
    Bench bench;
    QVERIFY(bench.answerTo("PING\r\n\r\n").startsWith("HTTP/1.1 400 Bad Request\r\n"));
}

void TestHttpListener::longHeadsAreRefused()
{
    Bench bench;
    const QByteArray answer = bench.answerTo("GET / HTTP/1.1\r\nA: "
                                             + QByteArray(static_cast<int>(kHttpHeadBytesMax),
                                                          'a'));
    QVERIFY2(answer.startsWith("HTTP/1.1 431 "), answer.constData());
}

void TestHttpListener::requestsComeInPieces()
{
    Bench bench;
    QTcpSocket& client = bench.connectAnother();
    QTRY_COMPARE_WITH_TIMEOUT(client.state(), QAbstractSocket::ConnectedState, kPatienceMs);
    for (const char c : QByteArray("GET /a HTTP/1.1\r\n\r\n")) {
        client.write(&c, 1);
        client.flush();
        QTRY_COMPARE(client.bytesToWrite(), 0);
    }
    QVERIFY(Bench::rest(client).endsWith("\r\n\r\n/a"));
}

void TestHttpListener::statusesAreNamed()
{
    Bench bench;
    QVERIFY(bench.answerTo("GET /none HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 404 Not Found\r\n"));
}

void TestHttpListener::aClientThatIsSlowIsDisconnected()
{
    Bench bench(50ms);
    QCOMPARE(bench.answerTo("GET / HT"), QByteArray());
    QTRY_COMPARE(bench.listener.connectionCount(), 0);
}

void TestHttpListener::aClientThatDoesNotReadIsDisconnected()
{
    bool isAsked = false;
    HttpListener listener(
        [&isAsked](const HttpRequest&) {
            isAsked = true;
            return HttpAnswer{200, "text/x", std::string(std::size_t(64) << 20U, 'a')};
        },
        200ms);
    QCOMPARE(listener.listen(QHostAddress(QHostAddress::LocalHost), 0), std::string());
    QTcpSocket client;
    client.setReadBufferSize(1024);
    client.connectToHost(QHostAddress(QHostAddress::LocalHost), listener.port());
    client.write("GET / HTTP/1.1\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(isAsked, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(listener.connectionCount(), 0, kPatienceMs);
}

void TestHttpListener::idleClientsGiveWay()
{
    Bench bench;
    for (std::size_t i = 0; i < HttpListener::kConnectionsMax; ++i) {
        bench.connectAnother();
    }
    QTRY_COMPARE_WITH_TIMEOUT(bench.listener.connectionCount(), HttpListener::kConnectionsMax,
                              kPatienceMs);
    QVERIFY(bench.answerTo("GET /late HTTP/1.1\r\n\r\n").endsWith("/late"));
    QCOMPARE(Bench::rest(*bench.clients.front()), QByteArray()); // the oldest made room
    QTcpSocket& second = *bench.clients[1];
    second.write("GET /second HTTP/1.1\r\n\r\n");
    QVERIFY(Bench::rest(second).endsWith("/second"));
}

void TestHttpListener::aFloodOfIdleClientsDelaysNoRequest()
{
    Bench bench;
    for (int i = 0; i < 99; ++i) {
        bench.connectAnother().write(i % 2 == 0 ? "" : "GET / HT");
    }
    const auto isConnected = [](const auto& client) {
        return client->state() != QAbstractSocket::HostLookupState
               && client->state() != QAbstractSocket::ConnectingState;
    };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(bench.clients, isConnected), kPatienceMs);
    QElapsedTimer watch;
    watch.start();
    QVERIFY(bench.answerTo("GET /a HTTP/1.1\r\n\r\n").endsWith("/a"));
    QCOMPARE_LT(std::chrono::nanoseconds(watch.nsecsElapsed()), HttpListener::kPatience / 10);
}

void TestHttpListener::clientsThatDoNotReadGiveWay()
{
    HttpListener listener([](const HttpRequest& request) {
        const std::size_t size = request.path == "/long" ? std::size_t(8) << 20U : 1;
        return HttpAnswer{200, "text/x", std::string(size, 'a')};
    });
    QCOMPARE(listener.listen(QHostAddress(QHostAddress::LocalHost), 0), std::string());
    std::vector<std::unique_ptr<QTcpSocket>> slow;
    for (std::size_t i = 0; i < HttpListener::kConnectionsMax; ++i) {
        slow.push_back(std::make_unique<QTcpSocket>());
        slow.back()->setReadBufferSize(1024);
        slow.back()->connectToHost(QHostAddress(QHostAddress::LocalHost), listener.port());
        slow.back()->write("GET /long HTTP/1.1\r\n\r\n");
    }
    const auto isAnswered = [](const auto& client) { return client->bytesAvailable() > 0; };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(slow, isAnswered), kPatienceMs);
    QCOMPARE(listener.connectionCount(), HttpListener::kConnectionsMax);
    QTcpSocket client;
    client.connectToHost(QHostAddress(QHostAddress::LocalHost), listener.port());
    client.write("GET /short HTTP/1.1\r\n\r\n");
    QElapsedTimer watch;
    watch.start();
    QVERIFY(Bench::rest(client).endsWith("\r\n\r\na"));
    QCOMPARE_LT(std::chrono::nanoseconds(watch.nsecsElapsed()), HttpListener::kPatience / 10);
}

/// More of them than there are places and places in the queue of QTcpServer.
void TestHttpListener::clientsThatLeaveBeforeTheyAreServedTakeNoPlace()
{
    Bench bench;
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < 2 * HttpListener::kConnectionsMax; ++i) {
            bench.connectAnother();
        }
        QTRY_COMPARE_WITH_TIMEOUT(bench.listener.connectionCount(), HttpListener::kConnectionsMax,
                                  kPatienceMs);
        bench.clients.clear();
        QTRY_COMPARE_WITH_TIMEOUT(bench.listener.connectionCount(), 0, kPatienceMs);
    }
    QVERIFY(bench.answerTo("GET /a HTTP/1.1\r\n\r\n").endsWith("/a"));
}

/// While the process is stopped, requests collect in the queue of the system; some of their clients
/// give up. Afterwards all that still wait are answered, none makes room for another one.
void TestHttpListener::requestsOfASuspendedListenerAreAllAnswered()
{
    Bench bench;
    const auto connectNow = [&bench] {
        const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(bench.listener.port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto* const target = reinterpret_cast<const sockaddr*>(&address);
        const std::string_view request = "GET /a HTTP/1.1\r\n\r\n";
        const bool isSent = ::connect(file, target, sizeof(address)) == 0
                            && ::send(file, request.data(), request.size(), 0) > 0;
        return isSent ? file : -1;
    };
    std::vector<int> waiting;
    for (int i = 0; i < 200; ++i) {
        const int file = connectNow();
        QVERIFY(file >= 0);
        if (i % 4 == 0) {
            ::close(file);
        } else {
            waiting.push_back(file);
        }
    }
    for (const int file : waiting) {
        QTcpSocket client;
        client.setSocketDescriptor(file);
        QVERIFY(Bench::rest(client).endsWith("/a"));
    }
    QTRY_COMPARE(bench.listener.connectionCount(), 0);
}

void TestHttpListener::clientsThatLeaveMakeRoom()
{
    Bench bench;
    QTcpSocket& client = bench.connectAnother();
    QTRY_COMPARE_WITH_TIMEOUT(bench.listener.connectionCount(), 1, kPatienceMs);
    client.abort();
    QTRY_COMPARE_WITH_TIMEOUT(bench.listener.connectionCount(), 0, kPatienceMs);
}

void TestHttpListener::itGoesOnWhenFilesAreFreeAgain()
{
    Bench bench;
    QSignalSpy errors(bench.listener.findChild<QTcpServer*>(), &QTcpServer::acceptError);
    QTcpSocket& client = bench.connectAnother();
    client.write("GET /a HTTP/1.1\r\n\r\n");
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    const int firstFree = ::dup(0);
    QCOMPARE(::close(firstFree), 0);
    const rlimit noMore{static_cast<rlim_t>(firstFree), limit.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &noMore), 0);
    const bool hasFailed = QTest::qWaitFor([&] { return !errors.isEmpty(); }, kPatienceMs);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    QVERIFY(hasFailed);
    QVERIFY(Bench::rest(client).endsWith("/a"));
}

void TestHttpListener::addressInUseIsSaid()
{
    const Bench bench;
    HttpListener second([](const HttpRequest&) { return HttpAnswer(); });
    const std::string wrong = second.listen(QHostAddress(QHostAddress::LocalHost),
                                            bench.listener.port());
    QVERIFY2(wrong.find("in use") != std::string::npos, wrong.c_str());
}

void TestHttpListener::itMayEndWhileClientsAreThere()
{
    auto bench = std::make_unique<Bench>();
    QTcpSocket client;
    client.connectToHost(QHostAddress(QHostAddress::LocalHost), bench->listener.port());
    QTRY_COMPARE_WITH_TIMEOUT(bench->listener.connectionCount(), 1, kPatienceMs);
    bench.reset();
    QCOMPARE(Bench::rest(client), QByteArray());
}

LOCKSCOPE_TEST(TestHttpListener, Core)

} // namespace lockscope::tst_http_listener

#include "tst_http_listener.moc"
