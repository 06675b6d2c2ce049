#include "core/kernel/store/reply_encoding.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

namespace lockscope::tst_reply_encoding {

using namespace lockscope::store;
using namespace std::string_literals;

namespace {

std::string encoded(const Reply& reply)
{
    std::string out;
    appendEncoded(out, reply);
    return out;
}

std::string inResp3(const Reply& reply, ReplyShape shape = ReplyShape::Plain)
{
    std::string out;
    appendEncoded(out, reply, {Protocol::Resp3, shape});
    return out;
}

std::string inResp2(const Reply& reply, ReplyShape shape)
{
    std::string out;
    appendEncoded(out, reply, {Protocol::Resp2, shape});
    return out;
}

Reply pair(const char* first, const char* second)
{
    return Reply::ofArray({Reply::ofBulk(first), Reply::ofBulk(second)});
}

} // namespace

class TestReplyEncoding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasItsForm();
    void arraysHoldAnything();
    void aLineStaysOneLine();
    void encodingAppends();
    void shapesAreTypesInResp3();
    void shapesAreArraysInResp2();
    void nothingHasTheFormOfWhatWasAskedFor();
    void errorsAndStatusesHaveNoShape();
    void commandsHoldSets();
    void transactionsHoldTheirOwnShapes();
};

void TestReplyEncoding::everyKindHasItsForm()
{
    QCOMPARE(encoded(Reply()), "$-1\r\n"s);
    QCOMPARE(encoded(Reply::ofInteger(-42)), ":-42\r\n"s);
    QCOMPARE(encoded(Reply::ofBulk("")), "$0\r\n\r\n"s);
    QCOMPARE(encoded(Reply::ofBulk("a\r\n\0b"s)), "$5\r\na\r\n\0b\r\n"s);
    QCOMPARE(encoded(Reply::ofStatus("OK")), "+OK\r\n"s);
    QCOMPARE(encoded(Reply::ofError("ERR no")), "-ERR no\r\n"s);
    QCOMPARE(encoded(Reply::ofOversized(100, "begin")), "$5\r\nbegin\r\n"s);
}

void TestReplyEncoding::arraysHoldAnything()
{
    QCOMPARE(encoded(Reply::ofArray({})), "*0\r\n"s);
    const Reply nested = Reply::ofArray({Reply::ofInteger(1), Reply(),
                                         Reply::ofArray({Reply::ofBulk("x")})});
    QCOMPARE(encoded(nested), "*3\r\n:1\r\n$-1\r\n*1\r\n$1\r\nx\r\n"s);
}

void TestReplyEncoding::aLineStaysOneLine()
{
    QCOMPARE(encoded(Reply::ofError("ERR a\r\nb")), "-ERR a  b\r\n"s);
    QCOMPARE(encoded(Reply::ofStatus("a\nb")), "+a b\r\n"s);
}

void TestReplyEncoding::encodingAppends()
{
    std::string out = "before ";
    appendEncoded(out, Reply::ofInteger(1));
    appendEncoded(out, Reply::ofInteger(2));
    QCOMPARE(out, "before :1\r\n:2\r\n"s);
}

void TestReplyEncoding::shapesAreTypesInResp3()
{
    const Reply scored = pair("m", "1.5");
    QCOMPARE(inResp3(scored), "*2\r\n$1\r\nm\r\n$3\r\n1.5\r\n"s);
    QCOMPARE(inResp3(scored, ReplyShape::Map), "%1\r\n$1\r\nm\r\n$3\r\n1.5\r\n"s);
    QCOMPARE(inResp3(scored, ReplyShape::Set), "~2\r\n$1\r\nm\r\n$3\r\n1.5\r\n"s);
    QCOMPARE(inResp3(scored, ReplyShape::Push), ">2\r\n$1\r\nm\r\n$3\r\n1.5\r\n"s);
    QCOMPARE(inResp3(scored, ReplyShape::ScoredMember), "*2\r\n$1\r\nm\r\n,1.5\r\n"s);
    QCOMPARE(inResp3(scored, ReplyShape::ScoredMembers), "*1\r\n*2\r\n$1\r\nm\r\n,1.5\r\n"s);
    QCOMPARE(inResp3(pair("1", "inf"), ReplyShape::Doubles), "*2\r\n,1\r\n,inf\r\n"s);
    QCOMPARE(inResp3(Reply::ofBulk("-inf"), ReplyShape::Double), ",-inf\r\n"s);
    QCOMPARE(inResp3(Reply::ofBulk("a\r\n"), ReplyShape::Verbatim), "=7\r\ntxt:a\r\n\r\n"s);
}

void TestReplyEncoding::shapesAreArraysInResp2()
{
    const std::string plain = encoded(pair("m", "1.5"));
    for (const ReplyShape shape :
         {ReplyShape::Array, ReplyShape::Map, ReplyShape::Set, ReplyShape::Push,
          ReplyShape::ScoredMember, ReplyShape::ScoredMembers, ReplyShape::Doubles}) {
        QCOMPARE(inResp2(pair("m", "1.5"), shape), plain);
    }
    QCOMPARE(inResp2(Reply::ofBulk("1"), ReplyShape::Double), "$1\r\n1\r\n"s);
    QCOMPARE(inResp2(Reply::ofBulk("1"), ReplyShape::Verbatim), "$1\r\n1\r\n"s);
}

void TestReplyEncoding::nothingHasTheFormOfWhatWasAskedFor()
{
    QCOMPARE(inResp2(Reply(), ReplyShape::Array), "*-1\r\n"s);
    QCOMPARE(inResp2(Reply(), ReplyShape::Transaction), "*-1\r\n"s);
    QCOMPARE(inResp2(Reply(), ReplyShape::Double), "$-1\r\n"s);
    QCOMPARE(inResp3(Reply(), ReplyShape::Array), "_\r\n"s);
    QCOMPARE(inResp3(Reply()), "_\r\n"s);
}

void TestReplyEncoding::errorsAndStatusesHaveNoShape()
{
    QCOMPARE(inResp3(Reply::ofError("ERR x"), ReplyShape::Map), "-ERR x\r\n"s);
    QCOMPARE(inResp3(Reply::ofStatus("QUEUED"), ReplyShape::Set), "+QUEUED\r\n"s);
    QCOMPARE(inResp3(Reply::ofInteger(1), ReplyShape::Double), ":1\r\n"s);
}

void TestReplyEncoding::commandsHoldSets()
{
    const Reply command = Reply::ofArray({Reply::ofBulk("get"), Reply::ofInteger(2),
                                          Reply::ofArray({Reply::ofStatus("readonly")})});
    const Reply both = Reply::ofArray({command, Reply()});
    QCOMPARE(inResp3(both, ReplyShape::Commands),
             "*2\r\n*3\r\n$3\r\nget\r\n:2\r\n~1\r\n+readonly\r\n_\r\n"s);
    QCOMPARE(inResp2(both, ReplyShape::Commands), encoded(both));
}

void TestReplyEncoding::transactionsHoldTheirOwnShapes()
{
    const Reply answers = Reply::ofArray({pair("f", "v"), Reply(), Reply()});
    const std::array shapes{ReplyShape::Map, ReplyShape::Array};
    std::string out;
    appendEncoded(out, answers, {Protocol::Resp3, ReplyShape::Transaction, shapes});
    QCOMPARE(out, "*3\r\n%1\r\n$1\r\nf\r\n$1\r\nv\r\n_\r\n_\r\n"s);
    out.clear();
    appendEncoded(out, answers, {Protocol::Resp2, ReplyShape::Transaction, shapes});
    QCOMPARE(out, "*3\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n*-1\r\n$-1\r\n"s);
}

LOCKSCOPE_TEST(TestReplyEncoding, Core)

} // namespace lockscope::tst_reply_encoding

#include "tst_reply_encoding.moc"
