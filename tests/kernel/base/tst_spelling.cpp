#include "core/kernel/base/spelling.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <string>

namespace lockscope::tst_spelling {

using namespace std::string_literals;

class TestSpelling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySlipCountsOnce_data();
    void everySlipCountsOnce();
    void theNearestKnownWordIsSuggested();
    void theFirstOfEquallyNearWordsIsSuggested();
    void farAndOverlongWordsSuggestNothing();
};

void TestSpelling::everySlipCountsOnce_data()
{
    QTest::addColumn<std::string>("a");
    QTest::addColumn<std::string>("b");
    QTest::addColumn<int>("distance");
    QTest::newRow("same") << "owner"s
                          << "owner"s << 0;
    QTest::newRow("swapped") << "onwer"s
                             << "owner"s << 1;
    QTest::newRow("changed") << "ovner"s
                             << "owner"s << 1;
    QTest::newRow("added") << "ownner"s
                           << "owner"s << 1;
    QTest::newRow("dropped") << "ownr"s
                             << "owner"s << 1;
    QTest::newRow("swapped at the end") << "ownre"s
                                        << "owner"s << 1;
    QTest::newRow("two changes") << "order"s
                                 << "owner"s << 2;
    QTest::newRow("nothing in common") << "abc"s
                                       << "xyz"s << 3;
    QTest::newRow("from nothing") << ""s
                                  << "key"s << 3;
    QTest::newRow("both empty") << ""s
                                << ""s << 0;
}

void TestSpelling::everySlipCountsOnce()
{
    QFETCH(std::string, a);
    QFETCH(std::string, b);
    QFETCH(int, distance);
    QCOMPARE(static_cast<int>(editDistance(a, b)), distance);
    QCOMPARE(static_cast<int>(editDistance(b, a)), distance);
}

void TestSpelling::theNearestKnownWordIsSuggested()
{
    const std::array<std::string_view, 3> known{"holds", "held", "holder"};
    QCOMPARE(nearestWord("hedl", known, 2), "held");
    QCOMPARE(nearestWord("hold", known, 2), "holds");
    QCOMPARE(nearestWord("holdr", known, 2), "holds"); // as near as "holder", and before it
}

void TestSpelling::theFirstOfEquallyNearWordsIsSuggested()
{
    const std::array<std::string_view, 2> known{"aab", "aac"};
    QCOMPARE(nearestWord("aad", known, 1), "aab");
}

void TestSpelling::farAndOverlongWordsSuggestNothing()
{
    const std::array<std::string_view, 2> known{"owner", "key"};
    QCOMPARE(nearestWord("order", known, 1), "");
    QCOMPARE(nearestWord(std::string(100'000, 'k'), known, 200'000), "");
}

LOCKSCOPE_TEST(TestSpelling, Core)

} // namespace lockscope::tst_spelling

#include "tst_spelling.moc"
