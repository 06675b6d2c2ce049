#include "core/kernel/conduct/adapter_line.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <string>
#include <string_view>

namespace lockscope::tst_adapter_line {

using namespace lockscope::testing;
using conduct::AdapterLine;
using conduct::Answer;
using conduct::readAdapterLine;
using conduct::Word;

class TestAdapterLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWordHasItsId();
    void readyNamesTheVocabulary();
    void answersAreReadWithTheirThread();
    void anErrorKeepsItsText();
    void aLossNamesTheLock();
    void otherLinesAreStrange_data();
    void otherLinesAreStrange();
    void aLineIsAWordAThreadAndKeys();
    void anAnswerIsDescribed();
    void whateverComesIsRead();
};

void TestAdapterLine::everyWordHasItsId()
{
    for (int i = 0; i < static_cast<int>(Word::WordCount); ++i) {
        const auto word = static_cast<Word>(i);
        QVERIFY(!idOf(word).empty());
        QVERIFY(conduct::wordOf(idOf(word)) == word);
    }
    QVERIFY(!conduct::wordOf("Acquire"));
    QVERIFY(!conduct::wordOf(""));
}

void TestAdapterLine::readyNamesTheVocabulary()
{
    const AdapterLine line = readAdapterLine("ready acquire release  held\treset read later\r");
    QVERIFY(line.kind == AdapterLine::Kind::Ready);
    for (const Word word : {Word::Acquire, Word::Release, Word::Held, Word::Reset}) {
        QVERIFY(line.vocabulary.has(word));
    }
    for (const Word word : {Word::Extend, Word::Interrupt, Word::Cancel}) {
        QVERIFY(!line.vocabulary.has(word));
    }
    QVERIFY(line.vocabulary.knowsReaders);
    const conduct::Vocabulary plain = readAdapterLine("ready acquire release").vocabulary;
    QVERIFY(!plain.knowsReaders && !plain.knowsThreads && !plain.isReentrant && !plain.isFair);
    const conduct::Vocabulary rich =
        readAdapterLine("ready acquire release threads reentrant fair").vocabulary;
    QVERIFY(!rich.knowsReaders && rich.knowsThreads && rich.isReentrant && rich.isFair);
    QVERIFY(!rich.hasNoLease);
    QVERIFY(readAdapterLine("ready acquire release no-lease").vocabulary.hasNoLease);
}

void TestAdapterLine::answersAreReadWithTheirThread()
{
    const AdapterLine yes = readAdapterLine("t0 yes\r");
    QVERIFY(yes.kind == AdapterLine::Kind::Answer);
    QCOMPARE(yes.thread, std::string("t0"));
    QVERIFY(yes.answer == (Answer{Answer::Kind::Yes, {}}));
    QVERIFY(readAdapterLine("- no").answer == (Answer{Answer::Kind::No, {}}));
    QVERIFY(readAdapterLine("t1 yes 17").answer == (Answer{Answer::Kind::Yes, {}, 17}));
}

void TestAdapterLine::anErrorKeepsItsText()
{
    const AdapterLine line = readAdapterLine("t0 error ConnectionError: reset  by peer");
    QVERIFY(line.kind == AdapterLine::Kind::Answer);
    QVERIFY(line.answer.kind == Answer::Kind::Error);
    QCOMPARE(line.answer.text, std::string("ConnectionError: reset  by peer"));
    QCOMPARE(readAdapterLine("t0 error").answer.text, std::string());
    QVERIFY(readAdapterLine("t0 error").answer.kind == Answer::Kind::Error);
}

void TestAdapterLine::aLossNamesTheLock()
{
    const AdapterLine line = readAdapterLine("lost t0 lock:1a");
    QVERIFY(line.kind == AdapterLine::Kind::Lost);
    QCOMPARE(line.thread, std::string("t0"));
    QCOMPARE(line.key, std::string("lock:1a"));
}

void TestAdapterLine::otherLinesAreStrange_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* const line :
         {"", "   ", "t0", "yes", "t0 maybe", "t0 yes indeed", "t0 YES", "t0 yes 17 18",
          "t0 yes 1x", "t0 no 17", "lost t0", "INFO connected to 127.0.0.1"}) {
        QTest::newRow(line) << QByteArray(line);
    }
}

void TestAdapterLine::otherLinesAreStrange()
{
    QFETCH(const QByteArray, line);
    QVERIFY(readAdapterLine(line.toStdString()).kind == AdapterLine::Kind::Strange);
}

void TestAdapterLine::aLineIsAWordAThreadAndKeys()
{
    QCOMPARE(adapterLine(Word::Acquire, "t0", {"orders:42"}), std::string("acquire t0 orders:42"));
    QCOMPARE(adapterLine(Word::Acquire, "t0", {"orders:42"}, true),
             std::string("acquire t0 orders:42 read"));
    QCOMPARE(adapterLine(Word::Reset, "-", {"a", "b"}), std::string("reset - a b"));
}

void TestAdapterLine::anAnswerIsDescribed()
{
    QCOMPARE(describe(Answer{Answer::Kind::Yes, {}}), std::string("yes"));
    QCOMPARE(describe(Answer{Answer::Kind::Yes, {}, 17}), std::string("yes, with the number 17"));
    QCOMPARE(describe(Answer{Answer::Kind::No, {}}), std::string("no"));
    QCOMPARE(describe(Answer{Answer::Kind::Error, "timeout"}), std::string("an error (timeout)"));
    QCOMPARE(describe(Answer{Answer::Kind::Error, {}}), std::string("an error"));
}

void TestAdapterLine::whateverComesIsRead()
{
    static constexpr std::array<std::string_view, 12> kPieces{"ready", "lost",  "t0",   "yes",
                                                              "no",    "error", " ",    "  ",
                                                              "\t",    "\r",    "read", "acquire"};
    RandomInput input;
    for (int i = 0; i < 5'000; ++i) {
        const Bytes text = i % 2 == 0 ? input.assembled(kPieces, 6) : input.bytes(40);
        const AdapterLine line = readAdapterLine(text);
        const bool hasThread = line.kind != AdapterLine::Kind::Answer || !line.thread.empty();
        const bool hasKey = line.kind != AdapterLine::Kind::Lost || !line.key.empty();
        QVERIFY2(hasThread && hasKey, input.recipe(text).c_str());
    }
}

LOCKSCOPE_TEST(TestAdapterLine, None)

} // namespace lockscope::tst_adapter_line

#include "tst_adapter_line.moc"
