#include "core/kernel/sim/lua_values.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lua_values {

using namespace lockscope::testing;

class TestLuaValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatAScriptReturnsBecomesAReply();
    void whatACommandAnswersBecomesAValue();
    void numbersGoIntoCommandsInFull();
};

void TestLuaValues::whatAScriptReturnsBecomesAReply()
{
    SimTalk say;
    QCOMPARE(say.eval("return {1, 2.9, -2.9, 'x', true, false, {3, nil, 4}}"),
             "[1, 2, -2, \"x\", 1, nil, [3]]");
    QCOMPARE(say.eval("return nil"), "nil");
    QCOMPARE(say.eval("return {ok='FINE'}"), "+FINE");
    QCOMPARE(say.eval("return {err='MY error'}"), "-MY error");
    QCOMPARE(say.eval("return {double=3.5}"), "\"3.5\"");
    QCOMPARE(say.eval("return 1e300"), "-9223372036854775808");
    QCOMPARE(say.eval("return {1, nil, 3}"), "[1]");
    QCOMPARE(say.eval("return {a=1}"), "[]");
    QCOMPARE(say.eval("return pcall"), "nil");
}

void TestLuaValues::whatACommandAnswersBecomesAValue()
{
    SimTalk say;
    QCOMPARE(say.eval("return type(redis.call('get', 'none'))"), "\"boolean\"");
    QCOMPARE(say.eval("return redis.call('set', 'a', 1).ok"), "\"OK\"");
    QCOMPARE(say.eval("return redis.call('get', 'a') .. '!'"), "\"1!\"");
    QCOMPARE(say.eval("return redis.call('incr', 'a') + 0.5"), "2");
    QCOMPARE(say.eval("return redis.pcall('lpush', 'a', 1).err"),
             "\"WRONGTYPE Operation against a key holding the wrong kind of value\"");
    QCOMPARE(say.eval("return #redis.call('mget', 'a', 'b')"), "2");
}

void TestLuaValues::numbersGoIntoCommandsInFull()
{
    SimTalk say;
    QCOMPARE(say.eval("return redis.call('set', 'a', 12345678901234567890)"), "+OK");
    QCOMPARE(say("GET a"), "\"1.2345678901234567e+19\"");
    QCOMPARE(say.eval("return redis.call('set', 'a', 10/3)"), "+OK");
    QCOMPARE(say("GET a"), "\"3.3333333333333335\"");
    QCOMPARE(say.eval("return redis.call('set', 'a', 1e15)"), "+OK");
    QCOMPARE(say("GET a"), "\"1000000000000000\"");
}

LOCKSCOPE_TEST(TestLuaValues, Core)

} // namespace lockscope::tst_lua_values

#include "tst_lua_values.moc"
