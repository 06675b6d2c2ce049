#include "core/kernel/sim/answer_trees.h"
#include "core/kernel/sim/command_table.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_database.h"
#include "protocol_scripts.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_answer_trees {

using namespace lockscope::testing;
using sim::AnswerTrees;
using sim::LuaEngine;
using store::Reply;

class TestAnswerTrees : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAnswerLeadsToItsPlace();
    void subjectsAreToldApart();
    void aCallHasSoManyAnswers();
    void aKnownScriptDoesTheSameAgain();
    void anotherAnswerIsGoneInto();
    void commandsAreCarriedOutOnce();
    void errorsShowTheScriptAsItWasCalled();
    void aScriptWithoutEndIsStoppedEachTime();
    void itMakesNoDifference();
};

void TestAnswerTrees::anAnswerLeadsToItsPlace()
{
    AnswerTrees trees;
    const std::vector<Bytes> words{"EVALSHA", "abc", "0", "x"};
    AnswerTrees::Node* const root = trees.rootOf({"abc", "abc", words});
    QVERIFY(root != nullptr);
    QVERIFY(!root->isCall());
    AnswerTrees::Node* const one = trees.behind(*root, Reply::ofInteger(1));
    AnswerTrees::Node* const two = trees.behind(*root, Reply::ofInteger(2));
    QVERIFY(one != two);
    QCOMPARE(trees.behind(*root, Reply::ofInteger(1)), one);
    QCOMPARE(trees.rootOf({"abc", "abc", words}), root);
}

void TestAnswerTrees::subjectsAreToldApart()
{
    AnswerTrees trees;
    const std::vector<Bytes> words{"EVALSHA", "abc", "0", "x"};
    const std::vector<Bytes> others{"EVALSHA", "abc", "0", "y"};
    AnswerTrees::Node* const root = trees.rootOf({"abc", "abc", words});
    QVERIFY(trees.rootOf({"abc", "abc", others}) != root);
    QVERIFY(trees.rootOf({"abd", "abd", words}) != root);
    // The same script under another name has the same place in the table: it goes without.
    QVERIFY(trees.rootOf({"abc", "ABC", words}) == nullptr);
}

void TestAnswerTrees::aCallHasSoManyAnswers()
{
    AnswerTrees trees;
    AnswerTrees::Node* const root = trees.rootOf({"abc", "abc", {"EVALSHA", "abc", "0"}});
    int count = 0;
    while (count < 1000 && trees.behind(*root, Reply::ofInteger(count)) != nullptr) {
        ++count;
    }
    QVERIFY(count >= 16);
    QVERIFY(count < 1000);
    QVERIFY(trees.behind(*root, Reply::ofInteger(0)) != nullptr);
}

void TestAnswerTrees::aKnownScriptDoesTheSameAgain()
{
    SimTalk say;
    const char* const text = "redis.call('rpush', KEYS[1], ARGV[1]); "
                             "return redis.call('llen', KEYS[1])";
    for (const char* const length : {"1", "2"}) {
        QCOMPARE(say.eval(text), QByteArray(length));
    }
    say("DEL a");
    for (const char* const length : {"1", "2", "3"}) {
        QCOMPARE(say.eval(text), QByteArray(length));
    }
    QCOMPARE(say("LLEN a"), "3");
}

void TestAnswerTrees::anotherAnswerIsGoneInto()
{
    SimTalk say;
    const char* const text = "if redis.call('get', KEYS[1]) == ARGV[1] then "
                             "return redis.call('del', KEYS[1]) else return 'kept' end";
    QCOMPARE(say.eval(text), "\"kept\"");
    say("SET a x");
    QCOMPARE(say.eval(text), "1");
    QCOMPARE(say.eval(text), "\"kept\"");
    say("SET a x");
    QCOMPARE(say.eval(text), "1");
    QCOMPARE(say("EXISTS a"), "0");
}

/// Also those that were carried out before Lua had to be asked what to make of the last answer.
void TestAnswerTrees::commandsAreCarriedOutOnce()
{
    SimTalk say;
    const char* const text = "redis.call('incr', KEYS[2]); redis.call('incr', KEYS[2]); "
                             "return redis.call('get', KEYS[1])";
    for (int i = 1; i <= 50; ++i) {
        say("SET a " + std::to_string(i % 3));
        QCOMPARE(say.eval(text), '"' + QByteArray::number(i % 3) + '"');
        QCOMPARE(say("GET b"), '"' + QByteArray::number(2 * i) + '"');
    }
}

void TestAnswerTrees::errorsShowTheScriptAsItWasCalled()
{
    SimTalk say;
    const Bytes text = "return redis.call('incr', KEYS[1])";
    say("SET a word");
    const Bytes digest = *say.ask({"SCRIPT", "LOAD", text}).text();
    Bytes shouted = digest;
    std::ranges::transform(shouted, shouted.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (int i = 0; i < 2; ++i) {
        for (const Bytes& shown : {digest, shouted}) {
            const Reply reply = say.ask({"EVALSHA", shown, "1", "a"});
            QVERIFY(reply.isError());
            QVERIFY(reply.error()->text.find(shown) != std::string::npos);
        }
    }
}

void TestAnswerTrees::aScriptWithoutEndIsStoppedEachTime()
{
    LuaEngine lua(10'000);
    sim::SimDatabase database;
    const store::Command endless("EVAL", "redis.call('incr', 'a'); while true do end", 0);
    for (std::uint64_t count = 1; count <= 3; ++count) {
        QVERIFY(database.run(endless, {lua, sim::ServerTime{}}).isError());
        QCOMPARE(lua.stoppedCount(), count);
    }
}

namespace {

/// One command or script of a lock, on few words, so that the same ones come again.
std::vector<Bytes> anything(Rng& rng)
{
    static constexpr std::string_view kWords[] = {"a", "b", "c", "1", "2", "10000", "0", "x:1"};
    const auto word = [&rng] { return Bytes(kWords[rng.below(std::size(kWords))]); };
    switch (rng.below(8)) {
    case 0: return {"SET", word(), word(), "PX", "5"};
    case 1: return {"HSET", word(), word(), word()};
    case 2: return {"DEL", word()};
    case 3: return {"RPUSH", word(), word()};
    case 4: return {"ZADD", word(), "7", word()};
    default: break;
    }
    const auto& script = protocol::scripts::kAll[rng.below(std::size(protocol::scripts::kAll))];
    const std::size_t keyCount = 1 + rng.below(4);
    std::vector<Bytes> words{"EVALSHA", Bytes(script.digest), std::to_string(keyCount)};
    for (std::size_t i = 0; i < keyCount + 5; ++i) {
        words.push_back(word());
    }
    return words;
}

} // namespace

/// Two servers that are given the same, one of which asks Lua every time.
void TestAnswerTrees::itMakesNoDifference()
{
    RandomInput random;
    SimTalk remembering;
    LuaEngine computing(LuaEngine::Answers::Computed);
    sim::SimDatabase other;
    for (const store::Script& script : protocol::scripts::kAll) {
        remembering.database.remember(script.digest, script.text);
        other.remember(script.digest, script.text);
    }
    for (int i = 0; i < 20'000; ++i) {
        const std::vector<Bytes> words = anything(random.rng());
        const Reply reply = remembering.ask(words);
        const Reply expected = other.run(store::Command(words), {computing, remembering.now});
        const std::string recipe = random.recipe(toText(store::Command(words)));
        QVERIFY2(reply == expected, recipe.c_str());
        QVERIFY2(remembering.database == other, recipe.c_str());
        remembering.now += std::chrono::milliseconds(random.rng().below(3));
    }
}

LOCKSCOPE_TEST(TestAnswerTrees, Core)

} // namespace lockscope::tst_answer_trees

#include "tst_answer_trees.moc"
