#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_command_info {

using namespace lockscope::testing;

class TestCommandInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhereTheKeysAre();
    void countsWhatItLists();
};

void TestCommandInfo::saysWhereTheKeysAre()
{
    Meeting m;
    QVERIFY(m.say(m.alice, "COMMAND INFO get").contains("\"get\", 2, "));
    QVERIFY(m.say(m.alice, "COMMAND INFO get").contains("1, 1, 1"));
    QVERIFY(m.say(m.alice, "COMMAND INFO mset").contains("1, -1, 2"));
    QCOMPARE(m.say(m.alice, "COMMAND INFO nope"), "[nil]");
}

void TestCommandInfo::countsWhatItLists()
{
    Meeting m;
    const int count = m.say(m.alice, "COMMAND COUNT").toInt();
    QVERIFY(count > 100);
    QCOMPARE(m.say(m.alice, "COMMAND DOCS get"), "[]");
}

LOCKSCOPE_TEST(TestCommandInfo, Core)

} // namespace lockscope::tst_command_info

#include "tst_command_info.moc"
