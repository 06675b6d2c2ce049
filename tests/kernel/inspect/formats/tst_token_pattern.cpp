#include "core/kernel/inspect/formats/token_pattern.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace lockscope::tst_token_pattern {

using namespace lockscope::inspect;
using namespace std::string_literals;
using lockscope::testing::RandomInput;

namespace {

TokenPattern patternOf(std::string_view text)
{
    std::string reason;
    std::optional<TokenPattern> pattern = TokenPattern::parse(text, reason);
    if (!pattern) {
        qFatal("%s: %s", std::string(text).c_str(), reason.c_str());
    }
    return *std::move(pattern);
}

bool matches(std::string_view pattern, std::string_view value)
{
    return patternOf(pattern).match(value).has_value();
}

} // namespace

class TestTokenPattern : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsHaveTheirLengthAndAlphabet_data();
    void partsHaveTheirLengthAndAlphabet();
    void labelsNameWhatWasMatched();
    void aTextTakesAsLittleAsItCan();
    void instantsAreRead();
    void mistakesAreNamed_data();
    void mistakesAreNamed();
    void hostileValuesTakeNoTime();
    void anyPatternAndValueIsSafe();
};

void TestTokenPattern::partsHaveTheirLengthAndAlphabet_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* pattern, const QByteArray& value, bool fits) {
        QTest::addRow("%s %s", pattern, value.toHex().constData())
            << QByteArray(pattern) << value << fits;
    };
    row("", "", true);
    row("", "x", false);
    row("{uuid4}", "0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b", true);
    row("{uuid4}", "0b2e54a7-9f0c-1d51-8a6e-1c2d3e4f5a6b", false);
    row("{uuid}", "0B2E54A7-9F0C-1D51-8A6E-1C2D3E4F5A6B", true);
    row("{hex-4}", "00ff", true);
    row("{hex-4}", "00fF", false);
    row("{hex-4}", "00ff0", false);
    row("{uuid1-hex}", "2e4c55b4e4c111f1ab4102fc00000001", true);
    row("{uuid4-hex}", "2e4c55b4e4c111f1ab4102fc00000001", false);
    row("{alnum-3}", "aZ9", true);
    row("{alnum-3}", "aZ-", false);
    row("{base64url-3}", "a_-", true);
    row("{base64-1}", "aa==", true);
    row("{base64-18}", "mAaWY0n/8bHUlf+hJTSA3a5X", true);
    row("{base64-18}", "mAaWY0n/8bHUlf-hJTSA3a5X", false);
    row("{base64-18}", "MKYr7zHu48InTpPoYO7mPg==", false);
    row("{bytes-2}", QByteArray("\x01\xff"), true);
    row("{bytes-2}", "ab", false);
    row("{digits}", "1234567890123456789", true);
    row("{digits}", "12345678901234567890", false);
    row("{digits-3}", "12", false);
    row("{base64-letters-4}", "a+/Z", true);
    row("{base64-letters-4}", "a-_Z", false);
    row("{base64-letters-4}", "abZ=", false);
    row("{base64url-bytes-16}", "BrumKhtnwEbZz_rpMBcYKg", true);
    row("{base64url-bytes-16}", "BrumKhtnwEbZz_rpMBcYKh", false);
    row("{base64url-bytes-16}{text}", "BrumKhtnwEbZz_rpMBcYKgmy data", true);
    row("{base64url-bytes-16}{text}", "BrumKhtnwEbZz_rpMBcYKg==", false);
    row("{uuid1-base64}", "H29cgONAEfGFBwJCrBEAAg==", true);
    row("{uuid1-base64}", "H29cgONAQfGFBwJCrBEAAg==", false);
    row("{seconds}", "1795000000", true);
    row("{seconds}", "179500000", false);
    row("{float-seconds}", "1795000000.25", true);
    row("{float-seconds}", "1795000000,25", false);
    row("{millis}", "1795000000000", true);
    row("{uniqid}", "6afd77405a3f1", true);
    row("{uniqid}", "6afd77405a3fg", false);
    row("{text}", "", false);
    row("{text}", "a b", true);
    row("{text}", "a\nb", false);
    row("{uuid4}:{digits}", "0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b:7", true);
    row("{uuid4}:{digits}", "0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b:", false);
}

void TestTokenPattern::partsHaveTheirLengthAndAlphabet()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, value);
    QFETCH(bool, fits);
    QCOMPARE(matches(pattern.toStdString(), value.toStdString()), fits);
}

void TestTokenPattern::labelsNameWhatWasMatched()
{
    const TokenPattern pattern = patternOf("{host=text}|{pid=digits}");
    const auto parts = pattern.match("web-3|4711");
    QVERIFY(parts);
    QCOMPARE(parts->size(), 2U);
    QVERIFY(parts->at(0).label == "host" && parts->at(0).text == "web-3");
    QVERIFY(parts->at(1).label == "pid" && parts->at(1).text == "4711");
}

void TestTokenPattern::aTextTakesAsLittleAsItCan()
{
    const TokenPattern pattern = patternOf("{host=text}:{rest=text}");
    const auto parts = pattern.match("a:b:c");
    QVERIFY(parts);
    QVERIFY(parts->at(0).text == "a" && parts->at(1).text == "b:c");
}

void TestTokenPattern::instantsAreRead()
{
    QCOMPARE(instantOf(TokenPart::Instant, "1970-01-02T00:00:01.500Z"), wallTimeOfMs(86'401'500));
    QCOMPARE(instantOf(TokenPart::Seconds, "1795000000"), wallTimeOfMs(1'795'000'000'000));
    QCOMPARE(instantOf(TokenPart::FloatSeconds, "1795000000.25"), wallTimeOfMs(1'795'000'000'250));
    QCOMPARE(instantOf(TokenPart::Millis, "1795000000001"), wallTimeOfMs(1'795'000'000'001));
    QCOMPARE(instantOf(TokenPart::Uniqid, "6afd77405a3f1"), wallTimeOfMs(1'794'996'032'000));
    QCOMPARE(instantOf(TokenPart::Uuid1Base64, "H29cgONAEfGFBwJCrBEAAg=="),
             wallTimeOfMs(1'794'999'997'000));
    QVERIFY(!instantOf(TokenPart::FloatSeconds, "1795000000."));
    QVERIFY(!instantOf(TokenPart::Instant, "2026-13-02T00:00:01.500Z"));
    QVERIFY(!instantOf(TokenPart::Text, "1970-01-02T00:00:01.500Z"));
    QVERIFY(instantOf(TokenPart::Uuid1Hex, "2e4c55b4e4c111f1ab4102fc00000001"));
}

void TestTokenPattern::mistakesAreNamed_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("open") << QByteArray("{uuid") << QByteArray("A brace is not closed.");
    QTest::newRow("unknown") << QByteArray("{guid}")
                             << QByteArray("There is no part of tokens called \"guid\".");
    QTest::newRow("count") << QByteArray("{hex}")
                           << QByteArray("There is no part of tokens called \"hex\".");
    QTest::newRow("zero") << QByteArray("{hex-0}")
                          << QByteArray("There is no part of tokens called \"hex-0\".");
    QTest::newRow("texts") << QByteArray("{text}{text}{text}")
                           << QByteArray("At most two parts may be {text}.");
}

void TestTokenPattern::mistakesAreNamed()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, reason);
    std::string found;
    QVERIFY(!TokenPattern::parse(pattern.toStdString(), found));
    QCOMPARE(QByteArray::fromStdString(found), reason);
}

void TestTokenPattern::hostileValuesTakeNoTime()
{
    const TokenPattern pattern = patternOf("{text}:{text}!{digits}");
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!pattern.match(std::string(1024, ':')));
    QVERIFY2(timer.elapsed() < 2000, "more than the square of the length");
}

void TestTokenPattern::anyPatternAndValueIsSafe()
{
    RandomInput input;
    const std::array kPieces{"{"s, "}"s, "uuid"s, "text"s, "digits"s, "-3"s, "="s, "a"s, ":"s};
    for (int i = 0; i < 20'000; ++i) {
        std::string reason;
        const auto pattern = TokenPattern::parse(input.assembled(kPieces, 12), reason);
        QVERIFY2(pattern || !reason.empty(), input.recipe().c_str());
        if (pattern) {
            pattern->match(input.bytes(64));
        }
    }
}

LOCKSCOPE_TEST(TestTokenPattern, None)

} // namespace lockscope::tst_token_pattern

#include "tst_token_pattern.moc"
