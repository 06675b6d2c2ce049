// Read-only against a real server: what it flags as a write is never sent, whoever says what.

#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_server.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_read_only_server {

using namespace lockscope::testing;
using store::Command;
using store::Endpoint;
using store::Outcome;
using store::Problem;
using store::Reply;
using wire::Connection;

namespace {

constexpr int kPatienceMs = 30'000;

/// A read-only connection that has heard what the server says of its commands, or may not hear it.
struct Bench {
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::unique_ptr<Connection> connection;

    explicit Bench(Endpoint endpoint)
    {
        endpoint.isReadOnly = true;
        connection = std::make_unique<Connection>(endpoint, executor, clock, Rng(1));
        QSignalSpy settled(connection.get(), &Connection::gateSettled);
        connection->open();
        QTRY_VERIFY_WITH_TIMEOUT(settled.count() > 0, kPatienceMs);
    }

    Problem::Kind kindOf(Command command)
    {
        StartedTask<Outcome> request(executor, resultOf(connection->submit(std::move(command))));
        const auto isFinished = [&request] { return request.isFinished(); };
        const bool hasAnswer = QTest::qWaitFor(isFinished, kPatienceMs);
        const auto problem = hasAnswer ? problemOf(request.result()) : std::nullopt;
        return problem.value_or(Problem()).kind;
    }
};

/// All that the server flags as writes, as they are sent: in one word or two.
std::vector<Command> writesOf(LiveServer& server)
{
    std::vector<Command> all;
    const Reply reply = server.client()("COMMAND", "LIST", "FILTERBY", "ACLCAT", "write");
    for (const Reply& one : *reply.array()) {
        const std::string& name = *one.text();
        const std::size_t bar = name.find('|');
        Command& command = all.emplace_back(name.substr(0, bar));
        if (bar != std::string::npos) {
            command.append(name.substr(bar + 1));
        }
        command.append("lock:a");
    }
    return all;
}

} // namespace

class TestReadOnlyServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyWriteOfTheServerIsRefused();
    void whatTheServerFlagsAsReadingPasses();
    void aUserWhoMayNotAskIsHeldToOurOwnList();
    void aConnectionThatBecomesReadOnlyAsks();
};

void TestReadOnlyServer::init()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestReadOnlyServer::everyWriteOfTheServerIsRefused()
{
    LiveServer server;
    server.client()("SET", "lock:a", "token");
    Bench bench(server.endpoint());
    QVERIFY(!bench.connection->isHeldToOwnList());
    const std::vector<Command> writes = writesOf(server);
    QVERIFY2(writes.size() > 80, QByteArray::number(writes.size()).constData());
    for (const Command& command : writes) {
        const bool isRefused = bench.kindOf(command) == Problem::Kind::ReadOnlyMode;
        QVERIFY2(isRefused, store::toText(command).c_str());
    }
    QCOMPARE(*server.client()("GET", "lock:a").text(), std::string("token"));
    for (const char* const command : {"set", "del", "eval", "publish", "pexpire", "flushall"}) {
        QCOMPARE(server.callCount(command), command == std::string_view("set") ? 1 : 0);
    }
}

void TestReadOnlyServer::whatTheServerFlagsAsReadingPasses()
{
    LiveServer server;
    server.client()("SET", "lock:a", "token");
    Bench bench(server.endpoint());
    const std::vector<Command> reading{Command("GET", "lock:a"),
                                       Command("PTTL", "lock:a"),
                                       Command("TYPE", "lock:a"),
                                       Command("SCAN", "0"),
                                       Command("MEMORY", "USAGE", "lock:a"),
                                       Command("TIME"),
                                       Command("CLIENT", "LIST"),
                                       Command("EVAL_RO", "return redis.call('GET', KEYS[1])", "1",
                                               "lock:a")};
    for (const Command& command : reading) {
        QCOMPARE(bench.kindOf(command), Problem::Kind::None);
    }
    const Command script("EVAL_RO", "return redis.call('DEL', KEYS[1])", "1", "lock:a");
    QVERIFY(bench.kindOf(script) != Problem::Kind::None); // the server itself keeps that promise
    QCOMPARE(server.client()("EXISTS", "lock:a").integer(), std::optional<std::int64_t>(1));
}

void TestReadOnlyServer::aUserWhoMayNotAskIsHeldToOurOwnList()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "w", "on", ">p", "~*", "&*", "+@all", "-command");
    Endpoint endpoint = server.endpoint();
    endpoint.user = "w";
    endpoint.password = "p";
    Bench bench(endpoint);
    QVERIFY(bench.connection->isHeldToOwnList());
    const Command reading("GET", "lock:a");
    const Command writing("DEL", "lock:a");
    QCOMPARE(bench.kindOf(reading), Problem::Kind::None);
    QCOMPARE(bench.kindOf(writing), Problem::Kind::ReadOnlyMode);
}

void TestReadOnlyServer::aConnectionThatBecomesReadOnlyAsks()
{
    LiveServer server;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    Connection connection(server.endpoint(), executor, clock, Rng(1));
    connection.open();
    QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Online, kPatienceMs);
    QCOMPARE(server.callCount("command|info"), 0);
    QSignalSpy settled(&connection, &Connection::gateSettled);
    connection.setReadOnly(true);
    QTRY_VERIFY_WITH_TIMEOUT(settled.count() > 0, kPatienceMs);
    QCOMPARE(server.callCount("command|info"), 1);
    connection.setReadOnly(false);
    connection.setReadOnly(true); // it is known by now
    QCOMPARE(server.callCount("command|info"), 1);
}

LOCKSCOPE_TEST(TestReadOnlyServer, Core)

} // namespace lockscope::tst_read_only_server

#include "tst_read_only_server.moc"
