#include "core/kernel/store/command.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_command {

using namespace std::string_literals;
using store::Command;

class TestCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsMayBeTextOrWholeNumbers();
    void wordsMayBeBinary();
    void aCopyIsNotTakenForAWord();
    void textIsWhatOneWouldTypeAtRedisCli_data();
    void textIsWhatOneWouldTypeAtRedisCli();
    void whatIsTypedAtRedisCliIsReadAsTheSameWords();
};

namespace {

std::optional<char> unquotedEscape(std::string_view rest, std::size_t& length)
{
    length = 2;
    switch (rest[1]) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'b': return '\b';
    case 'a': return '\a';
    case 'x': length = 4; return unescaped(rest.substr(0, 4)).value_or("?"s).front();
    default: return rest[1];
    }
}

/// Splits a line as redis-cli documents it: spaces separate, double quotes group, a backslash in
/// them escapes.
std::vector<Bytes> splitAsRedisCli(std::string_view line)
{
    std::vector<Bytes> words;
    while (!line.empty()) {
        Bytes word;
        bool isQuoted = false;
        while (!line.empty() && (isQuoted || line.front() != ' ')) {
            std::size_t length = 1;
            if (line.front() == '"') {
                isQuoted = !isQuoted;
            } else if (isQuoted && line.front() == '\\') {
                word += unquotedEscape(line, length).value();
            } else {
                word += line.front();
            }
            line.remove_prefix(length);
        }
        words.push_back(std::move(word));
        line.remove_prefix(line.empty() ? 0 : 1);
    }
    return words;
}

} // namespace

void TestCommand::wordsMayBeTextOrWholeNumbers()
{
    const std::string key = "k";
    const std::string_view view = "v";
    const Command command("SET", key, view, "PX", 30000, -1, std::uint64_t{18446744073709551615U});
    QCOMPARE(command.words,
             (std::vector<Bytes>{"SET", "k", "v", "PX", "30000", "-1", "18446744073709551615"}));
}

void TestCommand::wordsMayBeBinary()
{
    const Bytes value = "a\0b"s;
    const Command command("GET", value);
    QCOMPARE(command.words.at(1).size(), 3U);
}

void TestCommand::aCopyIsNotTakenForAWord()
{
    Command command("GET", "k");
    const Command copy(command);
    QCOMPARE(copy, command);
}

void TestCommand::textIsWhatOneWouldTypeAtRedisCli_data()
{
    QTest::addColumn<std::string>("word");
    QTest::addColumn<std::string>("text");
    QTest::newRow("plain") << "order:42"s
                           << "order:42"s;
    QTest::newRow("empty") << ""s
                           << R"("")"s;
    QTest::newRow("space") << "a b"s
                           << R"("a b")"s;
    QTest::newRow("double quote") << R"(a"b)"s
                                  << R"("a\"b")"s;
    QTest::newRow("single quote") << "it's"s
                                  << R"("it's")"s;
    QTest::newRow("backslash") << R"(a\b)"s
                               << R"("a\\b")"s;
    QTest::newRow("line break") << "a\nb"s
                                << R"("a\nb")"s;
    QTest::newRow("zero byte") << "a\0"s
                               << R"("a\x00")"s;
    QTest::newRow("bad UTF-8") << "\xff"s
                               << R"("\xff")"s;
    QTest::newRow("other letters") << "größe"s
                                   << "größe"s;
    QTest::newRow("literal escape") << R"(\x41)"s
                                    << R"("\\x41")"s;
}

void TestCommand::textIsWhatOneWouldTypeAtRedisCli()
{
    QFETCH(std::string, word);
    QFETCH(std::string, text);
    QCOMPARE(toText(Command("GET", word)), "GET " + text);
}

void TestCommand::whatIsTypedAtRedisCliIsReadAsTheSameWords()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"a",  " ",  "\"",   "'", "\\", "x41",
                                       "\n", "\t", "\xff", "é", "",   "{k}"};
    for (int i = 0; i < 5000; ++i) {
        const Command command("GET", input.assembled(pieces, 6), input.bytes(10));
        const std::string text = toText(command);
        QVERIFY2(splitAsRedisCli(text) == command.words, input.recipe(text).c_str());
    }
}

LOCKSCOPE_TEST(TestCommand, Core)

} // namespace lockscope::tst_command

#include "tst_command.moc"
