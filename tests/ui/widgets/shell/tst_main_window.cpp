#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/run_file.h"
#include "tests/support/sample_locks.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/models/locks/lock_counts_model.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/contend/contend_page.h"
#include "ui/widgets/lab/lab_page.h"
#include "ui/widgets/locks/activity_panel.h"
#include "ui/widgets/locks/deep_sweep_question.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/lock_details_panel.h"
#include "ui/widgets/locks/lock_side_panel.h"
#include "ui/widgets/locks/locks_controller.h"
#include "ui/widgets/locks/release/release_dialog.h"
#include "ui/widgets/locks/table/filter_line.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"
#include "ui/widgets/matrix/matrix_page.h"
#include "ui/widgets/shell/actions.h"
#include "ui/widgets/shell/environment_edge.h"
#include "ui/widgets/shell/server_badge.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace lockscope::tst_main_window {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestMainWindow : public QObject, private test::WindowBench {
    Q_OBJECT

private:
    int rowCount() const { return table().model()->rowCount(); }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { begin(); }
    void cleanup() { m_rig.reset(); }

    void notConnectedSaysWhatToDo()
    {
        QCOMPARE(text(u"emptyHeadline"), u"Not connected"_s);
        QTest::mouseClick(find<QPushButton>(u"emptyStep"), Qt::LeftButton);
        QVERIFY(find<QDialog>(u"connectionDialog") != nullptr);
        QCOMPARE(text(u"linkText"), u"not connected"_s);
        QVERIFY(!action(u"actionPause")->isEnabled()); // nor by its key, Space
        QSignalSpy wanted(&m_rig->pages->locks, &LocksController::demoWanted);
        find<QPushButton>(u"emptyOtherStep")->click();
        QCOMPARE(wanted.count(), 1);
    }

    void connectingSweepingAndNothingFoundEachSaySo()
    {
        m_rig->monitor.open({server()}, {});
        QCOMPARE(text(u"emptyHeadline"), u"Connecting to 10.0.0.5:6379/0…"_s);
        m_rig->monitor.goOnline({server()});
        Q_EMIT m_rig->monitor.sweepProgressed({0, 34, 100, false, false});
        QTRY_COMPARE(text(u"emptyHeadline"), u"Scanning the keys: 34 %"_s);
        QTRY_COMPARE(text(u"sweepText"), u"partial: 34 % of the keys scanned"_s);
        QVERIFY(find<QProgressBar>(u"sweepProgress")->isVisible());
        m_rig->monitor.finishSweep(100);
        QTRY_COMPARE(text(u"emptyHeadline"), u"No locks found"_s);
        QVERIFY(!find<QProgressBar>(u"sweepProgress")->isVisible());
        QTest::mouseClick(find<QPushButton>(u"emptyStep"), Qt::LeftButton);
        QCOMPARE(m_rig->monitor.sweeps(), std::vector<bool>{true});
    }

    void theLockThatNeedsAHumanIsExplainedUnasked()
    {
        m_rig->monitor.goOnline({server()});
        m_rig->monitor.finishSweep(100);
        add(test::heldToken("order:1", "token-abcdef", now()));
        QTRY_VERIFY(table().isVisible());
        table().setFocus();
        QVERIFY(table().currentLock() == nullptr); // a healthy lock is nothing to push forward
        add(test::stuckFlag("job:1", now()));
        QTRY_VERIFY(table().currentLock() != nullptr);
        QCOMPARE(table().currentLock()->id.name, "job:1");
        // Once the user has chosen, nothing moves the choice.
        table().setCurrentLock({0, "order:1"});
        add(test::stuckFlag("job:0", now()));
        QTRY_COMPARE(rowCount(), 3);
        QCOMPARE(table().currentLock()->id.name, "order:1");
    }

    void aFilterThatHidesEverythingCanBeClearedThere()
    {
        showTwoLocks();
        find<LockFilterEdit>(u"filterEdit")->apply(u"key:nothing"_s);
        QCOMPARE(text(u"emptyHeadline"), u"2 locks hidden by the filter"_s);
        QTest::mouseClick(find<QPushButton>(u"emptyStep"), Qt::LeftButton);
        QVERIFY(table().isVisible());
        QCOMPARE(rowCount(), 2);
    }

    void aLostConnectionKeepsTheRowsAndSaysWhy()
    {
        showTwoLocks();
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Waiting;
        status.attempt = 3;
        status.nextAttempt = now() + 3s;
        status.problem.kind = store::Problem::Kind::ConnectionLost;
        Q_EMIT m_rig->monitor.linkChanged(status);
        QVERIFY(table().isVisible());
        QVERIFY(find<QWidget>(u"noticeBar")->isVisible());
        QCOMPARE(text(u"linkText"), u"reconnecting in 3 s (attempt 4)"_s);
        QCOMPARE(text(u"liveText"), u"Offline"_s);
        status = {};
        status.state = service::LinkStatus::State::Online;
        status.live = service::LinkStatus::Live::Push;
        Q_EMIT m_rig->monitor.linkChanged(status);
        QVERIFY(!find<QWidget>(u"noticeBar")->isVisible());
        QCOMPARE(text(u"liveText"), u"Live"_s);
    }

    void theEnvironmentCannotBeMissed()
    {
        m_rig->monitor.goOnline({server("production", true)});
        QVERIFY(find<QWidget>(u"environmentEdge")->isVisible());
        const auto* badge = find<ServerBadge>(u"serverBadge");
        QCOMPARE(badge->environment(), u"production"_s);
        QCOMPARE(badge->serverText(), u"10.0.0.5:6379/0"_s);
        QVERIFY(badge->isReadOnly());
        QVERIFY(m_rig->window->windowTitle().startsWith(u"production"));
        m_rig->monitor.goOnline({server("staging")});
        QVERIFY(!find<QWidget>(u"environmentEdge")->isVisible());
        QVERIFY(!badge->isReadOnly());
    }

    void choosingARowExplainsIt()
    {
        showTwoLocks();
        const auto* details = find<LockDetailsPanel>(u"lockDetailsPanel");
        QVERIFY(details->lock() != nullptr);
        QCOMPARE(details->lock()->id.name, std::string("job:1"));
        table().setCurrentLock({0, "order:1"});
        QCOMPARE(details->lock()->id.name, std::string("order:1"));
        QCOMPARE(m_rig->desk.inspections().back().second.name, std::string("order:1"));
    }

    void filterKeysFocusTheBoxAndEscapeClearsIt()
    {
        showTwoLocks();
        auto* filter = find<LockFilterEdit>(u"filterEdit");
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(filter->hasFocus());
        QTest::keyClicks(filter, u"job"_s);
        QTRY_COMPARE(rowCount(), 1);
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(filter->hasFocus());
        QTest::keyClick(filter, Qt::Key_Escape);
        QTRY_COMPARE(rowCount(), 2);
    }

    void aFilterThatCannotBeReadIsExplainedOnce()
    {
        showTwoLocks();
        const auto* const line = find<FilterLine>(u"filterLine");
        find<LockFilterEdit>(u"filterEdit")->apply(u"onwer:x"_s);
        QVERIFY2(line->text().startsWith(u"Filter not applied: unknown field"),
                 qPrintable(line->text()));
        QCOMPARE(text(u"reasonText"), QString());
        QCOMPARE(rowCount(), 2);
        find<LockFilterEdit>(u"filterEdit")->apply({});
        QCOMPARE(line->text(), QString());
    }

    void aLineOfTheSidePanelFiltersAndFiltersNoMore()
    {
        showTwoLocks();
        auto* side = find<LockSidePanel>(u"lockSidePanel");
        side->setFocus();
        for (int row = 0; row < side->model()->rowCount(); ++row) {
            const QModelIndex index = side->model()->index(row, 0);
            if (index.data(models::LockCountsModel::FilterRole).toString() == u"state:suspicious") {
                side->setCurrentIndex(index);
            }
        }
        QTest::keyClick(side, Qt::Key_Return);
        QCOMPARE(find<LockFilterEdit>(u"filterEdit")->text(), u"state:suspicious"_s);
        QCOMPARE(rowCount(), 1);
        QTest::keyClick(side, Qt::Key_Return);
        QCOMPARE(rowCount(), 2);
    }

    void filterByPrefixOfTheChosenLock()
    {
        showTwoLocks();
        action(u"actionFilterByPrefix")->trigger();
        QCOMPARE(find<LockFilterEdit>(u"filterEdit")->text(), u"key:job:*"_s);
        QCOMPARE(rowCount(), 1);
        QVERIFY(!action(u"actionFilterByOwner")->isEnabled()); // a flag has none
    }

    void pauseFreezesTheTableAndLosesNothing()
    {
        showTwoLocks();
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Space);
        QVERIFY(action(u"actionPause")->isChecked());
        QCOMPARE(text(u"liveText"), u"Paused"_s);
        add(test::heldToken("order:2", "other", now()));
        add(test::heldToken("order:3", "third", now()));
        QTRY_COMPARE(find<QPushButton>(u"pauseButton")->text(), u"Resume · +2"_s);
        QCOMPARE(rowCount(), 2);
        QTest::keyClick(&table(), Qt::Key_Space);
        QCOMPARE(rowCount(), 4);
        QCOMPARE(find<QPushButton>(u"pauseButton")->text(), u"Pause"_s);
    }

    void spaceInTheFilterBoxIsASpace()
    {
        showTwoLocks();
        auto* filter = find<LockFilterEdit>(u"filterEdit");
        filter->setFocus();
        QTest::keyClicks(filter, u"a b"_s);
        QCOMPARE(filter->text(), u"a b"_s);
        QVERIFY(!action(u"actionPause")->isChecked());
    }

    void deleteOpensTheDialogAndReleasesNothing()
    {
        showTwoLocks();
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Delete);
        QVERIFY(find<QDialog>(u"releaseDialog") != nullptr);
        QVERIFY(m_rig->desk.executions().empty());
    }

    void aReadOnlyConnectionOffersNoRelease()
    {
        showTwoLocks(server({}, true));
        QVERIFY(!action(u"actionRelease")->isEnabled());
        QVERIFY(!action(u"actionCapTtl")->isEnabled());
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Delete);
        QVERIFY(find<QDialog>(u"releaseDialog") == nullptr);
    }

    void productionIsReadOnlyUntilWritesAreAllowed()
    {
        showTwoLocks(server("production"));
        QSignalSpy turned(&m_rig->pages->locks, &LocksController::watchedChanged);
        QVERIFY(find<ServerBadge>(u"serverBadge")->isReadOnly());
        QVERIFY(!action(u"actionRelease")->isEnabled());
        QVERIFY(!action(u"actionAcquire")->isEnabled());
        m_rig->prompter.willAnswer(Answer::Accepted);
        action(u"actionAllowWrites")->trigger();
        QTRY_VERIFY(action(u"actionRelease")->isEnabled());
        QVERIFY(action(u"actionAcquire")->isEnabled());
        QCOMPARE(turned.size(), 1); // the release desk heard of it
        action(u"actionAllowWrites")->trigger();
        QVERIFY(!action(u"actionRelease")->isEnabled());
        QCOMPARE(rowCount(), 2); // nothing was opened anew
    }

    void anAuditFileThatCannotBeWrittenIsSaid()
    {
        Q_EMIT m_rig->desk.auditFailed(u"No space left on device"_s);
        QVERIFY(find<QWidget>(u"noticeBar")->isVisible());
        QVERIFY(text(u"noticeText").contains(u"No space left on device"));
        QTest::mouseClick(find<QPushButton>(u"noticeClose"), Qt::LeftButton);
        QVERIFY(!find<QWidget>(u"noticeBar")->isVisible());
    }

    void theReleaseCommandCanBeCopied()
    {
        showTwoLocks();
        const auto details = test::detailsOf(test::stuckFlag("job:1", now()));
        m_rig->desk.answer(details);
        action(u"actionCopyReleaseCommand")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QString::fromStdString(store::toText(details.release->command)));
    }

    void sweepAgainAndDisconnect()
    {
        showTwoLocks();
        QTest::keyClick(&table(), Qt::Key_F5);
        QTest::keyClick(&table(), Qt::Key_F5, Qt::ShiftModifier);
        QCOMPARE(m_rig->monitor.sweeps(), (std::vector<bool>{false, true}));
        action(u"actionDisconnect")->trigger();
        QCOMPARE(m_rig->monitor.closeCount(), 1);
        QCOMPARE(text(u"emptyHeadline"), u"Not connected"_s);
    }

    void aDeepSweepOfProductionIsAskedAbout()
    {
        showTwoLocks(server("production"));
        m_rig->prompter.willAnswer(Answer::Declined);
        action(u"actionDeepSweep")->trigger();
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QCOMPARE(m_rig->prompter.asked().front().text, deepSweepQuestion(true, {}).text);
        m_rig->prompter.willAnswer(Answer::Accepted);
        action(u"actionDeepSweep")->trigger();
        QTRY_COMPARE(m_rig->monitor.sweeps(), std::vector<bool>{true}); // the first one was
                                                                        // declined
    }

    void aDeepSweepThatChangesWhatIsEvictedIsAskedAbout()
    {
        showTwoLocks();
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Online;
        status.live = service::LinkStatus::Live::Push;
        status.info.version = "7.0.15";
        status.info.evictionByUse = "allkeys-lru";
        Q_EMIT m_rig->monitor.linkChanged(status);
        m_rig->prompter.willAnswer(Answer::Declined);
        action(u"actionDeepSweep")->trigger();
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->prompter.asked().front().detail.contains(u"allkeys-lru"));
        QVERIFY(m_rig->monitor.sweeps().empty());
    }

    void openedServersAreRememberedWithoutTheirPasswords()
    {
        store::Endpoint endpoint = server("staging");
        endpoint.password = "s3cret";
        m_rig->pages->locks.openServers({endpoint});
        QCOMPARE(m_rig->monitor.openings().size(), std::size_t(1));
        QCOMPARE(m_rig->monitor.openings().front().front().password, std::string("s3cret"));
        m_rig->window->close();
        restart();
        auto* recent = find<QMenu>(u"recentMenu");
        QCOMPARE(recent->actions().first()->text(), u"staging · 10.0.0.5:6379/0"_s);
        recent->actions().first()->trigger();
        QCOMPARE(m_rig->monitor.openings().front().front().host, std::string("10.0.0.5"));
        QCOMPARE(m_rig->monitor.openings().front().front().password, std::string());
    }

    void docksAreWhereTheyWereAndCanBeReset()
    {
        auto* dock = find<QDockWidget>(u"activityDock");
        dock->close();
        m_rig->window->addDockWidget(Qt::LeftDockWidgetArea, find<QDockWidget>(u"detailsDock"));
        m_rig->window->resize(1111, 777);
        m_rig->window->close();
        restart();
        QVERIFY(!find<QDockWidget>(u"activityDock")->isVisible());
        QCOMPARE(m_rig->window->dockWidgetArea(find<QDockWidget>(u"detailsDock")),
                 Qt::LeftDockWidgetArea);
        QCOMPARE(m_rig->window->size(), QSize(1111, 777));
        action(u"actionResetLayout")->trigger();
        QVERIFY(find<QDockWidget>(u"activityDock")->isVisible());
        QCOMPARE(m_rig->window->dockWidgetArea(find<QDockWidget>(u"detailsDock")),
                 Qt::RightDockWidgetArea);
    }

    void theThemeIsChosenInTheMenuAndKept()
    {
        QSignalSpy chosen(m_rig->window.get(), &MainWindow::themeChosen);
        action(u"actionThemeDark")->trigger();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().value<ThemeChoice>(), ThemeChoice::Dark);
        m_rig->window->close();
        restart();
        QVERIFY(action(u"actionThemeDark")->isChecked());
    }

    void settingsHoldAtOnceAndAreWrittenAtOnce()
    {
        const QSignalSpy chosen(m_rig->window.get(), &MainWindow::themeChosen);
        action(u"actionSettings")->trigger();
        auto* const theme = m_rig->window->findChild<QComboBox*>(u"theme"_s);
        QVERIFY(theme != nullptr);
        theme->setFocus();
        QTest::keyClick(theme, Qt::Key_End); // dark
        QCOMPARE(chosen.count(), 1);
        QVERIFY(action(u"actionThemeDark")->isChecked());
        auto* const patterns = m_rig->window->findChild<QLineEdit*>(u"lockPatterns"_s);
        patterns->setText(u"job:*"_s);
        QTest::keyClick(patterns, Qt::Key_Return);
        QCOMPARE(find<QLineEdit>(u"watchedNames")->text(), u"job:*"_s);
        SettingsFile written(m_rig->settings.path()); // the window is still open
        QCOMPARE(written.load(), QString());
        QCOMPARE(written.values().theme, ThemeChoice::Dark);
        QCOMPARE(written.values().lockPatterns, QStringList{u"job:*"_s});
    }

    void everyShortcutIsListedAndNoneIsTakenTwice()
    {
        QTest::keyClick(m_rig->window.get(), Qt::Key_Question);
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        const QString page = m_rig->prompter.asked().front().detail;
        QStringList keys;
        for (const QAction* each : m_rig->window->findChildren<QAction*>()) {
            if (each->text().isEmpty()) {
                continue; // keys inside of a panel, such as Return in a list
            }
            for (const QKeySequence& key : each->shortcuts()) {
                QVERIFY2(page.contains(key.toString(QKeySequence::NativeText)),
                         qPrintable(each->text()));
                keys += key.toString();
            }
        }
        QCOMPARE(keys.size(), QSet<QString>(keys.begin(), keys.end()).size());
    }

    void thePagesAreKnownByName()
    {
        QCOMPARE(m_rig->window->pageNames(),
                 (QStringList{u"locks"_s, u"lab"_s, u"matrix"_s, u"contend"_s}));
        QVERIFY(m_rig->window->showPage(u"locks"_s));
        QVERIFY(!m_rig->window->showPage(u"history"_s));
    }

    /// What CONTRIBUTING.md says a page takes.
    void aPageIsAllInWhatItHandsIn()
    {
        MainWindow& window = *m_rig->window;
        auto* const widget = new QLabel(u"Keys"_s, &window);
        QAction* const count = createAction(widget, u"actionCount"_s, u"&Count the keys"_s,
                                            {Qt::CTRL | Qt::Key_K});
        auto* const menu = new QMenu(u"&Keys"_s, &window);
        menu->addAction(count);
        auto* const follow = new QAction(u"Follow"_s, widget);
        auto* const tool = new QPushButton(u"Count"_s, &window);
        auto* const panel = new QLabel(u"10 keys"_s, &window);
        QStringList calls;
        Page page{u"keys"_s, u"&Keys"_s, widget};
        page.tools = {tool};
        page.docks = {{u"keyCountDock"_s, u"Number of keys"_s, panel}};
        page.menus = {menu};
        page.actions = {follow};
        page.restore = [&calls](const Settings&) { calls += u"restored"_s; };
        page.resetLayout = [&calls] { calls += u"reset"_s; };
        page.save = [&calls](Settings&) {
            calls.removeAll(u"saved"_s); // it is asked again and again
            calls += u"saved"_s;
        };
        page.closing = [&calls] { calls += u"closed"_s; };
        page.mayClose = [&calls](const std::function<void()>&) {
            calls += u"asked"_s;
            return calls.count(u"asked"_s) > 1;
        };
        window.addPage(page);
        window.restore();

        QVERIFY(window.pageNames().contains(u"keys"_s));
        QCOMPARE(find<QToolButton>(u"page_keys")->text(), u"Keys"_s);
        QCOMPARE(action(u"actionShowKeys")->text(), u"Page: &Keys"_s);
        QVERIFY(!tool->isVisible() && !panel->isVisible());
        QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
        QVERIFY(widget->isVisible() && tool->isVisible() && panel->isVisible());
        QVERIFY(!find<LockFilterEdit>(u"filterEdit")->isVisible());
        window.showPage(u"locks"_s);
        QVERIFY(!widget->isVisible() && !tool->isVisible() && !panel->isVisible());

        QStringList titles;
        for (const QAction* each : find<QMenuBar>(u"menuBar")->actions()) {
            titles += each->text();
        }
        QCOMPARE(titles, (QStringList{u"&Server"_s, u"&Lock"_s, u"&Keys"_s, u"&Edit"_s, u"&View"_s,
                                      u"&Help"_s}));
        const QAction* const view = find<QMenuBar>(u"menuBar")->actions().at(4);
        QVERIFY(view->menu()->actions().contains(follow));
        QVERIFY(view->menu()->actions().contains(
            find<QDockWidget>(u"keyCountDock")->toggleViewAction()));
        action(u"actionShortcuts")->trigger();
        QVERIFY(m_rig->prompter.asked().back().detail.contains(u"Ctrl+K"));

        action(u"actionResetLayout")->trigger();
        window.close();
        QVERIFY(window.isVisible()); // the page had to ask first
        window.close();
        QVERIFY(!window.isVisible());
        QCOMPARE(calls, (QStringList{u"restored"_s, u"reset"_s, u"asked"_s, u"asked"_s, u"saved"_s,
                                     u"closed"_s}));
    }

    void aWindowThatClosesUnaskedAsksNothingAndWaitsForItsPages()
    {
        std::function<void()> finish;
        bool mayClose = true;
        Page page{u"keys"_s, u"&Keys"_s, new QLabel(u"Keys"_s, m_rig->window.get())};
        page.mayClose = [](const std::function<void()>&) { return false; };
        page.mayCloseUnasked = [&](std::function<void()> close) {
            finish = std::move(close);
            return mayClose;
        };
        m_rig->window->addPage(page);
        m_rig->window->close();
        QVERIFY(m_rig->window->isVisible());
        mayClose = false;
        int closings = 0;
        m_rig->settings.values().showsUtc = true;
        m_rig->window->closeUnasked([&closings] { ++closings; });
        QVERIFY(m_rig->window->isVisible()); // the page has something to finish
        finish();
        QVERIFY(!m_rig->window->isVisible());
        QCOMPARE(closings, 1);
        SettingsFile saved(m_rig->settings.path());
        QCOMPARE(saved.load(), QString());
        QVERIFY(saved.values().showsUtc);
    }

    void aWindowThatClosesUnaskedDoesNotWaitForever()
    {
        Page page{u"keys"_s, u"&Keys"_s, new QLabel(u"Keys"_s, m_rig->window.get())};
        page.mayCloseUnasked = [](const std::function<void()>&) { return false; };
        m_rig->window->addPage(page);
        int closings = 0;
        m_rig->window->closeUnasked([&closings] { ++closings; });
        QTRY_COMPARE_WITH_TIMEOUT(closings, 1, 30'000);
        QVERIFY(!m_rig->window->isVisible());
    }

    void aCellOfTheMatrixIsShownInTheLaboratory()
    {
        search::SearchTask cell;
        cell.protocol = {std::shared_ptr<const void>(), protocol::findProtocol("set-nx-ex")};
        cell.fault = world::FaultKind::Pause;
        cell.method = search::SystematicSearch{{123}};
        report::CellReport report;
        report.protocol = "set-nx-ex";
        report.fault = cell.fault;
        report.isSearched = true;
        auto* const matrix = m_rig->window->findChild<MatrixPage*>();
        Q_EMIT matrix->cellOpened({{cell}}, {report}, protocol::Promise::MutualExclusion);
        QVERIFY(find<QWidget>(u"labPage")->isVisible());
        QCOMPARE(find<QTabWidget>(u"labRuns")->count(), 1);
        QTest::keyClick(find<QPushButton>(u"copySearchCommandButton"), Qt::Key_Space);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 u"lockscope-cli explore --protocol set-nx-ex --faults pause "
                 "--max-schedules 123"_s);
    }

    void aRunThatIsOpenedIsShownInTheLaboratory()
    {
        report::RunFile run;
        run.protocol = report::SavedProtocol::builtin("redlock");
        run.mode = "contend";
        QFile file(m_directory->filePath(u"run.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(report::runFileText(run)));
        file.close();
        m_rig->window->showPage(u"lab"_s);
        m_rig->pages->lab.openFile(file.fileName());
        QVERIFY(find<QWidget>(u"labPage")->isVisible());
        QCOMPARE(find<QTabWidget>(u"labRuns")->count(), 1);
    }

    void theDocksAndTheFilterMakeWayForAnotherPage()
    {
        auto* dock = find<QDockWidget>(u"detailsDock");
        find<QDockWidget>(u"activityDock")->close();
        const int width = dock->width();
        QTest::keyClick(m_rig->window.get(), Qt::Key_4, Qt::ControlModifier);
        QVERIFY(find<QWidget>(u"contendPage")->isVisible());
        QVERIFY(!dock->isVisible());
        QVERIFY(!find<LockFilterEdit>(u"filterEdit")->isVisible());
        QTest::keyClick(m_rig->window.get(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(dock->isVisible());
        QTRY_COMPARE(dock->width(), width);
        QVERIFY(!find<QDockWidget>(u"activityDock")->isVisible()); // it was closed
        QVERIFY(find<LockFilterEdit>(u"filterEdit")->isVisible());
    }

    void aHeldLockHasADockAndIsAskedAboutOnClosing()
    {
        QVERIFY(!find<QDockWidget>(u"heldDock")->isVisible());
        service::KeptLock held;
        held.id = 1;
        held.key = "job";
        held.state = service::KeptLock::State::Held;
        m_rig->keeper.tell(held);
        QVERIFY(find<QDockWidget>(u"heldDock")->isVisible());
        m_rig->window->close();
        QVERIFY(m_rig->window->isVisible());
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        m_rig->prompter.willAnswer(Answer::Other);
        m_rig->window->close();
        QTRY_VERIFY(!m_rig->window->isVisible());
    }

    void acquiringNeedsAServerThatMayBeWritten()
    {
        QVERIFY(!action(u"actionAcquire")->isEnabled());
        m_rig->monitor.goOnline({server({}, true)});
        QVERIFY(!action(u"actionAcquire")->isEnabled());
        m_rig->monitor.goOnline({server()});
        action(u"actionAcquire")->trigger();
        QVERIFY(find<QDialog>(u"acquireDialog") != nullptr);
    }

    void theLocksOfARunAreWatched()
    {
        m_rig->window->showPage(u"contend"_s);
        Q_EMIT find<ContendPage>(u"contendPage")->locksRequested({server()});
        QCOMPARE(m_rig->monitor.openings().size(), std::size_t(1));
        QVERIFY(find<QWidget>(u"locksPage")->isVisible());
        QVERIFY(m_rig->settings.values().recentServers.isEmpty());
    }

    void anotherServerStartsFromAnEmptyTable()
    {
        showTwoLocks();
        m_rig->monitor.goOnline({server("staging")});
        QCOMPARE(rowCount(), 0);
        QVERIFY(find<LockDetailsPanel>(u"lockDetailsPanel")->lock() == nullptr);
    }
};

LOCKSCOPE_TEST(TestMainWindow, Widgets)

} // namespace lockscope::tst_main_window

#include "tst_main_window.moc"
