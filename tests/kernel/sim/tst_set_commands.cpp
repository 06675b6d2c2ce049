#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_set_commands {

using namespace lockscope::testing;

class TestSetCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void membersAreUnique();
    void wholeNumbersComeInTheirOrder();
};

void TestSetCommands::membersAreUnique()
{
    SimTalk say;
    QCOMPARE(say("SADD s b a b"), "2");
    QCOMPARE(say("SADD s a"), "0");
    QCOMPARE(say("SISMEMBER s a"), "1");
    QCOMPARE(say("SISMEMBER s z"), "0");
    QCOMPARE(say("SMEMBERS s"), "[\"a\", \"b\"]");
    QCOMPARE(say("SCARD s"), "2");
    QCOMPARE(say("SREM s a z"), "1");
    QCOMPARE(say("SREM s b"), "1");
    QCOMPARE(say("EXISTS s"), "0");
}

void TestSetCommands::wholeNumbersComeInTheirOrder()
{
    SimTalk say;
    QCOMPARE(say("SADD s 10 9 -1"), "3");
    QCOMPARE(say("SMEMBERS s"), "[\"-1\", \"9\", \"10\"]");
    QCOMPARE(say("SET t 1"), "+OK");
    QCOMPARE(say("SADD t 1"), "-WRONGTYPE Operation against a key holding the wrong kind of value");
    QCOMPARE(say("SMEMBERS none"), "[]");
}

LOCKSCOPE_TEST(TestSetCommands, Core)

} // namespace lockscope::tst_set_commands

#include "tst_set_commands.moc"
