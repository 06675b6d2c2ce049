#include "core/kernel/inspect/filter/filter_words.h"
#include "core/kernel/report/lock_fields.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_filter_words {

using namespace lockscope::inspect;
using namespace std::string_literals;

class TestFilterWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsCutIntoTokens_data();
    void textIsCutIntoTokens();
    void tokensKnowWhereTheyStand();
    void aQuoteThatIsNotClosedIsAnError();
    void aRegexThatIsNotClosedIsAnError();
    void namesOfFieldsAreLetters();
    void quotesHideCharacters();
};

namespace {

/// The tokens on one line, each as its kind's sign: words as they are, the rest in angle brackets.
std::string pictureOf(const std::vector<FilterToken>& tokens)
{
    std::string picture;
    for (const FilterToken& token : tokens) {
        picture += picture.empty() ? "" : " ";
        const std::string text(token.text);
        picture += token.kind == FilterToken::Kind::Word ? '[' + text + ']' : '<' + text + '>';
    }
    return picture;
}

} // namespace

void TestFilterWords::textIsCutIntoTokens_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("picture");
    const auto row = [](const char* text, const char* picture) {
        QTest::newRow(*text == '\0' ? "empty" : text) << std::string(text) << std::string(picture);
    };
    row("", "");
    row("  ", "");
    row("a b", "[a] [b]");
    row("a\tb", "[a] [b]");
    row("key:\"a b\"c d", "[key:\"a b\"c] [d]");
    row("\"(\" a", "[\"(\"] [a]");
    row("\"a\\\" b\"", "[\"a\\\" b\"]");
    row("(a)", "<(> [a] <)>");
    row("a(b", "[a] <(> [b]");
    row("-a", "<-> [a]");
    row("-(a)", "<-> <(> [a] <)>");
    row("--a", "<-> <-> [a]");
    row("a-b", "[a-b]");
    row("-", "[-]");
    row("- a", "[-] [a]");
    row("(-)", "<(> [-] <)>");
    row("a or b", "[a] <or> [b]");
    row("a OR Not b", "[a] <OR> <Not> [b]");
    row("order andy nothing", "[order] [andy] [nothing]");
    row("\"or\"", "[\"or\"]");
    row("key~/a (b) \\/ c/ d", "[key~/a (b) \\/ c/] [d]");
    row("-key~/a b/", "<-> [key~/a b/]");
    row("key:~/a b", "[key:~/a] [b]");
    row("~/a b", "[~/a] [b]");
}

void TestFilterWords::textIsCutIntoTokens()
{
    QFETCH(std::string, text);
    QFETCH(std::string, picture);
    const auto tokens = filterTokens(text);
    QVERIFY(std::holds_alternative<std::vector<FilterToken>>(tokens));
    QCOMPARE(pictureOf(std::get<std::vector<FilterToken>>(tokens)), picture);
}

void TestFilterWords::tokensKnowWhereTheyStand()
{
    const std::string text = " a (\"b c\" -d)";
    const auto tokens = std::get<std::vector<FilterToken>>(filterTokens(text));
    QCOMPARE(tokens.size(), 6U);
    for (const FilterToken& token : tokens) {
        QCOMPARE(text.substr(token.at, token.text.size()), std::string(token.text));
    }
}

void TestFilterWords::aQuoteThatIsNotClosedIsAnError()
{
    const auto result = filterTokens("ab key:\"c d");
    const auto* const error = std::get_if<FilterError>(&result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->reason, "the closing quote is missing"s);
    QCOMPARE(error->at, 7U);
    QCOMPARE(error->length, 4U);
}

void TestFilterWords::aRegexThatIsNotClosedIsAnError()
{
    const auto result = filterTokens("ab key~/c d\\/");
    const auto* const error = std::get_if<FilterError>(&result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->reason, "the closing \"/\" is missing"s);
    QCOMPARE(error->at, 7U);
    QCOMPARE(error->length, 6U);
}

void TestFilterWords::namesOfFieldsAreLetters()
{
    QVERIFY(isFieldName("Owner"));
    QVERIFY(!isFieldName(""));
    QVERIFY(!isFieldName("order-7"));
    for (const FilterField& field : report::lockFilterFields()) {
        QVERIFY(isFieldName(field.name));
    }
}

void TestFilterWords::quotesHideCharacters()
{
    QCOMPARE(findUnquoted("key:x", ":="), 3U);
    QCOMPARE(findUnquoted("\"a:b\"=c", ":="), 5U);
    QCOMPARE(findUnquoted("\"a:b\"", ":="), std::string_view::npos);
    QCOMPARE(findUnquoted("\"a:b", ":="), std::string_view::npos);
    QCOMPARE(findUnquoted("", ":="), std::string_view::npos);
}

LOCKSCOPE_TEST(TestFilterWords, Core)

} // namespace lockscope::tst_filter_words

#include "tst_filter_words.moc"
