#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_hash_commands {

using namespace lockscope::testing;

class TestHashCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fieldsKeepTheirOrder();
    void theLastFieldTakesTheKey();
    void countersCheckTheirValue();
    void otherTypesAreRefused();
};

void TestHashCommands::fieldsKeepTheirOrder()
{
    SimTalk say;
    QCOMPARE(say("HSET h b 1 a 2"), "2");
    QCOMPARE(say("HSET h b 3 c 4"), "1");
    QCOMPARE(say("HGETALL h"), "[\"b\", \"3\", \"a\", \"2\", \"c\", \"4\"]");
    QCOMPARE(say("HKEYS h"), "[\"b\", \"a\", \"c\"]");
    QCOMPARE(say("HVALS h"), "[\"3\", \"2\", \"4\"]");
    QCOMPARE(say("HMGET h a x"), "[\"2\", nil]");
    QCOMPARE(say("HLEN h"), "3");
    QCOMPARE(say("HSTRLEN h a"), "1");
    QCOMPARE(say("HEXISTS h x"), "0");
    QCOMPARE(say("HGET h c"), "\"4\"");
}

void TestHashCommands::theLastFieldTakesTheKey()
{
    SimTalk say;
    QCOMPARE(say("HMSET h a 1 b 2"), "+OK");
    QCOMPARE(say("PEXPIRE h 1000"), "1");
    QCOMPARE(say("HDEL h a x"), "1");
    QCOMPARE(say("PTTL h"), "1000");
    QCOMPARE(say("HDEL h b"), "1");
    QCOMPARE(say("EXISTS h"), "0");
    QCOMPARE(say("HDEL h b"), "0");
}

void TestHashCommands::countersCheckTheirValue()
{
    SimTalk say;
    QCOMPARE(say("HINCRBY h n 5"), "5");
    QCOMPARE(say("HINCRBY h n -7"), "-2");
    QCOMPARE(say("HINCRBY h n x"), "-ERR value is not an integer or out of range");
    QCOMPARE(say("HSETNX h s word"), "1");
    QCOMPARE(say("HSETNX h s other"), "0");
    QCOMPARE(say("HINCRBY h s 1"), "-ERR hash value is not an integer");
    QCOMPARE(say("HINCRBY h n -9223372036854775807"), "-ERR increment or decrement would overflow");
}

void TestHashCommands::otherTypesAreRefused()
{
    SimTalk say;
    QCOMPARE(say("SET s 1"), "+OK");
    QCOMPARE(say("HGET s f"), "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("HSET s f v"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("HGETALL s"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("HSET h a"), "-ERR wrong number of arguments for 'hset' command");
    QCOMPARE(say("HSET h a 1 b"), "-ERR wrong number of arguments for 'hset' command");
}

LOCKSCOPE_TEST(TestHashCommands, Core)

} // namespace lockscope::tst_hash_commands

#include "tst_hash_commands.moc"
