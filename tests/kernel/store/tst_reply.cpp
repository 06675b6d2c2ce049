#include "core/kernel/store/reply.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_reply {

using namespace lockscope::store;
using namespace std::string_literals;

class TestReply : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDefaultReplyIsNil();
    void onlyAnIntegerIsANumber();
    void bulkAndSimpleStringsAreText();
    void anErrorKnowsItsCode_data();
    void anErrorKnowsItsCode();
    void arraysNest();
    void repliesOfDifferentKindsDiffer();
};

void TestReply::aDefaultReplyIsNil()
{
    QVERIFY(Reply().isNil());
    QVERIFY(!Reply().isError());
    QCOMPARE(Reply().text(), nullptr);
    QCOMPARE(Reply().array(), nullptr);
    QCOMPARE(Reply().error(), nullptr);
    QVERIFY(!Reply().integer());
}

void TestReply::onlyAnIntegerIsANumber()
{
    QCOMPARE(Reply::ofInteger(-7).integer(), std::optional<std::int64_t>(-7));
    QVERIFY(!Reply::ofBulk("7").integer());
    QVERIFY(!Reply::ofStatus("7").integer());
}

void TestReply::bulkAndSimpleStringsAreText()
{
    QCOMPARE(*Reply::ofBulk("a\0b"s).text(), "a\0b"s);
    QCOMPARE(*Reply::ofStatus("OK").text(), "OK"s);
    QCOMPARE(Reply::ofError("ERR x").text(), nullptr);
    QCOMPARE(Reply::ofInteger(1).text(), nullptr);
}

void TestReply::anErrorKnowsItsCode_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("code");
    QTest::newRow("usual") << "NOPERM this user has no permissions"s
                           << "NOPERM"s;
    QTest::newRow("a word alone") << "EXECABORT"s
                                  << "EXECABORT"s;
    QTest::newRow("empty") << ""s
                           << ""s;
}

void TestReply::anErrorKnowsItsCode()
{
    QFETCH(std::string, text);
    QFETCH(std::string, code);
    const Reply reply = Reply::ofError(text);
    QVERIFY(reply.isError());
    QCOMPARE(std::string(reply.error()->code()), code);
}

void TestReply::arraysNest()
{
    const Reply page = Reply::ofArray({Reply::ofBulk("0"),
                                       Reply::ofArray({Reply::ofBulk("k"), Reply()})});
    QVERIFY(page.array() != nullptr);
    const Reply::Array* const keys = page.array()->at(1).array();
    QVERIFY(keys != nullptr);
    QCOMPARE(*keys->at(0).text(), "k"s);
    QVERIFY(keys->at(1).isNil());
}

void TestReply::repliesOfDifferentKindsDiffer()
{
    QVERIFY(Reply::ofBulk("OK") != Reply::ofStatus("OK"));
    QVERIFY(Reply::ofBulk("") != Reply());
    QVERIFY(Reply::ofArray({}) != Reply());
    QVERIFY(Reply::ofInteger(1) == Reply::ofInteger(1));
}

LOCKSCOPE_TEST(TestReply, Core)

} // namespace lockscope::tst_reply

#include "tst_reply.moc"
