#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_server.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <deque>
#include <memory>

namespace lockscope::tst_live_connection {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Endpoint;
using store::Outcome;
using store::Problem;
using store::Reply;
using wire::Connection;

namespace {

constexpr int kPatienceMs = 30'000;

struct Bench {
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::unique_ptr<Connection> connection;

    explicit Bench(const Endpoint& endpoint)
        : connection(std::make_unique<Connection>(endpoint, executor, clock, Rng(1)))
    {
        connection->open();
    }

    StartedTask<Outcome> submit(Command command)
    {
        return {executor, resultOf(connection->submit(std::move(command)))};
    }
    bool isOnline() const { return connection->state() == Connection::State::Online; }
    Problem::Kind problemKind() const { return connection->problem().kind; }
};

Bytes keyOf(std::size_t index)
{
    return "key:" + std::to_string(index);
}

/// What the server knows of every key that was set by a request: a reply means that it is there,
/// Unreachable that it is not; Unknown may be either.
QByteArray contradictionOf(const std::deque<StartedTask<Outcome>>& requests, PlainClient& client)
{
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const bool exists = client("EXISTS", keyOf(i)).integer() == 1;
        const Outcome& outcome = requests[i].result();
        if (replyOf(outcome) != nullptr && !exists) {
            return "answered, but not done: " + QByteArray::number(i);
        }
        if (std::holds_alternative<store::Unreachable>(outcome) && exists) {
            return "said to be never sent, but done: " + QByteArray::number(i);
        }
    }
    return {};
}

std::size_t countUnreachable(const std::deque<StartedTask<Outcome>>& requests)
{
    return static_cast<std::size_t>(
        std::count_if(requests.begin(), requests.end(), [](const auto& request) {
            return std::holds_alternative<store::Unreachable>(request.result());
        }));
}

bool allFinished(const std::deque<StartedTask<Outcome>>& requests)
{
    return std::all_of(requests.begin(), requests.end(),
                       [](const auto& request) { return request.isFinished(); });
}

} // namespace

class TestLiveConnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void itSignsInAndNamesItself_data();
    void itSignsInAndNamesItself();
    void aWrongPasswordIsSaid();
    void aMissingPasswordIsSaid();
    void aMissingDatabaseIsSaid();
    void anythingMayBeAKeyOrAValue();
    void aMillionBytesGoThere();
    void theReplyThatCameTooLateAnswersNobodyElse();
    void aFrozenServerIsGivenUpAndFoundAgain();
    void aKilledClientComesBack();
    void aFullServerSaysThatItIsFull();
    void aReadOnlyConnectionCannotWrite();
    void everyOutcomeIsTrueWhenTheServerIsKilled();
    void whatWasNeverSentIsUnreachable();
};

void TestLiveConnection::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveConnection::itSignsInAndNamesItself_data()
{
    QTest::addColumn<LiveServer::Listen>("listen");
    QTest::newRow("unix socket") << LiveServer::Listen::UnixSocket;
    QTest::newRow("loopback port") << LiveServer::Listen::LoopbackPort;
}

void TestLiveConnection::itSignsInAndNamesItself()
{
    QFETCH(const LiveServer::Listen, listen);
    LiveServer server(listen);
    server.client()("ACL", "SETUSER", "watcher", "on", ">se:cr@et/", "~*", "+@all");
    Endpoint endpoint = server.endpoint();
    endpoint.user = "watcher";
    endpoint.password = "se:cr@et/";
    endpoint.database = 5;
    const Bench bench(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    const Reply clients = server.client()("CLIENT", "LIST");
    const std::string& list = *clients.text();
    QVERIFY(list.find("name=lockscope ") != std::string::npos);
    QVERIFY(list.find("db=5 ") != std::string::npos);
    QVERIFY(list.find("user=watcher ") != std::string::npos);
}

void TestLiveConnection::aWrongPasswordIsSaid()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "watcher", "on", ">right", "~*", "+@all");
    Endpoint endpoint = server.endpoint();
    endpoint.user = "watcher";
    endpoint.password = "wrong";
    const Bench bench(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::PasswordWrong, kPatienceMs);
    QVERIFY(bench.connection->problem().detail.find("wrong ") == std::string::npos);
}

void TestLiveConnection::aMissingPasswordIsSaid()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "requirepass", "secret");
    const Bench bench(server.endpoint());
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::PasswordNeeded, kPatienceMs);
}

void TestLiveConnection::aMissingDatabaseIsSaid()
{
    LiveServer server;
    Endpoint endpoint = server.endpoint();
    endpoint.database = 99;
    const Bench bench(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::NoSuchDatabase, kPatienceMs);
}

void TestLiveConnection::anythingMayBeAKeyOrAValue()
{
    LiveServer server;
    Bench bench(server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    for (const Bytes& text :
         {Bytes(), Bytes("\0", 1), Bytes("\r\n$5\r\n"), Bytes("\xff\xfe"), Bytes("ключ")}) {
        const auto set = bench.submit(Command("SET", text, text));
        const auto get = bench.submit(Command("GET", text));
        QTRY_VERIFY_WITH_TIMEOUT(set.isFinished() && get.isFinished(), kPatienceMs);
        QVERIFY(set.result() == Outcome(Reply::ofStatus("OK")));
        QVERIFY(get.result() == Outcome(Reply::ofBulk(text)));
    }
}

void TestLiveConnection::aMillionBytesGoThere()
{
    LiveServer server;
    Bench bench(server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    const Bytes large(1'000'000, 'v');
    const auto set = bench.submit(Command("SET", "k", large));
    const auto get = bench.submit(Command("GET", "k"));
    QTRY_VERIFY_WITH_TIMEOUT(set.isFinished() && get.isFinished(), kPatienceMs);
    QVERIFY(get.result() == Outcome(Reply::ofBulk(large)));
}

void TestLiveConnection::theReplyThatCameTooLateAnswersNobodyElse()
{
    LiveServer server;
    Endpoint endpoint = server.endpoint();
    endpoint.requestTimeout = 500ms;
    Bench bench(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    server.process().freeze();
    const auto late = bench.submit(Command("ECHO", "late"));
    QTRY_VERIFY_WITH_TIMEOUT(late.isFinished(), kPatienceMs);
    server.process().thaw();
    QVERIFY(std::holds_alternative<store::Unknown>(late.result()));
    const auto next = bench.submit(Command("ECHO", "next"));
    QTRY_VERIFY_WITH_TIMEOUT(next.isFinished(), kPatienceMs);
    // On a machine so slow that even this one timed out there is nothing to compare.
    const Reply* const answer = replyOf(next.result());
    QVERIFY(answer == nullptr || *answer == Reply::ofBulk("next"));
}

void TestLiveConnection::aFrozenServerIsGivenUpAndFoundAgain()
{
    LiveServer server;
    Endpoint endpoint = server.endpoint();
    endpoint.requestTimeout = 300ms;
    Bench bench(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    server.process().freeze();
    const auto request = bench.submit(Command("PING"));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.isOnline(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::ReplyTimedOut);
    QVERIFY(request.isFinished());
    server.process().thaw();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
}

void TestLiveConnection::aKilledClientComesBack()
{
    LiveServer server;
    Bench bench(server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    server.client()("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    QTRY_VERIFY_WITH_TIMEOUT(!bench.isOnline(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::ConnectionLost);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
}

void TestLiveConnection::aFullServerSaysThatItIsFull()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "maxclients", "1");
    const Bench bench(server.endpoint());
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::ServerRefused, kPatienceMs);
    QVERIFY(bench.connection->problem().detail.find("max number of clients") != std::string::npos);
    server.client()("CONFIG", "SET", "maxclients", "10");
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
}

void TestLiveConnection::aReadOnlyConnectionCannotWrite()
{
    LiveServer server;
    server.client()("SET", "k", "before");
    Endpoint endpoint = server.endpoint();
    endpoint.isReadOnly = true;
    Bench bench(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    std::deque<StartedTask<Outcome>> requests;
    requests.push_back(bench.submit(Command("SET", "k", "after")));
    requests.push_back(bench.submit(Command("DEL", "k")));
    requests.push_back(bench.submit(Command("EVAL", "return redis.call('DEL', KEYS[1])", 1, "k")));
    requests.push_back(bench.submit(Command("PEXPIRE", "k", 1)));
    requests.push_back(bench.submit(Command("FLUSHALL")));
    requests.push_back(bench.submit(Command("CONFIG", "SET", "maxmemory", "1")));
    requests.push_back(bench.submit(Command("GET", "k")));
    QTRY_VERIFY_WITH_TIMEOUT(allFinished(requests), kPatienceMs);
    QVERIFY(requests.back().result() == Outcome(Reply::ofBulk("before")));
    QCOMPARE(countUnreachable(requests), requests.size() - 1);
    QCOMPARE(server.client()("GET", "k"), Reply::ofBulk("before"));
    QCOMPARE(server.callCount("set"), std::int64_t(1)); // ours, before
    for (const char* const name : {"del", "eval", "pexpire", "flushall", "config|set"}) {
        QCOMPARE(server.callCount(name), std::int64_t(0));
    }
}

void TestLiveConnection::everyOutcomeIsTrueWhenTheServerIsKilled()
{
    constexpr std::size_t kRequestCount = 1000;
    // Written before it is answered, which is enough for a server that is killed. With fsync every
    // second a busy disk lets the server answer first.
    const QStringList durable = {u"--appendonly"_qs, u"yes"_qs, u"--appendfsync"_qs, u"no"_qs};
    for (const std::size_t answeredFirst : {std::size_t(0), std::size_t(1), std::size_t(400)}) {
        LiveServer server(LiveServer::Listen::UnixSocket, durable);
        Bench bench(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
        std::deque<StartedTask<Outcome>> requests;
        for (std::size_t i = 0; i < kRequestCount; ++i) {
            requests.push_back(bench.submit(Command("SET", keyOf(i), "v")));
        }
        if (answeredFirst > 0) {
            QTRY_VERIFY_WITH_TIMEOUT(requests[answeredFirst - 1].isFinished(), kPatienceMs);
        }
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(allFinished(requests), kPatienceMs);
        server.restart();
        QCOMPARE(contradictionOf(requests, server.client()), QByteArray());
    }
}

void TestLiveConnection::whatWasNeverSentIsUnreachable()
{
    constexpr std::size_t kRequestCount = 1000;
    const QStringList durable = {u"--appendonly"_qs, u"yes"_qs, u"--appendfsync"_qs, u"no"_qs};
    LiveServer server(LiveServer::Listen::UnixSocket, durable);
    Bench bench(server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    server.process().freeze(); // so that the socket's buffer fills up
    std::deque<StartedTask<Outcome>> requests;
    for (std::size_t i = 0; i < kRequestCount; ++i) {
        requests.push_back(bench.submit(Command("SET", keyOf(i), Bytes(20'000, 'v'))));
    }
    const auto later = bench.clock.wakeAt(bench.clock.now() + 100ms);
    QTRY_VERIFY_WITH_TIMEOUT(later.isReady(), kPatienceMs);
    server.kill();
    QTRY_VERIFY_WITH_TIMEOUT(allFinished(requests), kPatienceMs);
    QVERIFY(countUnreachable(requests) > 100);
    QVERIFY(countUnreachable(requests) < kRequestCount);
    QVERIFY(std::holds_alternative<store::Unknown>(requests.front().result()));
    server.restart();
    QCOMPARE(contradictionOf(requests, server.client()), QByteArray());
}

LOCKSCOPE_TEST(TestLiveConnection, Core)

} // namespace lockscope::tst_live_connection

#include "tst_live_connection.moc"
