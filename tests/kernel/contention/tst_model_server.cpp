#include "core/kernel/contention/model_server.h"
#include "core/kernel/sim/lua_engine.h"
#include "tests/support/reply_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_model_server {

using namespace lockscope::contention;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;

namespace {

/// Notes what arrives, and when.
struct Peer final : ModelPeer {
    Peer(EventQueue& theEventQueue, ModelServer& theServer)
        : eventQueue(theEventQueue),
          server(theServer),
          session(server.connect(*this))
    {}

    void arrived(store::Reply reply) override
    {
        heard.push_back(replyText(reply));
        times.push_back(std::chrono::floor<Duration>(eventQueue.now().time_since_epoch()).count());
    }
    void sendAt(Moment when, Command command) { server.send(session, std::move(command), when); }

    EventQueue& eventQueue;
    ModelServer& server;
    sim::SessionId session;
    std::vector<std::string> heard;
    std::vector<long> times; // in µs
};

/// A server whose commands take 10 µs, scripts 100 µs and messages 5 µs, and a network that takes
/// 20 µs each way.
struct Bench {
    EventQueue eventQueue;
    Costs costs = makeCosts();
    sim::LuaEngine lua;
    ModelServer server{eventQueue, costs, lua};
    Peer alice{eventQueue, server};
    Peer bob{eventQueue, server};
    Peer carol{eventQueue, server};

    static Costs makeCosts()
    {
        Costs costs;
        costs.server.plain = 10us;
        costs.server.script = 100us;
        costs.server.delivery = 5us;
        costs.wakeUps = {{Work(0), 3us, 3us}};
        costs.coldFactor = 1;
        costs.roundTrip = 40us;
        return costs;
    }
};

using Texts = std::vector<std::string>;
using Times = std::vector<long>;

} // namespace

class TestModelServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneCommandTakesTheWayAndTheWork();
    void commandsAreServedInTheOrderOfArrival();
    void whatComesDuringARoundWaitsForTheNext();
    void scriptsTakeLonger();
    void aColdServerIsSlower();
    void messagesCostTheServer();
    void aWaitingSessionIsNotRead();
    void waitsEndWithoutACommand();
    void theAnswerToSomebodyWhoLeftIsLost();
    void sleepsUntilSomethingIsOnItsWay();
};

void TestModelServer::oneCommandTakesTheWayAndTheWork()
{
    Bench b;
    b.alice.sendAt(Moment(100us), Command("PING"));
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.alice.heard, Texts{"+PONG"});
    QCOMPARE(b.alice.times, Times{100 + 20 + 3 + 10 + 20});
    QCOMPARE(b.server.busyTime(), Work(10us)); // waking up is no work
}

void TestModelServer::commandsAreServedInTheOrderOfArrival()
{
    Bench b;
    b.bob.sendAt(Moment(11us), Command("SET", "k", "bob", "NX"));
    b.alice.sendAt(Moment(12us), Command("SET", "k", "alice", "NX"));
    b.carol.sendAt(Moment(10us), Command("SET", "k", "carol", "NX"));
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.carol.heard, Texts{"+OK"});
    QCOMPARE(b.bob.heard, Texts{"nil"});
    QCOMPARE(b.alice.heard, Texts{"nil"});
    // All three were there when the server had woken up: one round.
    QCOMPARE(b.carol.times, Times{10 + 20 + 3 + 30 + 20});
    QCOMPARE(b.alice.times, b.carol.times);
    QCOMPARE(b.server.commandCount(), 3u);
}

void TestModelServer::whatComesDuringARoundWaitsForTheNext()
{
    Bench b;
    b.alice.sendAt(Moment(0us), Command("PING"));
    b.bob.sendAt(Moment(5us), Command("PING"));
    b.carol.sendAt(Moment(6us), Command("PING"));
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.alice.times, Times{20 + 3 + 10 + 20});
    QCOMPARE(b.bob.times, Times{33 + 20 + 20}); // the two of them in a round that begins at once
    QCOMPARE(b.carol.times, b.bob.times);
}

void TestModelServer::scriptsTakeLonger()
{
    Bench b;
    b.alice.sendAt(Moment(0us), Command("EVAL", "return 7", 0));
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.alice.heard, Texts{"7"});
    QCOMPARE(b.alice.times, Times{20 + 3 + 100 + 20});
}

void TestModelServer::aColdServerIsSlower()
{
    Bench b;
    b.costs.wakeUps = {{Work(0), 50us, 50us}};
    b.costs.coldFactor = 3;
    b.costs.coldFor = 35us;
    b.alice.sendAt(Moment(1ms), Command("PING"));
    b.bob.sendAt(Moment(1ms), Command("PING"));
    b.carol.sendAt(Moment(1ms), Command("PING"));
    b.eventQueue.runUntil(Moment(2ms));
    QCOMPARE(b.carol.times, Times{1000 + 20 + 50 + 30 + 30 + 10 + 20});
    QCOMPARE(b.server.busyTime(), Work(70us));
}

void TestModelServer::messagesCostTheServer()
{
    Bench b;
    b.alice.sendAt(Moment(0us), Command("SUBSCRIBE", "news"));
    b.bob.sendAt(Moment(0us), Command("SUBSCRIBE", "news"));
    b.eventQueue.runUntil(Moment(1ms));
    b.carol.sendAt(Moment(1ms), Command("PUBLISH", "news", "free"));
    b.eventQueue.runUntil(Moment(2ms));
    QCOMPARE(b.alice.heard.back(), std::string("[\"message\", \"news\", \"free\"]"));
    QCOMPARE(b.carol.heard, Texts{"2"});
    QCOMPARE(b.carol.times, Times{1000 + 20 + 3 + 10 + 2 * 5 + 20});
    QCOMPARE(b.bob.times.back(), b.carol.times.back());
}

void TestModelServer::aWaitingSessionIsNotRead()
{
    Bench b;
    b.alice.sendAt(Moment(0us), Command("BLPOP", "list", 0));
    b.alice.sendAt(Moment(1us), Command("PING"));
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.alice.heard, Texts());
    b.bob.sendAt(Moment(1ms), Command("RPUSH", "list", "go"));
    b.eventQueue.runUntil(Moment(2ms));
    QCOMPARE(b.alice.heard, (Texts{"[\"list\", \"go\"]", "+PONG"}));
    QCOMPARE(b.alice.times.front(), 1000L + 20 + 3 + 10 + 5 + 20);
    QCOMPARE(b.alice.times.back(), b.alice.times.front() + 10); // in the round that follows
}

void TestModelServer::waitsEndWithoutACommand()
{
    Bench b;
    b.alice.sendAt(Moment(0us), Command("BLPOP", "list", "0.1"));
    b.bob.sendAt(Moment(10ms), Command("BLPOP", "list", "0.05"));
    b.eventQueue.runUntil(Moment(1s));
    QCOMPARE(b.alice.heard, Texts{"nil"});
    QCOMPARE(b.bob.heard, Texts{"nil"});
    QVERIFY(b.bob.times.front() >= 60'000 && b.bob.times.front() < 62'000);
    QVERIFY(b.alice.times.front() >= 100'000 && b.alice.times.front() < 102'000);
}

void TestModelServer::theAnswerToSomebodyWhoLeftIsLost()
{
    Bench b;
    b.alice.sendAt(Moment(0us), Command("SET", "k", "1"));
    b.bob.sendAt(Moment(0us), Command("SET", "k", "2"));
    b.eventQueue.runUntil(Moment(30us)); // carried out, and the answers under way
    b.server.disconnect(b.alice.session);
    b.carol.sendAt(Moment(31us), Command("GET", "k"));
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.alice.heard, Texts());
    QCOMPARE(b.bob.heard, Texts{"+OK"});
    QCOMPARE(b.carol.heard, Texts{"\"2\""});
}

void TestModelServer::sleepsUntilSomethingIsOnItsWay()
{
    Bench b;
    QVERIFY(b.server.isAsleep());
    b.alice.sendAt(Moment(0us), Command("PING"));
    QVERIFY(!b.server.isAsleep());       // the next sender finds it notified already
    b.eventQueue.runUntil(Moment(32us)); // it works
    QVERIFY(!b.server.isAsleep());
    b.eventQueue.runUntil(Moment(34us));
    QVERIFY(b.server.isAsleep());
}

LOCKSCOPE_TEST(TestModelServer, Core)

} // namespace lockscope::tst_model_server

#include "tst_model_server.moc"
