#include "core/kernel/base/rng.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_order.h"

#include <QTest>

#include <algorithm>
#include <map>

namespace lockscope::tst_lock_order {

using namespace lockscope::models;
using namespace std::chrono_literals;
using inspect::LockPtr;
using test::MadeLock;

namespace {

/// Null below zero: by urgency.
const report::LockField::Column* columnAt(int column)
{
    return column < 0 ? nullptr
                      : &report::lockField(static_cast<report::LockColumn>(column)).column;
}

/// Repeats every change on a list of its own, and compares the two after every step.
class Mirror : public RowListener {
public:
    const LockOrder* order = nullptr;
    int permutationCount = 0;
    int rangeCount = 0;
    int changedCount = 0;
    bool isFaithful = true;

    void beginInsert(int first, int last) override
    {
        isFaithful = isFaithful && first >= 0 && first <= count() && last >= first;
        m_first = first;
        m_last = last;
        ++rangeCount;
    }
    void endInsert() override
    {
        for (int row = m_first; row <= m_last; ++row) {
            m_rows.insert(m_rows.begin() + row, order->rowAt(row));
        }
        compare();
    }
    void beginRemove(int first, int last) override
    {
        isFaithful = isFaithful && first >= 0 && last < count() && last >= first;
        m_first = first;
        m_last = last;
        ++rangeCount;
    }
    void endRemove() override
    {
        m_rows.erase(m_rows.begin() + m_first, m_rows.begin() + m_last + 1);
        compare();
    }
    void beginPermute() override { compare(); }
    void endPermute() override
    {
        ++permutationCount;
        std::vector<LockRow> before = m_rows;
        for (int row = 0; row < count(); ++row) {
            m_rows[static_cast<std::size_t>(row)] = order->rowAt(row);
        }
        std::vector<LockRow> after = m_rows;
        const auto byNumber = [](const LockRow& l, const LockRow& r) {
            return std::pair(l.slot, l.holder) < std::pair(r.slot, r.holder);
        };
        std::sort(before.begin(), before.end(), byNumber);
        std::sort(after.begin(), after.end(), byNumber);
        isFaithful = isFaithful && before == after;
        compare();
    }
    void rowsChanged(int first, int last) override
    {
        isFaithful = isFaithful && first >= 0 && last < count() && first <= last;
        changedCount += last - first + 1;
    }

private:
    int count() const { return static_cast<int>(m_rows.size()); }
    void compare()
    {
        isFaithful = isFaithful && count() == order->rowCount();
        for (int row = 0; isFaithful && row < count(); ++row) {
            isFaithful = m_rows[static_cast<std::size_t>(row)] == order->rowAt(row);
        }
    }

    std::vector<LockRow> m_rows;
    int m_first = 0;
    int m_last = 0;
};

struct Fixture {
    Mirror mirror;
    LockOrder order{mirror};

    Fixture() { mirror.order = &order; }

    void put(std::initializer_list<LockPtr> locks) { order.put(std::vector<LockPtr>(locks)); }
    void remove(const std::string& key) { order.remove(std::vector<inspect::LockId>{{0, key}}); }
};

/// "a b b/0 b/1": the keys, holders behind a slash.
QString rowsOf(const LockOrder& order)
{
    QStringList rows;
    for (int row = 0; row < order.rowCount(); ++row) {
        QString text = QString::fromStdString(order.lockAt(row)->id.name);
        if (order.rowAt(row).holder >= 0) {
            text += u'/' + QString::number(order.rowAt(row).holder);
        }
        rows.append(text);
    }
    return rows.join(u' ');
}

LockPtr randomLock(Rng& rng, int keyCount)
{
    MadeLock lock("key:" + std::to_string(rng.below(static_cast<std::uint64_t>(keyCount))));
    lock.firstSeen(Instant(rng.between(0s, 60s)));
    lock.on(static_cast<std::uint16_t>(rng.below(2)));
    if (rng.below(3) == 0) {
        lock.waiters(static_cast<int>(rng.below(4)));
    }
    if (rng.below(5) == 0) {
        lock.flag(static_cast<inspect::Flag>(rng.below(3)));
    }
    if (rng.below(4) == 0) {
        lock.readers(static_cast<int>(rng.below(4)));
    } else {
        // Longer than the sixteen bytes of a sort key, and equal in these.
        lock.owner("5f0c1a2b-77aa-4000-8000-" + std::to_string(rng.below(50)));
    }
    return lock.ptr();
}

bool hasEvenWaiters(const inspect::LockRecord& record)
{
    return record.waiters.value_or(0) % 2 == 0;
}

} // namespace

class TestLockOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sortsByUrgencyUnlessAskedOtherwise()
    {
        Fixture f;
        f.put({MadeLock("calm").firstSeen(Instant(5s)).takenWhileWatching().ptr(),
               MadeLock("older").firstSeen(Instant(1s)).takenWhileWatching().ptr(),
               MadeLock("contended").waiters(3).ptr(),
               MadeLock("stuck").flag(inspect::Flag::NoExpiry).ptr(),
               MadeLock("odd").flag(inspect::Flag::Stale).ptr()});
        QCOMPARE(rowsOf(f.order), QStringLiteral("stuck odd contended older calm"));
    }

    void sortsByRawValuesAndNeverComesLast()
    {
        Fixture f;
        f.put({MadeLock("never").ptr(), MadeLock("ten").expires(Instant(10s)).ptr(),
               MadeLock("nine").expires(Instant(9s)).ptr()});
        f.order.setSort(columnAt(report::ExpiresColumn), false);
        QCOMPARE(rowsOf(f.order), QStringLiteral("nine ten never"));
        f.order.setSort(columnAt(report::ExpiresColumn), true);
        QCOMPARE(rowsOf(f.order), QStringLiteral("never ten nine"));
    }

    void breaksTiesByNameAndServer()
    {
        Fixture f;
        f.put({MadeLock("b").ptr(), MadeLock("a").on(1).ptr(), MadeLock("a").ptr()});
        f.order.setSort(columnAt(report::RenewalsColumn), true);
        QCOMPARE(rowsOf(f.order), QStringLiteral("a a b"));
        QCOMPARE(f.order.lockAt(1)->id.server, std::uint16_t(1));
    }

    void comparesTextsBeyondTheSixteenBytesOfTheKey()
    {
        Fixture f;
        f.put({MadeLock("1").owner("0123456789abcdef:9").ptr(),
               MadeLock("2").owner("0123456789abcdef:1").ptr(),
               MadeLock("3").owner("0123456789abcdef").ptr()});
        f.order.setSort(columnAt(report::OwnerColumn), false);
        QCOMPARE(rowsOf(f.order), QStringLiteral("3 2 1"));
    }

    void aChangedRowStaysUntilItIsResorted()
    {
        Fixture f;
        f.put({MadeLock("a").waiters(3).ptr(), MadeLock("b").waiters(2).ptr(),
               MadeLock("c").waiters(1).ptr()});
        f.put({MadeLock("c").waiters(9).ptr()});
        QCOMPARE(rowsOf(f.order), QStringLiteral("a b c"));
        QCOMPARE(f.mirror.changedCount, 1);
        QVERIFY(f.order.resort());
        QCOMPARE(rowsOf(f.order), QStringLiteral("c a b"));
        QVERIFY(!f.order.resort());
        QVERIFY(f.mirror.isFaithful);
    }

    void rowsAreFoundWhileOneOfThemIsMisplaced()
    {
        Fixture f;
        f.order.setSort(columnAt(report::OwnerColumn), false);
        f.put({MadeLock("1").owner("a").ptr(), MadeLock("2").owner("b").ptr(),
               MadeLock("3").owner("c").ptr()});
        f.put({MadeLock("2").owner("z").ptr()});
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(f.order.rowOf(f.order.lockAt(row)->id), row);
        }
        f.remove("2");
        QCOMPARE(rowsOf(f.order), QStringLiteral("1 3"));
    }

    void theFilterHidesAndShowsWithoutForgetting()
    {
        Fixture f;
        f.put({MadeLock("a").ptr(), MadeLock("b").waiters(1).ptr(), MadeLock("c").ptr()});
        f.order.setFilter([](const inspect::LockRecord& lock) { return lock.waiters.has_value(); });
        QCOMPARE(rowsOf(f.order), QStringLiteral("b"));
        QCOMPARE(f.order.rowOf({0, "a"}), -1);
        QCOMPARE(f.order.lockCount(), std::size_t(3));
        QCOMPARE(f.order.shownLockCount(), std::size_t(1));
        f.put({MadeLock("a").waiters(7).ptr(), MadeLock("b").ptr()});
        QCOMPARE(rowsOf(f.order), QStringLiteral("a"));
        f.order.setFilter({});
        QCOMPARE(f.order.rowCount(), 3);
        QVERIFY(f.mirror.isFaithful);
    }

    void holdersAreRowsBelowAnExpandedLock()
    {
        Fixture f;
        f.put({MadeLock("a").waiters(2).readers(2).ptr(), MadeLock("b").owner("x").ptr()});
        f.order.setExpanded(1, true); // one holder: nothing to expand
        f.order.setExpanded(0, true);
        QCOMPARE(rowsOf(f.order), QStringLiteral("a a/0 a/1 b"));
        f.put({MadeLock("a").waiters(2).readers(3).ptr()});
        QCOMPARE(rowsOf(f.order), QStringLiteral("a a/0 a/1 a/2 b"));
        f.put({MadeLock("a").waiters(2).readers(1).ptr()});
        QCOMPARE(rowsOf(f.order), QStringLiteral("a b"));
        f.put({MadeLock("a").waiters(2).readers(2).ptr()});
        f.order.setExpanded(0, false);
        QCOMPARE(rowsOf(f.order), QStringLiteral("a b"));
        QVERIFY(f.mirror.isFaithful);
    }

    void manyScatteredArrivalsAreOneRangeAndOnePermutation()
    {
        Fixture f;
        f.order.setSort(columnAt(report::KeyColumn), false);
        std::vector<LockPtr> even;
        std::vector<LockPtr> odd;
        for (int i = 1000; i < 1400; ++i) {
            (i % 2 == 0 ? even : odd).push_back(MadeLock(std::to_string(i)).ptr());
        }
        f.order.put(even);
        f.mirror.rangeCount = 0;
        f.order.put(odd);
        QCOMPARE(f.mirror.rangeCount, 1);
        QCOMPARE(f.mirror.permutationCount, 1);
        QCOMPARE(f.order.rowOf({0, "1003"}), 3);
        f.order.setFilter([](const inspect::LockRecord& lock) {
            return lock.id.name.back() == '7';
        });
        QCOMPARE(f.mirror.rangeCount, 2);
        QCOMPARE(f.order.rowCount(), 40);
        QVERIFY(f.mirror.isFaithful);
    }

    /// Too many to come one by one, too few for a pass over all.
    void someArrivalsAmongManyFindTheirPlaces()
    {
        constexpr int kEveryOf = 25;
        Fixture f;
        f.order.setSort(columnAt(report::KeyColumn), false);
        std::vector<LockPtr> most;
        std::vector<LockPtr> some;
        for (int i = 1000; i < 2000; ++i) {
            (i % kEveryOf == 0 ? some : most).push_back(MadeLock(std::to_string(i)).ptr());
        }
        f.order.put(most);
        f.order.put(some);
        QCOMPARE(f.order.rowCount(), 1000);
        for (int row = 0; row < f.order.rowCount(); ++row) {
            QCOMPARE(f.order.lockAt(row)->id.name, std::to_string(1000 + row));
        }
        QVERIFY(f.mirror.isFaithful);
    }

    void keysStandInNaturalOrder_data()
    {
        QTest::addColumn<int>("column");
        for (const int column : {-1, int(report::KeyColumn), int(report::HoldsColumn)}) {
            QTest::addRow("column %d", column) << column;
        }
    }
    void keysStandInNaturalOrder()
    {
        QFETCH(int, column);
        Fixture f;
        f.order.setSort(columnAt(column), false);
        const std::string begin = "a-name-that-is-long:"; // longer than what a key remembers
        f.put({MadeLock("flag:10").ptr(), MadeLock("flag:2").ptr(), MadeLock(begin + "10").ptr(),
               MadeLock(begin + "9").ptr()});
        QCOMPARE(rowsOf(f.order),
                 QStringLiteral("a-name-that-is-long:9 a-name-that-is-long:10 flag:2 flag:10"));
    }

    void anyHistoryEndsLikeAFreshStart_data()
    {
        QTest::addColumn<int>("keyCount");
        QTest::addColumn<int>("batchSize");
        QTest::addColumn<int>("column");
        for (int column = -1; column < report::ColumnCount; ++column) {
            QTest::addRow("few keys, column %d", column) << 12 << 3 << column;
            QTest::addRow("many keys, column %d", column) << 600 << 150 << column;
        }
    }
    void anyHistoryEndsLikeAFreshStart()
    {
        QFETCH(int, keyCount);
        QFETCH(int, batchSize);
        QFETCH(int, column);
        Rng rng(test::announcedSeed(20261) + static_cast<std::uint64_t>(column + 1));
        Fixture f;
        std::map<inspect::LockId, LockPtr> expected;
        for (int step = 0; step < 120; ++step) {
            doAnything(rng, f.order, expected, keyCount, batchSize);
            QVERIFY2(f.mirror.isFaithful, qPrintable(QStringLiteral("step %1").arg(step)));
        }
        f.order.setSort(columnAt(column), true);
        f.order.setFilter(hasEvenWaiters);
        f.order.resort();
        for (int row = f.order.rowCount() - 1; row >= 0; --row) {
            if (f.order.rowAt(row).holder < 0) {
                f.order.setExpanded(row, false);
            }
        }
        Fixture fresh;
        fresh.order.setSort(columnAt(column), true);
        fresh.order.setFilter(hasEvenWaiters);
        for (const auto& [id, lock] : expected) {
            fresh.put({lock});
        }
        QCOMPARE(rowsOf(f.order), rowsOf(fresh.order));
        QCOMPARE(f.order.lockCount(), expected.size());
        QCOMPARE(f.order.shownLockCount(), fresh.order.shownLockCount());
    }

private:
    static void doAnything(Rng& rng, LockOrder& order, std::map<inspect::LockId, LockPtr>& expected,
                           int keyCount, int batchSize)
    {
        const auto size = rng.below(static_cast<std::uint64_t>(batchSize)) + 1;
        switch (rng.below(8)) {
        case 0: {
            std::vector<inspect::LockId> ids;
            for (std::uint64_t i = 0; i < size; ++i) {
                ids.push_back(randomLock(rng, keyCount)->id);
                expected.erase(ids.back());
            }
            order.remove(ids);
            break;
        }
        case 1:
            order.setFilter(rng.below(2) == 0 ? LockOrder::Accepts(hasEvenWaiters) : nullptr);
            break;
        case 2:
            order.setSort(columnAt(static_cast<int>(rng.below(report::ColumnCount + 1)) - 1),
                          rng.below(2) == 0);
            break;
        case 3: order.resort(); break;
        case 4:
            if (order.rowCount() > 0) {
                order.setExpanded(
                    static_cast<int>(rng.below(static_cast<std::uint64_t>(order.rowCount()))),
                    rng.below(3) != 0);
            }
            break;
        default: {
            std::vector<LockPtr> locks;
            for (std::uint64_t i = 0; i < size; ++i) {
                locks.push_back(randomLock(rng, keyCount));
                expected[locks.back()->id] = locks.back();
            }
            order.put(locks);
        }
        }
    }
};

LOCKSCOPE_TEST(TestLockOrder, Core)

} // namespace lockscope::tst_lock_order

#include "tst_lock_order.moc"
