#include "core/kernel/base/bytes.h"
#include "core/kernel/base/content_hash.h"
#include "core/kernel/base/rng.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>
#include <vector>

namespace lockscope::tst_content_hash {

class TestContentHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameEverywhere();
    void everyByteCounts();
    void bordersCount();
    void likeNumbersAreAlike();
    void neighboursDoNotCollide();
    void orderCountsUnlessItDoesNot();
};

/// Pinned: saved runs and other machines rely on it. The compiler agrees with the program.
void TestContentHash::theSameEverywhere()
{
    static_assert(contentHashOf("") == 0xe220a8397b1dcdafU); // SplitMix64's first number
    static_assert(contentHashOf("lock:orders") == 0x4745ced6af77aa76U);
    ContentHash hash;
    hash.add(-1);
    hash.add(1.5);
    hash.add("token");
    QCOMPARE(hash.value(), std::uint64_t{0xe4423035440eebe5U});
}

void TestContentHash::everyByteCounts()
{
    for (std::size_t length = 1; length < 40; ++length) {
        const Bytes text(length, 'x');
        for (std::size_t i = 0; i < length; ++i) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                Bytes other = text;
                other[i] = static_cast<char>(static_cast<unsigned char>(other[i]) ^ (1U << bit));
                QVERIFY(contentHashOf(other) != contentHashOf(text));
            }
        }
    }
}

void TestContentHash::bordersCount()
{
    const auto hashOf = [](const std::vector<Bytes>& texts) {
        ContentHash hash;
        for (const Bytes& text : texts) {
            hash.add(text);
        }
        return hash.value();
    };
    const std::set<std::uint64_t> hashes{hashOf({"ab", "c"}),      hashOf({"a", "bc"}),
                                         hashOf({"abc"}),          hashOf({"abc", ""}),
                                         hashOf({"", "abc"}),      hashOf({Bytes("abc\0", 4)}),
                                         hashOf({Bytes(8, '\0')}), hashOf({Bytes(9, '\0')})};
    QCOMPARE(hashes.size(), std::size_t{8});
}

void TestContentHash::likeNumbersAreAlike()
{
    const auto hashOf = [](auto number) {
        ContentHash hash;
        hash.add(number);
        return hash.value();
    };
    QCOMPARE(hashOf(0.0), hashOf(-0.0));
    QCOMPARE(hashOf(-1), hashOf(std::int64_t{-1}));
    QCOMPARE(hashOf(true), hashOf(std::size_t{1}));
    QVERIFY(hashOf(1) != hashOf(1.0));
}

/// Counters, flags and tokens that differ in a digit here and there: what states look like.
void TestContentHash::neighboursDoNotCollide()
{
    std::set<std::uint64_t> hashes;
    std::size_t count = 0;
    for (std::uint64_t a = 0; a < 300; ++a) {
        for (std::uint64_t b = 0; b < 300; ++b) {
            ContentHash numbers;
            numbers.add(a << 48U);
            numbers.add(b << 16U | b << 48U);
            hashes.insert(numbers.value());
            hashes.insert(contentHashOf("contender-" + std::to_string(a) + ':'
                                        + std::to_string(b)));
            count += 2;
        }
    }
    QCOMPARE(hashes.size(), count);
}

void TestContentHash::orderCountsUnlessItDoesNot()
{
    ContentHash one;
    one.add(1);
    one.add(2);
    ContentHash two;
    two.add(2);
    two.add(1);
    QVERIFY(one.value() != two.value());
    ContentHash oneBehindTwo(one.value());
    oneBehindTwo.add(two.value());
    ContentHash twoBehindOne(two.value());
    twoBehindOne.add(one.value());
    QVERIFY(oneBehindTwo.value() != twoBehindOne.value());

    Rng rng(7);
    UnorderedContentHash hash;
    const UnorderedContentHash empty = hash;
    std::vector<std::uint64_t> items;
    for (int i = 0; i < 100; ++i) {
        items.push_back(rng.next());
        hash.add(items.back());
    }
    QVERIFY(!(hash == empty));
    for (const std::uint64_t item : items) {
        hash.remove(item);
    }
    QVERIFY(hash == empty);
}

LOCKSCOPE_TEST(TestContentHash, Core)

} // namespace lockscope::tst_content_hash

#include "tst_content_hash.moc"
