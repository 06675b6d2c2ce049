// Real connections to a server that carries out nothing by itself.

#include "core/conduct/resp_server.h"
#include "core/conduct/server/sim_backend.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QLocalSocket>
#include <QTcpSocket>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_resp_server {

using namespace std::chrono_literals;
using conduct::Request;
using conduct::RespServer;

namespace {

constexpr int kPatienceMs = 10'000;

std::string encoded(std::initializer_list<std::string> words)
{
    std::string text = '*' + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) {
        text += '$' + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    }
    return text;
}

conduct::Backends oneSimulated()
{
    conduct::Backends backends;
    backends.push_back(std::make_unique<conduct::SimBackend>());
    return backends;
}

/// A server, its clock, and clients of it, which speak when they are told to.
class Bench {
public:
    RespServer& server() { return m_server; }
    sim::ServerTime now() const { return m_now; }
    std::vector<conduct::Backend::Key> keys() const { return m_server.keys(0, m_now); }

    template<class Condition>
    bool waitFor(Condition condition)
    {
        return QTest::qWaitFor(
            [&] {
                m_server.receive(m_now);
                return condition();
            },
            kPatienceMs);
    }

    std::unique_ptr<QTcpSocket> dial(std::uint16_t port)
    {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(QStringLiteral("127.0.0.1"), port);
        waitFor([&] {
            return socket->state() == QAbstractSocket::ConnectedState
                   || socket->error() != QAbstractSocket::UnknownSocketError;
        });
        return socket;
    }

    /// The request of a client, as soon as the server has it.
    std::optional<Request> request(QTcpSocket& client, std::initializer_list<std::string> words)
    {
        client.write(QByteArray::fromStdString(encoded(words)));
        std::optional<Request> request;
        waitFor([&] {
            request = m_server.takeRequest();
            return request.has_value();
        });
        return request;
    }
    /// The same, carried out.
    Request ask(QTcpSocket& client, std::initializer_list<std::string> words)
    {
        const Request one = request(client, words).value();
        m_server.execute(one, m_now);
        return one;
    }
    /// So many bytes of an answer.
    std::string answer(QTcpSocket& client, const std::string& expected)
    {
        waitFor([&] { return client.bytesAvailable() >= qsizetype(expected.size()); });
        return client.readAll().toStdString();
    }
    /// A round trip by another connection: what was said to this one has come by then.
    bool hasComeToNothing(QTcpSocket& client)
    {
        const std::uint16_t port = m_server.openPorts(kWitness).front();
        const auto witness = dial(port);
        ask(*witness, {"PING"});
        const bool isDone = answer(*witness, "+PONG\r\n") == "+PONG\r\n";
        m_server.closePorts(kWitness);
        return isDone && client.bytesAvailable() == 0;
    }
    bool isCut(const QTcpSocket& client)
    {
        return waitFor([&] { return client.state() == QAbstractSocket::UnconnectedState; });
    }

    void pass(std::chrono::milliseconds span)
    {
        m_now += span;
        m_server.timePassed(m_now);
    }

private:
    static constexpr int kWitness = 1'000;

    RespServer m_server{oneSimulated()};
    sim::ServerTime m_now{std::chrono::hours(500'000)};
};

} // namespace

class TestRespServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsCarriedOutByItself();
    void theOrderIsThatOfArrival();
    void requestsOfOneConnectionStayInOrder();
    void aPortTellsWhoseARequestIs();
    void whatIsHeldIsNextWhenItGoesOn();
    void whatIsHeldOutlivesItsClient();
    void othersPassWhatIsHeld();
    void anAnswerIsHeldBack();
    void aCutLosesWhatWasUnderWay();
    void aCutIsFeltThoughAChildHasTheSocket();
    void cuttingASeatLeavesOthers();
    void whoIsRefusedIsClosedAtOnce();
    void aClosedPortIsGone();
    void aWaitEndsByAnother();
    void aWaitEndsByTime();
    void keysExpire();
    void whoLeavesIsForgotten();
    void quitEndsAConnection();
    void whatIsNoRequestEndsAConnection();
    void aRequestThatIsTooLongEndsAConnection_data();
    void aRequestThatIsTooLongEndsAConnection();
    void aLongAnswerReachesASlowReader();
    void whoWasSpokenToIsKnown();
    void keysAreForgottenAndScriptsStay();
    void forgottenScriptsComeFromTheShelf();
    void aUnixSocketIsAsGood();
    void severalServersAreApart();
};

void TestRespServer::nothingIsCarriedOutByItself()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    const auto request = bench.request(*client, {"SET", "k", "v"});
    QVERIFY(request);
    QCOMPARE(request->command.words, (std::vector<Bytes>{"SET", "k", "v"}));
    QVERIFY(bench.hasComeToNothing(*client));
    QVERIFY(bench.keys().empty());
    const auto reply = bench.server().execute(*request, bench.now());
    QVERIFY(reply && *reply == store::Reply::ofStatus("OK"));
    QCOMPARE(bench.answer(*client, "+OK\r\n"), std::string("+OK\r\n"));
    QCOMPARE(bench.keys().size(), 1u);
}

void TestRespServer::theOrderIsThatOfArrival()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const auto first = bench.dial(port);
    const auto second = bench.dial(port);
    second->write(QByteArray::fromStdString(encoded({"GET", "second"})));
    // It has come before the other one speaks.
    Request early;
    QVERIFY(bench.waitFor([&] {
        const auto request = bench.server().takeRequest();
        early = request.value_or(Request());
        return request.has_value();
    }));
    bench.server().holdRequests(early);
    first->write(QByteArray::fromStdString(encoded({"GET", "first"})));
    const auto next = [&] {
        std::optional<Request> request;
        bench.waitFor([&] { return (request = bench.server().takeRequest()).has_value(); });
        return request ? request->command.words.at(1) : Bytes();
    };
    QCOMPARE(next(), std::string("first"));
    bench.server().letGo(early.link);
    QCOMPARE(next(), std::string("second"));

    // Both are there, the later connection's first.
    second->write(QByteArray::fromStdString(encoded({"GET", "third"})
                                            + encoded({"GET", "fourth"})));
    QCOMPARE(next(), std::string("third"));
    first->write(QByteArray::fromStdString(encoded({"GET", "fifth"})));
    QVERIFY(bench.waitFor([&] { return first->bytesToWrite() == 0; }));
    QCOMPARE(next(), std::string("fourth"));
    QCOMPARE(next(), std::string("fifth"));
}

void TestRespServer::requestsOfOneConnectionStayInOrder()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    const std::string longScript = "return 7 --" + std::string(1'000'000, 'x');
    std::string text = encoded({"SET", "k", "1"}) + encoded({"INCR", "k"}) + encoded({"GET", "k"})
                       + encoded({"EVAL", longScript, "0"});
    // In pieces, however they are cut.
    client->write(QByteArray::fromStdString(text.substr(0, 17)));
    client->flush();
    QVERIFY(!bench.server().takeRequest());
    client->write(QByteArray::fromStdString(text.substr(17)));
    for (int i = 0; i < 4; ++i) {
        std::optional<Request> request;
        QVERIFY(bench.waitFor([&] {
            return (request = bench.server().takeRequest()).has_value();
        }));
        bench.server().execute(*request, bench.now());
    }
    const std::string expected = "+OK\r\n:2\r\n$1\r\n2\r\n:7\r\n";
    QCOMPARE(bench.answer(*client, expected), expected);
}

void TestRespServer::aPortTellsWhoseARequestIs()
{
    Bench bench;
    const std::uint16_t portOfTwo = bench.server().openPorts(2).front();
    const std::uint16_t portOfFive = bench.server().openPorts(5).front();
    QVERIFY(portOfTwo != portOfFive);
    const auto two = bench.dial(portOfTwo);
    const auto five = bench.dial(portOfFive);
    const Request ofFive = bench.ask(*five, {"PING"});
    const Request ofTwo = bench.ask(*two, {"PING"});
    QCOMPARE(ofFive.seat, 5);
    QCOMPARE(ofTwo.seat, 2);
    QVERIFY(ofFive.link != ofTwo.link);
}

void TestRespServer::whatIsHeldIsNextWhenItGoesOn()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    const auto request = bench.request(*client, {"SET", "k", "held"});
    bench.server().holdRequests(*request);
    client->write(QByteArray::fromStdString(encoded({"SET", "k", "next"})));
    QVERIFY(bench.hasComeToNothing(*client));
    QVERIFY(!bench.server().takeRequest());
    bench.server().letGo(request->link);
    const auto first = bench.server().takeRequest();
    QVERIFY(first);
    QCOMPARE(first->command.words.at(2), std::string("held"));
    std::optional<Request> second;
    QVERIFY(bench.waitFor([&] { return (second = bench.server().takeRequest()).has_value(); }));
    QCOMPARE(second->command.words.at(2), std::string("next"));
}

void TestRespServer::whatIsHeldOutlivesItsClient()
{
    Bench bench;
    auto client = bench.dial(bench.server().openPorts(0).front());
    const auto request = bench.request(*client, {"SET", "k", "held"});
    bench.server().holdRequests(*request);
    client.reset(); // it has given up
    QVERIFY(bench.waitFor([&] { return bench.server().takeSpokenTo().empty(); }));
    QVERIFY(!bench.server().takeRequest());
    bench.server().letGo(request->link);
    const auto late = bench.server().takeRequest();
    QVERIFY(late);
    bench.server().execute(*late, {});
    QCOMPARE(bench.keys().front().name, "k");
}

void TestRespServer::othersPassWhatIsHeld()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const auto held = bench.dial(port);
    const auto other = bench.dial(port); // even of the same process
    bench.server().holdRequests(*bench.request(*held, {"SET", "k", "held"}));
    bench.ask(*other, {"SET", "k", "other"});
    QCOMPARE(bench.answer(*other, "+OK\r\n"), std::string("+OK\r\n"));
    QVERIFY(!bench.server().takeRequest());
}

void TestRespServer::anAnswerIsHeldBack()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    const auto request = bench.request(*client, {"SET", "k", "v"});
    bench.server().holdAnswers(request->link);
    bench.server().execute(*request, bench.now());
    QCOMPARE(bench.keys().size(), 1u); // it was carried out
    QVERIFY(bench.hasComeToNothing(*client));
    bench.ask(*client, {"INCR", "n"});
    QVERIFY(bench.hasComeToNothing(*client));
    bench.server().letGo(request->link);
    QCOMPARE(bench.answer(*client, "+OK\r\n:1\r\n"), std::string("+OK\r\n:1\r\n"));
    bench.ask(*client, {"INCR", "n"});
    QCOMPARE(bench.answer(*client, ":2\r\n"), std::string(":2\r\n"));
}

void TestRespServer::aCutLosesWhatWasUnderWay()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    client->write(QByteArray::fromStdString(encoded({"GET", "k"}) + encoded({"SET", "k", "v"})));
    std::optional<Request> request;
    QVERIFY(bench.waitFor([&] { return (request = bench.server().takeRequest()).has_value(); }));
    bench.server().cut(request->link);
    QVERIFY(bench.isCut(*client));
    QVERIFY(!bench.server().takeRequest());
    // Whoever holds it still may say so.
    bench.server().holdRequests(*request);
    bench.server().letGo(request->link);
    bench.server().cut(request->link);
    QVERIFY(!bench.server().takeRequest());
}

/// As a process has it that another thread is just starting.
void TestRespServer::aCutIsFeltThoughAChildHasTheSocket()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    const auto request = bench.request(*client, {"PING"});
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    bench.server().cut(request->link);
    const bool isCut = bench.isCut(*client);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QVERIFY(isCut);
}

void TestRespServer::cuttingASeatLeavesOthers()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const auto one = bench.dial(port);
    const auto another = bench.dial(port);
    const auto stranger = bench.dial(bench.server().openPorts(1).front());
    for (QTcpSocket* const client : {one.get(), another.get(), stranger.get()}) {
        bench.ask(*client, {"PING"});
        QCOMPARE(bench.answer(*client, "+PONG\r\n"), std::string("+PONG\r\n"));
    }
    bench.server().cutAll(0);
    QVERIFY(bench.isCut(*one));
    QVERIFY(bench.isCut(*another));
    bench.ask(*stranger, {"PING"});
    QCOMPARE(bench.answer(*stranger, "+PONG\r\n"), std::string("+PONG\r\n"));
}

void TestRespServer::whoIsRefusedIsClosedAtOnce()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const std::uint16_t otherPort = bench.server().openPorts(1).front();
    const auto early = bench.dial(port);
    bench.ask(*early, {"PING"});
    QCOMPARE(bench.answer(*early, "+PONG\r\n"), std::string("+PONG\r\n"));
    bench.server().refuse(0, true);
    QVERIFY(bench.isCut(*bench.dial(port)));
    const auto stranger = bench.dial(otherPort);
    bench.ask(*stranger, {"PING"});
    QCOMPARE(bench.answer(*stranger, "+PONG\r\n"), std::string("+PONG\r\n"));
    bench.ask(*early, {"PING"}); // only new ones are refused
    QCOMPARE(bench.answer(*early, "+PONG\r\n"), std::string("+PONG\r\n"));
    bench.server().refuse(0, false);
    const auto late = bench.dial(port);
    bench.ask(*late, {"PING"});
    QCOMPARE(bench.answer(*late, "+PONG\r\n"), std::string("+PONG\r\n"));
}

void TestRespServer::aClosedPortIsGone()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const auto client = bench.dial(port);
    bench.ask(*client, {"PING"});
    bench.server().closePorts(0);
    QVERIFY(bench.isCut(*client));
    const auto late = bench.dial(port);
    QCOMPARE(late->error(), QAbstractSocket::ConnectionRefusedError);
}

void TestRespServer::aWaitEndsByAnother()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const auto waiter = bench.dial(port);
    const auto other = bench.dial(port);
    const auto wait = bench.request(*waiter, {"BLPOP", "list", "0"});
    QVERIFY(!bench.server().execute(*wait, bench.now()));
    QVERIFY(!bench.server().nextTimeout());
    waiter->write(QByteArray::fromStdString(encoded({"PING"})));
    QVERIFY(bench.hasComeToNothing(*waiter));
    QVERIFY(!bench.server().takeRequest()); // it waits for an answer
    bench.ask(*other, {"RPUSH", "list", "x"});
    const std::string expected = "*2\r\n$4\r\nlist\r\n$1\r\nx\r\n";
    QCOMPARE(bench.answer(*waiter, expected), expected);
    QVERIFY(bench.server().takeRequest()); // the PING
}

void TestRespServer::aWaitEndsByTime()
{
    Bench bench;
    const auto waiter = bench.dial(bench.server().openPorts(0).front());
    bench.ask(*waiter, {"BLPOP", "list", "2"});
    QVERIFY(bench.server().nextTimeout() == bench.now() + 2s);
    bench.pass(1'999ms);
    QVERIFY(bench.hasComeToNothing(*waiter));
    bench.pass(2ms);
    QCOMPARE(bench.answer(*waiter, "*-1\r\n"), std::string("*-1\r\n"));
    QVERIFY(!bench.server().nextTimeout());
}

void TestRespServer::keysExpire()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    bench.ask(*client, {"SET", "k", "v", "PX", "1000"});
    QCOMPARE(bench.answer(*client, "+OK\r\n"), std::string("+OK\r\n"));
    bench.pass(999ms);
    QCOMPARE(bench.keys().size(), 1u);
    bench.pass(2ms);
    QVERIFY(bench.keys().empty());
}

void TestRespServer::whoLeavesIsForgotten()
{
    Bench bench;
    const std::uint16_t port = bench.server().openPorts(0).front();
    const auto watcher = bench.dial(port);
    auto client = bench.dial(port);
    bench.ask(*client, {"SUBSCRIBE", "news"});
    bench.ask(*watcher, {"PUBLISH", "news", "x"});
    QCOMPARE(bench.answer(*watcher, ":1\r\n"), std::string(":1\r\n"));
    client.reset();
    QVERIFY(bench.waitFor([&] {
        bench.ask(*watcher, {"PUBLISH", "news", "x"});
        return bench.answer(*watcher, ":0\r\n") == ":0\r\n";
    }));
}

void TestRespServer::quitEndsAConnection()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    bench.ask(*client, {"QUIT"});
    QCOMPARE(bench.answer(*client, "+OK\r\n"), std::string("+OK\r\n"));
    QVERIFY(bench.isCut(*client));
}

void TestRespServer::whatIsNoRequestEndsAConnection()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    client->write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QVERIFY(bench.isCut(*client));
    QVERIFY(!bench.server().takeRequest());
}

void TestRespServer::aRequestThatIsTooLongEndsAConnection_data()
{
    QTest::addColumn<std::string>("begin");
    QTest::addColumn<bool>("goesOn"); // with bytes that mean nothing
    QTest::addColumn<std::string>("answer");
    const std::string bulk = "-ERR Protocol error: invalid bulk length\r\n";
    const std::string multi = "-ERR Protocol error: invalid multibulk length\r\n";
    QTest::newRow("a long word") << std::string("*2\r\n$3\r\nGET\r\n$536870912\r\n") << false
                                 << bulk;
    QTest::newRow("many words") << std::string("*100000000\r\n") << false << multi;
    QTest::newRow("a line without end") << std::string("*") << true << multi;
}

void TestRespServer::aRequestThatIsTooLongEndsAConnection()
{
    QFETCH(const std::string, begin);
    QFETCH(const bool, goesOn);
    QFETCH(const std::string, answer);
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    const std::string more(goesOn ? RespServer::kRequestMax : 0, '1');
    client->write(QByteArray::fromStdString(begin + more));
    QVERIFY(bench.isCut(*client));
    QCOMPARE(client->readAll().toStdString(), answer);
    QVERIFY(!bench.server().takeRequest());
    QVERIFY(bench.server().takeLimitReached().starts_with("a request of more than 4 MB"));
    QCOMPARE(bench.server().takeLimitReached(), std::string());
}

/// More than a socket has room for: the rest must not wait for the next answer.
void TestRespServer::aLongAnswerReachesASlowReader()
{
    Bench bench;
    QLocalSocket client;
    client.connectToServer(QString::fromStdString(bench.server().openSocket(0)));
    QVERIFY(client.waitForConnected());
    const std::string value(3'000'000, 'v');
    client.write(QByteArray::fromStdString(encoded({"SET", "k", value}) + encoded({"GET", "k"})));
    for (int i = 0; i < 2; ++i) {
        std::optional<Request> request;
        QVERIFY(bench.waitFor([&] {
            return (request = bench.server().takeRequest()).has_value();
        }));
        bench.server().execute(*request, bench.now());
    }
    const std::string expected = "+OK\r\n$3000000\r\n" + value + "\r\n";
    QVERIFY(bench.waitFor([&] { return client.bytesAvailable() == qint64(expected.size()); }));
    QVERIFY(client.readAll().toStdString() == expected);
}

void TestRespServer::whoWasSpokenToIsKnown()
{
    Bench bench;
    const auto one = bench.dial(bench.server().openPorts(1).front());
    const auto two = bench.dial(bench.server().openPorts(2).front());
    bench.server().takeSpokenTo();
    const auto request = bench.request(*two, {"PING"});
    QVERIFY(bench.server().takeSpokenTo().empty());
    bench.server().execute(*request, bench.now());
    QCOMPARE(bench.server().takeSpokenTo(), std::vector<int>{2});
    QVERIFY(bench.server().takeSpokenTo().empty());
    bench.server().cutAll(1);
    QCOMPARE(bench.server().takeSpokenTo(), std::vector<int>{1});
}

void TestRespServer::keysAreForgottenAndScriptsStay()
{
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    bench.ask(*client, {"SET", "k", "v"});
    QCOMPARE(bench.answer(*client, "+OK\r\n"), std::string("+OK\r\n"));
    bench.ask(*client, {"EVAL", "return 7", "0"});
    QCOMPARE(bench.answer(*client, ":7\r\n"), std::string(":7\r\n"));
    bench.server().forgetKeys();
    QVERIFY(bench.keys().empty());
    bench.ask(*client, {"EVALSHA", "59b6ab2fbe0ee4b25733de0f62e6cda4899ef8e9", "0"});
    QCOMPARE(bench.answer(*client, ":7\r\n"), std::string(":7\r\n"));
}

void TestRespServer::forgottenScriptsComeFromTheShelf()
{
    const std::string digest = "59b6ab2fbe0ee4b25733de0f62e6cda4899ef8e9";
    const std::string unknown = "-NOSCRIPT No matching script. Please use EVAL.\r\n";
    Bench bench;
    const auto client = bench.dial(bench.server().openPorts(0).front());
    bench.ask(*client, {"EVAL", "return 7", "0"});
    QCOMPARE(bench.answer(*client, ":7\r\n"), std::string(":7\r\n"));
    bench.server().forgetScripts(0);
    bench.ask(*client, {"EVALSHA", digest, "0"});
    QCOMPARE(bench.answer(*client, unknown), unknown);
    bench.server().loadScripts(bench.now());
    bench.ask(*client, {"EVALSHA", digest, "0"});
    QCOMPARE(bench.answer(*client, ":7\r\n"), std::string(":7\r\n"));
    bench.server().setDown(0, true);
    bench.server().setDown(0, false);
    bench.server().loadScripts(bench.now());
    const auto next = bench.dial(bench.server().openPorts(1).front());
    bench.ask(*next, {"EVALSHA", digest, "0"});
    QCOMPARE(bench.answer(*next, ":7\r\n"), std::string(":7\r\n"));
}

void TestRespServer::aUnixSocketIsAsGood()
{
    Bench bench;
    const std::string path = bench.server().openSocket(3);
    QLocalSocket client;
    client.connectToServer(QString::fromStdString(path));
    QVERIFY(client.waitForConnected(kPatienceMs));
    client.write(QByteArray::fromStdString(encoded({"SET", "k", "1"})));
    client.flush();
    std::optional<Request> request;
    QVERIFY(bench.waitFor([&] {
        request = bench.server().takeRequest();
        return request.has_value();
    }));
    QCOMPARE(request->seat, 3);
    bench.server().execute(*request, bench.now());
    QCOMPARE(bench.keys().size(), 1u);
    bench.server().closePorts(3);
    QVERIFY(!QFile::exists(QString::fromStdString(path)));
}

void TestRespServer::severalServersAreApart()
{
    conduct::Backends two = oneSimulated();
    two.push_back(std::make_unique<conduct::SimBackend>());
    RespServer server(std::move(two));
    const sim::ServerTime now{1'700'000'000s};
    const std::vector<std::uint16_t> ports = server.openPorts(0);
    QCOMPARE(ports.size(), 2u);
    QTcpSocket client;
    const auto connectAgain = [&] {
        client.abort();
        client.connectToHost(QStringLiteral("127.0.0.1"), ports[1]);
        return client.waitForConnected(kPatienceMs);
    };
    QVERIFY(connectAgain());
    client.write(QByteArray::fromStdString(encoded({"SET", "k", "1"})));
    client.flush();
    std::optional<Request> request;
    QVERIFY(QTest::qWaitFor(
        [&] {
            server.receive(now);
            request = server.takeRequest();
            return request.has_value();
        },
        kPatienceMs));
    QCOMPARE(request->server, 1);
    server.execute(*request, now);
    QCOMPARE(server.keys(1, now).size(), 1u);
    QVERIFY(server.keys(0, now).empty());
    server.setDown(1, true);
    QVERIFY(client.waitForDisconnected(kPatienceMs)
            || client.state() == QTcpSocket::UnconnectedState);
    QVERIFY(connectAgain()); // the port is still there, but nobody serves it
    QVERIFY(QTest::qWaitFor(
        [&] {
            server.receive(now);
            return client.state() == QTcpSocket::UnconnectedState;
        },
        kPatienceMs));
    server.setDown(1, false);
    QCOMPARE(server.keys(1, now).size(), 1u); // with its data
}

LOCKSCOPE_TEST(TestRespServer, Core)

} // namespace lockscope::tst_resp_server

#include "tst_resp_server.moc"
