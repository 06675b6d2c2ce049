#include "core/kernel/base/bytes.h"
#include "core/kernel/base/printable.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace lockscope::tst_bytes {

using namespace std::string_literals;

class TestBytes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainTextStaysAsItIs();
    void whatIsNoTextIsEscaped_data();
    void whatIsNoTextIsEscaped();
    void everyPairOfBytesComesBack();
    void randomBytesComeBackAndArePrintable();
    void malformedEscapesAreRefused_data();
    void malformedEscapesAreRefused();
    void aBackslashThatBeginsNoEscapeStandsForItself();
    void bothCasesOfHexadecimalAreRead();
    void utf8IsRecognised_data();
    void utf8IsRecognised();
    void longTextIsCutInTheMiddle_data();
    void longTextIsCutInTheMiddle();
    void cuttingNeverTearsACharacter();
    void longTextIsCutAtTheEnd();
    void hexadecimalHasTwoDigitsPerByte();
    void whatATerminalObeysIsShown_data();
    void whatATerminalObeysIsShown();
    void jsonStaysTheSame();
};

void TestBytes::plainTextStaysAsItIs()
{
    for (const std::string text :
         {"", "order:42", "grün", "日本", "🔒", "a\\b", "C:\\new", "{x}:lock", "café",
          "分布式锁:库存", "ล็อกนี้", "ताला", "مفتاح", "김치"}) {
        QCOMPARE(escaped(text), text);
    }
}

void TestBytes::whatIsNoTextIsEscaped_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<std::string>("text");
    QTest::newRow("zero") << "a\0b"s
                          << "a\\x00b"s;
    QTest::newRow("line break") << "a\nb"s
                                << "a\\x0ab"s;
    QTest::newRow("delete") << "\x7f"s
                            << "\\x7f"s;
    QTest::newRow("lone byte") << "\xff\xfe"s
                               << "\\xff\\xfe"s;
    QTest::newRow("cut off") << "a\xe2\x82"s
                             << "a\\xe2\\x82"s;
    QTest::newRow("overlong") << "\xc0\xaf"s
                              << "\\xc0\\xaf"s;
    QTest::newRow("surrogate") << "\xed\xa0\x80"s
                               << "\\xed\\xa0\\x80"s;
    QTest::newRow("terminal escape in C1") << "\xc2\x9b"s
                                           << "\\xc2\\x9b"s;
    QTest::newRow("right-to-left override") << "a\xe2\x80\xae"s
                                            << "a\\xe2\\x80\\xae"s;
    QTest::newRow("zero-width space") << "lo\xe2\x80\x8b"
                                         "ck"s
                                      << "lo\\xe2\\x80\\x8bck"s;
    QTest::newRow("zero-width joiner") << "a\xe2\x80\x8d"
                                          "b"s
                                       << "a\\xe2\\x80\\x8db"s;
    QTest::newRow("word joiner") << "a\xe2\x81\xa0"s
                                 << "a\\xe2\\x81\\xa0"s;
    QTest::newRow("byte order mark") << "\xef\xbb\xbf"
                                        "a"s
                                     << "\\xef\\xbb\\xbfa"s;
    QTest::newRow("soft hyphen") << "a\xc2\xad"
                                    "b"s
                                 << "a\\xc2\\xadb"s;
    QTest::newRow("Hangul filler") << "\xe3\x85\xa4"s
                                   << "\\xe3\\x85\\xa4"s;
    QTest::newRow("variation selector") << "a\xef\xb8\x8f"s
                                        << "a\\xef\\xb8\\x8f"s;
    QTest::newRow("tag") << "a\xf3\xa0\x81\x81"s
                         << "a\\xf3\\xa0\\x81\\x81"s;
    QTest::newRow("isolate") << "\xe2\x81\xa6"
                                "a"s
                             << "\\xe2\\x81\\xa6"
                                "a"s;
    QTest::newRow("accent at the start") << "\xcc\x81"
                                            "a"s
                                         << "\\xcc\\x81"
                                            "a"s;
    QTest::newRow("accent on a letter") << "cafe\xcc\x81"s
                                        << "cafe\\xcc\\x81"s;
    QTest::newRow("stroke through a letter") << "o\xcc\xb8"s
                                             << "o\\xcc\\xb8"s;
    QTest::newRow("Thai mark at the start") << "\xe0\xb8\xb1"s
                                            << "\\xe0\\xb8\\xb1"s;
    QTest::newRow("Thai mark on a colon") << ":\xe0\xb8\xb1"s
                                          << ":\\xe0\\xb8\\xb1"s;
    QTest::newRow("Thai mark on an escape") << "\xff\xe0\xb8\xb1"s
                                            << "\\xff\\xe0\\xb8\\xb1"s;
    QTest::newRow("what looks like an escape") << "\\x41"s
                                               << "\\x5cx41"s;
    QTest::newRow("backslash before a bad byte") << "\\\xff"s
                                                 << "\\\\xff"s;
}

void TestBytes::whatIsNoTextIsEscaped()
{
    QFETCH(std::string, bytes);
    QFETCH(std::string, text);
    QCOMPARE(escaped(bytes), text);
    QCOMPARE(unescaped(text), std::optional(bytes));
}

void TestBytes::everyPairOfBytesComesBack()
{
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            const Bytes pair{static_cast<char>(first), static_cast<char>(second)};
            QCOMPARE(unescaped(escaped(pair)), std::optional(pair));
        }
    }
}

void TestBytes::randomBytesComeBackAndArePrintable()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"\\",   "x",    "\\x",      "4",           "f",
                                       "\xff", "\xe2", "\x82",     "\xac",        "ü",
                                       "\n",   "a",    "\xcc\x81", "\xe2\x80\x8b"};
    for (int i = 0; i < 20000; ++i) {
        const Bytes bytes = i % 2 == 0 ? input.bytes(40) : input.assembled(pieces, 12);
        const std::string text = escaped(bytes);
        QVERIFY2(unescaped(text) == bytes, input.recipe(bytes).c_str());
        QVERIFY2(isUtf8(text), input.recipe(bytes).c_str());
        QVERIFY2(std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }),
                 input.recipe(bytes).c_str());
    }
}

void TestBytes::malformedEscapesAreRefused_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("nothing behind") << "a\\x"s;
    QTest::newRow("one digit") << "\\x4"s;
    QTest::newRow("no digits") << "\\xzz"s;
    QTest::newRow("second is no digit") << "\\x4g"s;
    QTest::newRow("after a good one") << "\\x41\\x"s;
}

void TestBytes::malformedEscapesAreRefused()
{
    QFETCH(std::string, text);
    QCOMPARE(unescaped(text), std::nullopt);
}

void TestBytes::aBackslashThatBeginsNoEscapeStandsForItself()
{
    QCOMPARE(unescaped("a\\b"), std::optional("a\\b"s));
    QCOMPARE(unescaped("\\\\x41"), std::optional("\\A"s));
    QCOMPARE(unescaped("end\\"), std::optional("end\\"s));
}

void TestBytes::bothCasesOfHexadecimalAreRead()
{
    QCOMPARE(unescaped("\\xFf\\xaB"), std::optional("\xff\xab"s));
}

void TestBytes::utf8IsRecognised_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<bool>("isText");
    QTest::newRow("empty") << ""s << true;
    QTest::newRow("ascii") << "abc\0"s << true;
    QTest::newRow("smallest of two") << "\xc2\x80"s << true;
    QTest::newRow("overlong of two") << "\xc1\xbf"s << false;
    QTest::newRow("smallest of three") << "\xe0\xa0\x80"s << true;
    QTest::newRow("overlong of three") << "\xe0\x9f\xbf"s << false;
    QTest::newRow("before the surrogates") << "\xed\x9f\xbf"s << true;
    QTest::newRow("first surrogate") << "\xed\xa0\x80"s << false;
    QTest::newRow("last surrogate") << "\xed\xbf\xbf"s << false;
    QTest::newRow("behind the surrogates") << "\xee\x80\x80"s << true;
    QTest::newRow("smallest of four") << "\xf0\x90\x80\x80"s << true;
    QTest::newRow("overlong of four") << "\xf0\x8f\xbf\xbf"s << false;
    QTest::newRow("largest") << "\xf4\x8f\xbf\xbf"s << true;
    QTest::newRow("too large") << "\xf4\x90\x80\x80"s << false;
    QTest::newRow("five bytes") << "\xf8\x88\x80\x80\x80"s << false;
    QTest::newRow("lone continuation") << "\x80"s << false;
    QTest::newRow("cut off") << "\xf0\x90\x80"s << false;
    QTest::newRow("continuation is none") << "\xc2\x41"s << false;
}

void TestBytes::utf8IsRecognised()
{
    QFETCH(std::string, bytes);
    QFETCH(bool, isText);
    QCOMPARE(isUtf8(bytes), isText);
}

void TestBytes::longTextIsCutInTheMiddle_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("maxLength");
    QTest::addColumn<std::string>("shown");
    QTest::newRow("fits") << "abcdef"s << 6 << "abcdef"s;
    QTest::newRow("one too long") << "abcdefg"s << 6 << "abc…fg"s;
    QTest::newRow("smallest") << "abcdefg"s << 3 << "a…g"s;
    QTest::newRow("a token") << "5f0c11e2-77aa:63"s << 8 << "5f0c…:63"s;
    QTest::newRow("counted in characters") << "äöüß"s << 4 << "äöüß"s;
    QTest::newRow("cut between characters") << "äöüßé"s << 4 << "äö…é"s;
}

void TestBytes::longTextIsCutInTheMiddle()
{
    QFETCH(std::string, text);
    QFETCH(int, maxLength);
    QFETCH(std::string, shown);
    QCOMPARE(elidedMiddle(text, static_cast<std::size_t>(maxLength)), shown);
}

void TestBytes::cuttingNeverTearsACharacter()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"a", "é", "日", "🔒"};
    for (int i = 0; i < 2000; ++i) {
        const Bytes text = input.assembled(pieces, 20);
        const std::size_t maxLength = 3 + input.rng().below(20);
        const std::string shown = elidedMiddle(text, maxLength);
        const auto length = static_cast<std::size_t>(QString::fromStdString(shown).toUcs4().size());
        QVERIFY2(isUtf8(shown) && length <= maxLength, input.recipe(text).c_str());
    }
}

void TestBytes::longTextIsCutAtTheEnd()
{
    QCOMPARE(elidedEnd("abcdef", 6), "abcdef"s);
    QCOMPARE(elidedEnd("abcdefg", 6), "abcdef…"s);
    QCOMPARE(elidedEnd("äöüß", 4), "äöüß"s);
    QCOMPARE(elidedEnd("5f0c…:63", 4), "5f0c…"s);
    QCOMPARE(elidedEnd("5f0c…:63", 5), "5f0c……"s);
    QCOMPARE(elidedEnd("", 0), ""s);
}

void TestBytes::hexadecimalHasTwoDigitsPerByte()
{
    QCOMPARE(toHex("\x00\x0f\xff"s + "A"), "000fff41"s);
    QCOMPARE(toHex(""), ""s);
}

void TestBytes::whatATerminalObeysIsShown_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("shown");
    const auto row = [](const char* name, const std::string& text, const std::string& shown) {
        QTest::newRow(name) << text << shown;
    };
    row("plain", "order:42 is held, \"日本\"\n", "order:42 is held, \"日本\"\n");
    row("escaped before", "a\\x1bb", "a\\x1bb");
    row("colour", "\x1b[31mred", "\\x1b[31mred");
    row("bell, delete and NUL", "a\x07z\x7fz\0z"s, "a\\x07z\\x7fz\\x00z");
    row("table", "a\tb\nc\r\n", "a\tb\nc\r\n");
    row("return to the begin of the line", "good\rbad\r", "good\\x0dbad\\x0d");
    row("the same sign beyond ASCII", "\u009b31mred", "\\u009b31mred");
    row("turned around", "\u202egpj", "\\u202egpj");
    row("beyond the first plane", "\U000e0041", "\\udb40\\udc41");
    row("no UTF-8", "a\xffz", "a\\xffz");
}

void TestBytes::whatATerminalObeysIsShown()
{
    QFETCH(const std::string, text);
    QTEST(printable(text), "shown");
    QCOMPARE(printable(printable(text)), printable(text));
}

void TestBytes::jsonStaysTheSame()
{
    const nlohmann::json json{{"reason", "\x1b[31m\u009b\u202e\U000e0041\\\u009b\n\r"}};
    QVERIFY(nlohmann::json::parse(printable(json.dump(1))) == json);
    QVERIFY(printable(json.dump()).find("\u009b") == std::string::npos);
}

LOCKSCOPE_TEST(TestBytes, Core)

} // namespace lockscope::tst_bytes

#include "tst_bytes.moc"
