#include "core/kernel/inspect/watch/hold_news.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_hold_news {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

constexpr Instant kLooked{1h};

LockRecord lockOf(const std::vector<Bytes>& owners, std::optional<Duration> left = Duration(30s))
{
    LockRecord record;
    record.id = {0, "order:lock"};
    record.format = "token";
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
    return {kind, std::make_shared<const LockRecord>(std::move(lock)), kLooked + later};
}

/// Everybody is meant.
HoldNews newsOf(const LockRecord& looked, const LockChange& change)
{
    return inspect::newsOf(looked, looked.holders, change);
}

} // namespace

class TestHoldNews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEndIsNewsOfEveryLock()
    {
        for (const auto& owners : {std::vector<Bytes>{"a"}, std::vector<Bytes>{""}}) {
            const LockRecord looked = lockOf(owners);
            QCOMPARE(newsOf(looked, changeOf(ChangeKind::Released, looked)), HoldNews::Released);
            QCOMPARE(newsOf(looked, changeOf(ChangeKind::Expired, looked)), HoldNews::Expired);
        }
    }

    void whatWasNoticedBeforeTheLookIsNoNews()
    {
        const LockRecord looked = lockOf({"a"});
        QCOMPARE(newsOf(looked, changeOf(ChangeKind::Released, looked, 0s)), HoldNews::Same);
        QCOMPARE(newsOf(looked, changeOf(ChangeKind::Appeared, lockOf({"b"}), -1s)),
                 HoldNews::Same);
    }

    void otherLocksAreNoNews()
    {
        LockRecord other = lockOf({"a"});
        other.id.name = "other";
        QCOMPARE(newsOf(lockOf({"a"}), changeOf(ChangeKind::Released, other)), HoldNews::Same);
        other = lockOf({"a"});
        other.id.server = 1;
        QCOMPARE(newsOf(lockOf({"a"}), changeOf(ChangeKind::Released, other)), HoldNews::Same);
    }

    void anotherHoldIsTaken()
    {
        const LockRecord looked = lockOf({"a"});
        QCOMPARE(newsOf(looked, changeOf(ChangeKind::Appeared, lockOf({"b"}))), HoldNews::Taken);
        QCOMPARE(newsOf(lockOf({""}), changeOf(ChangeKind::Appeared, lockOf({""}))),
                 HoldNews::Taken);
    }

    void aWatchThatIsLateIsNoNews()
    {
        QCOMPARE(newsOf(lockOf({"a"}), changeOf(ChangeKind::Appeared, lockOf({"a"}))),
                 HoldNews::Same);
    }

    void aRenewalOfANamedHolderIsItsOwn()
    {
        const LockRecord looked = lockOf({"a"});
        QCOMPARE(newsOf(looked, changeOf(ChangeKind::Renewed, lockOf({"a"}, 60s))), HoldNews::Same);
        QCOMPARE(newsOf(looked, changeOf(ChangeKind::Changed, lockOf({"b", "a"}))), HoldNews::Same);
    }

    void aHolderWhoLeftIsNews()
    {
        QCOMPARE(newsOf(lockOf({"a", "b"}), changeOf(ChangeKind::Changed, lockOf({"b", "c"}))),
                 HoldNews::HolderLeft);
    }

    void thoseWhoAreNotMeantMayLeave()
    {
        const LockRecord looked = lockOf({"a", "b"});
        const auto change = changeOf(ChangeKind::Changed, lockOf({"a", "c"}));
        const std::span<const Holder> both(looked.holders);
        QCOMPARE(inspect::newsOf(looked, both.first(1), change), HoldNews::Same);
        QCOMPARE(inspect::newsOf(looked, both.subspan(1), change), HoldNews::HolderLeft);
        QCOMPARE(inspect::newsOf(looked, {}, change), HoldNews::Same); // nobody is chosen yet
        QCOMPARE(inspect::newsOf(looked, {}, changeOf(ChangeKind::Appeared, lockOf({"c"}))),
                 HoldNews::Taken);
    }

    void withoutANameAnotherExpiryMayBeAnotherHold_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("leftMs"); // -1: never
        QTest::addColumn<int>("news");
        const int changed = static_cast<int>(ChangeKind::Changed);
        QTest::newRow("renewed") << static_cast<int>(ChangeKind::Renewed) << 60'000
                                 << static_cast<int>(HoldNews::Moved);
        QTest::newRow("later") << changed << 31'000 << static_cast<int>(HoldNews::Moved);
        QTest::newRow("sooner") << changed << 29'000 << static_cast<int>(HoldNews::Moved);
        QTest::newRow("jitter") << changed << 30'050 << static_cast<int>(HoldNews::Same);
        QTest::newRow("never") << changed << -1 << static_cast<int>(HoldNews::Moved);
    }

    void withoutANameAnotherExpiryMayBeAnotherHold()
    {
        QFETCH(int, kind);
        QFETCH(int, leftMs);
        QFETCH(int, news);
        const auto left = leftMs < 0 ? std::nullopt
                                     : std::optional<Duration>(std::chrono::milliseconds(leftMs));
        QCOMPARE(static_cast<int>(newsOf(lockOf({""}), changeOf(static_cast<ChangeKind>(kind),
                                                                lockOf({""}, left)))),
                 news);
    }

    void withoutANameNothingHappensByWaiters()
    {
        LockRecord now = lockOf({""}, std::nullopt);
        now.waiters = 3;
        now.flags.add(Flag::NoExpiry);
        QCOMPARE(newsOf(lockOf({""}, std::nullopt), changeOf(ChangeKind::Changed, now)),
                 HoldNews::Same);
    }

    void aNameWhereNoneWasIsAnotherHold()
    {
        QCOMPARE(newsOf(lockOf({""}), changeOf(ChangeKind::Changed, lockOf({"a"}))),
                 HoldNews::Taken);
    }
};

LOCKSCOPE_TEST(TestHoldNews, Core)

} // namespace lockscope::tst_hold_news

#include "tst_hold_news.moc"
