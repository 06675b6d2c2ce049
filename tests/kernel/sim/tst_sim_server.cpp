#include "core/kernel/sim/sim_server.h"
#include "core/kernel/sim/sim_session.h"
#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>
#include <utility>
#include <vector>

namespace lockscope::tst_sim_server {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestSimServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void transactionsRunAsOne();
    void aBrokenTransactionDoesNothing();
    void aWatchedKeyThatChangesEndsTheTransaction();
    void anExpiryIsAChangeUnlessItWasOneBefore();
    void waitersAreServedInTheirOrder();
    void waitersAreServedAfterTheWholeTransaction();
    void movesAreServedOneByAnother();
    void aMoveToTheWrongKindOfKeyFailsWhenItIsServed();
    void waitersForSortedSetsAndListsShareAKey();
    void waitsEnd();
    void theOneThatLeftIsNotServed();
    void messagesReachSubscribers();
    void subscribersMayNotDoMuchElse();
    void aCopyGoesItsOwnWay();
    void onlyOneDatabaseIsThere();
    void whatConnectionsRememberIsInTheHash();
    void whatCannotBeSeenIsNotInTheHash();
};

void TestSimServer::transactionsRunAsOne()
{
    Meeting m;
    QCOMPARE(m.say(m.alice, "EXEC"), "-ERR EXEC without MULTI");
    QCOMPARE(m.say(m.alice, "MULTI"), "+OK");
    QCOMPARE(m.say(m.alice, "MULTI"), "-ERR MULTI calls can not be nested");
    QCOMPARE(m.say(m.alice, "WATCH a"), "-ERR WATCH inside MULTI is not allowed");
    QCOMPARE(m.say(m.alice, "INCR a"), "+QUEUED");
    QCOMPARE(m.say(m.alice, "BLPOP l 0"), "+QUEUED");
    QCOMPARE(m.say(m.bob, "GET a"), "nil");
    QCOMPARE(m.say(m.alice, "EXEC"), "[1, nil]");
    QCOMPARE(m.say(m.alice, "MULTI"), "+OK");
    QCOMPARE(m.say(m.alice, "DISCARD"), "+OK");
    QCOMPARE(m.say(m.alice, "DISCARD"), "-ERR DISCARD without MULTI");
}

void TestSimServer::aBrokenTransactionDoesNothing()
{
    Meeting m;
    m.say(m.alice, "MULTI");
    m.say(m.alice, "SET a 1");
    QCOMPARE(m.say(m.alice, "GET"), "-ERR wrong number of arguments for 'get' command");
    QCOMPARE(m.say(m.alice, "EXEC"),
             "-EXECABORT Transaction discarded because of previous errors.");
    QCOMPARE(m.say(m.alice, "GET a"), "nil");
}

void TestSimServer::aWatchedKeyThatChangesEndsTheTransaction()
{
    Meeting m;
    m.say(m.alice, "WATCH a b");
    m.say(m.bob, "GET a");
    m.say(m.bob, "SET c 1");
    m.say(m.alice, "MULTI");
    QCOMPARE(m.say(m.alice, "EXEC"), "[]");
    m.say(m.alice, "WATCH a b");
    m.say(m.bob, "SET b 1");
    m.say(m.alice, "MULTI");
    m.say(m.alice, "SET a 1");
    QCOMPARE(m.say(m.alice, "EXEC"), "nil");
    m.say(m.alice, "WATCH a b");
    m.say(m.bob, "SET b 2");
    m.say(m.alice, "UNWATCH");
    m.say(m.alice, "MULTI");
    QCOMPARE(m.say(m.alice, "EXEC"), "[]");
}

void TestSimServer::anExpiryIsAChangeUnlessItWasOneBefore()
{
    Meeting m;
    m.say(m.bob, "SET a 1 PX 10");
    m.say(m.alice, "WATCH a");
    m.now += 11ms;
    m.say(m.alice, "MULTI");
    QCOMPARE(m.say(m.alice, "EXEC"), "nil");
    m.say(m.alice, "WATCH a");
    QCOMPARE(m.say(m.bob, "GET a"), "nil");
    m.say(m.alice, "MULTI");
    QCOMPARE(m.say(m.alice, "EXEC"), "[]");
}

void TestSimServer::waitersAreServedInTheirOrder()
{
    Meeting m;
    QCOMPARE(m.say(m.bob, "BLPOP k l 0"), "later");
    QCOMPARE(m.say(m.carol, "BRPOP l 0"), "later");
    QVERIFY(m.server.isWaiting(m.bob));
    QCOMPARE(m.say(m.alice, "RPUSH l a b c"), "3");
    QCOMPARE(m.heard(), "2: [\"l\", \"a\"]; 3: [\"l\", \"c\"]");
    QVERIFY(!m.server.isWaiting(m.bob));
    QCOMPARE(m.say(m.alice, "LRANGE l 0 -1"), "[\"b\"]");
    QCOMPARE(m.say(m.bob, "BLPOP l 0"), "[\"l\", \"b\"]");
}

void TestSimServer::waitersAreServedAfterTheWholeTransaction()
{
    Meeting m;
    m.say(m.bob, "BLPOP l 0");
    m.say(m.alice, "MULTI");
    m.say(m.alice, "RPUSH l a");
    m.say(m.alice, "DEL l");
    m.say(m.alice, "RPUSH l b");
    QCOMPARE(m.say(m.alice, "EXEC"), "[1, 1, 1]");
    QCOMPARE(m.heard(), "2: [\"l\", \"b\"]");
    m.say(m.bob, "BLPOP l 0");
    m.say(m.alice, "EVAL return(redis.call('rpush','l','x')) 0");
    QCOMPARE(m.heard(), "2: [\"l\", \"x\"]");
}

void TestSimServer::movesAreServedOneByAnother()
{
    Meeting m;
    QCOMPARE(m.say(m.carol, "BLPOP m 0"), "later");
    QCOMPARE(m.say(m.bob, "BLMOVE l m LEFT RIGHT 0"), "later");
    QCOMPARE(m.say(m.alice, "RPUSH l a b"), "2");
    QCOMPARE(m.heard(), "2: \"a\"; 3: [\"m\", \"a\"]");
    QCOMPARE(m.say(m.bob, "BRPOPLPUSH l l 0"), "\"b\"");
    QCOMPARE(m.say(m.alice, "LRANGE l 0 -1"), "[\"b\"]");
}

void TestSimServer::aMoveToTheWrongKindOfKeyFailsWhenItIsServed()
{
    Meeting m;
    m.say(m.alice, "SET s 1");
    m.say(m.bob, "BRPOPLPUSH l s 0");
    m.say(m.carol, "BLPOP l 0");
    m.say(m.alice, "RPUSH l a");
    QCOMPARE(m.heard(), "2: -WRONGTYPE Operation against a key holding the wrong kind of value; "
                        "3: [\"l\", \"a\"]");
}

void TestSimServer::waitersForSortedSetsAndListsShareAKey()
{
    Meeting m;
    m.say(m.bob, "BZPOPMIN x k 0");
    m.say(m.carol, "BLPOP x k 0");
    m.say(m.alice, "SADD k 1");
    m.say(m.alice, "DEL k");
    QCOMPARE(m.heard(), "");
    m.say(m.alice, "RPUSH k a");
    QCOMPARE(m.heard(), "3: [\"k\", \"a\"]");
    m.say(m.alice, "RPUSH n a");
    m.say(m.alice, "ZADD y 5 one");
    m.say(m.alice, "RENAME y k");
    QCOMPARE(m.heard(), "2: [\"k\", \"one\", \"5\"]");
    QCOMPARE(m.say(m.alice, "EXISTS k"), "0");
}

void TestSimServer::waitsEnd()
{
    Meeting m;
    m.say(m.bob, "BLPOP l 0.5");
    m.say(m.carol, "BLPOP l 0");
    QCOMPARE(*m.server.nextTimeout(), m.now + 500ms);
    m.server.endWaits(m.now + 499ms);
    QCOMPARE(m.heard(), "");
    m.server.endWaits(m.now + 500ms);
    QCOMPARE(m.heard(), "2: nil");
    QVERIFY(!m.server.nextTimeout());
}

void TestSimServer::theOneThatLeftIsNotServed()
{
    Meeting m;
    m.say(m.bob, "BLPOP l 0");
    m.server.disconnect(m.bob);
    m.say(m.alice, "RPUSH l a");
    QCOMPARE(m.heard(), "");
    QCOMPARE(m.say(m.carol, "LLEN l"), "1");
}

void TestSimServer::messagesReachSubscribers()
{
    Meeting m;
    QCOMPARE(m.say(m.bob, "SUBSCRIBE c d"), "later");
    QCOMPARE(m.heard(), "2: [\"subscribe\", \"c\", 1]; 2: [\"subscribe\", \"d\", 2]");
    QCOMPARE(m.say(m.alice, "PUBLISH c hi"), "1");
    QCOMPARE(m.heard(), "2: [\"message\", \"c\", \"hi\"]");
    QCOMPARE(m.say(m.alice, "PUBSUB NUMSUB c x"), "[\"c\", 1, \"x\", 0]");
    m.say(m.bob, "UNSUBSCRIBE");
    QCOMPARE(m.heard(), "2: [\"unsubscribe\", \"c\", 1]; 2: [\"unsubscribe\", \"d\", 0]");
    QCOMPARE(m.say(m.alice, "PUBLISH c hi"), "0");
}

void TestSimServer::subscribersMayNotDoMuchElse()
{
    Meeting m;
    m.say(m.bob, "SUBSCRIBE c");
    QCOMPARE(m.say(m.bob, "GET a"),
             "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
             "RESET are allowed in this context");
    QCOMPARE(m.say(m.bob, "EXEC").left(51), "-EXECABORT Transaction discarded because of: Can't ");
    QCOMPARE(m.say(m.bob, "PING"), "[\"pong\", \"\"]");
}

void TestSimServer::aCopyGoesItsOwnWay()
{
    Meeting m;
    m.say(m.bob, "BLPOP l 0");
    sim::SimServer copy = m.server;
    copy.run(m.alice, store::Command("RPUSH", "l", "a"), m.now);
    QCOMPARE(copy.takeDeliveries().size(), std::size_t{1});
    QVERIFY(m.server.isWaiting(m.bob));
    QCOMPARE(m.say(m.carol, "EXISTS l"), "0");
}

/// A copy into another one is refused where a server would make it, and not before.
void TestSimServer::onlyOneDatabaseIsThere()
{
    Meeting m;
    QCOMPARE(m.say(m.bob, "SELECT 0"), "+OK");
    QCOMPARE(m.say(m.bob, "SELECT 1"), "-ERR only database 0 is simulated");
    QCOMPARE(m.say(m.bob, "SELECT 16"), "-ERR DB index is out of range");
    QCOMPARE(m.say(m.bob, "COPY a b DB 1"), "0");
    m.say(m.bob, "SET a 1");
    QCOMPARE(m.say(m.bob, "COPY a b DB 1"), "-ERR only database 0 is simulated");
    QCOMPARE(m.say(m.bob, "COPY a a DB 1"), "-ERR only database 0 is simulated");
    QCOMPARE(m.say(m.bob, "COPY a a DB 0"), "-ERR source and destination objects are the same");
    QCOMPARE(m.say(m.bob, "COPY a b DB 0"), "1");
}

void TestSimServer::whatConnectionsRememberIsInTheHash()
{
    Meeting m;
    std::set<std::uint64_t> hashes{m.server.contentHash()};
    const std::pair<sim::SessionId, const char*> steps[] = {
        {m.alice, "WATCH a"},   {m.bob, "WATCH a"},       {m.carol, "SET a 1"},
        {m.alice, "MULTI"},     {m.bob, "MULTI"},         {m.alice, "GET a"},
        {m.alice, "GET b"},     {m.bob, "GET"},           {m.alice, "EXEC"},
        {m.alice, "BLPOP l 0"}, {m.bob, "DISCARD"},       {m.bob, "BLPOP l 5"},
        {m.carol, "RPUSH l x"}, {m.carol, "SUBSCRIBE c"}, {m.alice, "SUBSCRIBE c"},
    };
    for (const auto& [who, line] : steps) {
        m.say(who, line);
        QVERIFY2(hashes.insert(m.server.contentHash()).second, line);
        if (!m.heard().isEmpty()) {
            QVERIFY2(hashes.insert(m.server.contentHash()).second, line);
        }
    }
}

void TestSimServer::whatCannotBeSeenIsNotInTheHash()
{
    Meeting one;
    Meeting other;
    const auto inOrder = [](Meeting& m,
                            const std::vector<std::pair<sim::SessionId, const char*>>& steps) {
        for (const auto& [who, line] : steps) {
            m.say(who, line);
        }
        m.heard();
        return m.server.contentHash();
    };
    QCOMPARE(inOrder(one, {{1, "WATCH a b"}, {2, "WATCH a"}, {3, "BLPOP k 0"}}),
             inOrder(other, {{3, "BLPOP k 0"}, {2, "WATCH a"}, {1, "WATCH b"}, {1, "WATCH a"}}));
    QCOMPARE(inOrder(one, {{1, "UNWATCH"}, {2, "BLPOP l m 0"}, {1, "BRPOP n 0"}}),
             inOrder(other, {{1, "UNWATCH"}, {1, "BRPOP n 0"}, {2, "BLPOP l m 0"}}));
    other.server.disconnect(other.server.connect());
    QCOMPARE(one.server.contentHash(), other.server.contentHash());

    // Who came first does count where one takes it from the other.
    Meeting first;
    Meeting second;
    QVERIFY(inOrder(first, {{1, "BLPOP k l 0"}, {2, "BLPOP l m 0"}})
            != inOrder(second, {{2, "BLPOP l m 0"}, {1, "BLPOP k l 0"}}));
    Meeting third;
    Meeting fourth;
    QCOMPARE(inOrder(third, {{1, "SUBSCRIBE a"}, {2, "SUBSCRIBE b"}}),
             inOrder(fourth, {{2, "SUBSCRIBE b"}, {1, "SUBSCRIBE a"}}));
    QVERIFY(inOrder(third, {{1, "SUBSCRIBE b"}, {2, "SUBSCRIBE a"}})
            == inOrder(fourth, {{2, "SUBSCRIBE a"}, {1, "SUBSCRIBE b"}}));
}

LOCKSCOPE_TEST(TestSimServer, Core)

} // namespace lockscope::tst_sim_server

#include "tst_sim_server.moc"
