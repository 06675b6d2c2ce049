#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_string_commands {

using namespace lockscope::testing;

class TestStringCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void setTakesAllItsOptions();
    void settingEndsTheLeaseUnlessItIsKept();
    void countersStopAtTheirLimits();
    void otherTypesAreRefusedOrReplaced();
    void getexMovesTheLease();
    void rangesAndLengths();
};

void TestStringCommands::setTakesAllItsOptions()
{
    SimTalk say;
    QCOMPARE(say("SET a 1 NX"), "+OK");
    QCOMPARE(say("SET a 2 NX"), "nil");
    QCOMPARE(say("SET b 2 XX"), "nil");
    QCOMPARE(say("SET a 3 XX GET"), "\"1\"");
    QCOMPARE(say("SET a 4 NX GET"), "\"3\"");
    QCOMPARE(say("SET a 5 NX XX"), "-ERR syntax error");
    QCOMPARE(say("SET a 5 PX"), "-ERR syntax error");
    QCOMPARE(say("SET a 5 PX 1 EX 1"), "-ERR syntax error");
    QCOMPARE(say("SET a 5 PX 0"), "-ERR invalid expire time in 'set' command");
    QCOMPARE(say("SET a 5 PX x"), "-ERR value is not an integer or out of range");
    QCOMPARE(say("GET a"), "\"3\"");
}

void TestStringCommands::settingEndsTheLeaseUnlessItIsKept()
{
    SimTalk say;
    QCOMPARE(say("SET a 1 PX 5000"), "+OK");
    QCOMPARE(say("SET a 2 KEEPTTL"), "+OK");
    QCOMPARE(say("PTTL a"), "5000");
    QCOMPARE(say("SET a 3"), "+OK");
    QCOMPARE(say("PTTL a"), "-1");
    QCOMPARE(say("SET a 4 PXAT 1"), "+OK");
    QCOMPARE(say("GET a"), "nil");
}

void TestStringCommands::countersStopAtTheirLimits()
{
    SimTalk say;
    QCOMPARE(say("INCR n"), "1");
    QCOMPARE(say("INCRBY n 9223372036854775806"), "9223372036854775807");
    QCOMPARE(say("INCR n"), "-ERR increment or decrement would overflow");
    QCOMPARE(say("DECRBY n -9223372036854775808"), "-ERR decrement would overflow");
    QCOMPARE(say("SET n 007"), "+OK");
    QCOMPARE(say("DECR n"), "-ERR value is not an integer or out of range");
}

void TestStringCommands::otherTypesAreRefusedOrReplaced()
{
    SimTalk say;
    QCOMPARE(say("RPUSH l x"), "1");
    QCOMPARE(say("GET l"), "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("APPEND l x"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("SET l x GET"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("MGET l"), "[nil]");
    QCOMPARE(say("SET l x"), "+OK");
    QCOMPARE(say("GETSET l y"), "\"x\"");
    QCOMPARE(say("GETDEL l"), "\"y\"");
    QCOMPARE(say("GETDEL l"), "nil");
}

void TestStringCommands::getexMovesTheLease()
{
    SimTalk say;
    QCOMPARE(say("SETEX a 10 v"), "+OK");
    QCOMPARE(say("GETEX a PX 99"), "\"v\"");
    QCOMPARE(say("PTTL a"), "99");
    QCOMPARE(say("GETEX a PERSIST"), "\"v\"");
    QCOMPARE(say("PTTL a"), "-1");
    QCOMPARE(say("GETEX a EXAT 1"), "\"v\"");
    QCOMPARE(say("EXISTS a"), "0");
}

void TestStringCommands::rangesAndLengths()
{
    SimTalk say;
    QCOMPARE(say("APPEND a hello"), "5");
    QCOMPARE(say("GETRANGE a 1 -2"), "\"ell\"");
    QCOMPARE(say("GETRANGE a -100 -50"), "\"h\"");
    QCOMPARE(say("GETRANGE a 3 1"), "\"\"");
    QCOMPARE(say("STRLEN a"), "5");
    QCOMPARE(say("STRLEN none"), "0");
    QCOMPARE(say("MSET a 1 b"), "-ERR wrong number of arguments for 'mset' command");
    QCOMPARE(say("MSET a 1 b 2"), "+OK");
    QCOMPARE(say("MGET a b c"), "[\"1\", \"2\", nil]");
    QCOMPARE(say("MSETNX c 3 a 4"), "0"); // all or nothing
    QCOMPARE(say("MSETNX c 3 d 4 e"), "-ERR wrong number of arguments for 'msetnx' command");
    QCOMPARE(say("MSETNX c 3 d 4"), "1");
    QCOMPARE(say("MGET a c d"), "[\"1\", \"3\", \"4\"]");
    QCOMPARE(say("SETNX a 5"), "0");
    QCOMPARE(say("PSETEX a 5 5"), "+OK");
}

LOCKSCOPE_TEST(TestStringCommands, Core)

} // namespace lockscope::tst_string_commands

#include "tst_string_commands.moc"
