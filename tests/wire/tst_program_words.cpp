#include "core/wire/program_words.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <string>

namespace lockscope::tst_program_words {

namespace {

bool contains(const std::vector<std::string>& all, const std::string& entry)
{
    return std::ranges::find(all, entry) != all.end();
}

} // namespace

class TestProgramWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void variablesAreSetAnew();
    void whatIsNotForTheProgramIsTakenAway();
    void theLastPointerIsNull();
};

void TestProgramWords::variablesAreSetAnew()
{
    qputenv("LOCKSCOPE_TEST_A", "old");
    qputenv("LOCKSCOPE_TEST_B", "kept");
    const auto all = wire::environmentWith({{"LOCKSCOPE_TEST_A", "new"}});
    QVERIFY(contains(all, "LOCKSCOPE_TEST_A=new"));
    QVERIFY(!contains(all, "LOCKSCOPE_TEST_A=old"));
    QVERIFY(contains(all, "LOCKSCOPE_TEST_B=kept"));
}

void TestProgramWords::whatIsNotForTheProgramIsTakenAway()
{
    qputenv("LOCKSCOPE_TEST_SECRET", "word");
    constexpr std::array<std::string_view, 1> kSecrets{"LOCKSCOPE_TEST_SECRET"};
    QVERIFY(!contains(wire::environmentWith({}, kSecrets), "LOCKSCOPE_TEST_SECRET=word"));
}

void TestProgramWords::theLastPointerIsNull()
{
    std::vector<std::string> words{"ls", "-l"};
    const auto pointers = wire::pointersTo(words);
    QCOMPARE(pointers.size(), std::size_t{3});
    QCOMPARE(std::string(pointers[1]), std::string("-l"));
    QVERIFY(pointers[2] == nullptr);
}

LOCKSCOPE_TEST(TestProgramWords, Core)

} // namespace lockscope::tst_program_words

#include "tst_program_words.moc"
