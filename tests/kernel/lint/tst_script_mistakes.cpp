#include "core/kernel/lint/script_mistakes.h"
#include "tests/kernel/lint/planted_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_script_mistakes {

using namespace lockscope::testing;

class TestScriptMistakes final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTheCompilerSaysIsTakenApart();
    void aMistakeHasItsPlaceInTheFile();
    void everyScriptIsLookedAt();
    void aScriptThatIsOneTextHasThePlaceOfTheText();
};

void TestScriptMistakes::whatTheCompilerSaysIsTakenApart()
{
    const auto mistake = lint::mistakeIn("Error compiling script: user_script:3: '=' expected");
    QCOMPARE(mistake.line, 3);
    QCOMPARE(mistake.reason, std::string("'=' expected"));
    QCOMPARE(lint::mistakeIn("whatever").reason, std::string("whatever"));
    QCOMPARE(lint::mistakeIn("whatever").line, 1);
    // Lua quotes a text of any length.
    const auto longOne = lint::mistakeIn("user_script:7: near '" + std::string(1'000'000, 'x'));
    QCOMPARE(longOne.line, 7);
    QVERIFY(longOne.reason.starts_with("near 'xxx") && longOne.reason.size() < 1'000);
}

void TestScriptMistakes::aMistakeHasItsPlaceInTheFile()
{
    const std::string text = plantedFile("token-lock", {{"if not value then", "if not value"}});
    sim::LuaEngine lua;
    const auto mistakes = lint::scriptMistakesIn(planIn(text), text, lua);
    QCOMPARE(mistakes.size(), std::size_t(1));
    const auto place = protocol::placeAt(text, text.find("\"  return -1\""));
    QCOMPARE(mistakes.front().line, place.line); // where Lua misses the "then"
    QCOMPARE(mistakes.front().column, place.column);
    QVERIFY2(mistakes.front().reason.find("'then' expected") != std::string::npos,
             mistakes.front().reason.c_str());
}

void TestScriptMistakes::everyScriptIsLookedAt()
{
    const std::string text = plantedFile("broken/get-then-del",
                                         {{"'PX', ARGV[2])", "'PX', ARGV[2]"},
                                          {"== ARGV[1] and 1 or 0", "== ARGV[1] and or 0"},
                                          {"call('del', KEYS[1])", "call('del' KEYS[1])"}});
    sim::LuaEngine lua;
    std::vector<int> lines;
    for (const protocol::FileError& mistake : lint::scriptMistakesIn(planIn(text), text, lua)) {
        lines.push_back(mistake.line);
    }
    QCOMPARE(lines, (std::vector<int>{10, 19, 25}));
    const protocol::OwnLockPlan plan = planIn(text);
    std::vector<std::string> paths;
    for (const lint::NamedStep& named : lint::stepsOf(plan)) {
        paths.push_back(named.path);
    }
    QCOMPARE(paths, (std::vector<std::string>{"/acquire", "/release/check", "/release"}));
}

void TestScriptMistakes::aScriptThatIsOneTextHasThePlaceOfTheText()
{
    const std::string list = plantedFile("token-lock");
    QCOMPARE(lint::pathOfScriptLine(list, "/release", 3), std::string("/release/script/2"));
    const std::string one = plantedFile("lease-lock");
    QCOMPARE(lint::pathOfScriptLine(one, "/acquire", 1), std::string("/acquire/script"));
}

LOCKSCOPE_TEST(TestScriptMistakes, Core)

} // namespace lockscope::tst_script_mistakes

#include "tst_script_mistakes.moc"
