#include "core/kernel/store/script.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_script {

using namespace lockscope::store;
using namespace lockscope::testing;

namespace {

constexpr Script kScript{"script", "return 1", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"};
constexpr Script kUnknownToTheBuild{"own", "return 2", {}};

const std::string kByDigest = "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 1 k a b";
const std::string kByText = "EVAL \"return 1\" 1 k a b";

async::Task<Outcome> runOn(ScriptedStore& store, const Script& script)
{
    std::vector<Bytes> keys(1, "k");
    std::vector<Bytes> arguments(1, "a");
    arguments.push_back("b");
    return runScript(store, script, std::move(keys), std::move(arguments));
}

} // namespace

class TestScript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKnownScriptIsNamedByItsDigest();
    void anUnknownScriptIsSentWhole();
    void nothingElseIsSentTwice_data();
    void nothingElseIsSentTwice();
    void whatTheSecondCommandBringsCounts();
    void aScriptWithoutDigestIsSentWholeAtOnce();
};

void TestScript::aKnownScriptIsNamedByItsDigest()
{
    VirtualLoop loop;
    ScriptedStore store(ScriptedStore::replies({Reply::ofInteger(1)}));
    const Outcome outcome = loop.run(runOn(store, kScript));
    QVERIFY(outcome == Outcome(Reply::ofInteger(1)));
    QCOMPARE(store.asked(), std::vector<std::string>{kByDigest});
}

void TestScript::anUnknownScriptIsSentWhole()
{
    VirtualLoop loop;
    ScriptedStore store(ScriptedStore::replies(
        {Reply::ofError("NOSCRIPT No matching script. Please use EVAL."), Reply::ofInteger(1)}));
    const Outcome outcome = loop.run(runOn(store, kScript));
    QVERIFY(outcome == Outcome(Reply::ofInteger(1)));
    QCOMPARE(store.asked(), (std::vector<std::string>{kByDigest, kByText}));
}

void TestScript::nothingElseIsSentTwice_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::newRow("nil") << Outcome(Reply());
    QTest::newRow("another error") << Outcome(Reply::ofError("ERR NOSCRIPT is only mentioned"));
    QTest::newRow("not sent") << Outcome(Unreachable{});
    QTest::newRow("no answer") << Outcome(Unknown{});
}

void TestScript::nothingElseIsSentTwice()
{
    QFETCH(const Outcome, answer);
    VirtualLoop loop;
    ScriptedStore store([answer](const Command&) { return answer; });
    QVERIFY(loop.run(runOn(store, kScript)) == answer);
    QCOMPARE(store.asked().size(), std::size_t(1));
}

void TestScript::whatTheSecondCommandBringsCounts()
{
    VirtualLoop loop;
    ScriptedStore store([](const Command& command) -> Outcome {
        if (command.words.front() == "EVALSHA") {
            return Reply::ofError("NOSCRIPT");
        }
        return Unknown{};
    });
    QVERIFY(std::holds_alternative<Unknown>(loop.run(runOn(store, kScript))));
}

void TestScript::aScriptWithoutDigestIsSentWholeAtOnce()
{
    VirtualLoop loop;
    ScriptedStore store(ScriptedStore::replies({Reply::ofInteger(2)}));
    loop.run(runOn(store, kUnknownToTheBuild));
    QCOMPARE(store.asked(), std::vector<std::string>{"EVAL \"return 2\" 1 k a b"});
}

LOCKSCOPE_TEST(TestScript, Core)

} // namespace lockscope::tst_script

#include "tst_script.moc"
