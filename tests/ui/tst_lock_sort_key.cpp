#include "lock_sort_key.h"
#include "support/model_probe.h"

#include <QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::models;
using namespace std::chrono_literals;
using test::MadeLock;

namespace {

SortKey keyOf(const MadeLock& lock, SortField field)
{
    return sortKeyOf(lock.record(), field);
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
            const SortKey left = keyOf(MadeLock(sorted[i - 1]), SortField::Key);
            const SortKey right = keyOf(MadeLock(sorted[i]), SortField::Key);
            QVERIFY2(left < right, qPrintable(QString::number(i)));
        }
    }

    void equalKeysAreDecidedByTheText()
    {
        const MadeLock left("0123456789abcdef:1");
        const MadeLock right("0123456789abcdef:2");
        QVERIFY(keyOf(left, SortField::Key) == keyOf(right, SortField::Key));
        QVERIFY(sortTextOf(left.record(), SortField::Key)
                < sortTextOf(right.record(), SortField::Key));
    }

    void urgencyIsSeverityThenWaitersThenAge()
    {
        const std::vector<MadeLock> sorted{
            MadeLock("a").flag(inspect::Flag::NoExpiry),
            MadeLock("b").flag(inspect::Flag::Stale).waiters(2),
            MadeLock("c").flag(inspect::Flag::Stale),
            MadeLock("d").waiters(1'000'000),
            MadeLock("e").waiters(0),
            MadeLock("f").firstSeen(Instant(-5s)),
            MadeLock("g").firstSeen(Instant(5s)),
        };
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            QVERIFY2(keyOf(sorted[i - 1], SortField::Urgency)
                         < keyOf(sorted[i], SortField::Urgency),
                     qPrintable(QString::number(i)));
        }
    }

    void longerHeldIsLarger()
    {
        QVERIFY(keyOf(MadeLock("a").firstSeen(Instant(1s)), SortField::HeldFor)
                > keyOf(MadeLock("a").firstSeen(Instant(2s)), SortField::HeldFor));
    }

    void unknownWaitersAreLessThanNone()
    {
        QVERIFY(keyOf(MadeLock("a"), SortField::Waiters)
                < keyOf(MadeLock("a").waiters(0), SortField::Waiters));
    }

    void numbersHaveNoText()
    {
        const MadeLock lock("a");
        QVERIFY(sortTextOf(lock.record(), SortField::Holds).empty());
        QVERIFY(sortTextOf(lock.record(), SortField::Expires).empty());
    }
};

QTEST_GUILESS_MAIN(TestLockSortKey)
#include "tst_lock_sort_key.moc"
