#include "core/kernel/base/rng.h"
#include "core/kernel/sim/keyspace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <set>
#include <string>

namespace lockscope::tst_keyspace {

using namespace lockscope::sim;

class TestKeyspace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyHistoryFindsWhatIsThere();
    void equalityIgnoresTheOrderOfKeys();
    void equalKeysHashAlikeAndOthersDoNot();
    void theHashIsOfWhatIsThereNow();
    void sortedSetsStaySorted();
};

/// Few keys are found by scanning, many by a table; a random history crosses the border often.
void TestKeyspace::anyHistoryFindsWhatIsThere()
{
    Rng rng(5);
    Keyspace keys;
    std::map<Bytes, Bytes> expected;
    for (int step = 0; step < 20'000; ++step) {
        const std::uint64_t range = step / 1000 % 2 == 0 ? 6 : 200;
        const Bytes key = "lock:" + std::to_string(rng.below(range));
        Entry* const entry = keys.find(key);
        QCOMPARE(entry != nullptr, expected.contains(key));
        if (entry == nullptr) {
            keys.insert(key, Value(std::to_string(step)));
            expected[key] = std::to_string(step);
        } else {
            QCOMPARE(std::get<Bytes>(entry->value), expected[key]);
            keys.erase(*entry);
            expected.erase(key);
        }
        QCOMPARE(keys.entries().size(), expected.size());
    }
}

void TestKeyspace::equalityIgnoresTheOrderOfKeys()
{
    Keyspace a;
    Keyspace b;
    a.insert("x", Bytes("1"));
    a.insert("y", Bytes("2"));
    b.insert("y", Bytes("2"));
    b.insert("x", Bytes("1"));
    QVERIFY(a == b);
    b.find("x")->expiresAtMs = 5;
    QVERIFY(!(a == b));
}

/// A random walk over a small space comes back to the same contents on many ways, in many orders.
void TestKeyspace::equalKeysHashAlikeAndOthersDoNot()
{
    Rng rng(11);
    Keyspace keys;
    std::map<Bytes, std::size_t> content; // which value every key has
    std::map<std::map<Bytes, std::size_t>, std::uint64_t> hashes;
    std::set<std::uint64_t> distinct;
    for (int step = 0; step < 20'000; ++step) {
        const Bytes key(1, static_cast<char>('a' + rng.below(4)));
        if (Entry* const entry = keys.find(key)) {
            keys.erase(*entry);
            content.erase(key);
        } else {
            static const Value kValues[] = {Bytes("1"), HashValue{{{"1", "1"}}}, ListValue{{"1"}},
                                            SetValue{{"1"}}, SortedSetValue{{{1, "1"}}}};
            const std::size_t which = rng.below(std::size(kValues) + 1);
            Entry& added = keys.insert(key, kValues[which % std::size(kValues)]);
            added.expiresAtMs = which == std::size(kValues) ? 5 : Entry::kNever;
            content[key] = which;
        }
        const auto [known, isNew] = hashes.try_emplace(content, keys.contentHash());
        QCOMPARE(keys.contentHash(), known->second);
        QCOMPARE(distinct.insert(keys.contentHash()).second, isNew);
    }
    QVERIFY(hashes.size() > 1'000);
}

/// It is kept, so every way to change something has to drop it.
void TestKeyspace::theHashIsOfWhatIsThereNow()
{
    Keyspace keys;
    const std::uint64_t ofNothing = keys.contentHash();
    std::set<std::uint64_t> hashes{ofNothing};
    const auto isNew = [&] { return hashes.insert(keys.contentHash()).second; };
    keys.insert("x", Bytes("1"));
    QVERIFY(isNew());
    keys.insert("y", Bytes("2"));
    QVERIFY(isNew());
    keys.find("x")->expiresAtMs = 5;
    QVERIFY(isNew());
    std::get<Bytes>(keys.entries().back().value) = "3";
    QVERIFY(isNew());
    keys.erase(*keys.find("x"));
    QVERIFY(isNew());
    Keyspace copy = keys;
    copy.find("y")->expiresAtMs = 6;
    QVERIFY(copy.contentHash() != keys.contentHash());
    keys.clear();
    QCOMPARE(keys.contentHash(), ofNothing);
}

void TestKeyspace::sortedSetsStaySorted()
{
    SortedSetValue set;
    set.put("b", 1);
    set.put("a", 1);
    set.put("c", 0);
    set.put("b", -1);
    QCOMPARE(set.indexOf("b"), std::size_t{0});
    QCOMPARE(set.indexOf("c"), std::size_t{1});
    QCOMPARE(set.indexOf("a"), std::size_t{2});
    QCOMPARE(set.indexOf("none"), std::size_t{3});
}

LOCKSCOPE_TEST(TestKeyspace, Core)

} // namespace lockscope::tst_keyspace

#include "tst_keyspace.moc"
