#include "core/kernel/inspect/text_regex.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

namespace lockscope::tst_text_regex {

using namespace lockscope::inspect;
using namespace std::string_literals;

namespace {

/// "yes", "no", or why the pattern cannot be read.
std::string matched(std::string_view pattern, std::string_view text)
{
    const auto regex = TextRegex::compile(pattern);
    if (const auto* const reason = std::get_if<std::string>(&regex)) {
        return *reason;
    }
    return std::get<TextRegex>(regex).matches(text) ? "yes" : "no";
}

} // namespace

class TestTextRegex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textsMatch_data()
    {
        QTest::addColumn<std::string>("pattern");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("result");
        const auto row = [](const char* pattern, const std::string& text, const char* result) {
            QTest::addRow("%s in %s", pattern, text.c_str())
                << std::string(pattern) << text << std::string(result);
        };
        row("", "", "yes");
        row("", "a", "yes");
        row("a", "xay", "yes");
        row("a", "xy", "no");
        row("A", "xay", "yes");
        row("[A-F]", "e", "yes");
        row("[^a]", "A", "no");
        row("^ab$", "ab", "yes");
        row("^ab$", "abb", "no");
        row("^$", "", "yes");
        row("^$", "a", "no");
        row("a|^b", "xb", "no");
        row("ab*c", "ac", "yes");
        row("ab+c", "ac", "no");
        row("ab?c", "abc", "yes");
        row("^ab+?c", "ac", "no");
        row("^ab*?c", "ac", "yes");
        row("a{2}", "xaay", "yes");
        row("^a{2}$", "aaa", "no");
        row("^a{2,}$", "aaaa", "yes");
        row("^a{2,3}$", "aaaa", "no");
        row("^(ab|c)+$", "abcab", "yes");
        row("^(?:ab)*$", "aba", "no");
        row("^(a*)*$", "aaa", "yes");
        row("(|a)b", "b", "yes");
        row("\\d\\D", "1a", "yes");
        row("^\\w+$", "a_1", "yes");
        row("\\s", "a b", "yes");
        row("^\\S+$", "a b", "no");
        row("a\\.b", "axb", "no");
        row("\\x41", "a", "yes");
        row("[\\d.-]", "-", "yes");
        row("[]]", "]", "yes");
        row("^.$", "é", "yes");
        row("^..$", "ab", "yes");
        row("^.$", "ab", "no");
        row("\\xff", "\xff", "yes");
        row("^\\xff.$", "\xff\xfe", "yes"); // no UTF-8: byte by byte
        row("\\bb", "a b", "yes");
        row("a{x}", "a{x}", "yes");
    }
    void textsMatch()
    {
        QFETCH(std::string, pattern);
        QFETCH(std::string, text);
        QFETCH(std::string, result);
        QCOMPARE(matched(pattern, text), result);
    }

    void whatCannotBeReadIsExplained_data()
    {
        QTest::addColumn<std::string>("pattern");
        QTest::addColumn<std::string>("reason");
        const auto row = [](const char* pattern, const char* reason) {
            QTest::newRow(pattern) << std::string(pattern) << std::string(reason);
        };
        row("a++", "there is nothing to repeat before \"++\"");
        row("*a", "there is nothing to repeat before \"*\"");
        row("(a", "the closing \")\" is missing");
        row("a)", "\")\" without a matching \"(\"");
        row("[a", "the closing \"]\" is missing");
        row("[z-a]", "a range is written as [a-z]");
        row("a{3,2}", "a repetition is written as {2}, {2,} or {2,4}, up to {1000}");
        row("(?=a)", "\"(?=\" is not supported");
        row("\\q", "\"\\q\" is not supported");
        row("(a)\\1", "\"\\1\" is not supported");
        row("\\", "a character is missing behind \"\\\"");
        row("(a{900}){900}", "a repetition is written as {2}, {2,} or {2,4}, up to {1000}");
        row("(\\w\\W[^a-c]\\pL){900}", "the regular expression is too large");
    }
    void whatCannotBeReadIsExplained()
    {
        QFETCH(std::string, pattern);
        QFETCH(std::string, reason);
        QCOMPARE(matched(pattern, "a"), reason);
    }

    void deepNestingIsRefusedBeforeTheStackEnds()
    {
        const std::string nested = std::string(100'000, '(') + 'a' + std::string(100'000, ')');
        QCOMPARE(matched(nested, "a"), "the regular expression is too large"s);
    }

    /// Where others go back and try again, for years.
    void noPatternTakesLong()
    {
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(matched("^(a|aa|a*)*(a*)*b$", std::string(20'000, 'a')), "no"s);
        QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
    }

    /// Random patterns agree with another implementation, wherever both can read them.
    void itAgreesWithAnother()
    {
        testing::RandomInput input;
        const std::string_view pieces[] = {"a", "b", "c", ".",    "*",    "+",     "?",   "|", "(",
                                           ")", "^", "$", "[ab]", "[^a]", "{1,2}", "\\d", "1"};
        const std::string_view letters[] = {"a", "b", "c", "1", "B"};
        int comparedCount = 0;
        for (int round = 0; round < 4000; ++round) {
            const Bytes pattern = input.assembled(pieces, 7);
            const auto regex = TextRegex::compile(pattern);
            const QRegularExpression other(QString::fromStdString(pattern),
                                           QRegularExpression::CaseInsensitiveOption);
            if (!std::holds_alternative<TextRegex>(regex) || !other.isValid()) {
                continue;
            }
            const Bytes text = input.assembled(letters, 6);
            const bool isMatch = other.match(QString::fromStdString(text)).hasMatch();
            ++comparedCount;
            QVERIFY2(std::get<TextRegex>(regex).matches(text) == isMatch,
                     input.recipe(pattern + " in " + text).c_str());
        }
        QVERIFY2(comparedCount > 500, input.recipe().c_str());
    }
};

LOCKSCOPE_TEST(TestTextRegex, Core)

} // namespace lockscope::tst_text_regex

#include "tst_text_regex.moc"
