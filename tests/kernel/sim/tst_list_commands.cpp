#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_list_commands {

using namespace lockscope::testing;

class TestListCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothEndsWork();
    void piecesAreCutOut();
    void itemsMove();
    void itemsAreReplacedAndInserted();
    void aBlockingPopWithoutConnectionDoesNotWait();
    void aBlockingMoveWithoutConnectionDoesNotWait();
};

void TestListCommands::bothEndsWork()
{
    SimTalk say;
    QCOMPARE(say("RPUSH l b c"), "2");
    QCOMPARE(say("LPUSH l a z"), "4");
    QCOMPARE(say("LRANGE l 0 -1"), "[\"z\", \"a\", \"b\", \"c\"]");
    QCOMPARE(say("LPOP l"), "\"z\"");
    QCOMPARE(say("RPOP l 2"), "[\"c\", \"b\"]");
    QCOMPARE(say("LLEN l"), "1");
    QCOMPARE(say("LPOP l 0"), "[]");
    QCOMPARE(say("LPOP l -1"), "-ERR value is out of range, must be positive");
    QCOMPARE(say("LPOP l"), "\"a\"");
    QCOMPARE(say("EXISTS l"), "0");
    QCOMPARE(say("LPOP l"), "nil");
    QCOMPARE(say("RPUSHX l a"), "0");
}

void TestListCommands::piecesAreCutOut()
{
    SimTalk say;
    QCOMPARE(say("RPUSH l a b a c a"), "5");
    QCOMPARE(say("LINDEX l -2"), "\"c\"");
    QCOMPARE(say("LINDEX l 9"), "nil");
    QCOMPARE(say("LREM l -2 a"), "2");
    QCOMPARE(say("LRANGE l 0 -1"), "[\"a\", \"b\", \"c\"]");
    QCOMPARE(say("LTRIM l 1 -1"), "+OK");
    QCOMPARE(say("LRANGE l -100 0"), "[\"b\"]");
    QCOMPARE(say("LREM l 0 b"), "1");
    QCOMPARE(say("LTRIM l 5 9"), "+OK");
    QCOMPARE(say("EXISTS l"), "0");
}

void TestListCommands::itemsMove()
{
    SimTalk say;
    QCOMPARE(say("RPUSH l a b"), "2");
    QCOMPARE(say("LMOVE l m LEFT RIGHT"), "\"a\"");
    QCOMPARE(say("RPOPLPUSH l m"), "\"b\"");
    QCOMPARE(say("LRANGE m 0 -1"), "[\"b\", \"a\"]");
    QCOMPARE(say("EXISTS l"), "0");
    QCOMPARE(say("LMOVE m m LEFT RIGHT"), "\"b\"");
    QCOMPARE(say("LRANGE m 0 -1"), "[\"a\", \"b\"]");
    QCOMPARE(say("LMOVE m m UP LEFT"), "-ERR syntax error");
    QCOMPARE(say("SET s 1"), "+OK");
    QCOMPARE(say("LMOVE m s LEFT LEFT"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

void TestListCommands::itemsAreReplacedAndInserted()
{
    SimTalk say;
    QCOMPARE(say("LSET l 0 x"), "-ERR no such key");
    QCOMPARE(say("LINSERT l BEFORE a x"), "0");
    say("RPUSH l a b a");
    QCOMPARE(say("LSET l -1 c"), "+OK");
    QCOMPARE(say("LSET l 3 x"), "-ERR index out of range");
    QCOMPARE(say("LSET l y x"), "-ERR value is not an integer or out of range");
    QCOMPARE(say("LINSERT l BEFORE a x"), "4");
    QCOMPARE(say("LINSERT l AFTER c y"), "5");
    QCOMPARE(say("LINSERT l AFTER nobody y"), "-1");
    QCOMPARE(say("LINSERT l BESIDE a y"), "-ERR syntax error");
    QCOMPARE(say("LRANGE l 0 -1"), "[\"x\", \"a\", \"b\", \"c\", \"y\"]");
    say("SET s 1");
    QCOMPARE(say("LSET s 0 x"), say("LINSERT s BEFORE a x"));
}

void TestListCommands::aBlockingPopWithoutConnectionDoesNotWait()
{
    SimTalk say;
    QCOMPARE(say("RPUSH l a b"), "2");
    QCOMPARE(say("BLPOP k l 0"), "[\"l\", \"a\"]");
    QCOMPARE(say("BRPOP l 0"), "[\"l\", \"b\"]");
    QCOMPARE(say("BLPOP l 0"), "nil");
    QCOMPARE(say("BLPOP l x"), "-ERR timeout is not a float or out of range");
    QCOMPARE(say("BLPOP l -1"), "-ERR timeout is negative");
    QCOMPARE(say("SET s 1"), "+OK");
    QCOMPARE(say("BLPOP l s 0"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

void TestListCommands::aBlockingMoveWithoutConnectionDoesNotWait()
{
    SimTalk say;
    say("RPUSH l a b");
    QCOMPARE(say("BLMOVE l m LEFT RIGHT 0"), "\"a\"");
    QCOMPARE(say("BRPOPLPUSH l m 0"), "\"b\"");
    QCOMPARE(say("LRANGE m 0 -1"), "[\"b\", \"a\"]");
    QCOMPARE(say("BLMOVE l m LEFT RIGHT 0"), "nil");
    QCOMPARE(say("BLMOVE l m UP RIGHT 0"), "-ERR syntax error");
    QCOMPARE(say("BLMOVE l m LEFT RIGHT x"), "-ERR timeout is not a float or out of range");
    QCOMPARE(say("BRPOPLPUSH l m -1"), "-ERR timeout is negative");
}

LOCKSCOPE_TEST(TestListCommands, Core)

} // namespace lockscope::tst_list_commands

#include "tst_list_commands.moc"
