#include "core/kernel/store/limits.h"
#include "core/wire/connection/codec.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_codec {

using namespace lockscope::testing;
using store::Command;
using store::Reply;
namespace limits = store::limits;
using wire::ReplyReader;

namespace {

Bytes encoded(const Command& command)
{
    Bytes bytes;
    wire::appendEncoded(bytes, command);
    return bytes;
}

/// Everything that comes out of the bytes, fed in pieces of this size.
std::vector<Reply> readAll(ReplyReader& reader, std::string_view bytes, std::size_t pieceSize)
{
    std::vector<Reply> replies;
    for (std::size_t at = 0; at < bytes.size(); at += pieceSize) {
        reader.feed(bytes.substr(at, pieceSize));
        while (std::optional<Reply> reply = reader.next()) {
            replies.push_back(std::move(*reply));
        }
    }
    return replies;
}

/// One of everything that a Redis says.
const Bytes kStream("+OK\r\n"
                    ":-9223372036854775808\r\n"
                    "$5\r\na\0\r\nb\r\n"
                    "$0\r\n\r\n"
                    "$-1\r\n"
                    "*-1\r\n"
                    "*0\r\n"
                    "-NOPERM no\r\n"
                    "*3\r\n$1\r\n7\r\n*2\r\n:1\r\n$-1\r\n-ERR x\r\n",
                    5 + 23 + 11 + 6 + 5 + 5 + 4 + 12 + 4 + 7 + 4 + 4 + 5 + 8);

std::vector<Reply> repliesOfStream()
{
    return {Reply::ofStatus("OK"),
            Reply::ofInteger(std::numeric_limits<std::int64_t>::min()),
            Reply::ofBulk(Bytes("a\0\r\nb", 5)),
            Reply::ofBulk(""),
            Reply(),
            Reply(),
            Reply::ofArray({}),
            Reply::ofError("NOPERM no"),
            Reply::ofArray({Reply::ofBulk("7"), Reply::ofArray({Reply::ofInteger(1), Reply()}),
                            Reply::ofError("ERR x")})};
}

} // namespace

class TestCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsAreArraysOfBulkStrings();
    void binaryWordsKeepTheirLength();
    void commandsAreAppended();
    void everyKindOfReplyIsUnderstood();
    void theStreamMayBeCutAnywhere();
    void cutInTwoAtEveryPosition();
    void garbageIsAnErrorAndStaysOne_data();
    void garbageIsAnErrorAndStaysOne();
    void repliesBeforeTheGarbageCount();
    void arraysNestSevenDeepAndNoDeeper();
    void anAnnouncedMillionMayBeAnnouncedButNotMore();
    void aHugeStringIsNotAllocatedBeforeItComes();
    void aStringOfTheLimitIsTakenAndALongerOneReadPast();
    void aLongStringInAnArrayIsReadPast();
    void noStringMayBeAnnouncedThatRedisCannotHave();
    void aLineWithoutEndIsGivenUp_data();
    void aLineWithoutEndIsGivenUp();
    void aLongErrorKeepsItsBeginning();
    void aReplyOfTooManySmallPiecesIsGivenUp();
    void whatAReplyTakesIsToldOfEach();
    void randomBytesAreSurvived();
    void aReaderMayBeReplacedInTheMiddle();
};

void TestCodec::commandsAreArraysOfBulkStrings()
{
    QCOMPARE(encoded(Command("SET", "k", 30)), Bytes("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\n30\r\n"));
}

void TestCodec::binaryWordsKeepTheirLength()
{
    QCOMPARE(encoded(Command("GET", Bytes("a\0\r\n", 4))),
             Bytes("*2\r\n$3\r\nGET\r\n$4\r\na\0\r\n\r\n", 23));
    QCOMPARE(encoded(Command("GET", "")), Bytes("*2\r\n$3\r\nGET\r\n$0\r\n\r\n"));
}

void TestCodec::commandsAreAppended()
{
    Bytes bytes = encoded(Command("PING"));
    wire::appendEncoded(bytes, Command("TIME"));
    QCOMPARE(bytes, Bytes("*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nTIME\r\n"));
}

void TestCodec::everyKindOfReplyIsUnderstood()
{
    ReplyReader reader;
    const std::vector<Reply> replies = readAll(reader, kStream, kStream.size());
    QCOMPARE(reader.error(), std::string());
    QVERIFY(replies == repliesOfStream());
}

void TestCodec::theStreamMayBeCutAnywhere()
{
    for (std::size_t pieceSize = 1; pieceSize <= kStream.size(); ++pieceSize) {
        ReplyReader reader;
        QVERIFY2(readAll(reader, kStream, pieceSize) == repliesOfStream(),
                 std::to_string(pieceSize).c_str());
    }
}

void TestCodec::cutInTwoAtEveryPosition()
{
    for (std::size_t cut = 0; cut <= kStream.size(); ++cut) {
        ReplyReader reader;
        std::vector<Reply> replies = readAll(reader, std::string_view(kStream).substr(0, cut),
                                             cut + 1);
        const std::vector<Reply> rest = readAll(reader, std::string_view(kStream).substr(cut),
                                                kStream.size());
        replies.insert(replies.end(), rest.begin(), rest.end());
        QVERIFY2(replies == repliesOfStream(), std::to_string(cut).c_str());
    }
}

void TestCodec::garbageIsAnErrorAndStaysOne_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    QTest::newRow("SSH") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n");
    QTest::newRow("TLS alert") << QByteArray("\x15\x03\x01\x00\x02\x02\x28", 7);
    QTest::newRow("a number that is none") << QByteArray(":12x\r\n");
    QTest::newRow("a length that is none") << QByteArray("$abc\r\n");
    QTest::newRow("RESP3 map") << QByteArray("%1\r\n+a\r\n+b\r\n");
    QTest::newRow("RESP3 null") << QByteArray("_\r\n");
    QTest::newRow("RESP3 push") << QByteArray(">2\r\n+a\r\n+b\r\n");
    QTest::newRow("RESP3 boolean") << QByteArray("#t\r\n");
}

void TestCodec::garbageIsAnErrorAndStaysOne()
{
    QFETCH(const QByteArray, bytes);
    ReplyReader reader;
    const std::string_view view(bytes.constData(), std::size_t(bytes.size()));
    QVERIFY(readAll(reader, view, view.size()).empty());
    QVERIFY(!reader.error().empty());
    QVERIFY(readAll(reader, "+OK\r\n", 5).empty());
    QVERIFY(!reader.error().empty());
}

void TestCodec::repliesBeforeTheGarbageCount()
{
    ReplyReader reader;
    QVERIFY(readAll(reader, "+OK\r\nrubbish\r\n", 100)
            == std::vector<Reply>{Reply::ofStatus("OK")});
    QVERIFY(!reader.error().empty());
}

void TestCodec::arraysNestSevenDeepAndNoDeeper()
{
    const auto nested = [](int depth) {
        Bytes bytes;
        for (int i = 0; i < depth; ++i) {
            bytes += "*1\r\n";
        }
        return bytes + ":7\r\n";
    };
    ReplyReader deep;
    std::vector<Reply> replies = readAll(deep, nested(7), 3);
    QCOMPARE(replies.size(), std::size_t(1));
    const Reply* reply = &replies.front();
    for (int i = 0; i < 7; ++i) {
        reply = &reply->array()->front();
    }
    QVERIFY(reply->integer() == 7);
    ReplyReader deeper;
    QVERIFY(readAll(deeper, nested(1000), 1).empty());
    QVERIFY(!deeper.error().empty());
}

void TestCodec::anAnnouncedMillionMayBeAnnouncedButNotMore()
{
    for (const char* const bytes :
         {"*1000001\r\n", "*2147483647\r\n", "*99999999999999999999\r\n", "*-7\r\n"}) {
        ReplyReader reader;
        QVERIFY(readAll(reader, bytes, 100).empty());
        const bool isRefused = !reader.error().empty();
        QVERIFY2(isRefused || std::string_view(bytes) == "*-7\r\n", bytes);
    }
    ReplyReader reader;
    QVERIFY(readAll(reader, "*1000000\r\n", 100).empty());
    QCOMPARE(reader.error(), std::string());
}

void TestCodec::aHugeStringIsNotAllocatedBeforeItComes()
{
    ReplyReader reader;
    QVERIFY(readAll(reader, "$536870912\r\nabc", 100).empty());
    QCOMPARE(reader.error(), std::string());
}

void TestCodec::aStringOfTheLimitIsTakenAndALongerOneReadPast()
{
    const auto whole = [](std::size_t size) {
        return '$' + std::to_string(size) + "\r\n" + Bytes(size, 'x') + "\r\n";
    };
    ReplyReader reader;
    std::vector<Reply> replies = readAll(reader, whole(limits::kReplyBytesMax), 1'000'000);
    QCOMPARE(replies.size(), std::size_t(1));
    QCOMPARE(replies.front().text()->size(), limits::kReplyBytesMax);
    replies = readAll(reader, whole(limits::kReplyBytesMax + 1) + "+OK\r\n", 1'000'000);
    QCOMPARE(reader.error(), std::string());
    QCOMPARE(replies.size(), std::size_t(2));
    QVERIFY(replies[0].text() == nullptr);
    QCOMPARE(replies[0].oversized()->size, std::uint64_t(limits::kReplyBytesMax + 1));
    QCOMPARE(replies[0].oversized()->beginning, Bytes(limits::kBeginningBytes, 'x'));
    QVERIFY(replies[1] == Reply::ofStatus("OK"));
}

void TestCodec::aLongStringInAnArrayIsReadPast()
{
    const std::string size = std::to_string(limits::kElementBytesMax + 1);
    const Bytes stream = "*3\r\n$" + size + "\r\n" + Bytes(limits::kElementBytesMax + 1, 'k')
                         + "\r\n$1\r\na\r\n$" + std::to_string(limits::kElementBytesMax) + "\r\n"
                         + Bytes(limits::kElementBytesMax, 'v') + "\r\n";
    for (const std::size_t pieceSize : {std::size_t(1), std::size_t(1000), stream.size()}) {
        ReplyReader reader;
        const std::vector<Reply> replies = readAll(reader, stream, pieceSize);
        QCOMPARE(replies.size(), std::size_t(1));
        const Reply::Array& items = *replies.front().array();
        QCOMPARE(items[0].oversized()->size, std::uint64_t(limits::kElementBytesMax + 1));
        QVERIFY(items[1] == Reply::ofBulk("a"));
        QCOMPARE(items[2].text()->size(), limits::kElementBytesMax);
    }
}

void TestCodec::noStringMayBeAnnouncedThatRedisCannotHave()
{
    ReplyReader reader;
    QVERIFY(readAll(reader, "$536870913\r\n", 100).empty());
    QCOMPARE(reader.error(), std::string("a string of more than 512 MB"));
    QVERIFY(reader.isOverLimit());
}

void TestCodec::aLineWithoutEndIsGivenUp_data()
{
    QTest::addColumn<QByteArray>("beginning");
    for (const char* const beginning : {"+", "-", ":", "$", "*", "*1\r\n+"}) {
        QTest::newRow(beginning) << QByteArray(beginning);
    }
}

void TestCodec::aLineWithoutEndIsGivenUp()
{
    QFETCH(const QByteArray, beginning);
    ReplyReader reader;
    QVERIFY(readAll(reader, beginning.toStdString() + Bytes(10'000'000, '1'), 64'000).empty());
    QCOMPARE(reader.error(), std::string("a line of more than 64 KB"));
    QVERIFY(reader.isOverLimit());
}

void TestCodec::aLongErrorKeepsItsBeginning()
{
    ReplyReader reader;
    const std::vector<Reply> replies = readAll(reader, "-ERR " + Bytes(20'000, 'e') + "\r\n", 100);
    QCOMPARE(replies.front().error()->text.size(), limits::kErrorTextBytesMax);
    QVERIFY(replies.front().error()->text.starts_with("ERR eee"));
}

void TestCodec::aReplyOfTooManySmallPiecesIsGivenUp()
{
    Bytes thousand = "*1000\r\n";
    for (int i = 0; i < 1000; ++i) {
        thousand += ":1\r\n";
    }
    ReplyReader reader;
    reader.feed("*1000000\r\n");
    std::size_t fed = 0;
    while (reader.error().empty() && fed < 100 * limits::kMiB) {
        reader.feed(thousand);
        fed += thousand.size();
        QVERIFY(!reader.next());
    }
    QCOMPARE(reader.error(), std::string("a reply of more than 64 MB"));
    QVERIFY(reader.isOverLimit());
}

void TestCodec::whatAReplyTakesIsToldOfEach()
{
    ReplyReader reader;
    reader.feed("$1000\r\n" + Bytes(1000, 'x') + "\r\n+OK\r\n");
    QVERIFY(reader.next());
    const std::size_t ofString = reader.lastReplyBytes();
    QVERIFY(ofString >= 1000 && ofString < 1200);
    QVERIFY(reader.next());
    QVERIFY(reader.lastReplyBytes() < 200);
}

void TestCodec::randomBytesAreSurvived()
{
    RandomInput input;
    static const std::vector<Bytes> kPieces = {"+",           "-",      ":",   "$",
                                               "*",           "\r\n",   "1",   "2",
                                               "-1",          "3\r\n",  "abc", "*2\r\n",
                                               "$1\r\nx\r\n", ":5\r\n", "%",   Bytes("\0", 1)};
    for (int i = 0; i < 3000; ++i) {
        const Bytes bytes = i % 2 == 0 ? input.assembled(kPieces, 20) : input.bytes(60);
        ReplyReader whole;
        ReplyReader single;
        const bool isSame = readAll(whole, bytes, bytes.size() + 1) == readAll(single, bytes, 1);
        QVERIFY2(isSame, input.recipe(bytes).c_str());
        QVERIFY2(whole.error().empty() == single.error().empty(), input.recipe(bytes).c_str());
    }
}

void TestCodec::aReaderMayBeReplacedInTheMiddle()
{
    ReplyReader reader;
    QVERIFY(readAll(reader, "*2\r\n$100\r\nabc", 4).empty());
    reader = ReplyReader();
    QVERIFY(readAll(reader, "+OK\r\n", 5) == std::vector<Reply>{Reply::ofStatus("OK")});
}

LOCKSCOPE_TEST(TestCodec, Core)

} // namespace lockscope::tst_codec

#include "tst_codec.moc"
