// The library functions that are bounded do what Lua's and cjson's do, as long as a script keeps to
// the limits.

#include "core/kernel/sim/lua_bounds.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_lua_bounds {

using namespace lockscope::testing;

class TestLuaBounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void honestScriptsAreNotDisturbed_data();
    void honestScriptsAreNotDisturbed();
    void errorsNameTheLineOfTheScript_data();
    void errorsNameTheLineOfTheScript();
    void codeIsNoScript();
};

void TestLuaBounds::honestScriptsAreNotDisturbed_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<std::string>("answer");
    const auto row = [](const char* name, const char* script, const char* answer) {
        QTest::newRow(name) << std::string(script) << std::string(answer);
    };
    row("a long string", "return #string.rep('ab', 2^20)", "2097152");
    row("no repetition",
        "return string.rep('ab', 0) .. string.rep('ab', -1) .. string.rep('', 2^31 - 1)", "\"\"");
    row("a table", "local t = {} for i = 1, 10000 do t[i] = i end return #t", "10000");
    row("sorting", "local t = {3, 1, 2} table.sort(t) return t", "[1, 2, 3]");
    row("sorting backwards",
        "local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t", "[3, 2, 1]");
    row("JSON", "return cjson.encode({a = {1, 2, {b = 'x'}}})", "\"{\"a\":[1,2,{\"b\":\"x\"}]}\"");
    row("no JSON", "return tostring(pcall(cjson.decode, 'nonsense'))", "\"false\"");
    row("code", "return loadstring('return 2 + 3')()", "5");
    row("pieces of code",
        "local parts = {'return ', '2 ', '+ 3'} "
        "return load(function() return table.remove(parts, 1) end)()",
        "5");
    row("no code", "return tostring((loadstring('return return')))", "\"nil\"");
    row("garbage", "collectgarbage() return collectgarbage('count') > 0 and 1", "1");
}

void TestLuaBounds::honestScriptsAreNotDisturbed()
{
    QFETCH(const std::string, script);
    QFETCH(const std::string, answer);
    SimTalk say;
    QCOMPARE(say.eval(script).toStdString(), answer);
    QCOMPARE(say.lua.stoppedCount(), std::uint64_t(0));
}

void TestLuaBounds::errorsNameTheLineOfTheScript_data()
{
    QTest::addColumn<std::string>("call");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* call, const char* text) {
        QTest::newRow(call) << std::string(call) << QByteArray(text);
    };
    row("cjson.decode('not json')", "Expected value but found invalid token at character 1");
    row("cjson.encode(function() end)", "Cannot serialise function: type not supported");
    row("cmsgpack.unpack('\\217')", "Bad data format in input.");
    row("string.rep()", "bad argument #1 to 'rep' (string expected, got no value)");
    row("string.find('a', '[')", "malformed pattern (missing ']')");
}

void TestLuaBounds::errorsNameTheLineOfTheScript()
{
    QFETCH(const std::string, call);
    QFETCH(const QByteArray, text);
    SimTalk say;
    const QByteArray said = say.eval("\nreturn " + call);
    QVERIFY2(said.startsWith(QByteArray("-ERR user_script:2: " + text)), said.constData());
}

/// Compiled code that was made up can do anything to the interpreter.
void TestLuaBounds::codeIsNoScript()
{
    SimTalk say;
    QVERIFY(say.eval("\x1bLuaQ").startsWith("-ERR Error compiling script"));
    QCOMPARE(say.eval("return tostring((loadstring(string.dump(function() end))))"), "\"nil\"");
    QCOMPARE(say.eval("local s = string.dump(function() end) "
                      "return tostring((load(function() local t = s s = nil return t end)))"),
             "\"nil\"");
}

LOCKSCOPE_TEST(TestLuaBounds, Core)

} // namespace lockscope::tst_lua_bounds

#include "tst_lua_bounds.moc"
