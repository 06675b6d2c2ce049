#include "tests/kernel/random_input.h"
#include "tests/support/sample_locks.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/owners_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>

#include <map>
#include <memory>
#include <set>
#include <string>

namespace lockscope::tst_owners_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using inspect::LockRecord;

namespace {

constexpr Instant kNow{1h};

struct Fixture {
    Instant now = kNow;
    LockTableModel table{[this] { return now; }};
    OwnersModel model{table};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    void change(ChangeKind kind, const LockRecord& lock)
    {
        table.apply({{{kind, makeShared<LockRecord>(lock), now}}});
    }
    void add(const LockRecord& lock) { change(ChangeKind::Appeared, lock); }
    void add(const std::string& key, const std::string& owner)
    {
        add(test::heldToken(key, owner, now));
    }
    QModelIndex ownerOf(const QString& name) const
    {
        const auto found = model.match(model.index(0, 0), Qt::DisplayRole, name, 1,
                                       Qt::MatchExactly);
        return found.isEmpty() ? QModelIndex() : found.front();
    }
    QString cell(const QString& owner, int column) const
    {
        return ownerOf(owner).siblingAtColumn(column).data().toString();
    }
};

/// "a: k1 k2 | b: k3": owners and their locks, by name.
QString shownBy(const QAbstractItemModel& model)
{
    std::map<QString, QStringList> owners;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex owner = model.index(row, 0);
        QStringList& keys = owners[owner.data().toString()];
        for (int child = 0; child < model.rowCount(owner); ++child) {
            keys += model.index(child, 0, owner).data().toString();
        }
    }
    QStringList lines;
    for (const auto& [owner, keys] : owners) {
        lines += owner + u": "_s + keys.join(u' ');
    }
    return lines.join(u" | "_s);
}

} // namespace

class TestOwnersModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoHoldsWhatIsGroupedByOwner()
    {
        Fixture fixture;
        fixture.add("b", "anna");
        fixture.model.setWatched(true);
        fixture.add("a", "anna");
        fixture.add("c", "bob");
        QCOMPARE(shownBy(fixture.model), u"anna: b"_s); // not before the next look
        fixture.model.refresh();
        QCOMPARE(shownBy(fixture.model), u"anna: a b | bob: c"_s);
        fixture.change(ChangeKind::Released, test::heldToken("b", "anna", kNow));
        fixture.change(ChangeKind::Changed, test::heldToken("c", "anna", kNow)); // handed over
        fixture.model.refresh();
        QCOMPARE(shownBy(fixture.model), u"anna: a c"_s);
        fixture.table.clear();
        fixture.model.refresh();
        QCOMPARE(fixture.model.rowCount(), 0);
    }

    void anOwnerHasTheOldestHoldAndTheFirstEnd()
    {
        Fixture fixture;
        LockRecord old = test::heldToken("old", "anna", kNow);
        old.firstSeen = kNow - 41min;
        old.expiresAt.reset();
        LockRecord young = test::heldToken("young", "anna", kNow);
        young.firstSeen = kNow - 3s;
        young.expiresAt = kNow + 5s;
        fixture.add(old);
        fixture.add(young);
        fixture.model.setWatched(true);
        QCOMPARE(fixture.cell(u"anna"_s, OwnersModel::LocksColumn), u"2"_s);
        QCOMPARE(fixture.cell(u"anna"_s, OwnersModel::HeldColumn), u"41 m 00 s"_s);
        QCOMPARE(fixture.cell(u"anna"_s, OwnersModel::ExpiresColumn), u"5.0 s"_s);
        const QModelIndex first = fixture.model.index(0, OwnersModel::ExpiresColumn,
                                                      fixture.ownerOf(u"anna"_s));
        QCOMPARE(first.data().toString(), u"never"_s);
        QVERIFY(first.data(OwnersModel::LockIdRole).value<inspect::LockId>() == old.id);
        QCOMPARE(first.data(OwnersModel::FilterRole).toString(), u"owner:anna"_s);
    }

    void everyHolderOfALockHasIt()
    {
        Fixture fixture;
        LockRecord shared = test::heldToken("k", "anna", kNow);
        shared.holders.push_back(shared.holders.front());
        shared.holders.back().owner = "bob";
        shared.holders.back().expiresAt = kNow + 1s;
        fixture.add(shared);
        fixture.model.setWatched(true);
        QCOMPARE(shownBy(fixture.model), u"anna: k | bob: k"_s);
        QCOMPARE(fixture.cell(u"bob"_s, OwnersModel::ExpiresColumn), u"1.0 s"_s);
    }

    void tokensOfOneClientAreOneOwner()
    {
        Fixture fixture;
        const auto client = std::make_shared<inspect::ClientInfo>();
        client->address = "10.0.0.7:51622";
        client->name = "billing-3";
        for (const char* const token : {"t1", "t2"}) {
            LockRecord lock = test::heldToken(std::string("k-") + token, token, kNow);
            lock.holders.front().setClient(client);
            lock.waiters = 2;
            fixture.add(lock);
        }
        fixture.add("other", "t3");
        fixture.model.setWatched(true);
        const QString billing = u"billing-3 · 10.0.0.7:51622"_s;
        QCOMPARE(shownBy(fixture.model), billing + u": k-t1 k-t2 | t3: other"_s);
        QCOMPARE(fixture.cell(billing, OwnersModel::WaitersColumn), u"4"_s);
        QCOMPARE(fixture.ownerOf(billing).data(OwnersModel::FilterRole).toString(),
                 u"client:10.0.0.7:51622"_s);
        QCOMPARE(fixture.ownerOf(billing).data(Qt::ToolTipRole).toString(),
                 billing + u"\nt1\nt2"_s);
        // The client left: its tokens are all that is known.
        fixture.change(ChangeKind::Changed, test::heldToken("k-t1", "t1", kNow));
        fixture.model.refresh();
        QCOMPARE(shownBy(fixture.model), billing + u": k-t2 | t1: k-t1 | t3: other"_s);
    }

    void ownersAreCalledAsTheUserCallsThem()
    {
        Fixture fixture;
        fixture.add("a", "w3:1");
        fixture.add("b", "w3:2");
        fixture.model.setWatched(true);
        fixture.model.setNames(std::make_shared<operations::OwnerNames>(
            std::get<operations::OwnerNames>(operations::OwnerNames::read(
                R"({"rules": [{"token": "{host=text}:{pid=digits}", "who": "{host}"}]})"))));
        QCOMPARE(shownBy(fixture.model), u"w3: a b"_s);
        QCOMPARE(fixture.ownerOf(u"w3"_s).data(OwnersModel::FilterRole).toString(), QString());
        fixture.change(ChangeKind::Released, test::heldToken("b", "w3:2", kNow));
        fixture.model.refresh();
        QCOMPARE(shownBy(fixture.model), u"w3: a"_s);
        QCOMPARE(fixture.ownerOf(u"w3"_s).data(OwnersModel::FilterRole).toString(),
                 u"owner:w3:1"_s);
        fixture.model.setNames(std::make_shared<operations::OwnerNames>());
        QCOMPARE(shownBy(fixture.model), u"w3:1: a"_s);
    }

    void waitersThatAreNotKnownAreNotCounted()
    {
        Fixture fixture;
        LockRecord known = test::heldToken("a", "anna", kNow);
        known.waiters = 3;
        LockRecord unknown = test::heldToken("b", "anna", kNow);
        unknown.waiters.reset();
        fixture.add(unknown);
        fixture.model.setWatched(true);
        QCOMPARE(fixture.cell(u"anna"_s, OwnersModel::WaitersColumn), u"?"_s);
        fixture.add(known);
        fixture.model.refresh();
        QCOMPARE(fixture.cell(u"anna"_s, OwnersModel::WaitersColumn), u"≥ 3"_s);
    }

    void nobodysLocksHaveNoLine()
    {
        Fixture fixture;
        fixture.add(test::stuckFlag("job", kNow));
        LockRecord data = test::heldToken("data", "anna", kNow);
        data.flags.add(inspect::Flag::ProbablyData);
        fixture.add(data);
        fixture.model.setWatched(true);
        QCOMPARE(fixture.model.rowCount(), 0);
    }

    void unwatchedItFollowsNothing()
    {
        Fixture fixture;
        fixture.add("a", "anna");
        fixture.model.refresh();
        QCOMPARE(fixture.model.rowCount(), 0);
        fixture.model.setWatched(true);
        fixture.model.setWatched(false);
        fixture.change(ChangeKind::Released, test::heldToken("a", "anna", kNow));
        fixture.add("b", "bob");
        fixture.model.setWatched(true);
        QCOMPARE(shownBy(fixture.model), u"bob: b"_s);
    }

    void onlyTheOwnersWithTheMostLocksAreShown()
    {
        Fixture fixture;
        const int count = int(OwnersModel::kOwnersAtMost) + 5;
        for (int i = 0; i < count; ++i) {
            fixture.add("k" + std::to_string(i), "owner-" + std::to_string(1000 + i));
        }
        fixture.add("second", "owner-" + std::to_string(1000 + count - 1));
        fixture.model.setWatched(true);
        QCOMPARE(fixture.model.rowCount(), int(OwnersModel::kOwnersAtMost));
        QCOMPARE(fixture.model.hiddenOwnerCount(), 5);
        QCOMPARE(fixture.cell(u"owner-%1"_s.arg(1000 + count - 1), OwnersModel::LocksColumn),
                 u"2"_s);
        QVERIFY(!fixture.ownerOf(u"owner-%1"_s.arg(1000 + count - 2)).isValid());
    }

    void whatIsTooMuchBelowOneOwnerIsCounted()
    {
        Fixture fixture;
        const auto most = int(OwnersModel::kLocksAtMost);
        for (int i = 0; i < most; ++i) {
            fixture.add("k" + std::to_string(10'000 + i), "anna");
        }
        fixture.model.setWatched(true);
        QCOMPARE(fixture.model.rowCount(fixture.model.index(0, 0)), most);
        fixture.add("x1", "anna");
        fixture.add("x2", "anna");
        fixture.model.refresh();
        const QModelIndex anna = fixture.model.index(0, 0);
        QCOMPARE(fixture.model.rowCount(anna), most + 1);
        const QModelIndex rest = fixture.model.index(most, 0, anna);
        QCOMPARE(rest.data().toString(), u"and 2 more"_s);
        QVERIFY(!rest.data(OwnersModel::LockIdRole).isValid());
        for (const char* const key : {"x1", "x2", "k10000"}) {
            fixture.change(ChangeKind::Released, test::heldToken(key, "anna", kNow));
        }
        fixture.model.refresh();
        QCOMPARE(fixture.model.rowCount(anna), most - 1);
    }

    void theOrderIsThatOfAColumnAndThenOfTheNames()
    {
        Fixture fixture;
        OwnersOrder order;
        order.setSourceModel(&fixture.model);
        order.setSortRole(OwnersModel::SortRole);
        order.sort(OwnersModel::LocksColumn, Qt::DescendingOrder);
        for (const char* const owner : {"cleo", "anna", "bob"}) {
            fixture.add(std::string("k-") + owner, owner);
        }
        fixture.add("k2", "bob");
        fixture.model.setWatched(true);
        const auto names = [&order] {
            QStringList all;
            for (int row = 0; row < order.rowCount(); ++row) {
                all += order.index(row, 0).data().toString();
            }
            return all.join(u' ');
        };
        QCOMPARE(names(), u"bob anna cleo"_s);
        fixture.add("k3", "cleo");
        fixture.add("k4", "cleo");
        fixture.model.refresh();
        QCOMPARE(names(), u"cleo bob anna"_s);
        LockRecord soon = test::heldToken("soon", "anna", kNow);
        soon.expiresAt = kNow + 1s;
        fixture.add(soon);
        fixture.model.refresh();
        order.sort(OwnersModel::ExpiresColumn);
        QCOMPARE(names(), u"anna bob cleo"_s);
    }

    void selectionSurvives()
    {
        Fixture fixture;
        fixture.add("b", "anna");
        fixture.add("d", "bob");
        fixture.model.setWatched(true);
        const QPersistentModelIndex chosen(fixture.model.index(0, 0, fixture.ownerOf(u"bob"_s)));
        fixture.add("a", "bob");
        fixture.add("c", "cleo");
        fixture.change(ChangeKind::Released, test::heldToken("b", "anna", kNow));
        fixture.model.refresh();
        QCOMPARE(chosen.data().toString(), u"d"_s);
        QCOMPARE(chosen.parent().data().toString(), u"bob"_s);
    }

    void anyHistoryEndsAsAFreshLookDoes()
    {
        testing::RandomInput input;
        qInfo("repeat with %s", input.recipe().c_str());
        Rng& random = input.rng();
        Fixture fixture;
        fixture.model.setWatched(true);
        std::map<std::string, LockRecord> held;
        for (int step = 0; step < 600; ++step) {
            const std::string key = "k" + std::to_string(random.below(12));
            const std::string owner = "owner" + std::to_string(random.below(4));
            const auto known = held.find(key);
            if (known != held.end() && random.below(2) == 0) {
                fixture.change(ChangeKind::Released, known->second);
                held.erase(known);
            } else {
                const LockRecord lock = test::heldToken(key, owner, fixture.now);
                fixture.change(known != held.end() ? ChangeKind::Changed : ChangeKind::Appeared,
                               lock);
                held.insert_or_assign(key, lock);
            }
            if (random.below(3) == 0) {
                fixture.model.refresh();
                OwnersModel fresh(fixture.table);
                fresh.setWatched(true);
                QCOMPARE(shownBy(fixture.model), shownBy(fresh));
            }
        }
    }
};

LOCKSCOPE_TEST(TestOwnersModel, Core)

} // namespace lockscope::tst_owners_model

#include "tst_owners_model.moc"
