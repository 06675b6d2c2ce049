#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_sorted_set_combination {

using namespace lockscope::testing;

class TestSortedSetCombination : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void membersOfAllAreKeptWithTheirWeightedScores();
    void anyMemberIsEnoughForAUnion();
    void infinitiesThatCancelEachOtherOutMakeZero();
    void anEmptyResultRemovesTheDestination();
    void wordsThatDoNotFitAreRefused();
};

void TestSortedSetCombination::membersOfAllAreKeptWithTheirWeightedScores()
{
    SimTalk say;
    QCOMPARE(say("ZADD weights 1 a 2 b 3 c"), "3");
    QCOMPARE(say("ZADD times 100 b 200 c 300 d"), "3");
    // As Symfony's semaphore forgets the permits whose time is over.
    QCOMPARE(say("ZINTERSTORE weights 2 weights times WEIGHTS 1 0"), "2");
    QCOMPARE(say("ZRANGE weights 0 -1 WITHSCORES"), "[\"b\", \"2\", \"c\", \"3\"]");
    QCOMPARE(say("ZINTERSTORE out 2 weights times AGGREGATE MAX"), "2");
    QCOMPARE(say("ZSCORE out b"), "\"100\"");
    QCOMPARE(say("SADD plain c"), "1");
    QCOMPARE(say("ZINTERSTORE out 2 weights plain WEIGHTS 2 10"), "1");
    QCOMPARE(say("ZSCORE out c"), "\"16\"");
}

void TestSortedSetCombination::anyMemberIsEnoughForAUnion()
{
    SimTalk say;
    QCOMPARE(say("ZADD x 1 a 5 b"), "2");
    QCOMPARE(say("ZADD y 2 b 3 c"), "2");
    QCOMPARE(say("ZUNIONSTORE out 3 x y missing"), "3");
    QCOMPARE(say("ZRANGE out 0 -1 WITHSCORES"), "[\"a\", \"1\", \"c\", \"3\", \"b\", \"7\"]");
    QCOMPARE(say("ZUNIONSTORE out 2 x y AGGREGATE MIN"), "3");
    QCOMPARE(say("ZSCORE out b"), "\"2\"");
}

void TestSortedSetCombination::infinitiesThatCancelEachOtherOutMakeZero()
{
    SimTalk say;
    QCOMPARE(say("ZADD x inf a"), "1");
    QCOMPARE(say("ZADD y -inf a"), "1");
    QCOMPARE(say("ZINTERSTORE out 2 x y"), "1");
    QCOMPARE(say("ZSCORE out a"), "\"0\"");
}

void TestSortedSetCombination::anEmptyResultRemovesTheDestination()
{
    SimTalk say;
    QCOMPARE(say("ZADD out 1 a"), "1");
    QCOMPARE(say("EXPIRE out 100"), "1");
    QCOMPARE(say("ZUNIONSTORE out 1 out"), "1");
    QCOMPARE(say("TTL out"), "-1");
    QCOMPARE(say("ZINTERSTORE out 2 out missing"), "0");
    QCOMPARE(say("EXISTS out"), "0");
}

void TestSortedSetCombination::wordsThatDoNotFitAreRefused()
{
    SimTalk say;
    QCOMPARE(say("SET text x"), "+OK");
    QCOMPARE(say("ZINTERSTORE out 1 text"),
             "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("ZINTERSTORE out 0 a"),
             "-ERR at least 1 input key is needed for 'zinterstore' command");
    QCOMPARE(say("ZINTERSTORE out 2 a"), "-ERR syntax error");
    QCOMPARE(say("ZINTERSTORE out 1 a WEIGHTS x"), "-ERR weight value is not a float");
    QCOMPARE(say("ZINTERSTORE out 1 a AGGREGATE avg"), "-ERR syntax error");
}

LOCKSCOPE_TEST(TestSortedSetCombination, Core)

} // namespace lockscope::tst_sorted_set_combination

#include "tst_sorted_set_combination.moc"
