#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/contention/model_channels.h"
#include "core/kernel/contention/model_client.h"
#include "core/kernel/contention/model_line.h"
#include "core/kernel/sim/lua_engine.h"
#include "tests/support/reply_text.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_model_client {

using namespace lockscope::contention;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Notice;
using store::Outcome;

namespace {

/// Two servers, one thread, two clients on it.
struct Bench {
    EventQueue eventQueue;
    Costs costs;
    sim::LuaEngine lua;
    ModelClient::Servers servers;
    std::unique_ptr<ModelThread> thread;
    std::unique_ptr<ModelClient> alice;
    std::unique_ptr<ModelClient> bob;

    Bench()
    {
        for (int i = 0; i < 2; ++i) {
            servers.push_back(std::make_unique<ModelServer>(eventQueue, costs, lua));
        }
        thread = std::make_unique<ModelThread>(eventQueue, costs, servers);
        alice = std::make_unique<ModelClient>(*thread, servers);
        bob = std::make_unique<ModelClient>(*thread, servers);
    }

    void passTime(Duration span = 10ms) { eventQueue.runUntil(eventQueue.now() + span); }
    StartedTask<Outcome> start(store::Store& store, Command command)
    {
        return StartedTask<Outcome>(thread->driver, resultOf(store.submit(std::move(command))));
    }
    std::string ask(store::Store& store, Command command)
    {
        const auto task = start(store, std::move(command));
        passTime();
        return task.isFinished() ? replyText(*replyOf(task.result())) : "later";
    }
};

async::Task<std::vector<Outcome>> all(store::Store& store, std::vector<Command> commands)
{
    co_return co_await store.submitAll(std::move(commands));
}

/// The kinds of the notices that wait in the mailbox.
std::string noticesIn(store::Subscription& subscription)
{
    std::string text;
    while (const auto notice = subscription.takeNotice()) {
        text += notice->kind == Notice::Kind::Listening ? "listening "
                                                        : "message " + notice->payload;
    }
    return text;
}

} // namespace

class TestModelClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsReachTheirServer();
    void batchesAreAnsweredTogether();
    void aBlockedConnectionDoesNotHoldUpTheOther();
    void listenersOfAThreadShareOneConnection();
    void nobodyIsToldAfterTheEndOfASubscription();
    void aCrashForgetsWhatWasUnderWay();
    void itsClockIsThatOfItsThread();
    void sentCommandsCount();
};

void TestModelClient::commandsReachTheirServer()
{
    Bench b;
    QCOMPARE(b.ask(b.alice->nodes()[0].commands, Command("SET", "k", "first")), "+OK");
    QCOMPARE(b.ask(b.bob->nodes()[0].commands, Command("GET", "k")), "\"first\"");
    QCOMPARE(b.ask(b.bob->nodes()[1].commands, Command("GET", "k")), "nil");
}

void TestModelClient::batchesAreAnsweredTogether()
{
    Bench b;
    std::vector<Command> commands;
    commands.emplace_back("SET", "k", "1");
    commands.emplace_back("INCR", "k");
    const StartedTask<std::vector<Outcome>> task(b.thread->driver,
                                                 all(b.alice->nodes()[0].commands, commands));
    const StartedTask<std::vector<Outcome>> nothing(b.thread->driver,
                                                    all(b.alice->nodes()[0].commands, {}));
    b.passTime();
    QCOMPARE(task.result().size(), std::size_t(2));
    QCOMPARE(replyText(*replyOf(task.result()[0])), "+OK");
    QCOMPARE(replyText(*replyOf(task.result()[1])), "2");
    QVERIFY(nothing.result().empty());
}

void TestModelClient::aBlockedConnectionDoesNotHoldUpTheOther()
{
    Bench b;
    const auto pop = b.start(b.alice->nodes()[0].blocking, Command("BLPOP", "list", "0"));
    QCOMPARE(b.ask(b.alice->nodes()[0].commands, Command("PING")), "+PONG");
    QVERIFY(!pop.isFinished());
    b.ask(b.bob->nodes()[0].commands, Command("RPUSH", "list", "go"));
    QCOMPARE(replyText(*replyOf(pop.result())), "[\"list\", \"go\"]");
}

void TestModelClient::listenersOfAThreadShareOneConnection()
{
    Bench b;
    async::Gate bell;
    auto first = b.alice->nodes()[0].channels.subscribe("unlocked", bell);
    b.passTime();
    QCOMPARE(noticesIn(first), "listening ");
    auto second = b.bob->nodes()[0].channels.subscribe("unlocked", bell);
    QCOMPARE(noticesIn(second), "listening "); // the connection listens already
    QCOMPARE(b.ask(b.bob->nodes()[0].commands, Command("PUBLISH", "unlocked", "0")), "1");
    QCOMPARE(noticesIn(first), "message 0");
    QCOMPARE(noticesIn(second), "message 0");
}

void TestModelClient::nobodyIsToldAfterTheEndOfASubscription()
{
    Bench b;
    async::Gate bell;
    {
        const auto gone = b.alice->nodes()[0].channels.subscribe("unlocked", bell);
        b.passTime();
    }
    // It listens until a message finds no waiter.
    QCOMPARE(b.ask(b.bob->nodes()[0].commands, Command("PUBLISH", "unlocked", "0")), "1");
    QCOMPARE(b.ask(b.bob->nodes()[0].commands, Command("PUBLISH", "unlocked", "0")), "0");
    auto again = b.alice->nodes()[0].channels.subscribe("unlocked", bell);
    b.passTime();
    QCOMPARE(noticesIn(again), "listening ");
}

void TestModelClient::aCrashForgetsWhatWasUnderWay()
{
    Bench b;
    const auto pop = b.start(b.alice->nodes()[0].blocking, Command("BLPOP", "list", "0"));
    b.passTime();
    b.alice->crash();
    b.ask(b.bob->nodes()[0].commands, Command("RPUSH", "list", "go"));
    QVERIFY(!pop.isFinished());
    QCOMPARE(b.ask(b.alice->nodes()[0].commands, Command("LLEN", "list")), "1");
    QCOMPARE(b.alice->commandCount(), 2u);
}

void TestModelClient::itsClockIsThatOfItsThread()
{
    Bench b;
    b.passTime(1500ms);
    QCOMPARE(b.alice->clock().now(), Instant(1500ms));
    QCOMPARE(b.alice->clock().now(), b.bob->clock().now());
    const WallTime before = b.alice->wallNow();
    b.passTime(20ms);
    QCOMPARE(b.alice->wallNow() - before, 20ms);
}

void TestModelClient::sentCommandsCount()
{
    Bench b;
    b.ask(b.alice->nodes()[0].commands, Command("PING"));
    b.ask(b.alice->nodes()[1].commands, Command("PING"));
    b.start(b.alice->nodes()[0].blocking, Command("BLPOP", "list", "0"));
    async::Gate bell;
    const auto subscription = b.alice->nodes()[0].channels.subscribe("unlocked", bell);
    b.passTime();
    QCOMPARE(b.alice->commandCount(), 3u); // listening is the thread's, and it does not count
    QCOMPARE(b.bob->commandCount(), 0u);
}

LOCKSCOPE_TEST(TestModelClient, Core)

} // namespace lockscope::tst_model_client

#include "tst_model_client.moc"
