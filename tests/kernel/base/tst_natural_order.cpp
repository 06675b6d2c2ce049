#include "core/kernel/base/natural_order.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace lockscope::tst_natural_order {

namespace {

std::string beginningOf(std::string_view text, std::size_t size = 16)
{
    std::vector<unsigned char> out(size, 0xaa);
    writeNaturalBeginning(text, out);
    return {out.begin(), out.end()};
}

int signOf(std::strong_ordering order)
{
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

/// Few letters, so that many texts have much in common.
std::string randomName(Rng& rng)
{
    constexpr std::string_view kLetters = "0019:/ax\x80";
    std::string name;
    for (std::uint64_t length = rng.below(24); length > 0; --length) {
        name += kLetters[rng.below(kLetters.size())];
    }
    return name;
}

} // namespace

class TestNaturalOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersCountAsNumbers()
    {
        const std::vector<std::string> sorted{"",
                                              "7",
                                              "07",
                                              "10",
                                              "a",
                                              "a1",
                                              "a1b2",
                                              "a1b10",
                                              "a2",
                                              "a01000",
                                              "a:",
                                              "flag:2",
                                              "flag:10",
                                              "flag:99999999999999999999",
                                              "flag:100000000000000000000",
                                              "flag:x",
                                              "\xff"};
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            const std::string& left = sorted[i - 1];
            const std::string& right = sorted[i];
            const bool isLeadingZeros = left == "7";
            QVERIFY2(isLeadingZeros ? naturalOrder(left, right) > 0 : naturalOrder(left, right) < 0,
                     left.c_str());
        }
    }

    void leadingZerosDecideLast()
    {
        QVERIFY(naturalOrder("a01", "a1") < 0);
        QVERIFY(naturalOrder("a01b", "a1a") > 0);
        QVERIFY(naturalOrder("a0", "a00") < 0);
        QVERIFY(naturalOrder("a000", "a000") == 0);
    }

    void beginningsNeverContradict()
    {
        testing::RandomInput input;
        for (int round = 0; round < 20000; ++round) {
            const std::string a = randomName(input.rng());
            const std::string b = randomName(input.rng());
            const std::string c = randomName(input.rng());
            const int order = signOf(naturalOrder(a, b));
            QVERIFY2(order == -signOf(naturalOrder(b, a)), input.recipe(a + ' ' + b).c_str());
            QVERIFY2((order == 0) == (a == b), input.recipe(a + ' ' + b).c_str());
            const int begin = beginningOf(a).compare(beginningOf(b));
            QVERIFY2(begin == 0 || (begin < 0) == (order < 0), input.recipe(a + ' ' + b).c_str());
            const bool isChain = order < 0 && naturalOrder(b, c) < 0;
            QVERIFY2(!isChain || naturalOrder(a, c) < 0,
                     input.recipe(a + ' ' + b + ' ' + c).c_str());
        }
    }

    void endlessNumbersAreLeftUndecided()
    {
        const std::string a = "a" + std::string(300, '1');
        const std::string b = "a" + std::string(301, '1');
        QVERIFY(naturalOrder(a, b) < 0);
        QCOMPARE(beginningOf(a), beginningOf(b));
        QVERIFY(beginningOf("a" + std::string(254, '9')) < beginningOf(a));
    }

    void whatIsLeftIsZero()
    {
        QCOMPARE(beginningOf("ab", 4), std::string("ab\0\0", 4));
        QCOMPARE(beginningOf("a12345", 4), std::string("a412"));
    }
};

LOCKSCOPE_TEST(TestNaturalOrder, Core)

} // namespace lockscope::tst_natural_order

#include "tst_natural_order.moc"
