#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_score_range_commands {

using namespace lockscope::testing;

class TestScoreRangeCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksCountFromBothEnds();
    void scoresMayLeaveTheirEndsOut();
    void rangesAreRemoved();
};

void TestScoreRangeCommands::ranksCountFromBothEnds()
{
    SimTalk say;
    QCOMPARE(say("ZADD z 1 a 2 b 3 c"), "3");
    QCOMPARE(say("ZRANGE z 0 1 WITHSCORES"), "[\"a\", \"1\", \"b\", \"2\"]");
    QCOMPARE(say("ZRANGE z 0 1 REV"), "[\"c\", \"b\"]");
    QCOMPARE(say("ZREVRANGE z -1 -1"), "[\"a\"]");
    QCOMPARE(say("ZRANGE z 5 9"), "[]");
    QCOMPARE(
        say("ZRANGE z 0 1 LIMIT 0 1"),
        "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    QCOMPARE(say("ZRANGE z 0 1 REV REV"), "-ERR syntax error");
}

void TestScoreRangeCommands::scoresMayLeaveTheirEndsOut()
{
    SimTalk say;
    QCOMPARE(say("ZADD z 1 a 2 b 3 c"), "3");
    QCOMPARE(say("ZRANGEBYSCORE z (1 3"), "[\"b\", \"c\"]");
    QCOMPARE(say("ZRANGEBYSCORE z -inf +inf LIMIT 1 1"), "[\"b\"]");
    QCOMPARE(say("ZRANGEBYSCORE z -inf +inf LIMIT -1 1"), "[]");
    QCOMPARE(say("ZREVRANGEBYSCORE z (3 -inf"), "[\"b\", \"a\"]");
    QCOMPARE(say("ZRANGE z 3 1 BYSCORE REV LIMIT 1 -1"), "[\"b\", \"a\"]");
    QCOMPARE(say("ZCOUNT z (1 (3"), "1");
    QCOMPARE(say("ZCOUNT z 3 1"), "0");
    QCOMPARE(say("ZRANGEBYSCORE z x 1"), "-ERR min or max is not a float");
}

void TestScoreRangeCommands::rangesAreRemoved()
{
    SimTalk say;
    QCOMPARE(say("ZADD z 1 a 2 b 3 c 4 d"), "4");
    QCOMPARE(say("ZREMRANGEBYSCORE z 2 (3"), "1");
    QCOMPARE(say("ZREMRANGEBYRANK z 0 0"), "1");
    QCOMPARE(say("ZRANGE z 0 -1"), "[\"c\", \"d\"]");
    QCOMPARE(say("ZREMRANGEBYSCORE z -inf inf"), "2");
    QCOMPARE(say("EXISTS z"), "0");
}

LOCKSCOPE_TEST(TestScoreRangeCommands, Core)

} // namespace lockscope::tst_score_range_commands

#include "tst_score_range_commands.moc"
