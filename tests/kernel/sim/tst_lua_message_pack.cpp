#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lua_message_pack {

using namespace lockscope::testing;

class TestLuaMessagePack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unpacksWhatClientsPack();
    void unpacksAllValuesOfOneText();
    void refusesWhatIsBroken();
    void cannotBeReplaced();
};

void TestLuaMessagePack::unpacksWhatClientsPack()
{
    SimTalk say;
    // {"a": [1, -1, "two"], "b": {"c": 3.25}, "d": null}
    const Bytes packed = "'\\131\\161a\\147\\1\\255\\163two\\161b\\129\\161c"
                         "\\203\\64\\10\\0\\0\\0\\0\\0\\0\\161d\\192'";
    const Bytes value = "local v = cmsgpack.unpack(" + packed + "); ";
    QCOMPARE(say.eval(value + "return v.a"), "[1, -1, \"two\"]");
    QCOMPARE(say.eval(value + "return tostring(v.b.c)"), "\"3.25\"");
    QCOMPARE(say.eval(value + "return type(v.d)"), "\"nil\"");
}

void TestLuaMessagePack::unpacksAllValuesOfOneText()
{
    SimTalk say;
    QCOMPARE(say.eval("return {cmsgpack.unpack('\\1\\195\\162ab')}"), "[1, 1, \"ab\"]");
    QCOMPARE(say.eval("return #{cmsgpack.unpack('')}"), "0");
}

void TestLuaMessagePack::refusesWhatIsBroken()
{
    SimTalk say;
    for (const char* const broken : {"\\147\\1", "\\163tw", "\\196\\1a", "\\193"}) {
        const QByteArray answer = say.eval("return cmsgpack.unpack('" + Bytes(broken) + "')");
        QVERIFY2(answer.startsWith("-ERR user_script:1: Bad data format in input."),
                 answer.constData());
    }
}

void TestLuaMessagePack::cannotBeReplaced()
{
    SimTalk say;
    const QByteArray answer = say.eval("cmsgpack.unpack = nil");
    QVERIFY2(answer.contains("Attempt to modify a readonly table"), answer.constData());
}

LOCKSCOPE_TEST(TestLuaMessagePack, Core)

} // namespace lockscope::tst_lua_message_pack

#include "tst_lua_message_pack.moc"
