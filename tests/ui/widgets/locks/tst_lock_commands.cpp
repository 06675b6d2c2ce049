#include "core/kernel/report/lock_fields.h"
#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/controls/empty_state.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/lock_commands.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/page_actions.h"
#include "ui/widgets/locks/release/bulk_dialog.h"
#include "ui/widgets/locks/release/release_journal.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QKeySequence>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_lock_commands {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestLockCommands : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(100h);

    struct Rig {
        Rig() : page(locks, &window), filter(&window)
        {
            window.resize(900, 500);
            page.resize(900, 400);
            window.show();
        }

        QWidget window;
        test::ScriptedReleaseDesk desk;
        models::LockTableModel locks{[] { return kNow; }};
        models::ActivityModel activity{[](Instant) { return WallTime(); }};
        LocksPage page;
        LockFilterEdit filter;
        LockActions actions{nullptr};
        ReleaseJournal journal{desk, activity, [] { return WallTime(); }};
        LockCommands commands{{actions, page.table(), filter, desk, journal,
                               [] {
                                   return FactContext{kNow, WallTime(), {store::Endpoint()}};
                               }},
                              &window};

        void choose(const inspect::LockRecord& lock)
        {
            inspect::LockDelta delta;
            delta.changes.push_back({inspect::ChangeKind::Appeared,
                                     makeShared<inspect::LockRecord>(lock), kNow});
            locks.apply(delta);
            page.table().setCurrentLock(lock.id);
        }

        QString logged(int fromEnd) const
        {
            const int row = activity.rowCount() - 1 - fromEnd;
            return activity.index(row, models::ActivityModel::TextColumn).data().toString();
        }
    };

    std::unique_ptr<Rig> m_rig;

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { m_rig = std::make_unique<Rig>(); }
    void cleanup() { m_rig.reset(); }

    void filterWordsAreQuotedWhereTheyMustBe()
    {
        QCOMPARE(formatFilterWord(test::redissonLock("k", kNow)), u"format:redisson-lock"_s);
        QCOMPARE(ownerFilterWord(test::heldToken("k", "a:1", kNow)), u"owner:a:1"_s);
        QCOMPARE(ownerFilterWord(test::heldToken("k", "a (b)", kNow)), u"owner:\"a (b)\""_s);
        QCOMPARE(ownerFilterWord(test::stuckFlag("k", kNow)), QString());
        QCOMPARE(prefixFilterWord(test::stuckFlag("job:1", kNow)), u"key:job:*"_s);
        QCOMPARE(prefixFilterWord(test::stuckFlag("plain", kNow)), QString());
    }

    void everyFilterWordFindsItsLock()
    {
        const auto lock = test::heldToken("job (*x?):1", "an \"owner\" \x01*", kNow);
        for (const QString& word :
             {formatFilterWord(lock), ownerFilterWord(lock), prefixFilterWord(lock)}) {
            const auto parsed = inspect::LockFilter::parse(word.toStdString(),
                                                           report::lockFilterFields());
            const auto* filter = std::get_if<inspect::LockFilter>(&parsed);
            QVERIFY2(filter != nullptr, qPrintable(word));
            QVERIFY2(filter->matches(lock, {}), qPrintable(word));
        }
        const auto other = test::heldToken("job (yxz):1", "an \"owner\" \x01y", kNow);
        for (const QString& word : {ownerFilterWord(lock), prefixFilterWord(lock)}) {
            const auto filter = std::get<inspect::LockFilter>(
                inspect::LockFilter::parse(word.toStdString(), report::lockFilterFields()));
            QVERIFY2(!filter.matches(other, {}), qPrintable(word)); // nothing is read as a wildcard
        }
    }

    void theActionsFollowTheChosenLock()
    {
        const LockActions& actions = m_rig->actions;
        QVERIFY(!actions.release->isEnabled());
        QVERIFY(!actions.filterByFormat->isEnabled());
        m_rig->choose(test::stuckFlag("plain", kNow));
        QVERIFY(actions.release->isEnabled());
        QVERIFY(actions.capTtl->isEnabled());
        QVERIFY(!actions.filterByOwner->isEnabled());
        QVERIFY(!actions.filterByPrefix->isEnabled());
        m_rig->choose(test::heldToken("order:1", "token", kNow));
        QVERIFY(!actions.capTtl->isEnabled()); // it expires by itself
        QVERIFY(actions.filterByOwner->isEnabled());
        m_rig->commands.setReadOnly(true);
        QVERIFY(!actions.release->isEnabled());
        QVERIFY(actions.filterByOwner->isEnabled());
    }

    void noTwoActionsShareAKey()
    {
        const PageActions page(nullptr);
        const LockActions lock(nullptr);
        QList<QKeySequence> keys;
        for (const QAction* const action :
             page.findChildren<QAction*>() + lock.findChildren<QAction*>()) {
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!keys.contains(key), qPrintable(key.toString()));
                keys += key;
            }
        }
        QVERIFY(!keys.isEmpty());
    }

    void theReleaseIsTheLastOfTheMenuAndStandsApart()
    {
        QMenu menu;
        m_rig->commands.fillMenu(menu);
        const QList<QAction*> entries = menu.actions();
        QCOMPARE(entries.last(), m_rig->actions.release);
        QVERIFY(entries.at(entries.size() - 2)->isSeparator());
        QVERIFY(entries.indexOf(m_rig->actions.capTtl) < entries.indexOf(m_rig->actions.release));
    }

    void whatIsInACellNarrowsTheFilter()
    {
        m_rig->choose(test::heldToken("order:1", "token", kNow));
        LockTableView& table = m_rig->page.table();
        const QModelIndex key = table.currentIndex().siblingAtColumn(report::KeyColumn);
        const auto trigger = [&](const QModelIndex& cell, const QString& action) {
            Q_EMIT table.contextRequested(cell, {});
            auto* menu = m_rig->window.findChild<QMenu*>(u"lockContextMenu"_s);
            menu->findChild<QAction*>(action)->trigger();
            delete menu;
        };
        trigger(key, u"applyAsFilter"_s);
        QCOMPARE(m_rig->filter.text(), u"key=order:1"_s);
        trigger(key.siblingAtColumn(report::ModeColumn), u"notThis"_s);
        QCOMPARE(m_rig->filter.text(), u"key=order:1 -mode:exclusive"_s);
        trigger(key.siblingAtColumn(report::ModeColumn), u"applyAsFilter"_s);
        QCOMPARE(m_rig->filter.text(), u"key=order:1 mode:exclusive"_s);
    }

    void aCellWithoutAValueOffersNoFilter()
    {
        m_rig->choose(test::stuckFlag("plain", kNow));
        LockTableView& table = m_rig->page.table();
        Q_EMIT table.contextRequested(table.currentIndex().siblingAtColumn(report::OwnerColumn),
                                      {});
        auto* menu = m_rig->window.findChild<QMenu*>(u"lockContextMenu"_s);
        QVERIFY(menu != nullptr);
        QVERIFY(menu->findChild<QAction*>(u"applyAsFilter"_s) == nullptr);
    }

    void severalLocksHaveOneDialog()
    {
        m_rig->choose(test::stuckFlag("flag:1", kNow));
        m_rig->choose(test::stuckFlag("flag:2", kNow));
        m_rig->page.table().selectAll();
        QCOMPARE(m_rig->actions.release->text(), u"&Release 2 locks…"_s);
        m_rig->actions.release->trigger();
        auto* dialog = m_rig->window.findChild<BulkDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->bulk().items().size(), 2U);
        m_rig->page.table().setCurrentLock({0, "flag:1"});
        QCOMPARE(m_rig->actions.release->text(), u"&Release…"_s);
    }

    void onlyACertainHolderCanBeDisconnected()
    {
        auto lock = test::heldToken("k", "token", kNow);
        m_rig->choose(lock);
        QVERIFY(!m_rig->actions.disconnect->isEnabled());
        lock.id.name = "k2";
        lock.holders.front().setClient(std::make_shared<const inspect::ClientInfo>(
            inspect::ClientInfo{"10.0.0.7:51622", "w", "the token names the client", 7}));
        m_rig->choose(lock);
        QVERIFY(m_rig->actions.disconnect->isEnabled());
        m_rig->commands.setReadOnly(true);
        QVERIFY(!m_rig->actions.disconnect->isEnabled());
        m_rig->commands.openDisconnectDialog(lock.id, "token");
        QVERIFY(m_rig->desk.searches().empty());
        m_rig->commands.setReadOnly(false);
        m_rig->actions.disconnect->trigger();
        QCOMPARE(m_rig->desk.searches().size(), std::size_t(1));
        QCOMPARE(m_rig->desk.searches().front().second, Bytes("token"));
    }

    void readOnlyOpensNoDialog()
    {
        m_rig->commands.setReadOnly(true);
        m_rig->commands.openReleaseDialog({0, "k"});
        m_rig->commands.openCapTtlDialog({0, "k"});
        m_rig->commands.openBulkDialog(inspect::ReleaseAction::Release, {});
        QVERIFY(m_rig->window.findChildren<QDialog*>().isEmpty());
        QVERIFY(m_rig->desk.inspections().empty());
    }

    void theJournalTellsAttemptOutcomeAndWhatCameNext()
    {
        const auto details = test::detailsOf(test::heldToken("k", "token", kNow));
        const auto request = m_rig->desk.execute(*details.release, {});
        m_rig->journal.noteAttempt(request, *details.release);
        QCOMPARE(m_rig->logged(0), u"release sent"_s);
        inspect::ReleaseReport report;
        report.result = inspect::ReleaseResult::Released;
        m_rig->desk.report(report);
        QVERIFY2(m_rig->logged(0).startsWith(u"Released"), qPrintable(m_rig->logged(0)));
        inspect::NextHold nextHold;
        nextHold.kind = inspect::NextHold::Kind::StillFree;
        m_rig->desk.follow(nextHold);
        QVERIFY2(m_rig->logged(0).startsWith(u"Still free"), qPrintable(m_rig->logged(0)));
        QCOMPARE(m_rig->activity.rowCount(), 3);
    }

    void theJournalRaisesWhatCameBack()
    {
        const auto details = test::detailsOf(test::heldToken("k", "token", kNow));
        QSignalSpy raised(&m_rig->journal, &ReleaseJournal::cameBack);
        for (const auto kind :
             {inspect::NextHold::Kind::TakenByOther, inspect::NextHold::Kind::CameBack}) {
            const auto request = m_rig->desk.execute(*details.release, {});
            m_rig->journal.noteAttempt(request, *details.release);
            inspect::ReleaseReport report;
            report.result = inspect::ReleaseResult::Released;
            m_rig->desk.report(report);
            inspect::NextHold nextHold;
            nextHold.kind = kind;
            m_rig->desk.follow(nextHold);
        }
        QVERIFY2(m_rig->logged(0).startsWith(u"It came back after"), qPrintable(m_rig->logged(0)));
        QCOMPARE(raised.count(), 1);
        QVERIFY(raised.front().front().toString().startsWith(u"k: It came back after"));
    }

    void theJournalTellsATombstone()
    {
        auto plan = *test::detailsOf(test::heldToken("k", "token", kNow)).release;
        plan.action = inspect::ReleaseAction::Tombstone;
        plan.cap = 31s;
        m_rig->journal.noteAttempt(m_rig->desk.execute(plan, {}), plan);
        QCOMPARE(m_rig->logged(0), u"tombstone for 31.0 s sent"_s);
        inspect::ReleaseReport report;
        report.result = inspect::ReleaseResult::Released;
        m_rig->desk.report(report);
        QVERIFY(m_rig->logged(0).startsWith(u"Replaced by a tombstone."));
    }

    void theJournalIgnoresWhatOthersAsked()
    {
        Q_EMIT m_rig->desk.executed(4711, {});
        Q_EMIT m_rig->desk.followed(4711, {});
        QCOMPARE(m_rig->activity.rowCount(), 0);
    }

    void theKeyboardReachesTheStepsOfTheEmptyPageAndStaysThere()
    {
        WatchState state;
        m_rig->page.showState(state, kNow);
        m_rig->window.activateWindow();
        m_rig->page.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&m_rig->window));
        QTRY_VERIFY(QApplication::focusWidget() != nullptr);
        QTest::keyClick(m_rig->window.focusWidget(), Qt::Key_Tab);
        QCOMPARE(m_rig->window.focusWidget()->objectName(), u"emptyStep"_s);
        QTest::keyClick(m_rig->window.focusWidget(), Qt::Key_Tab);
        QCOMPARE(m_rig->window.focusWidget()->objectName(), u"emptyOtherStep"_s);
        state.open({store::Endpoint()});
        m_rig->page.showState(state, kNow); // it is connecting: there is nothing to do about that
        QCOMPARE(m_rig->window.focusWidget()->objectName(), u"emptyState"_s);
    }

    void thePageTurnsToTheTableWhenThereIsSomethingToSee()
    {
        WatchState state;
        m_rig->page.showState(state, kNow);
        auto* empty = m_rig->page.findChild<EmptyState*>(u"emptyState"_s);
        QVERIFY(empty->isVisible());
        QCOMPARE(empty->headline(), u"Not connected"_s);
        state.open({store::Endpoint()});
        m_rig->choose(test::stuckFlag("job:1", kNow));
        m_rig->page.showState(state, kNow);
        QCOMPARE(m_rig->page.situation(), LocksSituation::Table);
        QVERIFY(m_rig->page.table().isVisible());
        QVERIFY(!empty->isVisible());
    }
};

LOCKSCOPE_TEST(TestLockCommands, Widgets)

} // namespace lockscope::tst_lock_commands

#include "tst_lock_commands.moc"
