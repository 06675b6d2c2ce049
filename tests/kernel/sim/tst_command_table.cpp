#include "core/kernel/sim/command_table.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_command_table {

using namespace lockscope::testing;

class TestCommandTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unknownWordsAreNamed();
    void everyCommandIsFoundInAnyCase();
};

void TestCommandTable::unknownWordsAreNamed()
{
    SimTalk say;
    QCOMPARE(say("NOPE a b"), "-ERR unknown command 'NOPE', with args beginning with: 'a' 'b' ");
    QCOMPARE(say("SCRIPT NOPE"), "-ERR unknown subcommand 'NOPE'. Try SCRIPT HELP.");
    QCOMPARE(say("SCRIPT"), "-ERR wrong number of arguments for 'script' command");
    QCOMPARE(say("SCRIPT LOAD"), "-ERR wrong number of arguments for 'script|load' command");
    QCOMPARE(say("get"), "-ERR wrong number of arguments for 'get' command");
    QCOMPARE(say("SCRIPT|LOAD x"),
             "-ERR unknown command 'SCRIPT|LOAD', with args beginning with: 'x' ");
}

void TestCommandTable::everyCommandIsFoundInAnyCase()
{
    SimTalk say;
    for (const sim::CommandSpec& spec : sim::commandTable()) {
        const QByteArray name(spec.name.data(), static_cast<qsizetype>(spec.name.size()));
        std::vector<Bytes> words;
        for (const QByteArray& part : name.toUpper().split('|')) {
            words.push_back(part.toStdString());
        }
        QCOMPARE(sim::findCommand(words), &spec);
        QCOMPARE(spec.handler == nullptr, spec.kind == sim::CommandKind::Connection);
    }
    QCOMPARE(sim::findCommand(std::vector<Bytes>{Bytes(1000, 'x')}), nullptr);
}

LOCKSCOPE_TEST(TestCommandTable, Core)

} // namespace lockscope::tst_command_table

#include "tst_command_table.moc"
