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
    std::array<LockId, 20> locks;
    for (std::size_t i = 0; i < locks.size(); ++i) {
        locks[i].name = "lock:" + std::to_string(i);
    }
    OwnerIndex index;
    std::map<std::size_t, std::set<const LockId*>> right; // by the hashes of owners
    std::set<std::pair<std::string_view, const LockId*>> known;
    for (int step = 0; step < 20'000; ++step) {
        const std::string_view owner = kOwners[rng.below(kOwners.size())];
        const LockId& lock = locks[rng.below(locks.size())];
        const std::size_t hash = OwnerIndex::hashOf(0, owner);
        if (known.erase({owner, &lock}) > 0) {
            index.remove(owner, lock);
            right[hash].erase(&lock);
        } else {
            known.insert({owner, &lock});
            index.add(owner, lock);
            right[hash].insert(&lock);
        }
        const bool isTold = right[hash].size() > 1
                            || (right[hash].size() == 1 && !known.contains({owner, &lock}));
        const std::vector<OwnerIndex::Group> changes = index.takeChanges();
        QVERIFY2(changes.size() == (isTold ? 1U : 0U), input.recipe().c_str());
        if (isTold) {
            const std::vector<const LockId*>& told = changes.front().locks;
            QVERIFY2(std::set<const LockId*>(told.begin(), told.end()) == right[hash]
                         && told.size() == right[hash].size() && !changes.front().isCrowded,
                     input.recipe().c_str());
        }
    }
}

void TestOwnerIndex::anOwnerOfTooManyTiesNothing()
{
    std::array<LockId, OwnerIndex::kLocksMost + 2> locks;
    OwnerIndex index;
    for (std::size_t i = 0; i + 1 < locks.size(); ++i) {
        index.add("a", locks[i]);
    }
    QVERIFY(index.takeChanges().front().isCrowded);
    index.add("a", locks.back());
    index.remove("a", locks.front());
    QVERIFY(!index.hasChanges());
}

LOCKSCOPE_TEST(TestOwnerIndex, Core)

} // namespace lockscope::tst_owner_index

#include "tst_owner_index.moc"
