#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_commands {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestServerCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theClockIsTheOneHandedIn();
    void smallTalk();
};

void TestServerCommands::theClockIsTheOneHandedIn()
{
    SimTalk say;
    say.now += 1234567us;
    QCOMPARE(say("TIME"), "[\"1000001\", \"234567\"]");
}

void TestServerCommands::smallTalk()
{
    SimTalk say;
    QCOMPARE(say("PING"), "+PONG");
    QCOMPARE(say("PING x"), "\"x\"");
    QCOMPARE(say("ECHO x"), "\"x\"");
    QCOMPARE(say("SELECT 0"), "+OK");
    QCOMPARE(say("SELECT 99"), "-ERR DB index is out of range");
    QCOMPARE(say("CLIENT SETNAME x"), "-ERR 'client|setname' needs a connection");
    QCOMPARE(say("PUBLISH c x"), "0");
    QCOMPARE(say("PUBSUB NUMSUB c"), "[\"c\", 0]");
}

LOCKSCOPE_TEST(TestServerCommands, Core)

} // namespace lockscope::tst_server_commands

#include "tst_server_commands.moc"
