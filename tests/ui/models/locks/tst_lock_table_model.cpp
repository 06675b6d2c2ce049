#include "core/kernel/base/rng.h"
#include "core/kernel/report/lock_fields.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_table_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <map>

namespace lockscope::tst_lock_table_model {

using namespace lockscope::models;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using inspect::LockDelta;
using inspect::LockPtr;
using test::columnTexts;
using test::deltaOf;
using test::MadeLock;

namespace {

struct Fixture {
    Instant now{1h};
    LockTableModel model{[this] { return now; }};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    void apply(ChangeKind kind, std::initializer_list<LockPtr> locks)
    {
        model.apply(deltaOf(kind, locks, now));
    }
    void wait(Duration duration)
    {
        now += duration;
        model.advance(now);
    }
    QVariant cell(const std::string& key, int column, int role = Qt::DisplayRole) const
    {
        return model.indexOf({0, key}).siblingAtColumn(column).data(role);
    }
    void filter(const char* text)
    {
        const auto parsed = inspect::LockFilter::parse(text, report::lockFilterFields());
        QVERIFY(std::holds_alternative<inspect::LockFilter>(parsed));
        model.setFilter(std::get<inspect::LockFilter>(parsed));
    }
};

QString fadeOf(const Fixture& f, const std::string& key)
{
    return f.cell(key, LockTableModel::KeyColumn, LockTableModel::FadeRole).toString();
}

} // namespace

class TestLockTableModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aRuleMarksTheRowsThatItMatches()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").waiters(1).ptr(), MadeLock("b").ptr()});
        const auto nameOf = [&f](const char* key, int role = LockTableModel::RuleNameRole) {
            return f.cell(key, LockTableModel::OwnerColumn, role).toString();
        };
        QCOMPARE(nameOf("a"), QString());
        QVERIFY(!f.cell("a", 0, LockTableModel::RuleColorRole).isValid());
        const QSignalSpy changes(&f.model, &LockTableModel::dataChanged);
        f.model.setColorRules(ColorRules({{QStringLiteral("busy"), QStringLiteral("waiters>5"),
                                           RuleColor::Teal}}));
        QCOMPARE(changes.count(), 1);
        QCOMPARE(nameOf("a"), QString());
        f.apply(ChangeKind::Changed, {MadeLock("a").waiters(9).ptr()});
        QCOMPARE(nameOf("a"), QStringLiteral("busy"));
        QCOMPARE(nameOf("b"), QString());
        QCOMPARE(f.cell("a", 0, LockTableModel::RuleColorRole).toInt(),
                 static_cast<int>(RuleColor::Teal));
        QVERIFY(nameOf("a", Qt::ToolTipRole).endsWith(QStringLiteral("Colour rule: busy")));
        QCOMPARE(nameOf("a", Qt::AccessibleDescriptionRole), QStringLiteral("busy"));
        f.apply(ChangeKind::Released, {MadeLock("a").waiters(9).ptr()});
        QCOMPARE(nameOf("a"), QString()); // nothing is left to do about it
    }

    void aRuleAboutTimeMarksARowLater()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").firstSeen(f.now).takenWhileWatching().ptr()});
        f.model.setColorRules(ColorRules({{QStringLiteral("old"), QStringLiteral("held>10m")}}));
        const auto name = [&f] {
            return f.cell("a", LockTableModel::KeyColumn, LockTableModel::RuleNameRole).toString();
        };
        QCOMPARE(name(), QString());
        f.now += 11min;
        QCOMPARE(name(), QStringLiteral("old"));
        f.model.setColorRules({});
        QCOMPARE(name(), QString());
    }

    void whatIsProbablyDataHasNoRowUnlessAskedFor()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared,
                {MadeLock("a").flag(inspect::Flag::ProbablyData).ptr(), MadeLock("b").ptr()});
        QCOMPARE(columnTexts(f.model), QStringList{QStringLiteral("b")});
        QCOMPARE(f.model.probableDataCount(), 1);
        QCOMPARE(f.model.hiddenDataCount(), 1);
        f.filter("key:a");
        QCOMPARE(columnTexts(f.model), QStringList{QStringLiteral("a")});
        QCOMPARE(f.model.hiddenDataCount(), 0);
        f.filter("");
        f.model.setShowsProbableData(true);
        QCOMPARE(f.model.rowCount(), 2);
        f.model.setShowsProbableData(false);
        QCOMPARE(f.model.rowCount(), 1);
        f.apply(ChangeKind::Changed, {MadeLock("a").ptr()});
        QCOMPARE(f.model.rowCount(), 2);
        QCOMPARE(f.model.probableDataCount(), 0);
    }

    void whatIsProbablyDataIsTheLastHoweverItIsSorted()
    {
        Fixture f;
        f.model.setShowsProbableData(true);
        f.apply(ChangeKind::Appeared,
                {MadeLock("b").flag(inspect::Flag::ProbablyData).waiters(9).ptr(),
                 MadeLock("a").ptr(), MadeLock("c").ptr()});
        for (int column = -1; column < LockTableModel::ColumnCount; ++column) {
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                f.model.sort(column, order);
                QCOMPARE(columnTexts(f.model).last(), QStringLiteral("b"));
            }
        }
    }

    void confidenceIsAWordWithDotsAndItsReasons()
    {
        Fixture f;
        inspect::LockRecord lock = MadeLock("a").confidence(inspect::Confidence::Medium).record();
        lock.addEvidence("the value is unique");
        f.apply(ChangeKind::Appeared, {makeShared<const inspect::LockRecord>(lock)});
        const auto cell = [&f](int role) {
            return f.cell("a", LockTableModel::ConfidenceColumn, role).toString();
        };
        QCOMPARE(cell(Qt::DisplayRole), QStringLiteral("●●○ medium"));
        QCOMPARE(cell(Qt::AccessibleTextRole), QStringLiteral("medium"));
        QCOMPARE(cell(Qt::ToolTipRole),
                 QStringLiteral("medium confidence, because\n• the value is unique"));
    }

    void showsALockAsARowOfTexts()
    {
        Fixture f;
        f.model.setServers({"10.0.0.5:6379"});
        f.apply(ChangeKind::Appeared, {MadeLock("order:42")
                                           .owner("abc")
                                           .waiters(2)
                                           .firstSeen(f.now - 12s)
                                           .takenWhileWatching()
                                           .expires(f.now + 20s)
                                           .lease(30s)
                                           .renewals(3)
                                           .ptr()});
        QStringList texts;
        for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
            texts.append(f.model.index(0, column).data().toString());
        }
        QCOMPARE(texts,
                 QStringList({QStringLiteral("order:42"), QStringLiteral("Token"),
                              QStringLiteral("●●● high"), QStringLiteral("exclusive"),
                              QStringLiteral("abc"), QStringLiteral("1"), QStringLiteral("20.0 s"),
                              QStringLiteral("12.0 s"), QStringLiteral("3"), QStringLiteral("2"),
                              QStringLiteral("10.0.0.5:6379"), QString(), QString(), QString()}));
    }

    void whatNeedsAPersonIsOnTop()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("calm").ptr(), MadeLock("busy").waiters(4).ptr(),
                                       MadeLock("stuck").flag(inspect::Flag::NoExpiry).ptr()});
        QCOMPARE(columnTexts(f.model), QStringList({QStringLiteral("stuck"), QStringLiteral("busy"),
                                                    QStringLiteral("calm")}));
        QCOMPARE(f.cell("stuck", LockTableModel::WhyColumn).toString(),
                 QStringLiteral("no expiry"));
    }

    void aReleasedLockStaysForAWhileAndThenGoes()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr(), MadeLock("b").ptr()});
        f.apply(ChangeKind::Released, {MadeLock("a").ptr()});
        f.apply(ChangeKind::Expired, {MadeLock("b").ptr()});
        QCOMPARE(fadeOf(f, "a"), QStringLiteral("released"));
        QCOMPARE(fadeOf(f, "b"), QStringLiteral("expired"));
        QCOMPARE(f.model.heldLockCount(), 0);
        f.wait(LockTableModel::kFadeDuration - 1ms);
        QCOMPARE(f.model.rowCount(), 2);
        int removed = 0;
        connect(&f.model, &QAbstractItemModel::rowsRemoved, this, [&] {
            ++removed; // it has ended, and no filter hides it
            QVERIFY(!f.model.hides({0, "a"}) && !f.model.hides({0, "b"}));
        });
        f.wait(1ms);
        QCOMPARE(f.model.rowCount(), 0);
        QVERIFY(removed > 0);
    }

    void aLockThatIsTakenAgainFadesNoMore()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr()});
        f.apply(ChangeKind::Released, {MadeLock("a").ptr()});
        f.apply(ChangeKind::Appeared, {MadeLock("a").owner("next").ptr()});
        f.wait(LockTableModel::kFadeDuration);
        QCOMPARE(fadeOf(f, "a"), QString());
        QCOMPARE(f.cell("a", LockTableModel::OwnerColumn).toString(), QStringLiteral("next"));
    }

    void theEndOfALockNobodySawIsNoNews()
    {
        Fixture f;
        f.apply(ChangeKind::Released, {MadeLock("never seen").ptr()});
        QCOMPARE(f.model.rowCount(), 0);
    }

    void ofSeveralChangesInOneDeltaTheLastOneCounts()
    {
        Fixture f;
        LockDelta delta = deltaOf(ChangeKind::Appeared, {MadeLock("a").owner("first").ptr()});
        delta.changes.push_back({ChangeKind::Released, MadeLock("a").owner("first").ptr(), f.now});
        delta.changes.push_back({ChangeKind::Appeared, MadeLock("a").owner("second").ptr(), f.now});
        f.model.apply(delta);
        QCOMPARE(f.cell("a", LockTableModel::OwnerColumn).toString(), QStringLiteral("second"));
        QCOMPARE(fadeOf(f, "a"), QString());
    }

    void pauseFreezesAndLosesNothing()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr(), MadeLock("b").ptr()});
        QSignalSpy counted(&f.model, &LockTableModel::pausedChangeCountChanged);
        f.model.setPaused(true);
        const Instant pausedAt = f.now;
        f.apply(ChangeKind::Appeared, {MadeLock("c").ptr()});
        f.apply(ChangeKind::Released, {MadeLock("a").ptr()});
        f.apply(ChangeKind::Changed, {MadeLock("b").waiters(5).ptr()});
        f.wait(1h);
        QCOMPARE(columnTexts(f.model), QStringList({QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(f.model.now(), pausedAt);
        QCOMPARE(f.model.pausedChangeCount(), 3);
        QCOMPARE(counted.count(), 3);
        f.model.setPaused(false);
        QCOMPARE(f.model.now(), f.now);
        QCOMPARE(f.model.pausedChangeCount(), 0);
        QCOMPARE(fadeOf(f, "a"), QStringLiteral("released"));
        QCOMPARE(f.cell("b", LockTableModel::WaitersColumn).toString(), QStringLiteral("5"));
        QVERIFY(f.model.indexOf({0, "c"}).isValid());
    }

    void rowsMoveAtMostTwiceASecond()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared,
                {MadeLock("a").waiters(2).ptr(), MadeLock("b").waiters(1).ptr()});
        f.apply(ChangeKind::Changed, {MadeLock("b").waiters(9).ptr()});
        f.wait(LockTableModel::kResortInterval - 1ms);
        QCOMPARE(columnTexts(f.model).first(), QStringLiteral("a"));
        f.wait(1ms);
        QCOMPARE(columnTexts(f.model).first(), QStringLiteral("b"));
    }

    void anIndexFollowsItsLockThroughSortingAndFiltering()
    {
        Fixture f;
        LockDelta delta;
        for (int i = 0; i < 200; ++i) {
            delta.changes.push_back({ChangeKind::Appeared,
                                     MadeLock("key:" + std::to_string(1000 + i)).waiters(i).ptr(),
                                     f.now});
        }
        f.model.apply(delta);
        const QPersistentModelIndex followed = f.model.indexOf({0, "key:1077"}).siblingAtColumn(3);
        f.model.sort(LockTableModel::KeyColumn, Qt::DescendingOrder);
        QCOMPARE(followed.row(), 122);
        QCOMPARE(followed.column(), 3);
        f.filter("waiters>50 key:*7");
        QVERIFY(followed.isValid());
        QCOMPARE(f.model.lockAt(followed)->id.name, std::string("key:1077"));
        f.filter("waiters<3");
        QVERIFY(!followed.isValid());
        QCOMPARE(f.model.shownLockCount(), 3);
    }

    void aFilterThatDependsOnTimeIsAskedAgain()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").firstSeen(f.now).ptr()});
        f.filter("held>10s");
        QCOMPARE(f.model.rowCount(), 0);
        f.wait(11s);
        QCOMPARE(f.model.rowCount(), 1);
    }

    void holdersAreShownBelowTheirLock()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("shared").readers(3).ptr()});
        QCOMPARE(f.cell("shared", LockTableModel::ModeColumn).toString(),
                 QStringLiteral("read × 3"));
        QVERIFY(f.cell("shared", 0, LockTableModel::IsExpandableRole).toBool());
        f.model.setExpanded(f.model.index(0, 0), true);
        QCOMPARE(columnTexts(f.model, LockTableModel::OwnerColumn),
                 QStringList({QStringLiteral("3 holders"), QStringLiteral("reader-1"),
                              QStringLiteral("reader-2"), QStringLiteral("reader-3")}));
        QCOMPARE(f.model.index(2, 0).data(LockTableModel::HolderIndexRole).toInt(), 1);
        f.apply(ChangeKind::Changed, {MadeLock("shared").readers(2).ptr()});
        QCOMPARE(f.model.rowCount(), 3);
        QCOMPARE(f.model.lockAt(f.model.index(2, 0))->id.name, std::string("shared"));
    }

    void aLockNotConfirmedSaysSo()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr()});
        f.apply(ChangeKind::Changed, {MadeLock("a").unconfirmed().ptr()});
        QCOMPARE(f.cell("a", 0, LockTableModel::StateRole).toInt(),
                 int(inspect::LockState::Unconfirmed));
        QVERIFY(f.cell("a", LockTableModel::KeyColumn, Qt::ToolTipRole)
                    .toString()
                    .contains(u"Not confirmed"));
    }

    /// Tooltips are plain text by the style of the program (tst_theme).
    void aKeyThatLooksLikeMarkupStandsInTheToolTipAsItIs()
    {
        Fixture f;
        f.apply(ChangeKind::Appeared, {MadeLock("<b>bold</b>").ptr()});
        const QString toolTip =
            f.cell("<b>bold</b>", LockTableModel::KeyColumn, Qt::ToolTipRole).toString();
        QVERIFY(toolTip.contains(u"<b>bold</b>"));
    }

    void transitionsTellWhatWasThereBefore()
    {
        Fixture f;
        std::vector<LockTransition> seen;
        connect(&f.model, &LockTableModel::locksReplaced, this,
                [&](const std::vector<LockTransition>& transitions) { seen = transitions; });
        const LockPtr first = MadeLock("a").ptr();
        f.apply(ChangeKind::Appeared, {first});
        QCOMPARE(seen.size(), std::size_t(1));
        QVERIFY(seen[0].before == nullptr && seen[0].after == first);
        const LockPtr second = MadeLock("a").waiters(1).ptr();
        f.apply(ChangeKind::Changed, {second});
        QVERIFY(seen[0].before == first && seen[0].after == second);
        f.apply(ChangeKind::Released, {second});
        QVERIFY(seen[0].before == second && seen[0].after == nullptr);
        f.apply(ChangeKind::Appeared, {first});
        QVERIFY(seen[0].before == nullptr && seen[0].after == first);
        f.model.clear();
        QVERIFY(seen[0].before == first && seen[0].after == nullptr);
        QCOMPARE(f.model.rowCount(), 0);
    }

    void isNeverReset()
    {
        Fixture f;
        QSignalSpy reset(&f.model, &QAbstractItemModel::modelReset);
        f.apply(ChangeKind::Appeared, {MadeLock("a").ptr()});
        f.model.sort(LockTableModel::KeyColumn);
        f.filter("b");
        f.model.clear();
        QCOMPARE(reset.count(), 0);
    }

    void anyHistoryEndsLikeAFreshModel_data()
    {
        QTest::addColumn<int>("keyCount");
        QTest::addColumn<int>("changesPerDelta");
        QTest::newRow("few locks, small deltas") << 8 << 3;
        QTest::newRow("many locks, large deltas") << 90 << 60;
    }
    void anyHistoryEndsLikeAFreshModel()
    {
        QFETCH(int, keyCount);
        QFETCH(int, changesPerDelta);
        Rng rng(test::announcedSeed(99));
        Fixture f;
        std::map<inspect::LockId, LockPtr> held;
        for (int step = 0; step < 50; ++step) {
            f.model.apply(randomDelta(rng, keyCount, changesPerDelta, held, f.now));
            act(rng, f);
        }
        f.model.setPaused(false);
        f.model.setFilter({});
        f.model.sort(-1);
        f.wait(LockTableModel::kFadeDuration); // and everything is in its place
        Fixture fresh;
        fresh.now = f.now;
        for (const auto& [id, lock] : held) {
            fresh.apply(ChangeKind::Appeared, {lock});
        }
        for (int row = f.model.rowCount() - 1; row >= 0; --row) {
            f.model.setExpanded(f.model.index(row, 0), false);
        }
        for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
            QCOMPARE(columnTexts(f.model, column), columnTexts(fresh.model, column));
        }
    }

private:
    static LockDelta randomDelta(Rng& rng, int keyCount, int changeCount,
                                 std::map<inspect::LockId, LockPtr>& held, Instant now)
    {
        LockDelta delta;
        for (auto i = rng.below(static_cast<std::uint64_t>(changeCount)); i > 0; --i) {
            MadeLock made("key:" + std::to_string(rng.below(static_cast<std::uint64_t>(keyCount))));
            made.waiters(static_cast<int>(rng.below(5))).readers(static_cast<int>(rng.below(4)));
            made.firstSeen(now - rng.between(0s, 60s));
            const LockPtr lock = made.ptr();
            const auto known = held.find(lock->id);
            if (known != held.end() && rng.below(3) == 0) {
                delta.changes.push_back({ChangeKind::Released, known->second, now});
                held.erase(known);
            } else {
                delta.changes.push_back({known == held.end() ? ChangeKind::Appeared
                                                             : ChangeKind::Changed,
                                         lock, now});
                held[lock->id] = lock;
            }
        }
        return delta;
    }

    static void act(Rng& rng, Fixture& f)
    {
        switch (rng.below(8)) {
        case 0: f.model.setPaused(!f.model.isPaused()); break;
        case 1:
            f.model.sort(static_cast<int>(rng.below(LockTableModel::ColumnCount)),
                         Qt::DescendingOrder);
            break;
        case 2: f.filter("waiters>1"); break;
        case 3: f.model.setFilter({}); break;
        case 4:
            if (f.model.rowCount() > 0) {
                const auto row = rng.below(static_cast<std::uint64_t>(f.model.rowCount()));
                f.model.setExpanded(f.model.index(static_cast<int>(row), 0), true);
            }
            break;
        default: f.wait(rng.between(0s, 2s));
        }
    }
};

LOCKSCOPE_TEST(TestLockTableModel, Core)

} // namespace lockscope::tst_lock_table_model

#include "tst_lock_table_model.moc"
