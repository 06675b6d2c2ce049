#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/lock_sort_key.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_lock_sort_key {

using namespace lockscope::report;
using namespace std::chrono_literals;
using test::MadeLock;

namespace {

SortKey keyOf(const MadeLock& lock, LockColumn column)
{
    return lockField(column).column.sortKey(lock.record());
}

std::string_view textOf(const MadeLock& lock)
{
    return lockField(KeyColumn).column.sortText(lock.record());
}

} // namespace

class TestLockSortKey : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textsCompareLikeTheirBytes()
    {
        using namespace std::string_literals;
        const std::vector<std::string> sorted{"",      "\x01"s,    "A",         "a",
                                              "a\0b"s, "aaaaaaaa", "aaaaaaaab", "aaaaaaaaz",
                                              "\x7f",  "\x80"s,    "\xff\xff"s};
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            const SortKey left = keyOf(MadeLock(sorted[i - 1]), KeyColumn);
            const SortKey right = keyOf(MadeLock(sorted[i]), KeyColumn);
            QVERIFY2(left < right, qPrintable(QString::number(i)));
        }
    }

    void equalKeysAreDecidedByTheText()
    {
        const MadeLock left("0123456789abcdef:1");
        const MadeLock right("0123456789abcdef:2");
        QVERIFY(keyOf(left, KeyColumn) == keyOf(right, KeyColumn));
        QVERIFY(textOf(left) < textOf(right));
    }

    void urgencyIsSeverityThenWaitersThenAge()
    {
        const std::vector<MadeLock> sorted{
            MadeLock("a").flag(inspect::Flag::NoExpiry),
            MadeLock("b").flag(inspect::Flag::Stale).waiters(2),
            MadeLock("c").flag(inspect::Flag::Stale),
            MadeLock("flag").flag(inspect::Flag::NoExpiry).confidence(inspect::Confidence::Low),
            MadeLock("d").waiters(1'000'000),
            MadeLock("e").waiters(0),
            MadeLock("f").firstSeen(Instant(-5s)),
            MadeLock("g").firstSeen(Instant(5s)),
            MadeLock("h").waiters(3).flag(inspect::Flag::ProbablyData),
        };
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            QVERIFY2(urgencyOf(sorted[i - 1].record()) < urgencyOf(sorted[i].record()),
                     qPrintable(QString::number(i)));
        }
    }

    void numbersInKeysCountAsNumbers()
    {
        QVERIFY(keyOf(MadeLock("flag:2"), KeyColumn) < keyOf(MadeLock("flag:10"), KeyColumn));
        QVERIFY(isMoreUrgent(MadeLock("flag:2").record(), MadeLock("flag:10").record()));
        QVERIFY(!isMoreUrgent(MadeLock("flag:10").record(), MadeLock("flag:2").record()));
    }

    /// A sweep finds keys in no order at all: that says nothing about their age.
    void whatWasThereAtFirstIsOrderedByName()
    {
        const MadeLock foundFirst = MadeLock("flag:10").firstSeen(Instant(65s));
        const MadeLock foundLater = MadeLock("flag:2").firstSeen(Instant(66s));
        QVERIFY(isMoreUrgent(foundLater.record(), foundFirst.record()));
        const MadeLock older = MadeLock("flag:9").firstSeen(Instant(5s));
        QVERIFY(isMoreUrgent(older.record(), foundLater.record()));
    }

    void whatWasSeenBeingTakenIsOrderedByAge()
    {
        const MadeLock older = MadeLock("flag:10").firstSeen(Instant(65s)).takenWhileWatching();
        const MadeLock younger = MadeLock("flag:2").firstSeen(Instant(66s)).takenWhileWatching();
        QVERIFY(isMoreUrgent(older.record(), younger.record()));
        QVERIFY(isMoreUrgent(MadeLock("there").firstSeen(Instant(66s)).record(), older.record()));
    }

    void equalNamesAreOrderedByServer()
    {
        QVERIFY(orderByName({1, "flag:2"}, {0, "flag:10"}) < 0);
        QVERIFY(orderByName({0, "flag:2"}, {1, "flag:2"}) < 0);
        QVERIFY(orderByName({1, "flag:2"}, {1, "flag:2"}) == 0);
    }

    void longerHeldIsLarger()
    {
        QVERIFY(keyOf(MadeLock("a").firstSeen(Instant(1s)), HeldColumn)
                > keyOf(MadeLock("a").firstSeen(Instant(2s)), HeldColumn));
    }

    void unknownWaitersAreLessThanNone()
    {
        QVERIFY(keyOf(MadeLock("a"), WaitersColumn)
                < keyOf(MadeLock("a").waiters(0), WaitersColumn));
    }
};

LOCKSCOPE_TEST(TestLockSortKey, Core)

} // namespace lockscope::tst_lock_sort_key

#include "tst_lock_sort_key.moc"
