#include "core/conduct/server/reply_frame.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <stdexcept>
#include <string>
#include <string_view>

namespace lockscope::tst_reply_frame {

using conduct::firstFrameIn;
using store::Reply;

class TestReplyFrame : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTypeIsRead_data();
    void everyTypeIsRead();
    void aPushIsKnown();
    void attributesBelongToWhatFollows();
    void nothingIsReadBeforeItIsWhole();
    void onlyTheFirstIsTaken();
    void whatIsNoReplyIsRefused_data();
    void whatIsNoReplyIsRefused();
};

void TestReplyFrame::everyTypeIsRead_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<Reply>("reply");
    const auto row = [](const char* name, const char* bytes, const Reply& reply) {
        QTest::newRow(name) << std::string(bytes) << reply;
    };
    row("status", "+OK\r\n", Reply::ofStatus("OK"));
    row("error", "-NOSCRIPT No matching script.\r\n",
        Reply::ofError("NOSCRIPT No matching script."));
    row("number", ":-7\r\n", Reply::ofInteger(-7));
    row("string", "$4\r\na\r\nb\r\n", Reply::ofBulk("a\r\nb"));
    row("no string", "$-1\r\n", Reply());
    row("no array", "*-1\r\n", Reply());
    row("array", "*2\r\n:1\r\n$1\r\nx\r\n",
        Reply::ofArray({Reply::ofInteger(1), Reply::ofBulk("x")}));
    row("nil", "_\r\n", Reply());
    row("true", "#t\r\n", Reply::ofInteger(1));
    row("false", "#f\r\n", Reply::ofInteger(0));
    row("double", ",1.5\r\n", Reply::ofBulk("1.5"));
    row("big number", "(123456789012345678901\r\n", Reply::ofBulk("123456789012345678901"));
    row("long error", "!5\r\nERR x\r\n", Reply::ofError("ERR x"));
    row("verbatim", "=5\r\ntxt:a\r\n", Reply::ofBulk("txt:a"));
    row("map", "%1\r\n+a\r\n:1\r\n", Reply::ofArray({Reply::ofStatus("a"), Reply::ofInteger(1)}));
    row("set", "~1\r\n:1\r\n", Reply::ofArray({Reply::ofInteger(1)}));
}

void TestReplyFrame::everyTypeIsRead()
{
    QFETCH(const std::string, bytes);
    QFETCH(const Reply, reply);
    const auto frame = firstFrameIn(bytes);
    QVERIFY(frame.has_value());
    QCOMPARE(frame->size, bytes.size());
    QVERIFY(frame->reply == reply);
    QVERIFY(!frame->isPush);
}

void TestReplyFrame::aPushIsKnown()
{
    const auto frame = firstFrameIn(">2\r\n+message\r\n+x\r\n");
    QVERIFY(frame && frame->isPush);
    QCOMPARE(frame->reply.array()->size(), 2u);
}

void TestReplyFrame::attributesBelongToWhatFollows()
{
    const std::string bytes = "|1\r\n+ttl\r\n:3600\r\n:42\r\n";
    const auto frame = firstFrameIn(bytes);
    QVERIFY(frame.has_value());
    QCOMPARE(frame->size, bytes.size());
    QVERIFY(frame->reply == Reply::ofInteger(42));
}

void TestReplyFrame::nothingIsReadBeforeItIsWhole()
{
    const std::string bytes = "*3\r\n$2\r\nab\r\n%1\r\n+k\r\n,1\r\n:10\r\n";
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        QVERIFY2(!firstFrameIn(std::string_view(bytes).substr(0, size)),
                 std::to_string(size).c_str());
    }
    QVERIFY(firstFrameIn(bytes).has_value());
}

void TestReplyFrame::onlyTheFirstIsTaken()
{
    const auto frame = firstFrameIn("+OK\r\n:1\r\n");
    QVERIFY(frame.has_value());
    QCOMPARE(frame->size, 5u);
}

void TestReplyFrame::whatIsNoReplyIsRefused_data()
{
    QTest::addColumn<std::string>("bytes");
    for (const char* const bytes : {"?\r\n", "\r\n", ":1x\r\n", "$a\r\n", "*\r\n"}) {
        QTest::newRow(bytes) << std::string(bytes);
    }
    QTest::newRow("too deep") << [] {
        std::string bytes;
        for (int i = 0; i < 100; ++i) {
            bytes += "*1\r\n";
        }
        return bytes + ":1\r\n";
    }();
}

void TestReplyFrame::whatIsNoReplyIsRefused()
{
    QFETCH(const std::string, bytes);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, firstFrameIn(bytes));
}

LOCKSCOPE_TEST(TestReplyFrame, None)

} // namespace lockscope::tst_reply_frame

Q_DECLARE_METATYPE(lockscope::store::Reply)

#include "tst_reply_frame.moc"
