// Scripts that would take all time or all memory end at a limit, with an error that says so, at the
// same place in each run; and nothing of them is left for the next script.

#include "core/kernel/sim/lua_limits.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_lua_limits {

using namespace lockscope::testing;

namespace {

const char* const kSteps = "more steps than the simulation allows";
const char* const kMemory = "more memory than the simulation allows";

} // namespace

class TestLuaLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostileScriptsEnd_data();
    void hostileScriptsEnd();
    void nothingIsLeftForTheNextScript();
    void theErrorCannotBeCaught();
    void anInterruptionEndsAScript();
};

void TestLuaLimits::hostileScriptsEnd_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<std::string>("text");
    const auto row = [](const char* name, const std::string& script, const char* text) {
        QTest::newRow(name) << script << std::string(text);
    };
    row("one long string", "return string.rep('x', 2^30)", kMemory);
    row("doubling", "local s = 'x' while true do s = s .. s end", kMemory);
    row("caught doubling",
        "local s = 'x' while true do pcall(function() while true do s = s .. s end end) s = 'x' "
        "end",
        kMemory);
    row("doubling in a coroutine",
        "local s = 'x' return coroutine.wrap(function() while true do s = s .. s end end)()",
        kMemory);
    row("a table of strings",
        "local t = {} for i = 1, 1e9 do t[i] = string.rep(string.rep('x', 600), 100) .. i end",
        kMemory);
    row("the same long string again and again",
        "local s = string.rep('x', 2^21) for i = 1, 1e9 do local t = s .. 'y' end", kSteps);
    row("letters of a long string",
        "local s = string.rep('x', 2^21) for i = 1, 1e9 do s:upper() end", kSteps);
    row("repetitions", "for i = 1, 1e9 do string.rep('x', 2^20) end", kSteps);
    row("a pattern", "return string.find(string.rep('a', 2e5), '.-.-.-.-b')", kSteps);
    row("replacements", "return string.gsub(string.rep('a', 2e5), '.-.-b', '')", kSteps);
    row("replacements by long strings",
        "return string.gsub(string.rep('a', 2e5), 'a', string.rep('b', 1e5))", kSteps);
    row("sorting", "local t = {} for i = 1, 8000 do t[i] = i end while true do table.sort(t) end",
        kSteps);
    row("sorting long strings",
        "local s, t = string.rep('x', 2^20), {} for i = 1, 500 do t[i] = s end table.sort(t)",
        kSteps);
    row("collecting", "while true do collectgarbage() end", kSteps);
    row("JSON that doubles", "local t = {} for i = 1, 60 do t = {t, t} end return cjson.encode(t)",
        kSteps);
    row("JSON with a gap", "cjson.encode_sparse_array(true, 0) return cjson.encode({[2^30] = 1})",
        kSteps);
    row("JSON of long strings", "local s = string.rep('\\0', 2^20) return cjson.encode({s, s, s})",
        kSteps);
    row("long JSON", "return #cjson.decode('[' .. string.rep('[],', 2^20) .. '1]')", kMemory);
    row("long MessagePack", "return cmsgpack.unpack(string.rep('\\144', 2^20))", kMemory);
    row("commands", "while true do redis.call('ping') end", kSteps);
    row("long commands",
        "local s = string.rep('x', 2^20) while true do redis.call('set', 'k', s) end", kSteps);
    row("long answers",
        "redis.call('set', 'k', string.rep('x', 2^20)) while true do redis.call('get', 'k') end",
        kSteps);
    row("code", "while true do loadstring('return ' .. string.rep(' ', 1e5)) end", kSteps);
    row("pieces of code", "local s = string.rep(' ', 1e5) return load(function() return s end)",
        kSteps);
}

void TestLuaLimits::hostileScriptsEnd()
{
    QFETCH(const std::string, script);
    QFETCH(const std::string, text);
    SimTalk say;
    const QByteArray first = say.eval(script);
    QVERIFY2(first.startsWith("-ERR user_script:1: the script takes ")
                 && first.contains(text.c_str()),
             first.left(300).constData());
    QCOMPARE(say.lua.stoppedCount(), std::uint64_t(1));
    QCOMPARE(say.eval(script), first);
    QCOMPARE(say.eval("return 1"), "1");
    QCOMPARE(say.lua.stoppedCount(), std::uint64_t(2));
}

/// Also where a script has switched the garbage collector off.
void TestLuaLimits::nothingIsLeftForTheNextScript()
{
    SimTalk say;
    constexpr const char* kMuch =
        "collectgarbage('stop') local t = {} "
        "for i = 1, 10 do t[i] = string.rep(string.rep('x', 2^10), 2^10) .. i end "
        "return #t";
    for (int i = 0; i < 10; ++i) {
        QCOMPARE(say.eval(kMuch + std::string(static_cast<std::size_t>(i), ' ')), "10");
    }
    QVERIFY(say.eval("return newproxy").contains("nonexistent global variable"));
}

void TestLuaLimits::theErrorCannotBeCaught()
{
    SimTalk say;
    for (const char* const script :
         {"while true do pcall(string.rep, 'x', 2^30) end",
          "local ok = pcall(string.rep, 'x', 2^30) return 1",
          "local ok = xpcall(function() return string.rep('x', 2^30) end, function() end) return 1",
          "return pcall(pcall, pcall, string.rep, 'x', 2^30)"}) {
        const QByteArray said = say.eval(script);
        QVERIFY2(said.contains(kMemory), said.constData());
    }
}

void TestLuaLimits::anInterruptionEndsAScript()
{
    SimTalk say;
    int looks = 0;
    say.lua.endWhen([&looks] { return ++looks > 3; });
    const QByteArray said = say.eval("while true do end");
    QVERIFY2(said.contains("the script was interrupted"), said.constData());
    QVERIFY(say.lua.wasInterrupted());
    QCOMPARE(looks, 4);
    say.lua.endWhen({});
    QVERIFY(!say.lua.wasInterrupted());
    QVERIFY(say.eval("while true do end").contains(kSteps));
}

LOCKSCOPE_TEST(TestLuaLimits, Core)

} // namespace lockscope::tst_lua_limits

#include "tst_lua_limits.moc"
