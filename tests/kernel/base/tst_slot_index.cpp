#include "core/kernel/base/slot_index.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace lockscope::tst_slot_index {

class TestSlotIndex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatAPlainMapFinds_data();
    void findsWhatAPlainMapFinds();
    void anEntryMayHaveSeveralNames();
};

void TestSlotIndex::findsWhatAPlainMapFinds_data()
{
    QTest::addColumn<unsigned>("hashCount");
    QTest::newRow("hashes of their own") << 0xffffffffU;
    QTest::newRow("many with the same hash") << 40U;
}

void TestSlotIndex::findsWhatAPlainMapFinds()
{
    QFETCH(unsigned, hashCount);
    testing::RandomInput input;
    Rng& rng = input.rng();
    constexpr std::size_t kEntries = 500;
    std::vector<std::size_t> names(kEntries);
    std::vector<std::uint32_t> hashes(kEntries);
    for (std::size_t slot = 0; slot < kEntries; ++slot) {
        names[slot] = slot;
        hashes[slot] = SlotIndex::mixed(slot) % hashCount;
    }
    SlotIndex index;
    std::map<std::size_t, Slot> right; // by name
    for (int step = 0; step < 30'000; ++step) {
        const std::size_t name = rng.below(kEntries);
        const std::uint32_t hash = hashes[name];
        const std::optional<Slot> found = index.find(hash, [&](Slot slot) {
            return names[slot] == name;
        });
        const auto known = right.find(name);
        QVERIFY2(found.has_value() == (known != right.end()) && (!found || *found == known->second),
                 input.recipe().c_str());
        if (found) {
            index.remove(hash, *found);
            right.erase(known);
        } else {
            index.add(hash, static_cast<Slot>(name));
            right.emplace(name, static_cast<Slot>(name));
        }
        if (rng.below(5'000) == 0) {
            index.clear();
            right.clear();
        }
    }
}

void TestSlotIndex::anEntryMayHaveSeveralNames()
{
    testing::RandomInput input;
    Rng& rng = input.rng();
    SlotIndex index;
    std::set<std::pair<std::uint32_t, Slot>> right;
    for (int step = 0; step < 30'000; ++step) {
        const std::uint32_t hash = SlotIndex::mixed(rng.below(10));
        const auto entry = static_cast<Slot>(rng.below(10));
        const auto found = index.find(hash, [&](Slot slot) { return slot == entry; });
        QVERIFY2(found.has_value() == right.contains({hash, entry}), input.recipe().c_str());
        if (found) {
            index.remove(hash, entry);
            right.erase({hash, entry});
        } else {
            index.add(hash, entry);
            right.emplace(hash, entry);
        }
    }
}

LOCKSCOPE_TEST(TestSlotIndex, Core)

} // namespace lockscope::tst_slot_index

#include "tst_slot_index.moc"
