#include "core/conduct/script_shelf.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_script_shelf {

using conduct::ScriptShelf;
using store::Command;

class TestScriptShelf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatSendsAScriptIsKeptOnce();
    void othersAreNot();
    void whoHasSomeGetsTheRest();
};

void TestScriptShelf::whatSendsAScriptIsKeptOnce()
{
    ScriptShelf shelf;
    shelf.keep(Command("EVAL", "return 1", 0));
    shelf.keep(Command("script", "load", "return 2"));
    shelf.keep(Command("eval_ro", "return 1", 1, "k"));
    QVERIFY(shelf.scriptsFrom(0) == (std::vector<Bytes>{"return 1", "return 2"}));
}

void TestScriptShelf::othersAreNot()
{
    ScriptShelf shelf;
    shelf.keep(Command("EVALSHA", "1a2b", 0));
    shelf.keep(Command("SCRIPT", "EXISTS", "1a2b"));
    shelf.keep(Command("SCRIPT", "LOAD"));
    shelf.keep(Command("EVAL", "return 1")); // an error
    shelf.keep(Command());
    QVERIFY(shelf.scriptsFrom(0).empty());
}

void TestScriptShelf::whoHasSomeGetsTheRest()
{
    ScriptShelf shelf;
    shelf.keep(Command("EVAL", "return 1", 0));
    shelf.keep(Command("EVAL", "return 2", 0));
    QVERIFY(shelf.scriptsFrom(1) == std::vector<Bytes>{"return 2"});
    QVERIFY(shelf.scriptsFrom(2).empty());
    QVERIFY(shelf.scriptsFrom(3).empty());
}

LOCKSCOPE_TEST(TestScriptShelf, None)

} // namespace lockscope::tst_script_shelf

#include "tst_script_shelf.moc"
