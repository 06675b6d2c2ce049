#include "core/kernel/base/rng.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_slots.h"

#include <QTest>

#include <map>

namespace lockscope::tst_lock_slots {

using namespace lockscope::models;
using test::MadeLock;

class TestLockSlots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void replacingKeepsTheSlotAndReturnsTheOldRecord()
    {
        LockSlots slots;
        const inspect::LockPtr first = MadeLock("a").ptr();
        const LockSlots::Put added = slots.put(first);
        QVERIFY(added.before == nullptr);
        const LockSlots::Put replaced = slots.put(MadeLock("a").waiters(2).ptr());
        QCOMPARE(replaced.slot, added.slot);
        QCOMPARE(replaced.before, first);
        QCOMPARE(slots.lockCount(), std::size_t(1));
    }

    void theSameNameOnAnotherServerIsAnotherLock()
    {
        LockSlots slots;
        const Slot here = slots.put(MadeLock("a").ptr()).slot;
        const Slot there = slots.put(MadeLock("a").on(1).ptr()).slot;
        QVERIFY(here != there);
        QCOMPARE(slots.find({1, "a"}), std::optional(there));
        QCOMPARE(slots.find({2, "a"}), std::optional<Slot>());
    }

    void slotsAreUsedAgain()
    {
        LockSlots slots;
        const Slot slot = slots.put(MadeLock("a").ptr()).slot;
        slots.remove(slot);
        QCOMPARE(slots.find({0, "a"}), std::optional<Slot>());
        QCOMPARE(slots.put(MadeLock("b").ptr()).slot, slot);
        QCOMPARE(slots.slotCount(), std::size_t(1));
    }

    void anyHistoryFindsExactlyWhatIsThere()
    {
        Rng rng(test::announcedSeed(7));
        LockSlots slots;
        std::map<std::string, Slot> expected;
        for (int step = 0; step < 20'000; ++step) {
            const std::string key = std::to_string(rng.below(300));
            const std::optional<Slot> found = slots.find({0, key});
            const auto known = expected.find(key);
            QCOMPARE(found.has_value(), known != expected.end());
            if (!found) {
                expected[key] = slots.put(MadeLock(key).ptr()).slot;
                continue;
            }
            QCOMPARE(*found, known->second);
            QCOMPARE(slots.at(*found)->id.name, key);
            if (rng.below(2) == 0) {
                slots.remove(*found);
                expected.erase(known);
            }
        }
        QCOMPARE(slots.lockCount(), expected.size());
    }
};

LOCKSCOPE_TEST(TestLockSlots, Core)

} // namespace lockscope::tst_lock_slots

#include "tst_lock_slots.moc"
