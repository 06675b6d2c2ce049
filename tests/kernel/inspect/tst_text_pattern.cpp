#include "core/kernel/inspect/text_pattern.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_text_pattern {

using namespace lockscope::inspect;
using namespace std::string_literals;
using Reach = TextPattern::Reach;

class TestTextPattern : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patternsMatch_data();
    void patternsMatch();
    void globsAgreeWithTheirDefinition();
    void manyStarsDoNotTakeForever();
};

namespace {

/// What a glob means, written down as plainly as possible: ASCII text, no quotes, no escapes.
bool globMeans(std::string_view pattern, std::string_view text)
{
    if (pattern.empty()) {
        return text.empty();
    }
    if (pattern.front() == '*') {
        return globMeans(pattern.substr(1), text)
               || (!text.empty() && globMeans(pattern, text.substr(1)));
    }
    return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front())
           && globMeans(pattern.substr(1), text.substr(1));
}

} // namespace

void TestTextPattern::patternsMatch_data()
{
    QTest::addColumn<std::string>("typed");
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("anywhere");
    QTest::addColumn<bool>("whole");
    const auto row = [](const char* name, const std::string& typed, const std::string& text,
                        bool anywhere,
                        bool whole) { QTest::newRow(name) << typed << text << anywhere << whole; };
    row("same", "abc", "abc", true, true);
    row("part", "b", "abc", true, false);
    row("at the end", "bc", "abc", true, false);
    row("absent", "d", "abc", false, false);
    row("longer than the text", "abcd", "abc", false, false);
    row("repeated beginning", "aab", "aaab", true, false);
    row("any case", "aBc", "AbC", true, true);
    row("only ASCII case", "Ä", "ä", false, false);
    row("nothing in something", "", "abc", true, false);
    row("nothing in nothing", "", "", true, true);
    row("star", "a*c", "abbc", true, true);
    row("star for nothing", "a*c", "ac", true, true);
    row("star inside of more", "a*c", "xabcx", true, false);
    row("question mark", "a?c", "abc", true, true);
    row("question mark needs something", "a?", "a", false, false);
    row("question mark is a character", "a?c", "aéc", true, true);
    row("question mark is any byte", "a?c",
        "a\xff"
        "c",
        true, true);
    row("only a star", "*", "", true, true);
    row("quoted star", "\"a*\"", "a*", true, true);
    row("quoted star is no wildcard", "\"a*\"", "ab", false, false);
    row("partly quoted", "\"*\"*", "*x", true, true);
    row("quote in quotes", R"("a\"b")", "a\"b", true, true);
    row("byte", "\\xff", "\xff", true, true);
    row("byte of a letter", "\\x41", "a", true, true);
    row("byte of a star", "\\x2a", "ab", false, false);
    row("malformed byte", "\\xzz", "\\xzz", true, true);
    row("backslash", "a\\b", "a\\b", true, true);
    row("zero bytes", "\\x00", "a\0b"s, true, false);
}

void TestTextPattern::patternsMatch()
{
    QFETCH(std::string, typed);
    QFETCH(std::string, text);
    QFETCH(bool, anywhere);
    QFETCH(bool, whole);
    QCOMPARE(TextPattern(typed, Reach::Anywhere).matches(text), anywhere);
    QCOMPARE(TextPattern(typed, Reach::Whole).matches(text), whole);
}

void TestTextPattern::globsAgreeWithTheirDefinition()
{
    testing::RandomInput input;
    const std::string_view patternPieces[] = {"a", "b", "*", "?"};
    const std::string_view textPieces[] = {"a", "b"};
    for (int i = 0; i < 20000; ++i) {
        const Bytes pattern = input.assembled(patternPieces, 6);
        const Bytes text = input.assembled(textPieces, 8);
        QVERIFY2(TextPattern(pattern, Reach::Whole).matches(text) == globMeans(pattern, text),
                 input.recipe(pattern + " against " + text).c_str());
    }
}

void TestTextPattern::manyStarsDoNotTakeForever()
{
    std::string pattern;
    for (int i = 0; i < 50; ++i) {
        pattern += "a*";
    }
    // Trying every way to divide the text would not end in a lifetime.
    QVERIFY(!TextPattern(pattern + 'b', Reach::Whole).matches(std::string(5000, 'a')));
}

LOCKSCOPE_TEST(TestTextPattern, Core)

} // namespace lockscope::tst_text_pattern

#include "tst_text_pattern.moc"
