#include "core/kernel/inspect/watch/hold_change.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_hold_change {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

constexpr Instant kLooked{1h};

LockRecord lockOf(const std::vector<Bytes>& owners, std::optional<Duration> left = Duration(30s))
{
    LockRecord record;
    record.id = {0, "order:lock"};
    record.setFormat("token");
    record.firstSeen = kLooked;
    for (const Bytes& owner : owners) {
        Holder holder;
        holder.owner = owner;
        record.holders.push_back(holder);
    }
    if (left) {
        record.expiresAt = kLooked + *left;
    }
    return record;
}

LockChange changeOf(ChangeKind kind, LockRecord lock, Duration later = Duration(1s))
{
    return {kind, makeShared<const LockRecord>(std::move(lock)), kLooked + later};
}

/// All holders are meant.
HoldChange holdChangeOf(const LockRecord& looked, const LockChange& change)
{
    return inspect::holdChangeOf(looked, looked.holders, change);
}

} // namespace

class TestHoldChange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEndIsNewsOfEveryLock()
    {
        for (const auto& owners : {std::vector<Bytes>{"a"}, std::vector<Bytes>{""}}) {
            const LockRecord looked = lockOf(owners);
            QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Released, looked)),
                     HoldChange::Released);
            QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Expired, looked)),
                     HoldChange::Expired);
        }
    }

    void whatWasNoticedBeforeTheLookIsNoNews()
    {
        const LockRecord looked = lockOf({"a"});
        QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Released, looked, 0s)),
                 HoldChange::Same);
        QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Appeared, lockOf({"b"}), -1s)),
                 HoldChange::Same);
    }

    void otherLocksAreNoNews()
    {
        LockRecord other = lockOf({"a"});
        other.id.name = "other";
        QCOMPARE(holdChangeOf(lockOf({"a"}), changeOf(ChangeKind::Released, other)),
                 HoldChange::Same);
        other = lockOf({"a"});
        other.id.server = 1;
        QCOMPARE(holdChangeOf(lockOf({"a"}), changeOf(ChangeKind::Released, other)),
                 HoldChange::Same);
    }

    void anotherHoldIsTaken()
    {
        const LockRecord looked = lockOf({"a"});
        QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Appeared, lockOf({"b"}))),
                 HoldChange::Taken);
        QCOMPARE(holdChangeOf(lockOf({""}), changeOf(ChangeKind::Appeared, lockOf({""}))),
                 HoldChange::Taken);
    }

    void aWatchThatIsLateIsNoNews()
    {
        QCOMPARE(holdChangeOf(lockOf({"a"}), changeOf(ChangeKind::Appeared, lockOf({"a"}))),
                 HoldChange::Same);
    }

    void aRenewalOfANamedHolderIsItsOwn()
    {
        const LockRecord looked = lockOf({"a"});
        QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Renewed, lockOf({"a"}, 60s))),
                 HoldChange::Same);
        QCOMPARE(holdChangeOf(looked, changeOf(ChangeKind::Changed, lockOf({"b", "a"}))),
                 HoldChange::Same);
    }

    void aHolderWhoLeftIsNews()
    {
        QCOMPARE(holdChangeOf(lockOf({"a", "b"}),
                              changeOf(ChangeKind::Changed, lockOf({"b", "c"}))),
                 HoldChange::HolderLeft);
    }

    void thoseWhoAreNotMeantMayLeave()
    {
        const LockRecord looked = lockOf({"a", "b"});
        const auto change = changeOf(ChangeKind::Changed, lockOf({"a", "c"}));
        const std::span<const Holder> both(looked.holders);
        QCOMPARE(inspect::holdChangeOf(looked, both.first(1), change), HoldChange::Same);
        QCOMPARE(inspect::holdChangeOf(looked, both.subspan(1), change), HoldChange::HolderLeft);
        QCOMPARE(inspect::holdChangeOf(looked, {}, change), HoldChange::Same); // no holder is
                                                                               // chosen yet
        QCOMPARE(inspect::holdChangeOf(looked, {}, changeOf(ChangeKind::Appeared, lockOf({"c"}))),
                 HoldChange::Taken);
    }

    void withoutANameAnotherExpiryMayBeAnotherHold_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("leftMs"); // -1: never
        QTest::addColumn<int>("news");
        const int changed = static_cast<int>(ChangeKind::Changed);
        QTest::newRow("renewed") << static_cast<int>(ChangeKind::Renewed) << 60'000
                                 << static_cast<int>(HoldChange::Moved);
        QTest::newRow("later") << changed << 31'000 << static_cast<int>(HoldChange::Moved);
        QTest::newRow("sooner") << changed << 29'000 << static_cast<int>(HoldChange::Moved);
        QTest::newRow("jitter") << changed << 30'050 << static_cast<int>(HoldChange::Same);
        QTest::newRow("never") << changed << -1 << static_cast<int>(HoldChange::Moved);
    }

    void withoutANameAnotherExpiryMayBeAnotherHold()
    {
        QFETCH(int, kind);
        QFETCH(int, leftMs);
        QFETCH(int, news);
        const auto left = leftMs < 0 ? std::nullopt
                                     : std::optional<Duration>(std::chrono::milliseconds(leftMs));
        QCOMPARE(static_cast<int>(holdChangeOf(lockOf({""}), changeOf(static_cast<ChangeKind>(kind),
                                                                      lockOf({""}, left)))),
                 news);
    }

    void withoutANameNothingHappensByWaiters()
    {
        LockRecord now = lockOf({""}, std::nullopt);
        now.waiters = 3;
        now.flags.add(Flag::NoExpiry);
        QCOMPARE(holdChangeOf(lockOf({""}, std::nullopt), changeOf(ChangeKind::Changed, now)),
                 HoldChange::Same);
    }

    void aNameWhereNoneWasIsAnotherHold()
    {
        QCOMPARE(holdChangeOf(lockOf({""}), changeOf(ChangeKind::Changed, lockOf({"a"}))),
                 HoldChange::Taken);
    }
};

LOCKSCOPE_TEST(TestHoldChange, Core)

} // namespace lockscope::tst_hold_change

#include "tst_hold_change.moc"
