#include "core/kernel/store/reply_encoding.h"
#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_connection_commands {

using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// Clients that say where they come from, and what they are sent.
struct Sockets {
    Meeting meeting;
    sim::SessionId dave = meeting.server.connect("127.0.0.1:40001", meeting.now);
    sim::SessionId erin = meeting.server.connect("127.0.0.1:40002", meeting.now);

    QByteArray say(sim::SessionId who, std::string_view line) { return meeting.say(who, line); }
    /// The bytes of the answer.
    QByteArray bytes(sim::SessionId who, std::string_view line)
    {
        std::string out;
        const auto reply = meeting.server.run(who, store::Command(SimTalk::wordsOf(line)),
                                              meeting.now);
        if (reply) {
            store::appendEncoded(out, *reply, meeting.server.answerFormOf(who));
        }
        for (const sim::Delivery& delivery : meeting.server.takeDeliveries()) {
            store::appendEncoded(out, delivery.reply, meeting.server.formOf(delivery));
        }
        return QByteArray::fromStdString(out);
    }
};

} // namespace

class TestConnectionCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameIsKeptUntilReset();
    void helloChoosesTheProtocol();
    void authKnowsOneUserWithoutPassword();
    void shapesFollowTheProtocol();
    void transactionsKeepTheShapes();
    void waitsThatEndKeepTheirShape();
    void subscribersInResp3MaySayAnything();
    void subscribersInResp2MaySayLittle();
    void quitEndsTheConnectionOnce();
    void killEndsOthers();
    void theListTellsWhoIsThere();
    void infoCountsReplicasAndKeys();
    void resetForgetsEverything();
    void whatClientsSayDecidesNothing();
};

void TestConnectionCommands::aNameIsKeptUntilReset()
{
    Meeting m;
    QCOMPARE(m.say(m.alice, "CLIENT GETNAME"), "nil");
    QCOMPARE(m.say(m.alice, "CLIENT SETNAME worker-1"), "+OK");
    QCOMPARE(m.say(m.alice, "CLIENT GETNAME"), "\"worker-1\"");
    QCOMPARE(m.say(m.bob, "CLIENT GETNAME"), "nil");
    QCOMPARE(m.say(m.alice, "RESET"), "+RESET");
    QCOMPARE(m.say(m.alice, "CLIENT GETNAME"), "nil");
}

void TestConnectionCommands::helloChoosesTheProtocol()
{
    Sockets s;
    QVERIFY(s.bytes(s.dave, "HELLO").startsWith("*14\r\n$6\r\nserver\r\n"));
    QVERIFY(
        s.bytes(s.dave, "HELLO 3 AUTH default x SETNAME d").startsWith("%7\r\n$6\r\nserver\r\n"));
    QCOMPARE(s.meeting.server.protocolOf(s.dave), store::Protocol::Resp3);
    QCOMPARE(s.meeting.server.protocolOf(s.erin), store::Protocol::Resp2);
    QCOMPARE(s.bytes(s.dave, "CLIENT GETNAME"), "$1\r\nd\r\n");
    QCOMPARE(s.say(s.dave, "HELLO 4"), "-NOPROTO unsupported protocol version");
    QCOMPARE(s.say(s.dave, "HELLO x"), "-ERR Protocol version is not an integer or out of range");
    QCOMPARE(s.say(s.dave, "HELLO 2 SETNAME"), "-ERR Syntax error in HELLO option 'SETNAME'");
    QCOMPARE(s.bytes(s.dave, "GET x"), "_\r\n");
    QVERIFY(s.bytes(s.dave, "HELLO 2").startsWith("*14\r\n"));
    QCOMPARE(s.bytes(s.dave, "GET x"), "$-1\r\n");
}

void TestConnectionCommands::authKnowsOneUserWithoutPassword()
{
    Meeting m;
    QVERIFY(m.say(m.alice, "AUTH secret").startsWith("-ERR AUTH <password> called without any"));
    QCOMPARE(m.say(m.alice, "AUTH default secret"), "+OK");
    QCOMPARE(m.say(m.alice, "AUTH alice secret"),
             "-WRONGPASS invalid username-password pair or user is disabled.");
    QCOMPARE(m.say(m.alice, "AUTH a b c"), "-ERR syntax error");
}

void TestConnectionCommands::shapesFollowTheProtocol()
{
    Sockets s;
    s.bytes(s.dave, "HELLO 3");
    s.say(s.erin, "HSET h f v");
    s.say(s.erin, "SADD s m");
    s.say(s.erin, "ZADD z 1.5 m");
    QCOMPARE(s.bytes(s.dave, "HGETALL h"), "%1\r\n$1\r\nf\r\n$1\r\nv\r\n");
    QCOMPARE(s.bytes(s.erin, "HGETALL h"), "*2\r\n$1\r\nf\r\n$1\r\nv\r\n");
    QCOMPARE(s.bytes(s.dave, "SMEMBERS s"), "~1\r\n$1\r\nm\r\n");
    QCOMPARE(s.bytes(s.dave, "ZSCORE z m"), ",1.5\r\n");
    QCOMPARE(s.bytes(s.erin, "ZSCORE z m"), "$3\r\n1.5\r\n");
    QCOMPARE(s.bytes(s.dave, "ZRANGE z 0 -1 WITHSCORES"), "*1\r\n*2\r\n$1\r\nm\r\n,1.5\r\n");
    QCOMPARE(s.bytes(s.dave, "ZRANGE z 0 -1"), "*1\r\n$1\r\nm\r\n");
    QCOMPARE(s.bytes(s.dave, "ZPOPMIN z"), "*2\r\n$1\r\nm\r\n,1.5\r\n");
    QCOMPARE(s.bytes(s.erin, "LPOP none 2"), "*-1\r\n");
    QCOMPARE(s.bytes(s.erin, "LPOP none"), "$-1\r\n");
    QCOMPARE(s.bytes(s.dave, "EVAL return(redis.call('hgetall','h')) 0"),
             "*2\r\n$1\r\nf\r\n$1\r\nv\r\n");
}

void TestConnectionCommands::transactionsKeepTheShapes()
{
    Sockets s;
    s.bytes(s.dave, "HELLO 3");
    s.bytes(s.dave, "MULTI");
    QCOMPARE(s.bytes(s.dave, "HGETALL h"), "+QUEUED\r\n");
    s.bytes(s.dave, "BZPOPMIN z 0");
    s.bytes(s.dave, "ZADD z INCR 2 x");
    QCOMPARE(s.bytes(s.dave, "EXEC"), "*3\r\n%0\r\n_\r\n,2\r\n");
    s.bytes(s.erin, "WATCH k");
    s.bytes(s.dave, "SET k v");
    s.bytes(s.erin, "MULTI");
    QCOMPARE(s.bytes(s.erin, "EXEC"), "*-1\r\n");
}

void TestConnectionCommands::waitsThatEndKeepTheirShape()
{
    Sockets s;
    s.bytes(s.dave, "HELLO 3");
    QCOMPARE(s.say(s.dave, "BZPOPMIN z 1"), "later");
    QCOMPARE(s.bytes(s.erin, "ZADD z 1 m"), ":1\r\n*3\r\n$1\r\nz\r\n$1\r\nm\r\n,1\r\n");
    QCOMPARE(s.say(s.erin, "BLPOP l 1"), "later");
    s.meeting.now += 2s;
    s.meeting.server.endWaits(s.meeting.now);
    QCOMPARE(s.bytes(s.dave, "PING"), "+PONG\r\n*-1\r\n");
}

void TestConnectionCommands::subscribersInResp3MaySayAnything()
{
    Sockets s;
    s.bytes(s.dave, "HELLO 3");
    QCOMPARE(s.bytes(s.dave, "SUBSCRIBE c"), ">3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n");
    QCOMPARE(s.bytes(s.dave, "GET x"), "_\r\n");
    QCOMPARE(s.bytes(s.dave, "PING"), "+PONG\r\n");
    QCOMPARE(s.bytes(s.erin, "PUBLISH c m"), ":1\r\n>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n");
}

void TestConnectionCommands::subscribersInResp2MaySayLittle()
{
    Meeting m;
    m.say(m.alice, "SSUBSCRIBE s");
    QCOMPARE(m.heard(), "1: [\"ssubscribe\", \"s\", 1]");
    QCOMPARE(m.say(m.alice, "CLIENT SETNAME x"),
             "-ERR Can't execute 'client|setname': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / "
             "QUIT / RESET are allowed in this context");
    QCOMPARE(m.say(m.alice, "PING"), "[\"pong\", \"\"]");
    QCOMPARE(m.say(m.bob, "SPUBLISH s hello"), "1");
    QCOMPARE(m.say(m.bob, "PUBLISH s hello"), "0");
    QCOMPARE(m.heard(), "1: [\"smessage\", \"s\", \"hello\"]");
    QCOMPARE(m.say(m.alice, "RESET"), "+RESET");
    QCOMPARE(m.say(m.alice, "PING"), "+PONG");
    QCOMPARE(m.say(m.bob, "PUBSUB SHARDCHANNELS"), "[]");
}

void TestConnectionCommands::quitEndsTheConnectionOnce()
{
    Meeting m;
    m.say(m.alice, "MULTI");
    QCOMPARE(m.say(m.alice, "QUIT"), "+OK");
    QCOMPARE(m.server.takeClosed(), std::vector<sim::SessionId>{m.alice});
    QVERIFY(m.server.takeClosed().empty());
    QVERIFY(!m.say(m.bob, "CLIENT LIST").contains("id=1 "));
}

void TestConnectionCommands::killEndsOthers()
{
    Sockets s;
    Meeting& m = s.meeting;
    m.say(m.carol, "BLPOP l 0");
    QCOMPARE(m.say(m.alice, "CLIENT KILL ID 3"), "1");
    QCOMPARE(m.say(m.alice, "RPUSH l a"), "1");
    QCOMPARE(m.heard(), "");
    QCOMPARE(m.say(m.alice, "CLIENT KILL 127.0.0.1:40001"), "+OK");
    QCOMPARE(m.say(m.alice, "CLIENT KILL 127.0.0.1:40001"), "-ERR No such client");
    QCOMPARE(m.server.takeClosed(), (std::vector<sim::SessionId>{m.carol, s.dave}));
    QCOMPARE(m.say(m.bob, "CLIENT KILL TYPE normal SKIPME yes"), "2");
    QCOMPARE(m.server.takeClosed(), (std::vector<sim::SessionId>{m.alice, s.erin}));
    QCOMPARE(m.say(m.bob, "CLIENT KILL SKIPME no TYPE normal"), "1");
    QCOMPARE(m.server.takeClosed(), std::vector<sim::SessionId>{m.bob});
}

void TestConnectionCommands::theListTellsWhoIsThere()
{
    Sockets s;
    Meeting& m = s.meeting;
    s.say(s.dave, "CLIENT SETNAME d");
    m.now += 5s;
    s.say(s.dave, "SUBSCRIBE c");
    m.now += 2s;
    const QByteArray list = m.say(m.alice, "CLIENT LIST TYPE pubsub");
    QVERIFY(list.startsWith("\"id=4 addr=127.0.0.1:40001 laddr=127.0.0.1:6379 fd=8 name=d age=7 "
                            "idle=2 flags=P db=0 sub=1 psub=0 ssub=0 multi=-1 "));
    QVERIFY(list.contains(" events=r cmd=subscribe user=default redir=-1 resp=2"));
    QCOMPARE(m.say(m.alice, "CLIENT LIST").count("id="), 5);
    QCOMPARE(m.say(m.alice, "CLIENT LIST ID 2 99 5").count("id="), 2);
    QCOMPARE(m.say(m.alice, "CLIENT ID"), "1");
    QVERIFY(m.say(m.bob, "CLIENT INFO").startsWith("\"id=2 "));
}

void TestConnectionCommands::infoCountsReplicasAndKeys()
{
    Meeting m;
    m.server.addReplica();
    m.say(m.alice, "SET a 1");
    m.say(m.alice, "SET b 1 PX 1000");
    QVERIFY(m.say(m.alice, "INFO keyspace").contains("db0:keys=2,expires=1,avg_ttl=0"));
    QVERIFY(m.say(m.alice, "INFO replication").contains("connected_slaves:1"));
    QVERIFY(m.say(m.alice, "INFO").contains("redis_version:7.0.15"));
    QCOMPARE(m.say(m.alice, "INFO nothing"), "\"\"");
    QCOMPARE(m.say(m.alice, "ROLE"), "[\"master\", 2, [[\"127.0.0.1\", \"6380\", \"0\"]]]");
}

void TestConnectionCommands::resetForgetsEverything()
{
    Sockets s;
    s.bytes(s.dave, "HELLO 3");
    s.bytes(s.dave, "WATCH k");
    s.bytes(s.dave, "SUBSCRIBE c");
    s.bytes(s.dave, "MULTI");
    QCOMPARE(s.bytes(s.dave, "RESET"), "+RESET\r\n");
    QCOMPARE(s.say(s.dave, "EXEC"), "-ERR EXEC without MULTI");
    QCOMPARE(s.bytes(s.erin, "PUBLISH c m"), ":0\r\n");
    QCOMPARE(s.bytes(s.dave, "GET x"), "$-1\r\n");
}

void TestConnectionCommands::whatClientsSayDecidesNothing()
{
    Sockets s;
    const std::uint64_t before = s.meeting.server.contentHash();
    s.bytes(s.dave, "HELLO 3 SETNAME d");
    s.bytes(s.erin, "CLIENT NO-EVICT on");
    QCOMPARE(s.meeting.server.contentHash(), before);
}

LOCKSCOPE_TEST(TestConnectionCommands, Core)

} // namespace lockscope::tst_connection_commands

#include "tst_connection_commands.moc"
