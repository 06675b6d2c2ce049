#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/models/locks/activity_model.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/contend/contend_page.h"
#include "ui/widgets/locks/activity_panel.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/locks_controller.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/servers/server_tabs.h"
#include "ui/widgets/locks/servers/watched_server.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/shell/environment_edge.h"
#include "ui/widgets/shell/server_badge.h"

#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <iterator>

namespace lockscope::tst_watched_server {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestWatchedServer : public QObject, private test::WindowBench {
    Q_OBJECT

    using Endpoints = std::vector<store::Endpoint>;

    LocksController& locks() const { return m_rig->pages->locks; }
    ServerTabBar& tabs() const { return *find<ServerTabBar>(u"serverTabs"); }
    test::ScriptedLockMonitor& monitor(std::size_t tab) const
    {
        return *m_rig->watches[tab].monitor;
    }
    static Endpoints at(std::uint16_t port, const std::string& environment = {})
    {
        store::Endpoint endpoint = server(environment);
        endpoint.port = port;
        return {endpoint};
    }
    QStringList tabTexts() const
    {
        QStringList texts;
        for (int i = 0; i < tabs().count(); ++i) {
            texts += tabs().tabText(i);
        }
        return texts;
    }
    /// Of the tab that is shown.
    template<class Widget>
    Widget* shown(const QString& name) const
    {
        for (auto* const widget : m_rig->window->findChildren<Widget*>(name)) {
            if (widget->isVisibleTo(m_rig->window.get())) {
                return widget;
            }
        }
        return nullptr;
    }
    widgets::LockTableView& shownTable() const
    {
        return *shown<LocksPage>(u"locksPage"_s)->findChild<LockTableView*>(u"lockTable"_s);
    }
    QStringList shownNames() const
    {
        return test::columnTexts(*shownTable().model(), models::LockTableModel::KeyColumn);
    }
    QStringList activityKeys() const
    {
        return test::columnTexts(*shown<ActivityPanel>(u"activityPanel"_s)->model(),
                                 models::ActivityModel::KeyColumn);
    }
    /// Those of this name in the menus: the ones of the tab that is shown.
    QList<QAction*> entries(const QString& name) const
    {
        QList<QAction*> found;
        for (const QMenu* const menu : m_rig->window->findChildren<QMenu*>()) {
            std::ranges::copy_if(menu->actions(), std::back_inserter(found),
                                 [&name](auto* entry) { return entry->objectName() == name; });
        }
        return found;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers) const
    {
        QTest::keyClick(m_rig->window.get(), key, modifiers);
    }

    /// One server at port 1 with one lock, as the program opens it, then one at port 2.
    void openTwo(const std::string& environment = {}) const
    {
        locks().openServers(at(1, environment));
        goOnline(0);
        monitor(0).change(inspect::ChangeKind::Appeared, test::stuckFlag("job:1", now()));
        QTRY_COMPARE(shownNames(), QStringList{u"job:1"_s});
        locks().openServers(at(2));
        goOnline(1);
        monitor(1).change(inspect::ChangeKind::Appeared, test::stuckFlag("job:2", now()));
        QTRY_COMPARE(shownNames(), QStringList{u"job:2"_s});
    }
    /// As goOnline() of the monitor, which was opened already.
    void goOnline(std::size_t tab) const
    {
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Online;
        status.live = service::LinkStatus::Live::Push;
        Q_EMIT monitor(tab).linkChanged(status);
        monitor(tab).finishSweep(100);
    }

    WatchedServer& watched() const { return *locks().findChild<WatchedServer*>(); }
    /// INFO of the server says that it is a replica now.
    void becomeReplica(std::size_t tab, const std::string& master) const
    {
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Online;
        status.live = service::LinkStatus::Live::Push;
        status.info.role = store::ServerInfo::Role::Replica;
        status.info.master = master;
        Q_EMIT monitor(tab).linkChanged(status);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }
    void init() { begin(); }
    void cleanup() { m_rig.reset(); }

    void whatLookingMayCostIsASetting()
    {
        m_rig->settings.values().serverTimePercent = 5;
        locks().openServers(at(1));
        QCOMPARE(monitor(0).options().budget.percent, 5.0);
        QCOMPARE(monitor(0).openings().back(), at(1)); // the address stays as it was typed
    }

    /// A master that is known as production, and its replica, of which nothing is known.
    void aReplicaHasTheRulesOfItsMaster()
    {
        ServerProfile master = profileOf(at(7200, "production"));
        master.name = u"billing"_s;
        m_rig->settings.values().profiles = {master};
        locks().openServers(at(7210));
        goOnline(0);
        QVERIFY(!watched().state().isReadOnly());
        becomeReplica(0, "10.0.0.5:7200");
        QCOMPARE(QString::fromStdString(watched().state().environment()), u"production"_s);
        QVERIFY(watched().state().isReadOnly());
        QVERIFY(m_rig->window->edge().isVisible());
        QVERIFY(m_rig->window->windowTitle().contains(u"production"));
        // The address stays as it was typed: opening it again is no change.
        QCOMPARE(watched().opened(), at(7210));
        watched().actions().allowWrites->trigger();
        QVERIFY(watched().state().isReadOnly()); // it asks first: for ten minutes
    }

    void aReplicaOfAnUnknownMasterHasItsOwnRules()
    {
        locks().openServers(at(7210));
        goOnline(0);
        becomeReplica(0, "10.0.0.9:7200");
        QCOMPARE(watched().state().environment(), std::string());
        QVERIFY(!watched().state().isReadOnly());
    }

    void aReplicaWithItsOwnRulesKeepsThem()
    {
        ServerProfile master = profileOf(at(7200, "staging"));
        master.isReadOnly = true;
        m_rig->settings.values().profiles = {master};
        locks().openServers(at(7210, "production"));
        goOnline(0);
        becomeReplica(0, "10.0.0.5:7200");
        QCOMPARE(watched().state().environment(), std::string("production"));
        QVERIFY(watched().state().isReadOnly());
    }

    void serversAreTheSameByAddressAndDatabase()
    {
        Endpoints other = at(1);
        other.front().password = "secret";
        other.front().environment = "staging";
        QVERIFY(areSameServers(at(1), other));
        other.front().database = 1;
        QVERIFY(!areSameServers(at(1), other));
        QVERIFY(!areSameServers(at(1), at(2)));
        QVERIFY(!areSameServers(at(1), {at(1).front(), at(2).front()}));
    }

    void theFirstServerTakesTheEmptyPage()
    {
        QVERIFY(!tabs().isVisible());
        locks().openServers(at(1));
        QCOMPARE(m_rig->watches.size(), std::size_t(1));
        QVERIFY(!tabs().isVisible());
    }

    void anotherOneOpensBesideAndNothingIsLost()
    {
        openTwo();
        QVERIFY(tabs().isVisible());
        QCOMPARE(tabTexts(), (QStringList{u"10.0.0.5:1/0"_s, u"10.0.0.5:2/0"_s}));
        QCOMPARE(tabs().currentIndex(), 1);
        QCOMPARE(find<ServerBadge>(u"serverBadge")->serverText(), u"10.0.0.5:2/0"_s);
        // The first goes on meanwhile.
        monitor(0).change(inspect::ChangeKind::Appeared, test::stuckFlag("job:9", now()));
        monitor(0).change(inspect::ChangeKind::Released, test::stuckFlag("job:9", now()));
        QCOMPARE(shownNames(), QStringList{u"job:2"_s});
        QVERIFY(!activityKeys().contains(u"job:9"_s));
        tabs().setCurrentIndex(0);
        QVERIFY(shownNames().contains(u"job:1"_s));
        QVERIFY(activityKeys().contains(u"job:9"_s));
        QCOMPARE(monitor(0).openings().size(), std::size_t(1));
        QCOMPARE(find<ServerBadge>(u"serverBadge")->serverText(), u"10.0.0.5:1/0"_s);
        QVERIFY(m_rig->window->windowTitle().contains(u"10.0.0.5:1/0"_s));
    }

    void enterGoesFromTheFilterToTheTable()
    {
        locks().openServers(at(1));
        goOnline(0);
        monitor(0).change(inspect::ChangeKind::Appeared, test::stuckFlag("job:1", now()));
        QTRY_COMPARE(shownNames(), QStringList{u"job:1"_s});
        auto* const filter = find<LockFilterEdit>(u"filterEdit");
        filter->setFocus();
        QTest::keyClicks(filter, u"nosuchfield:1"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(filter->hasFocus()); // it has to be mended first
        filter->selectAll();
        QTest::keyClicks(filter, u"flag:no-expiry"_s); // a value that is offered, typed whole
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(shownTable().hasFocus());
    }

    void enterInTheFilterChoosesTheFirstOfTheFound()
    {
        locks().openServers(at(1));
        goOnline(0);
        for (const char* const name : {"job:1", "job:2", "other:3"}) {
            monitor(0).change(inspect::ChangeKind::Appeared, test::heldToken(name, name, now()));
        }
        QTRY_COMPARE(shownNames().size(), 3);
        QVERIFY(shownTable().currentLock() == nullptr); // none is suspicious
        auto* const filter = find<LockFilterEdit>(u"filterEdit");
        filter->setFocus();
        QTest::keyClicks(filter, u"job"_s);
        QTRY_COMPARE(shownNames().size(), 2);
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(shownTable().currentLock() != nullptr);
        QCOMPARE(shownTable().currentLock()->id.name, shownNames().front().toStdString());
        QTest::keyClick(&shownTable(), Qt::Key_Down);
        shownTable().takeKeyboard(); // what is chosen stays so
        QCOMPARE(shownTable().currentLock()->id.name, shownNames().back().toStdString());
    }

    void filterSelectionAndPauseBelongToTheTab()
    {
        openTwo();
        shown<LockFilterEdit>(u"filterEdit"_s)->apply(u"key:nothing"_s);
        action(u"actionPause")->setChecked(true);
        tabs().setCurrentIndex(0);
        QCOMPARE(shown<LockFilterEdit>(u"filterEdit"_s)->text(), QString());
        QCOMPARE(shownNames(), QStringList{u"job:1"_s});
        QVERIFY(!action(u"actionPause")->isChecked());
        QCOMPARE(tabTexts()[1], u"10.0.0.5:2/0 · paused"_s);
        shownTable().setCurrentLock({0, "job:1"});
        tabs().setCurrentIndex(1);
        QCOMPARE(shown<LockFilterEdit>(u"filterEdit"_s)->text(), u"key:nothing"_s);
        QVERIFY(action(u"actionPause")->isChecked());
        tabs().setCurrentIndex(0);
        QCOMPARE(shownTable().currentLock()->id.name, "job:1");
    }

    void aServerThatIsOpenIsShownAgainAndNotOpenedAnew()
    {
        openTwo();
        locks().openServers(at(1));
        QCOMPARE(tabs().count(), 2);
        QCOMPARE(tabs().currentIndex(), 0);
        QCOMPARE(monitor(0).openings().size(), std::size_t(1));
        // Unless it is to be reached otherwise.
        Endpoints withPassword = at(1);
        withPassword.front().password = "secret";
        withPassword.front().keyPassphrase = "open sesame";
        locks().openServers(withPassword);
        QCOMPARE(tabs().count(), 2);
        QCOMPARE(monitor(0).openings().size(), std::size_t(2));
        goOnline(0);
        locks().openServers(at(1)); // as the recent servers know it
        QCOMPARE(monitor(0).openings().size(), std::size_t(2));
        Endpoints otherDatabase = at(1);
        otherDatabase.front().database = 3;
        locks().openServers(otherDatabase);
        QCOMPARE(tabs().count(), 3);
    }

    void aReleaseReachesTheServerOfItsTab()
    {
        openTwo();
        tabs().setCurrentIndex(0);
        shownTable().setCurrentLock({0, "job:1"});
        QCOMPARE(m_rig->watches[0].desk->endpoints(), at(1));
        QCOMPARE(m_rig->watches[1].desk->endpoints(), at(2));
        entries(u"actionRelease"_s).constFirst()->trigger();
        auto* const dialog = m_rig->window->findChild<QDialog*>(u"releaseDialog"_s);
        QVERIFY(dialog != nullptr);
        m_rig->watches[0].desk->answer(test::detailsOf(test::stuckFlag("job:1", now())));
        QTest::keyClicks(dialog->findChild<QLineEdit*>(u"confirmEdit"_s), u"job:1"_s);
        QTest::mouseClick(dialog->findChild<QPushButton*>(u"executeButton"_s), Qt::LeftButton);
        QCOMPARE(m_rig->watches[0].desk->executions().size(), std::size_t(1));
        QVERIFY(m_rig->watches[1].desk->executions().empty());
    }

    void onlyTheActionsOfTheShownTabAreInTheMenus()
    {
        openTwo();
        for (const QString& name : {u"actionRelease"_s, u"actionAllowWrites"_s}) {
            QCOMPARE(entries(name).size(), 1);
        }
        const QAction* const second = entries(u"actionRelease"_s).constFirst();
        tabs().setCurrentIndex(0);
        QCOMPARE(entries(u"actionRelease"_s).size(), 1);
        QVERIFY(entries(u"actionRelease"_s).constFirst() != second);
    }

    void permitsArePerTabAndRunOutInTheBackground()
    {
        openTwo("production");
        QVERIFY(!find<ServerBadge>(u"serverBadge")->isReadOnly());
        tabs().setCurrentIndex(0);
        auto* const badge = find<ServerBadge>(u"serverBadge");
        QVERIFY(badge->isReadOnly());
        QVERIFY(find<QWidget>(u"environmentEdge")->isVisible());
        m_rig->prompter.willAnswer(Answer::Accepted);
        entries(u"actionAllowWrites"_s).constFirst()->trigger();
        QTRY_VERIFY(!badge->isReadOnly());
        QVERIFY(badge->writeLimit().startsWith(u"writes allowed"));
        tabs().setCurrentIndex(1);
        QCOMPARE(badge->writeLimit(), QString());
        QVERIFY(!find<QWidget>(u"environmentEdge")->isVisible());
        QVERIFY(!m_rig->watches[0].desk->endpoints().front().isReadOnly);
        monitor(0).advance(11min);
        QTRY_VERIFY(m_rig->watches[0].desk->endpoints().front().isReadOnly);
        QVERIFY(!m_rig->watches[1].desk->endpoints().front().isReadOnly);
        QVERIFY2(text(u"reasonText").startsWith(u"10.0.0.5:1/0: The time for writes is over"),
                 qPrintable(text(u"reasonText")));
    }

    void keysTurnAndClose()
    {
        openTwo();
        press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(tabs().currentIndex(), 0);
        press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(tabs().currentIndex(), 1);
        press(Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(tabs().currentIndex(), 0);
        m_rig->window->showPage(u"lab"_s);
        press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(tabs().count(), 2); // nothing is closed that is not seen
        m_rig->window->showPage(u"locks"_s);
        press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(tabs().count(), 1);
        QVERIFY(!tabs().isVisible());
        QCOMPARE(shownNames(), QStringList{u"job:2"_s});
        press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(shown<QLabel>(u"emptyHeadline"_s)->text(), u"Not connected"_s);
        QVERIFY(locks().watched().empty());
    }

    void theMouseClosesATabAndTheOthers()
    {
        openTwo();
        locks().openServers(at(3));
        QTest::mouseClick(&tabs(), Qt::MiddleButton, {}, tabs().tabRect(0).center());
        QCOMPARE(tabTexts().size(), 2);
        QVERIFY(!locks().isWatched(at(1)));
        Q_EMIT tabs().othersClosed(0);
        QCOMPARE(tabs().count(), 1);
        QCOMPARE(locks().watched(), at(2));
    }

    void connectInsteadLeavesTheServerThatIsShown()
    {
        openTwo();
        action(u"actionConnect")->trigger();
        auto* const dialog = m_rig->window->findChild<QDialog*>(u"connectionDialog"_s);
        auto* const url = dialog->findChild<QLineEdit*>(u"urlEdit"_s);
        url->selectAll();
        QTest::keyClicks(url, u"redis://10.0.0.5:7"_s);
        dialog->findChild<QPushButton*>(u"insteadButton"_s)->click();
        QCOMPARE(tabs().count(), 2);
        QVERIFY(locks().isWatched(at(1)));
        QVERIFY(!locks().isWatched(at(2)));
        QCOMPARE(monitor(1).openings().size(), std::size_t(2));
    }

    void seeTheLocksOfARunKeepsWhatWasWatched()
    {
        openTwo();
        tabs().setCurrentIndex(0);
        auto* const contend = m_rig->window->findChild<ContendPage*>();
        Q_EMIT contend->locksRequested(at(5));
        QCOMPARE(tabs().count(), 3);
        QCOMPARE(locks().watched(), at(5));
        Q_EMIT contend->locksRequested(at(5));
        QCOMPARE(tabs().count(), 3);
        workload::LiveRunProgress progress;
        progress.phase = workload::LiveRunProgress::Phase::Finished;
        m_rig->runner.tell(progress);
        QCOMPARE(tabs().count(), 2);
        QVERIFY(shown<QLabel>(u"noticeText"_s)->text().startsWith(u"The run is over"));
        QCOMPARE(tabs().currentIndex(), 0); // where the user came from
        QCOMPARE(shownNames(), QStringList{u"job:1"_s});
        QCOMPARE(monitor(0).openings().size(), std::size_t(1));
    }

    void nothingIsClosedBehindADialog()
    {
        openTwo();
        shownTable().setCurrentLock({0, "job:2"});
        entries(u"actionRelease"_s).constFirst()->trigger();
        QVERIFY(!locks().closeServers(at(2)));
        m_rig->window->findChild<QDialog*>(u"releaseDialog"_s)->close();
        QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
        QVERIFY(locks().closeServers(at(2)));
    }

    void whatIsChosenForAllServersHoldsInEachTab()
    {
        openTwo();
        Q_EMIT shown<LocksPage>(u"locksPage"_s)->patternsChanged({u"cron-*"_s});
        const std::vector<std::string> wanted{"cron-*"};
        QCOMPARE(monitor(1).patterns(), wanted);
        QCOMPARE(monitor(0).patterns(), wanted);
        auto* const filter = shown<LockFilterEdit>(u"filterEdit"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"job"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        tabs().setCurrentIndex(0);
        auto* const other = shown<LockFilterEdit>(u"filterEdit"_s);
        other->setFocus();
        QTest::keyClick(other, Qt::Key_Up);
        QCOMPARE(other->text(), u"job"_s);
    }

    void thereIsAnEndToTabs()
    {
        for (std::uint16_t port = 1; port <= LocksController::kServersAtMost; ++port) {
            QVERIFY(locks().watch(at(port)));
        }
        QVERIFY(!locks().watch(at(99)));
        QCOMPARE(tabs().count(), int(LocksController::kServersAtMost));
        QVERIFY(shown<QLabel>(u"noticeText"_s)->text().startsWith(u"At most 8 servers"));
    }

    void howEachIsDoingStandsOnItsTab()
    {
        openTwo();
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Waiting;
        status.problem.kind = store::Problem::Kind::ConnectionLost;
        Q_EMIT monitor(0).linkChanged(status);
        QCOMPARE(tabTexts()[0], u"10.0.0.5:1/0 · lost"_s);
        QCOMPARE(text(u"liveText"), u"Live"_s); // of the one that is shown
        locks().openServers(at(3));
        Q_EMIT monitor(2).opened(at(3));
        QCOMPARE(tabTexts()[2], u"10.0.0.5:3/0 · connecting"_s);
    }

    void alertsNameTheServerWhereThereAreSeveral()
    {
        models::AlertRule rule{u"stuck"_s, u"flag:no-expiry"_s};
        rule.notifies = true;
        rule.span = Duration(0);
        m_rig->settings.values().alerts = {rule};
        openTwo();
        QTRY_VERIFY(!m_rig->notifier.told().isEmpty());
        QVERIFY2(m_rig->notifier.told().constLast().startsWith(u"stuck · 10.0.0.5:2/0: job:2"),
                 qPrintable(m_rig->notifier.told().join(u'\n')));
    }
};

LOCKSCOPE_TEST(TestWatchedServer, Widgets)

} // namespace lockscope::tst_watched_server

#include "tst_watched_server.moc"
