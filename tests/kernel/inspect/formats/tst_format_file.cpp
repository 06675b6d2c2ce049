#include "core/kernel/inspect/formats/format_file.h"
#include "core/kernel/inspect/lock_names.h"
#include "tests/kernel/inspect/formats/ticket_lock.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <set>

namespace lockscope::tst_format_file {

using namespace lockscope::inspect;
using lockscope::testing::kTicketLock;

namespace {

std::string mistakeIn(std::string_view text)
{
    const auto read = readFormatFile(text);
    const auto* const error = std::get_if<protocol::FileError>(&read);
    return error != nullptr ? protocol::toText(*error) : "";
}

/// The file with one part replaced.
std::string with(std::string_view part, std::string_view other)
{
    std::string text(kTicketLock);
    const std::size_t at = text.find(part);
    Q_ASSERT(at != std::string::npos);
    return text.replace(at, part.size(), other);
}

} // namespace

class TestFormatFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mistakesAreNamedWithTheirPlace_data();
    void mistakesAreNamedWithTheirPlace();
    void everyBuiltInFileIsValid();
    void keyPatternsMatchLikeGlobs();
};

void TestFormatFile::mistakesAreNamedWithTheirPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("mistake");
    const auto row = [](const char* name, const std::string& text, const char* mistake) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(mistake);
    };
    row("not JSON", "{", "line 1");
    row("misspelt member", with("\"hazards\"", "\"hasards\""), "line 9, column 3");
    row("confidence", with("\"high\"", "\"sure\""), "\"sure\" is not known here.");
    row("hazard", with("blind-delete", "blind"), "\"blind\" is not known here.");
    row("token part", with("digits-4", "digit-4"), "\"digit-4\"");
    row("no keys", with("[\"ticket:*:held\"]", "[]"), "At least one pattern of keys is needed.");
    row("push and message",
        with("\"push\"", R"("publish": {"channel": "a", "message": "b"}, "push")"), "not by both");
    row("listeners for nothing", with("\"push\"", "\"needsListeners\": true, \"push\""),
        "\"publish\" has to name it");
    row("no star", with("ticket:*:held", "ticket"), "exactly one star");
}

void TestFormatFile::mistakesAreNamedWithTheirPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, mistake);
    const std::string found = mistakeIn(text.toStdString());
    QVERIFY2(found.find(mistake.toStdString()) != std::string::npos, found.c_str());
}

void TestFormatFile::everyBuiltInFileIsValid()
{
    std::set<std::string> ids;
    for (const FormatFile& format : builtinFormats()) {
        QVERIFY2(ids.insert(format.id).second, format.id.c_str());
        QVERIFY2(format.summary.ends_with('.'), format.id.c_str());
        // A form that many values have says nothing without a name.
        const bool isAnyKey = std::ranges::any_of(format.keys, [](const KeyPattern& keys) {
            return keys.prefix().empty() && keys.matches("x");
        });
        const bool hasGrammar = format.id == "shedlock" || format.id == "distributed-lock"
                                || format.id == "lockscope-tombstone";
        QVERIFY2(!isAnyKey || format.needsLockName || format.needsListeners || hasGrammar,
                 format.id.c_str());
    }
    QVERIFY(ids.size() > 30);
}

/// What settles most keys at once must not change what the others are.
void TestFormatFile::keyPatternsMatchLikeGlobs()
{
    constexpr std::array<std::string_view, 10> kParts = {"*", "?",    "a",    "b",   "ab",
                                                         ":", "[ab]", "[^a]", "\\*", "[a\\]]"};
    constexpr std::array<std::string_view, 6> kTexts = {"a", "b", "ab", ":", "*", "]"};
    testing::RandomInput input;
    int matches = 0;
    for (int i = 0; i < 50'000; ++i) {
        const Bytes glob = input.assembled(kParts, 6);
        const Bytes key = input.assembled(kTexts, 8);
        const bool isRight = matchesGlob(glob, key);
        matches += isRight ? 1 : 0;
        QVERIFY2(KeyPattern(glob).matches(key) == isRight,
                 input.recipe(glob + " against " + key).c_str());
    }
    QVERIFY2(matches > 1'000, std::to_string(matches).c_str());
}

LOCKSCOPE_TEST(TestFormatFile, None)

} // namespace lockscope::tst_format_file

#include "tst_format_file.moc"
