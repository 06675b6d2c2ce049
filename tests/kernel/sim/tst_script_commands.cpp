#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_script_commands {

using namespace lockscope::testing;

class TestScriptCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scriptsAreKnownByTheirDigest();
    void theNumberOfKeysIsChecked();
    void aTextThatIsNoScriptIsNotRemembered();
};

void TestScriptCommands::scriptsAreKnownByTheirDigest()
{
    SimTalk say;
    QCOMPARE(say("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
             "-NOSCRIPT No matching script. Please use EVAL.");
    QCOMPARE(say("SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), "[0]");
    QCOMPARE(replyText(say.ask({"SCRIPT", "LOAD", "return 1"})),
             "\"e0e1f9fabfc9d4800c877a703b823ac0578ff8db\"");
    QCOMPARE(say("EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0"), "1");
    QCOMPARE(say("SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db x"), "[1, 0]");
    QCOMPARE(say("SCRIPT FLUSH x"), "-ERR SCRIPT FLUSH only support SYNC|ASYNC option");
    QCOMPARE(say("SCRIPT FLUSH"), "+OK");
    QCOMPARE(say("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
             "-NOSCRIPT No matching script. Please use EVAL.");
    QCOMPARE(say("EVALSHA short 0"), "-NOSCRIPT No matching script. Please use EVAL.");
}

void TestScriptCommands::theNumberOfKeysIsChecked()
{
    SimTalk say;
    QCOMPARE(say("EVAL return 1"), "-ERR Number of keys can't be greater than number of args");
    QCOMPARE(say("EVAL return -1"), "-ERR Number of keys can't be negative");
    QCOMPARE(say("EVAL return x"), "-ERR value is not an integer or out of range");
}

void TestScriptCommands::aTextThatIsNoScriptIsNotRemembered()
{
    SimTalk say;
    QCOMPARE(say.eval("this is wrong"),
             "-ERR Error compiling script (new function): user_script:1: '=' expected near 'is'");
    QCOMPARE(say("SCRIPT EXISTS 0"), "[0]");
}

LOCKSCOPE_TEST(TestScriptCommands, Core)

} // namespace lockscope::tst_script_commands

#include "tst_script_commands.moc"
