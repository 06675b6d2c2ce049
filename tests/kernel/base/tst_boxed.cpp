#include "core/kernel/base/boxed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_boxed {

class TestBoxed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isEmptyUntilItIsGivenSomething();
    void copiesGoTheirOwnWay();
    void isEmptyAfterItWasMovedFrom();
    void anEmptyOneReadsAsTheDefault();
    void isEqualByWhatIsInIt();
    void isAsSmallAsAPointer();
};

using Text = Boxed<std::string>;

void TestBoxed::isEmptyUntilItIsGivenSomething()
{
    Text text;
    QVERIFY(!text && !text.has_value());
    text = std::string("a");
    QVERIFY(text && text.has_value());
    QCOMPARE(*text, std::string("a"));
    QCOMPARE(text->size(), std::size_t{1});
    text = std::nullopt;
    QVERIFY(!text);
}

void TestBoxed::copiesGoTheirOwnWay()
{
    Text first = std::string("a");
    Text second = first;
    *second = "b";
    QCOMPARE(*first, std::string("a"));
    first = second;
    *first = "c";
    QCOMPARE(*second, std::string("b"));
    const Text& same = first;
    first = same;
    QCOMPARE(*first, std::string("c"));
    second = Text();
    QVERIFY(!second);
}

void TestBoxed::isEmptyAfterItWasMovedFrom()
{
    Text first = std::string("a");
    const Text second = std::move(first);
    QCOMPARE(*second, std::string("a"));
    QVERIFY(!first); // NOLINT(bugprone-use-after-move): what the class promises
}

void TestBoxed::anEmptyOneReadsAsTheDefault()
{
    const Text nothing;
    QCOMPARE(*nothing, std::string());
    QVERIFY(nothing->empty());
    QVERIFY(!nothing);
    Text written;
    *written += "a";
    QCOMPARE(*written, std::string("a"));
}

void TestBoxed::isEqualByWhatIsInIt()
{
    const Text first = std::string("a");
    QVERIFY(first == Text(std::string("a")));
    QVERIFY(first != Text(std::string("b")));
    QVERIFY(first != Text());
    QVERIFY(Text() == Text(std::nullopt));
}

void TestBoxed::isAsSmallAsAPointer()
{
    static_assert(sizeof(Text) == sizeof(void*));
}

LOCKSCOPE_TEST(TestBoxed, None)

} // namespace lockscope::tst_boxed

#include "tst_boxed.moc"
