#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_expiry_commands {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestExpiryCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKeyIsThereInItsLastMillisecondAndGoneInTheNext();
    void timesAreReadInBothUnits();
    void conditionsCompareWithTheOldExpiry();
    void thePastDeletes();
};

void TestExpiryCommands::aKeyIsThereInItsLastMillisecondAndGoneInTheNext()
{
    SimTalk say;
    QCOMPARE(say("SET a 1 PX 1000"), "+OK");
    say.now += 1s;
    QCOMPARE(say("GET a"), "\"1\"");
    QCOMPARE(say("PTTL a"), "0");
    say.now += 999us;
    QCOMPARE(say("GET a"), "\"1\"");
    say.now += 1us;
    QCOMPARE(say("GET a"), "nil");
    QCOMPARE(say("PTTL a"), "-2");
    QCOMPARE(say("SET a 2 NX"), "+OK");
}

void TestExpiryCommands::timesAreReadInBothUnits()
{
    SimTalk say;
    QCOMPARE(say("SET a 1"), "+OK");
    QCOMPARE(say("TTL a"), "-1");
    QCOMPARE(say("EXPIRE a 10"), "1");
    QCOMPARE(say("PTTL a"), "10000");
    QCOMPARE(say("TTL a"), "10");
    QCOMPARE(say("PEXPIRE a 1499"), "1");
    QCOMPARE(say("TTL a"), "1");
    QCOMPARE(say("PEXPIRE a 1500"), "1");
    QCOMPARE(say("TTL a"), "2");
    QCOMPARE(say("EXPIRETIME a"), "1000002");
    QCOMPARE(say("PEXPIRETIME a"), "1000001500");
    QCOMPARE(say("PERSIST a"), "1");
    QCOMPARE(say("PERSIST a"), "0");
}

void TestExpiryCommands::conditionsCompareWithTheOldExpiry()
{
    SimTalk say;
    QCOMPARE(say("SET a 1"), "+OK");
    QCOMPARE(say("PEXPIRE a 100 XX"), "0");
    QCOMPARE(say("PEXPIRE a 100 GT"), "0");
    QCOMPARE(say("PEXPIRE a 100 LT"), "1");
    QCOMPARE(say("PEXPIRE a 50 GT"), "0");
    QCOMPARE(say("PEXPIRE a 150 GT"), "1");
    QCOMPARE(say("PEXPIRE a 150 LT"), "0");
    QCOMPARE(say("PEXPIRE a 9 NX"), "0");
    QCOMPARE(say("PEXPIRE a 9 NX XX"),
             "-ERR NX and XX, GT or LT options at the same time are not compatible");
    QCOMPARE(say("PEXPIRE a 9 GT LT"),
             "-ERR GT and LT options at the same time are not compatible");
    QCOMPARE(say("PEXPIRE a 9 YY"), "-ERR Unsupported option YY");
}

void TestExpiryCommands::thePastDeletes()
{
    SimTalk say;
    QCOMPARE(say("SET a 1"), "+OK");
    QCOMPARE(say("EXPIREAT a 1"), "1");
    QCOMPARE(say("EXISTS a"), "0");
    QCOMPARE(say("SET a 1"), "+OK");
    QCOMPARE(say("EXPIRE a -1"), "1");
    QCOMPARE(say("EXISTS a"), "0");
    QCOMPARE(say("EXPIRE a 5"), "0");
    QCOMPARE(say("EXPIRE a 9223372036854775807"), "-ERR invalid expire time in 'expire' command");
    QCOMPARE(say("PEXPIREAT a x"), "-ERR value is not an integer or out of range");
}

LOCKSCOPE_TEST(TestExpiryCommands, Core)

} // namespace lockscope::tst_expiry_commands

#include "tst_expiry_commands.moc"
