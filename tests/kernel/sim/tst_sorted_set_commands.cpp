#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_sorted_set_commands {

using namespace lockscope::testing;

class TestSortedSetCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scoresOrderMembers();
    void optionsDecideWhatIsWritten();
    void scoresAreSpelledAsRedisDoes();
    void aBlockingPopWithoutConnectionDoesNotWait();
};

void TestSortedSetCommands::scoresOrderMembers()
{
    SimTalk say;
    QCOMPARE(say("ZADD z 2 b 1 a 2 aa"), "3");
    QCOMPARE(say("ZRANGE z 0 -1"), "[\"a\", \"aa\", \"b\"]");
    QCOMPARE(say("ZRANK z b"), "2");
    QCOMPARE(say("ZREVRANK z b"), "0");
    QCOMPARE(say("ZRANK z x"), "nil");
    QCOMPARE(say("ZCARD z"), "3");
    QCOMPARE(say("ZREM z a x"), "1");
    QCOMPARE(say("ZPOPMIN z"), "[\"aa\", \"2\"]");
    QCOMPARE(say("ZPOPMAX z 5"), "[\"b\", \"2\"]");
    QCOMPARE(say("EXISTS z"), "0");
    QCOMPARE(say("ZPOPMIN z"), "[]");
}

void TestSortedSetCommands::optionsDecideWhatIsWritten()
{
    SimTalk say;
    QCOMPARE(say("ZADD z 5 a"), "1");
    QCOMPARE(say("ZADD z NX 9 a"), "0");
    QCOMPARE(say("ZADD z GT CH 4 a"), "0");
    QCOMPARE(say("ZADD z GT CH 6 a"), "1");
    QCOMPARE(say("ZADD z LT 7 b"), "1");
    QCOMPARE(say("ZADD z XX 1 c"), "0");
    QCOMPARE(say("ZADD z XX INCR 1 c"), "nil");
    QCOMPARE(say("ZADD z INCR 1.5 a"), "\"7.5\"");
    QCOMPARE(say("ZADD z NX XX 1 a"), "-ERR XX and NX options at the same time are not compatible");
    QCOMPARE(say("ZADD z GT LT 1 a"),
             "-ERR GT, LT, and/or NX options at the same time are not compatible");
    QCOMPARE(say("ZADD z INCR 1 a 2 b"),
             "-ERR INCR option supports a single increment-element pair");
    QCOMPARE(say("ZADD z 1 a 2"), "-ERR syntax error");
    QCOMPARE(say("ZADD z x a"), "-ERR value is not a valid float");
}

void TestSortedSetCommands::scoresAreSpelledAsRedisDoes()
{
    SimTalk say;
    QCOMPARE(say("ZADD z 0.1 a inf b 1e20 c 1700000000123 d -0 e"), "5");
    QCOMPARE(say("ZSCORE z a"), "\"0.10000000000000001\"");
    QCOMPARE(say("ZSCORE z b"), "\"inf\"");
    QCOMPARE(say("ZSCORE z c"), "\"1e+20\"");
    QCOMPARE(say("ZSCORE z d"), "\"1700000000123\"");
    QCOMPARE(say("ZSCORE z e"), "\"0\"");
    QCOMPARE(say("ZINCRBY z -inf b"), "-ERR resulting score is not a number (NaN)");
    QCOMPARE(say("ZINCRBY z 1 f"), "\"1\"");
}

void TestSortedSetCommands::aBlockingPopWithoutConnectionDoesNotWait()
{
    SimTalk say;
    say("ZADD z 1 a 2 b");
    QCOMPARE(say("BZPOPMIN k z 0"), "[\"z\", \"a\", \"1\"]");
    QCOMPARE(say("BZPOPMAX z 0"), "[\"z\", \"b\", \"2\"]");
    QCOMPARE(say("BZPOPMIN z 0"), "nil");
    QCOMPARE(say("BZPOPMIN z x"), "-ERR timeout is not a float or out of range");
    say("SET s 1");
    QCOMPARE(say("BZPOPMAX z s 0"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

LOCKSCOPE_TEST(TestSortedSetCommands, Core)

} // namespace lockscope::tst_sorted_set_commands

#include "tst_sorted_set_commands.moc"
