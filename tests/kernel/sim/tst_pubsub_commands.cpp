#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_pubsub_commands {

using namespace lockscope::testing;

class TestPubsubCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhoListens();
    void channelsOfShardsAreOthers();
};

void TestPubsubCommands::tellsWhoListens()
{
    Meeting m;
    m.say(m.alice, "SUBSCRIBE news orders");
    m.say(m.bob, "PSUBSCRIBE n*");
    m.heard();
    QCOMPARE(m.say(m.carol, "PUBSUB NUMSUB news other"), "[\"news\", 1, \"other\", 0]");
    QCOMPARE(m.say(m.carol, "PUBSUB NUMPAT"), "1");
    QCOMPARE(m.say(m.carol, "PUBSUB CHANNELS o*"), "[\"orders\"]");
    QCOMPARE(m.say(m.carol, "PUBLISH news x"), "2");
}

void TestPubsubCommands::channelsOfShardsAreOthers()
{
    Meeting m;
    m.say(m.alice, "SSUBSCRIBE news");
    m.heard();
    QCOMPARE(m.say(m.carol, "PUBLISH news x"), "0");
    QCOMPARE(m.say(m.carol, "SPUBLISH news x"), "1");
    QCOMPARE(m.say(m.carol, "PUBSUB SHARDNUMSUB news"), "[\"news\", 1]");
}

LOCKSCOPE_TEST(TestPubsubCommands, Core)

} // namespace lockscope::tst_pubsub_commands

#include "tst_pubsub_commands.moc"
