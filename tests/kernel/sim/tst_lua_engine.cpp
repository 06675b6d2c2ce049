#include "core/kernel/sim/lua_redis.h"
#include "core/kernel/sim/lua_sandbox.h"
#include "protocol_scripts.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lua_engine {

using namespace lockscope::testing;

class TestLuaEngine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void errorsSayWhereTheyComeFrom();
    void errorsOfCommandsAreRaisedOrHandedOver();
    void someCommandsAreNotForScripts();
    void nothingIsLeftBehindForTheNextScript();
    void librariesThatRedisDoesNotGiveAreAbsent();
    void luckIsTheSameInEveryRun();
    void aScriptWithoutEndIsStopped();
    void aScriptIsStoppedWhereItAlwaysIs();
    void oneEngineServesManyServers();
    void jsonGoesBothWays();
    void everyScriptOfOursRuns_data();
    void everyScriptOfOursRuns();
    void scriptsThatCountOnTheServersClockRun();
};

namespace {

/// The error without the digest of the script.
QByteArray shortened(QByteArray error)
{
    const qsizetype at = error.indexOf(" script: ");
    const qsizetype place = error.indexOf(", on ", at);
    return at < 0 || place < 0 ? error : error.remove(at, place - at);
}

} // namespace

void TestLuaEngine::errorsSayWhereTheyComeFrom()
{
    SimTalk say;
    QCOMPARE(say.eval("\n\nerror('third line')"),
             "-ERR user_script:3: third line script: "
             "91cc6244bfff0a918976afe188ae05d3ad6115a3, on @user_script:3.");
    QCOMPARE(shortened(say.eval("\n\nerror('third line')")),
             "-ERR user_script:3: third line, on @user_script:3.");
    QCOMPARE(shortened(say.eval("error({err='MY table'})")), "-MY table, on @user_script:1.");
    QCOMPARE(shortened(say.eval("return nothing")),
             "-ERR user_script:1: Script attempted to access nonexistent global variable "
             "'nothing', on @user_script:1.");
    QCOMPARE(shortened(say.eval("x = 1")),
             "-ERR user_script:1: Attempt to modify a readonly table, on @user_script:1.");
    QCOMPARE(say.eval("local _, e = pcall(error, {err='T t'}); return e"), "\"T t\"");
}

void TestLuaEngine::errorsOfCommandsAreRaisedOrHandedOver()
{
    SimTalk say;
    say("SET a word");
    QCOMPARE(shortened(say.eval("return redis.call('incr', 'a')")),
             "-ERR value is not an integer or out of range, on @user_script:1.");
    QCOMPARE(say.eval("return redis.pcall('incr', 'a')"),
             "-ERR value is not an integer or out of range");
    QCOMPARE(say.eval("return redis.error_reply('-MINE now')"), "-MINE now");
    QCOMPARE(say.eval("return redis.error_reply('lonely')"), "-ERR lonely");
    QCOMPARE(say.eval("return redis.status_reply('FINE')"), "+FINE");
    QCOMPARE(say.eval("return redis.sha1hex('')"), "\"da39a3ee5e6b4b0d3255bfef95601890afd80709\"");
}

void TestLuaEngine::someCommandsAreNotForScripts()
{
    SimTalk say;
    for (const char* const call : {"'multi'", "'blpop', 'l', 0", "'eval', 'return 1', 0",
                                   "'script', 'flush'", "'subscribe', 'c'"}) {
        QCOMPARE(shortened(say.eval("return redis.call(" + std::string(call) + ")")),
                 "-ERR This Redis command is not allowed from script, on @user_script:1.");
    }
    QCOMPARE(shortened(say.eval("redis.call('nonsense')")),
             "-ERR Unknown Redis command called from script, on @user_script:1.");
    QCOMPARE(shortened(say.eval("redis.call('get')")),
             "-ERR Wrong number of args calling Redis command from script, on @user_script:1.");
    QCOMPARE(shortened(say.eval("redis.call('get', {})")),
             "-ERR Lua redis lib command arguments must be strings or integers, on "
             "@user_script:1.");
}

void TestLuaEngine::nothingIsLeftBehindForTheNextScript()
{
    SimTalk say;
    for (const char* const attempt :
         {"_G.left = 1", "rawset(_G, 'left', 1)", "string.left = 1", "redis.left = 1",
          "setmetatable(_G, {__index = {left = 1}})", "getmetatable('').__index.left = 1",
          "setfenv(0, {left = 1})", "setfenv(1, {left = 1})", "KEYS = {left = 1}"}) {
        say.eval(attempt);
        say.eval(attempt);
        QCOMPARE(say.eval("local ok = pcall(function() return left end); return {tostring(ok), "
                          "tostring(string.left), tostring(redis.left), tostring(KEYS.left)}"),
                 "[\"false\", \"nil\", \"nil\", \"nil\"]");
    }
}

void TestLuaEngine::librariesThatRedisDoesNotGiveAreAbsent()
{
    SimTalk say;
    for (const char* const name : {"io", "os", "debug", "require", "dofile", "print", "package"}) {
        QVERIFY(say.eval("return " + std::string(name)).contains("nonexistent global variable"));
    }
    QCOMPARE(say.eval("return loadstring('return 2 + 3')()"), "5");
}

void TestLuaEngine::luckIsTheSameInEveryRun()
{
    SimTalk say;
    const std::string text = "return {math.random(1000000), math.random(1000000)}";
    const QByteArray first = say.eval(text);
    QCOMPARE(say.eval(text), first);
    QVERIFY(say.eval("math.randomseed(7); " + text) != first);
}

void TestLuaEngine::aScriptWithoutEndIsStopped()
{
    SimTalk say;
    sim::LuaEngine strict(10'000);
    const auto run = [&](const char* text) {
        const store::Command command("EVAL", text, 0);
        return replyText(say.database.run(command, {strict, say.now}));
    };
    QVERIFY(run("while true do end").find("more steps than the simulation allows")
            != std::string::npos);
    QVERIFY(run("while true do pcall(function() while true do end end) end").find("more steps")
            != std::string::npos);
    QCOMPARE(run("return 1"), "1");
    // Each time, although its answer is known: a search ends there, whatever was run before.
    QCOMPARE(strict.stoppedCount(), std::uint64_t(2));
    run("while true do end");
    QCOMPARE(strict.stoppedCount(), std::uint64_t(3));
}

void TestLuaEngine::aScriptIsStoppedWhereItAlwaysIs()
{
    sim::LuaEngine strict(10'000);
    const auto callsBeforeTheEnd = [&] {
        SimTalk say;
        const store::Command endless("EVAL", "while true do redis.call('incr', 'a') end", 0);
        say.database.run(endless, {strict, say.now});
        return say("GET a");
    };
    const QByteArray first = callsBeforeTheEnd();
    for (int steps = 1; steps < 200; ++steps) { // more than are counted at a time
        const Bytes text = "for i = 1, " + std::to_string(steps) + " do end";
        SimTalk say;
        say.database.run(store::Command("EVAL", text, 0), {strict, say.now});
        QCOMPARE(callsBeforeTheEnd(), first);
    }
}

void TestLuaEngine::oneEngineServesManyServers()
{
    SimTalk say;
    sim::SimDatabase other;
    QCOMPARE(say.eval("return redis.call('incr', 'n')"), "1");
    const store::Command unknown("EVALSHA", say.lua.digestOf("return redis.call('incr', 'n')"), 0);
    QVERIFY(other.run(unknown, {say.lua, say.now}).isError());
    other = say.database;
    sim::LuaEngine fresh;
    QCOMPARE(other.run(unknown, {fresh, say.now}), store::Reply::ofInteger(2));
    QCOMPARE(say("GET n"), "\"1\"");
}

void TestLuaEngine::jsonGoesBothWays()
{
    SimTalk say;
    QCOMPARE(say.eval("return cjson.encode({1, 'x', {a = true}})"), "\"[1,\"x\",{\"a\":true}]\"");
    QCOMPARE(say.eval("return cjson.decode('{\"a\": [1, 2]}').a"), "[1, 2]");
}

void TestLuaEngine::everyScriptOfOursRuns_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto add = [](const store::Script& script, const char* expected) {
        QTest::newRow(std::string(script.name).c_str())
            << QByteArray(script.text.data(), static_cast<qsizetype>(script.text.size()))
            << QByteArray(expected);
    };
    using namespace protocol::scripts;
    for (const store::Script& script : {kDeleteFieldIfEqual, kDeleteIfEqual, kExpireIfEqual}) {
        add(script, "-1");
    }
    add(kFencedToken, "[1, 1]");
    add(kListHandoff, "[1]");
    add(kRedissonFairLeave, "0");
    add(kRedissonFairLock, "[1]");
    add(kRedissonLock, "[1]");
    add(kRedissonReadLock, "[1]");
    add(kRedissonWriteLock, "[1]");
    add(kReentrantHashLock, "[1]");
    for (const store::Script& script :
         {kRedissonFairUnlock, kRedissonReadRenew, kRedissonReadUnlock, kRedissonRenew,
          kRedissonUnlock, kRedissonWriteUnlock}) {
        add(script, "-1");
    }
}

void TestLuaEngine::everyScriptOfOursRuns()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, expected);
    SimTalk say;
    QCOMPARE(replyText(say.ask({"EVAL", text.toStdString(), "4", "lock", "k2", "k3", "k4", "take",
                                "30000", "30000", "60000", "60000", "60000"})),
             expected.toStdString());
}

/// Their first argument is a number.
void TestLuaEngine::scriptsThatCountOnTheServersClockRun()
{
    using namespace protocol::scripts;
    for (const store::Script& script :
         {kRwHashOwnersLock, kRwHashOwnersRenew, kRwHashOwnersUnlock, kSemaphoreAcquire,
          kSemaphoreRelease, kSemaphoreRenew, kLuaSetnxExpire}) {
        SimTalk say;
        const store::Reply reply = say.ask({"EVAL", Bytes(script.text), "3", "lock", "k2", "k3",
                                            "5", "30000", "30000", "60000", "60000", "60000"});
        QVERIFY2(!reply.isError(), replyText(reply).c_str());
        QVERIFY(say.lua.digestOf(Bytes(script.text)) == script.digest);
    }
}

LOCKSCOPE_TEST(TestLuaEngine, Core)

} // namespace lockscope::tst_lua_engine

#include "tst_lua_engine.moc"
