#include "core/kernel/inspect/watch/owner_index.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

namespace lockscope::tst_owner_index {

using namespace lockscope::inspect;

class TestOwnerIndex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupsAreThoseOfAPlainMap();
    void anOwnerOfTooManyTiesNothing();
};

void TestOwnerIndex::groupsAreThoseOfAPlainMap()
{
    testing::RandomInput input;
    Rng& rng = input.rng();
    constexpr std::array<std::string_view, 6> kOwners = {"a", "b", "c", "d", "e", "f"};
    constexpr std::size_t kLocks = 20;
    OwnerIndex index;
    std::map<std::uint32_t, std::set<Slot>> right; // by the hashes of owners
    std::set<std::pair<std::string_view, Slot>> known;
    for (int step = 0; step < 20'000; ++step) {
        const std::string_view owner = kOwners[rng.below(kOwners.size())];
        const auto lock = static_cast<Slot>(rng.below(kLocks));
        const std::uint32_t hash = OwnerIndex::hashOf(0, owner);
        if (known.erase({owner, lock}) > 0) {
            index.remove(0, owner, lock);
            right[hash].erase(lock);
        } else {
            known.insert({owner, lock});
            index.add(0, owner, lock);
            right[hash].insert(lock);
        }
        const bool isTold = right[hash].size() > 1
                            || (right[hash].size() == 1 && !known.contains({owner, lock}));
        const std::vector<OwnerIndex::Group> changes = index.takeChanges();
        QVERIFY2(changes.size() == (isTold ? 1U : 0U), input.recipe().c_str());
        if (isTold) {
            const std::vector<Slot>& told = changes.front().locks;
            QVERIFY2(std::set<Slot>(told.begin(), told.end()) == right[hash]
                         && told.size() == right[hash].size() && !changes.front().isCrowded,
                     input.recipe().c_str());
        }
    }
}

void TestOwnerIndex::anOwnerOfTooManyTiesNothing()
{
    constexpr Slot kLast = OwnerIndex::kLocksMost + 1;
    OwnerIndex index;
    for (Slot lock = 0; lock < kLast; ++lock) {
        index.add(0, "a", lock);
    }
    QVERIFY(index.takeChanges().front().isCrowded);
    index.add(0, "a", kLast);
    index.remove(0, "a", 0);
    QVERIFY(!index.hasChanges());
}

LOCKSCOPE_TEST(TestOwnerIndex, Core)

} // namespace lockscope::tst_owner_index

#include "tst_owner_index.moc"
