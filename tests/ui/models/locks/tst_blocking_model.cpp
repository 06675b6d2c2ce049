#include "tests/kernel/random_input.h"
#include "tests/support/sample_locks.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/blocking_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_blocking_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using inspect::LockRecord;

namespace {

constexpr Instant kNow{1h};

struct Wait {
    std::string owner;
    Duration span{0};
};

/// Held by one, waited for by others for so long.
LockRecord lockWith(const std::string& key, const std::string& owner,
                    const std::vector<Wait>& waits)
{
    LockRecord lock = test::heldToken(key, owner, kNow);
    auto queue = std::make_shared<inspect::WaitQueue>();
    for (const Wait& wait : waits) {
        queue->push_back({wait.owner, kNow - wait.span, true});
    }
    lock.seldom->queue = std::move(queue);
    lock.waiters = static_cast<int>(waits.size());
    return lock;
}

struct Fixture {
    Instant now = kNow;
    LockTableModel table{[this] { return now; }};
    BlockingModel model{table};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    void change(ChangeKind kind, const LockRecord& lock)
    {
        table.apply({{{kind, makeShared<LockRecord>(lock), now}}});
    }
    void add(const LockRecord& lock) { change(ChangeKind::Appeared, lock); }
};

/// "a(bob(b(cleo)) dora)": lines and what is below them.
QString shownBy(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex line = model.index(row, 0, parent);
        const QString below = shownBy(model, line);
        lines += line.data().toString() + (below.isEmpty() ? QString() : u'(' + below + u')');
    }
    return lines.join(u' ');
}

QString cell(const QModelIndex& index, int column)
{
    return index.siblingAtColumn(column).data().toString();
}

} // namespace

class TestBlockingModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoWaitsStandsBelowTheLock()
    {
        Fixture fixture;
        fixture.add(lockWith("order", "anna", {{"bob", 4s}, {"cleo", 3s}}));
        fixture.add(lockWith("stock", "bob", {{"dora", 2s}}));
        fixture.add(lockWith("quiet", "eve", {}));
        fixture.model.setWatched(true);
        QCOMPARE(shownBy(fixture.model), u"order(bob(stock(dora)) cleo)"_s);
        const QModelIndex order = fixture.model.index(0, 0);
        QCOMPARE(cell(order, BlockingModel::StateColumn), u"held by anna"_s);
        QCOMPARE(cell(order, BlockingModel::WaitersColumn), u"3"_s);
        QCOMPARE(cell(order, BlockingModel::WaitedColumn), u"9.0 s"_s); // all of them together
        const QModelIndex bob = fixture.model.index(0, 0, order);
        QCOMPARE(cell(bob, BlockingModel::SinceColumn), u"4.0 s"_s);
        QVERIFY(bob.data(BlockingModel::LockIdRole).value<inspect::LockId>()
                == (inspect::LockId{0, "order"}));
        fixture.now += 1s;
        fixture.model.refresh();
        QCOMPARE(cell(order, BlockingModel::WaitedColumn), u"12.0 s"_s);
    }

    void theLongestWaitIsOnTopAndADeadlockAboveIt()
    {
        Fixture fixture;
        fixture.add(lockWith("a", "anna", {{"bob", 1s}}));
        fixture.add(lockWith("b", "cleo", {{"dora", 5s}}));
        fixture.model.setWatched(true);
        QCOMPARE(shownBy(fixture.model), u"b(dora) a(bob)"_s);
        const QPersistentModelIndex chosen(fixture.model.index(0, 0, fixture.model.index(1, 0)));
        fixture.change(ChangeKind::Changed, lockWith("a", "anna", {{"bob", 9s}}));
        fixture.model.refresh();
        QCOMPARE(shownBy(fixture.model), u"a(bob) b(dora)"_s);
        QCOMPARE(chosen.data().toString(), u"bob"_s); // it has moved
        fixture.add(lockWith("x", "eve", {{"finn", 1s}}));
        fixture.add(lockWith("y", "finn", {{"eve", 1s}}));
        fixture.model.refresh();
        QCOMPARE(shownBy(fixture.model), u"Deadlock(x y) a(bob) b(dora)"_s);
        QVERIFY(fixture.model.index(0, 0).data(BlockingModel::IsDeadlockRole).toBool());
    }

    void waitersWithoutNamesAreCounted()
    {
        Fixture fixture;
        fixture.model.setWatched(true);
        QCOMPARE(fixture.model.remark(), u"Nobody is known by name to wait for a lock."_s);
        LockRecord lock = test::heldToken("k", "anna", kNow);
        lock.waiters = 3;
        fixture.add(lock);
        fixture.model.refresh();
        QVERIFY(
            fixture.model.remark().endsWith(u"Locks with waiters whose names no server knows: 1."));
        fixture.change(ChangeKind::Released, lock);
        fixture.model.refresh();
        QCOMPARE(fixture.model.remark(), u"Nobody is known by name to wait for a lock."_s);
    }

    void aLongQueueIsCut()
    {
        Fixture fixture;
        std::vector<Wait> waits;
        for (std::size_t i = 0; i < BlockingModel::kLinesAtMost + 3; ++i) {
            waits.push_back({"w" + std::to_string(i), 1s});
        }
        fixture.add(lockWith("order", "anna", waits));
        fixture.model.setWatched(true);
        const QModelIndex order = fixture.model.index(0, 0);
        QCOMPARE(fixture.model.rowCount(order), int(BlockingModel::kLinesAtMost) + 1);
        QCOMPARE(fixture.model.index(int(BlockingModel::kLinesAtMost), 0, order).data().toString(),
                 u"and 3 more"_s);
    }

    void unwatchedItFollowsNothing()
    {
        Fixture fixture;
        fixture.add(lockWith("a", "anna", {{"bob", 1s}}));
        fixture.model.refresh();
        QCOMPARE(fixture.model.rowCount(), 0);
        fixture.model.setWatched(true);
        fixture.model.setWatched(false);
        fixture.change(ChangeKind::Released, lockWith("a", "anna", {{"bob", 1s}}));
        fixture.model.setWatched(true);
        QCOMPARE(fixture.model.rowCount(), 0);
    }

    void anyHistoryEndsAsAFreshLookDoes()
    {
        testing::RandomInput input;
        qInfo("repeat with %s", input.recipe().c_str());
        Rng& random = input.rng();
        const auto someone = [&random] { return "o" + std::to_string(random.below(6)); };
        Fixture fixture;
        fixture.model.setWatched(true);
        for (int step = 0; step < 400; ++step) {
            const std::string key = "k" + std::to_string(random.below(6));
            std::vector<Wait> waits;
            for (std::uint64_t i = random.below(4); i > 0; --i) {
                waits.push_back({someone(), std::chrono::seconds(random.below(20))});
            }
            const bool isGone = random.below(4) == 0;
            fixture.change(isGone ? ChangeKind::Released : ChangeKind::Changed,
                           lockWith(key, someone(), waits));
            if (random.below(2) == 0) {
                fixture.model.refresh();
                BlockingModel fresh(fixture.table);
                fresh.setWatched(true);
                QCOMPARE(shownBy(fixture.model), shownBy(fresh));
            }
        }
    }
};

LOCKSCOPE_TEST(TestBlockingModel, Core)

} // namespace lockscope::tst_blocking_model

#include "tst_blocking_model.moc"
