#include "ui/widgets/locks/locks_controller.h"

#include "ui/models/formatting.h"
#include "ui/models/protocol_list_model.h"
#include "ui/widgets/acquire/hand_locks.h"
#include "ui/widgets/acquire/held_locks_panel.h"
#include "ui/widgets/connection/connection_dialog.h"
#include "ui/widgets/connection/password_keeper.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/controls/notice_bar.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/status_wording.h"
#include "ui/widgets/locks/activity_view.h"
#include "ui/widgets/locks/alerts/alert_desk.h"
#include "ui/widgets/locks/alerts/alerts_tab.h"
#include "ui/widgets/locks/deep_sweep_question.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/lock_commands.h"
#include "ui/widgets/locks/lock_details_panel.h"
#include "ui/widgets/locks/lock_side_panel.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/owners_panel.h"
#include "ui/widgets/locks/release/release_journal.h"
#include "ui/widgets/locks/rules/color_rules_tab.h"
#include "ui/widgets/locks/table/filter_line.h"
#include "ui/widgets/locks/table/lock_columns.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"
#include "ui/widgets/locks/table/named_filters.h"
#include "ui/widgets/locks/table/table_export.h"
#include "ui/widgets/locks/treatments/own_formats.h"
#include "ui/widgets/locks/watched_names.h"
#include "ui/widgets/locks/write_switch.h"
#include "ui/widgets/shell/environment_edge.h"
#include "ui/widgets/shell/main_window.h"
#include "ui/widgets/shell/server_badge.h"
#include "ui/widgets/shell/status_strip.h"
#include "ui/widgets/shell/top_strip.h"
#include "ui/widgets/style/icons.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds kRefreshPause{50};
constexpr std::chrono::milliseconds kTick{1000};

QDockWidget* dockOf(const QWidget& panel)
{
    return qobject_cast<QDockWidget*>(panel.parentWidget());
}

} // namespace

LocksController::LocksController(Context context)
    : QObject(&context.window),
      m_context(std::move(context)),
      m_permit([this] { return m_context.monitor.now(); }, m_context.mayWrite),
      m_locks([this] { return m_context.monitor.now(); }),
      m_activity([this](Instant instant) { return wallTimeOf(instant); })
{
    m_actions = new LockActions(this);
    m_switch = new WriteSwitch({m_permit, *m_actions->allowWrites, m_context.window.strip().badge(),
                                m_context.prompter, m_context.window},
                               this);
    m_passwords = new PasswordKeeper(m_context.secrets, m_context.settings, this);
    connect(m_passwords, &PasswordKeeper::failed, &m_context.window, &MainWindow::showNotice);
    createPanels();
    createCommands();
    createPauseButton();
    createTimers();
    connectMonitor();
    connectPanels();
    connectActions();
    refresh();
}

LocksController::~LocksController() = default;

void LocksController::createPanels()
{
    // The details stand still with the table.
    const auto context = [this] {
        FactContext shown = factContext();
        shown.wallNow -= std::chrono::duration_cast<WallTime::duration>(shown.now - m_locks.now());
        shown.now = m_locks.now();
        shown.ruleOf = [this](const inspect::LockRecord& lock) { return m_locks.ruleOf(lock); };
        return shown;
    };
    QWidget* const window = &m_context.window;
    m_page = new LocksPage(m_locks, window);
    m_names = new WatchedNames({*m_page, m_context.monitor, m_context.settings,
                                m_context.watchOptions.patterns},
                               this);
    m_filter = new LockFilterEdit(window);
    m_filter->setKnownTexts([this](std::string_view field) { return m_locks.knownTexts(field); });
    new NamedFilters(*m_filter, m_context.settings);
    m_page->filterLine().follow(*m_filter);
    m_side = new LockSidePanel(m_counts, window);
    m_details = new LockDetailsPanel(m_context.desk, context, window);
    m_details->setHistory([this](const inspect::LockId& lock, int most) {
        return m_activity.linesOf(lock, most);
    });
    m_log = new ActivityView(m_activity, m_context.prompter, window);
    m_owners = new OwnersPanel(m_locks, window);
    m_journal = new ReleaseJournal(m_context.desk, m_activity, m_context.wallNow, this);
    m_alerts = new AlertDesk({m_context.monitor, m_context.hooks, m_context.notifier, m_activity,
                              m_locks, [this](Instant instant) { return wallTimeOf(instant); }},
                             this);
    m_held = new HeldLocksPanel(m_context.keeper, window);
    new HandLockJournal(m_context.keeper, m_activity, m_context.wallNow, this);
}

void LocksController::createCommands()
{
    m_commands = new LockCommands({*m_actions, m_page->table(), *m_filter, m_context.desk,
                                   *m_journal, [this] { return factContext(); }},
                                  &m_context.window);
    new OwnFormats({m_context.formats, m_context.monitor, m_context.watchOptions, *m_actions,
                    m_page->table(), m_context.window},
                   this);
    m_hands = new HandLocks({m_context.keeper, m_context.prompter, m_context.protocols,
                             *m_actions->acquire},
                            &m_context.window);
    new TableExport(m_locks, *m_actions, m_context.prompter, &m_context.window);
    // These keys mean something else while typing, so they belong to the lists only.
    for (QWidget* list : {static_cast<QWidget*>(&m_page->table()), static_cast<QWidget*>(m_side)}) {
        list->addAction(m_actions->pause);
    }
    m_log->addListAction(m_actions->pause);
    m_page->table().addAction(m_actions->release);
}

void LocksController::createPauseButton()
{
    m_pause = new QPushButton(tr("Pause"), &m_context.window);
    m_pause->setObjectName(u"pauseButton"_s);
    m_pause->setCheckable(true);
    m_pause->setFocusPolicy(Qt::TabFocus);
    m_pause->setToolTip(tr("Freeze the table (Space). Changes are recorded meanwhile."));
    connect(m_pause, &QPushButton::clicked, m_actions->pause, &QAction::setChecked);
    connect(m_actions->pause, &QAction::toggled, m_pause, &QPushButton::setChecked);
}

void LocksController::createTimers()
{
    m_refreshSoon = new QTimer(this);
    m_refreshSoon->setSingleShot(true);
    m_refreshSoon->setInterval(kRefreshPause);
    connect(m_refreshSoon, &QTimer::timeout, this, &LocksController::refresh);
    m_tick = new QTimer(this);
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &LocksController::refresh);
    connect(&m_context.window, &MainWindow::visibilityChanged, this, [this](bool isVisible) {
        if (isVisible) {
            refresh();
            m_tick->start();
        } else {
            m_tick->stop();
        }
    });
}

Page LocksController::page()
{
    Page page{u"locks"_s, tr("L&ocks"), m_page};
    page.tools = {m_filter, m_pause};
    page.docks = {
        {u"countsDock"_s, tr("Counts"), m_side, Qt::LeftDockWidgetArea, {30, 0}},
        {u"detailsDock"_s, tr("Details"), m_details, Qt::RightDockWidgetArea, {46, 0}},
        {u"activityDock"_s, tr("Activity"), m_log, Qt::BottomDockWidgetArea, {0, 10}},
        {u"ownersDock"_s,
         tr("Owners"),
         m_owners,
         Qt::BottomDockWidgetArea,
         {},
         false,
         u"activityDock"_s},
        {u"heldDock"_s, tr("My locks"), m_held, Qt::BottomDockWidgetArea, {}, true},
    };
    page.menus = {createServerMenu(), createLockMenu()};
    page.actions = {m_actions->focusFilter, m_actions->focusTable, m_actions->pause};
    page.restore = [this](const Settings& settings) {
        connect(dockOf(*m_owners), &QDockWidget::visibilityChanged, m_owners,
                &OwnersPanel::setWatched);
        showHeldLocks();
        m_page->table().columns().restoreState(settings.tableColumns);
        m_locks.setShowsProbableData(settings.showsProbableData);
        m_locks.setColorRules(models::ColorRules(settings.colorRules));
        m_alerts->setAlerts(settings.alerts);
        m_filter->setHistory(settings.filterHistory);
        showRecentServers();
    };
    page.settingsTabs = createSettingsTabs();
    page.applySettings = [this](const Settings&) { applySettings(); };
    page.save = [this](Settings& settings) {
        settings.tableColumns = m_page->table().columns().saveState();
    };
    page.resetLayout = [this] {
        showHeldLocks();
        m_page->table().columns().reset();
    };
    page.mayClose = [this](std::function<void()> close) {
        return m_hands->mayQuit(std::move(close));
    };
    return page;
}

QList<SettingsTab> LocksController::createSettingsTabs()
{
    const auto texts = [this](std::string_view field) { return m_locks.knownTexts(field); };
    return {{tr("Colour rules"),
             [this, texts](QWidget* parent, auto changed) {
                 return new ColorRulesTab(m_context.settings, texts, std::move(changed), parent);
             }},
            {tr("Alerts"), [this, texts](QWidget* parent, auto changed) {
                 return new AlertsTab(m_context.settings, *m_alerts, texts, std::move(changed),
                                      parent);
             }}};
}

QMenu* LocksController::createServerMenu()
{
    auto* const menu = new QMenu(tr("&Server"), &m_context.window);
    m_recentMenu = new RecentMenu(menu);
    menu->addAction(m_actions->connectServer);
    menu->addMenu(m_recentMenu);
    menu->addAction(m_actions->disconnectServer);
    menu->addSeparator();
    menu->addAction(m_actions->allowWrites);
    menu->addSeparator();
    menu->addAction(m_actions->sweep);
    menu->addAction(m_actions->deepSweep);
    connect(m_recentMenu, &RecentMenu::serverChosen, this, [this](const ServerProfile& server) {
        m_passwords->complete(server, [this](const auto& endpoints) { openServers(endpoints); });
    });
    connect(m_recentMenu, &RecentMenu::forgetChosen, this, [this] {
        const auto removed = std::exchange(m_context.settings.recentServers, {});
        std::ranges::for_each(removed, [this](const auto& server) { m_passwords->forget(server); });
        showRecentServers();
    });
    return menu;
}

QMenu* LocksController::createLockMenu()
{
    auto* const menu = new QMenu(tr("&Lock"), &m_context.window);
    menu->addAction(m_actions->acquire);
    menu->addSeparator();
    m_commands->fillMenu(*menu);
    menu->addSeparator();
    menu->addAction(m_actions->treatments);
    menu->addAction(m_actions->exportCsv);
    menu->addAction(m_actions->exportJson);
    return menu;
}

void LocksController::connectMonitor()
{
    service::LockMonitor* monitor = &m_context.monitor;
    connect(monitor, &service::LockMonitor::opened, this, &LocksController::takeOpened);
    connect(monitor, &service::LockMonitor::linkChanged, this, &LocksController::takeLink);
    connect(monitor, &service::LockMonitor::locksChanged, this, &LocksController::takeLocks);
    const auto take = [this](const auto& news) {
        m_watch.update(news);
        scheduleRefresh();
    };
    connect(monitor, &service::LockMonitor::sweepProgressed, this, take);
    connect(monitor, &service::LockMonitor::loadMeasured, this, take);
    connect(&m_context.desk, &service::ReleaseDesk::auditFailed, this,
            [this](const QString& reason) {
                m_context.window.showNotice(
                    tr("Could not write the result of the last attempt to the audit file: %1")
                        .arg(reason));
            });
}

void LocksController::connectPanels()
{
    LockTableView* table = &m_page->table();
    MainWindow* const window = &m_context.window;
    connect(table, &LockTableView::currentLockChanged, this, &LocksController::explain);
    connect(table, &LockTableView::detailsRequested, this, [this] { dockOf(*m_details)->show(); });
    connect(&m_locks, &models::LockTableModel::locksReplaced, &m_counts,
            &models::LockCountsModel::apply);
    connect(&m_context.formats, &service::FormatStore::changed, this, &LocksController::showTitles);
    showTitles();
    connect(&m_locks, &models::LockTableModel::pausedChangeCountChanged, this,
            &LocksController::scheduleRefresh);
    connect(m_filter, &LockFilterEdit::filterChanged, this,
            [this](const inspect::LockFilter& filter) {
                m_locks.setFilter(filter);
                m_side->showFilter(m_filter->text());
                refresh();
            });
    connect(m_filter, &LockFilterEdit::filterUsed, this, [this](const QString& filter) {
        rememberFilter(m_context.settings, filter);
        m_filter->setHistory(m_context.settings.filterHistory);
    });
    connect(m_side, &LockSidePanel::wordChosen, m_filter, &LockFilterEdit::toggleWord);
    connect(m_log, &ActivityView::lockChosen, table, &LockTableView::setCurrentLock);
    connect(m_owners, &OwnersPanel::lockChosen, table, &LockTableView::setCurrentLock);
    connect(m_owners, &OwnersPanel::filterChosen, m_filter, &LockFilterEdit::toggleWord);
    connect(m_details, &LockDetailsPanel::releaseRequested, m_commands,
            &LockCommands::openReleaseDialog);
    connect(m_details, &LockDetailsPanel::capTtlRequested, m_commands,
            &LockCommands::openCapTtlDialog);
    connect(m_journal, &ReleaseJournal::told, &window->status(), &StatusStrip::showNews);
    connect(m_journal, &ReleaseJournal::answeredLate, window, &MainWindow::showNotice);
    connect(m_journal, &ReleaseJournal::cameBack, window, &MainWindow::showNotice);
    connect(m_page, &LocksPage::stepChosen, this, &LocksController::takeStep);
    connect(m_page, &LocksPage::probableDataToggled, this, [this] {
        m_context.settings.showsProbableData = !m_locks.showsProbableData();
        applySettings();
    });
    connect(&window->strip().badge(), &ServerBadge::clicked, this,
            &LocksController::showConnectionDialog);
    connect(m_hands, &HandLocks::noticed, window, &MainWindow::showNotice);
    connect(m_held, &HeldLocksPanel::emptinessChanged, this, &LocksController::showHeldLocks);
    connect(window, &MainWindow::goingAway, this, [this] {
        m_filter->disconnect();
        m_page->table().disconnect();
    });
}

void LocksController::connectActions()
{
    const auto on = [this](QAction* action, auto slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    on(m_actions->connectServer, &LocksController::showConnectionDialog);
    on(m_actions->disconnectServer, [this] { watch({}); });
    on(m_actions->sweep, [this] { m_context.monitor.resweep(false); });
    on(m_actions->deepSweep, &LocksController::deepSweep);
    on(m_actions->focusTable, [this] {
        m_context.window.showPage(u"locks"_s);
        m_page->table().setFocus();
    });
    on(m_actions->focusFilter, [this] {
        m_context.window.showPage(u"locks"_s);
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    on(m_actions->copyReleaseCommand,
       [this] { QGuiApplication::clipboard()->setText(m_details->releaseCommand()); });
    connect(m_actions->pause, &QAction::toggled, this, &LocksController::setPaused);
    connect(&m_permit, &WritePermit::changed, this, &LocksController::takePermit);
    connect(&m_permit, &WritePermit::expired, this, [this] {
        m_context.window.status().showNews(
            tr("The time for writes is over: the connection is read-only again."));
    });
}

void LocksController::openServers(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty()) {
        return;
    }
    rememberServer(m_context.settings, profileOf(endpoints));
    showRecentServers();
    watch(endpoints);
}

void LocksController::watch(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty()) {
        m_context.monitor.close();
        takeOpened({});
    } else {
        m_context.monitor.open(endpoints, m_context.watchOptions);
    }
}

void LocksController::takeOpened(const std::vector<store::Endpoint>& endpoints)
{
    m_opened = endpoints;
    m_permit.open(endpoints);
    m_watch.open(m_permit.applyTo(endpoints));
    m_locks.clear();
    m_activity.clear();
    m_alerts->open(endpoints);
    m_details->showLock({});
    m_actions->pause->setChecked(false);
    m_locks.setServers(m_watch.serverNames(), endpoints.empty() ? 0 : endpoints.front().database);
    MainWindow& window = m_context.window;
    window.edge().setEnvironment(models::toQString(m_watch.environment()));
    window.setWindowTitle(endpoints.empty()
                              ? tr("Lockscope")
                              : tr("%1 – Lockscope").arg(titleOf(profileOf(endpoints))));
    showServers();
    m_switch->showState();
    refresh();
}

void LocksController::takePermit()
{
    m_watch.setReadOnly(!m_permit.mayWrite());
    showServers();
}

void LocksController::showServers()
{
    const std::vector<store::Endpoint>& endpoints = m_watch.endpoints();
    m_context.window.strip().badge().showServers(endpoints);
    m_hands->setServers(endpoints);
    m_details->setReadOnly(m_watch.isReadOnly());
    m_commands->setReadOnly(m_watch.isReadOnly());
    Q_EMIT watchedChanged(endpoints);
}

void LocksController::takeLink(const service::LinkStatus& status)
{
    if (status.server >= m_watch.serverCount()) {
        return;
    }
    const service::LinkStatus before = m_watch.links()[status.server];
    m_watch.update(status);
    logLink(before, status);
    refresh();
}

void LocksController::logLink(const service::LinkStatus& before, const service::LinkStatus& status)
{
    if (auto entry = linkEntry(before, status, m_context.monitor.now())) {
        entry->at = m_context.wallNow();
        entry->place = models::toQString(store::serverName(m_watch.endpoints()[status.server]));
        m_activity.append(*std::move(entry));
    }
}

void LocksController::takeLocks(const inspect::LockDelta& delta)
{
    m_locks.apply(delta);
    m_activity.apply(delta);
    m_commands->takeLocks(delta);
    if (!m_locks.isPaused()) {
        for (const inspect::LockChange& change : delta.changes) {
            m_details->updateLock(change);
        }
    }
    scheduleRefresh();
}

void LocksController::explain(const inspect::LockPtr& lock)
{
    const LockTableView& table = m_page->table();
    if (lock == nullptr && table.chosenId()) {
        m_details->showAbsent(*table.chosenId(), table.isChosenHidden());
    } else {
        m_details->showLock(lock);
    }
}

void LocksController::scheduleRefresh()
{
    if (!m_refreshSoon->isActive()) {
        m_refreshSoon->start();
    }
}

void LocksController::refresh()
{
    const Instant now = m_context.monitor.now();
    m_page->showState(m_watch, now);
    MainWindow& window = m_context.window;
    window.status().showState(m_watch, m_locks.heldLockCount(), now);
    window.status().showTime(m_context.wallNow());
    window.notice().showState(barText(m_page->situation(), m_watch, now));
    const bool isBlind = m_page->situation() == LocksSituation::NotAllowed;
    const bool isOnline = m_watch.onlineCount() > 0;
    window.strip().showLive(isBlind ? LinkTone::Bad : linkWording(m_watch, now).tone, isOnline,
                            m_locks.isPaused());
    showPauseButton(isOnline);
    m_details->setOnline(isOnline);
    m_commands->setOnline(isOnline);
    for (QAction* action : {m_actions->disconnectServer, m_actions->sweep, m_actions->deepSweep}) {
        action->setEnabled(m_watch.isOpen());
    }
}

void LocksController::showConnectionDialog()
{
    auto* dialog = new ConnectionDialog({m_context.tester, *m_passwords, m_context.settings,
                                         m_context.prompter},
                                        &m_context.window);
    dialog->setEndpoints(m_opened);
    connect(dialog, &ConnectionDialog::connectRequested, this,
            [this, dialog](const std::vector<store::Endpoint>& endpoints) {
                openServers(endpoints);
                m_passwords->fulfil(dialog->passwordWish(), endpoints);
            });
    connect(dialog, &QDialog::finished, this, &LocksController::showRecentServers);
    dialog->open();
}

void LocksController::showRecentServers()
{
    m_recentMenu->showServers(m_context.settings.recentServers);
}

void LocksController::deepSweep()
{
    const bool isDelicate = std::ranges::any_of(m_opened, store::isProduction);
    const QString effect = models::toQString(m_watch.effectOfDeepSweep());
    if (!isDelicate && effect.isEmpty()) {
        m_context.monitor.resweep(true);
        return;
    }
    m_context.prompter.ask(&m_context.window, deepSweepQuestion(isDelicate, effect),
                           [this](Answer answer) {
                               if (answer == Answer::Accepted) {
                                   m_context.monitor.resweep(true);
                               }
                           });
}

void LocksController::takeStep(EmptyText::Step step)
{
    switch (step) {
    case EmptyText::Step::Connect: showConnectionDialog(); break;
    case EmptyText::Step::StartDemo: Q_EMIT demoWanted(); break;
    case EmptyText::Step::DeepSweep: deepSweep(); break;
    case EmptyText::Step::ClearFilter: m_filter->apply({}); break;
    case EmptyText::Step::None: break;
    }
}

void LocksController::setPaused(bool isPaused)
{
    m_locks.setPaused(isPaused);
    m_actions->pause->setText(isPaused ? tr("Resume") : tr("&Pause"));
    m_actions->pause->setIcon(tintedIcon(isPaused ? u"resume" : u"pause"));
    refresh();
}

void LocksController::showPauseButton(bool isOnline)
{
    const bool isPaused = m_locks.isPaused();
    const qint64 waiting = m_locks.pausedChangeCount();
    m_pause->setEnabled(isOnline || isPaused);
    m_pause->setText(!isPaused     ? tr("Pause")
                     : waiting > 0 ? tr("Resume · +%1").arg(models::countText(waiting))
                                   : tr("Resume"));
}

void LocksController::showHeldLocks()
{
    dockOf(*m_held)->setVisible(!m_held->isEmpty());
    // Side by side.
    m_context.window.resizeDocks({dockOf(*m_log), dockOf(*m_held)}, {1, 1}, Qt::Horizontal);
}

void LocksController::applySettings()
{
    m_names->applySettings();
    m_locks.setShowsProbableData(m_context.settings.showsProbableData);
    m_locks.setColorRules(models::ColorRules(m_context.settings.colorRules));
    m_alerts->setAlerts(m_context.settings.alerts);
    m_details->refresh();
    m_log->refresh(); // the times
    refresh();
}

void LocksController::showTitles()
{
    m_locks.setFormats(m_context.formats.formats());
    m_counts.setFormats(m_context.formats.formats());
}

FactContext LocksController::factContext() const
{
    return {m_context.monitor.now(), m_context.wallNow(), m_watch.endpoints(),
            m_context.formats.formats()};
}

WallTime LocksController::wallTimeOf(Instant instant) const
{
    const auto ago = std::chrono::duration_cast<std::chrono::milliseconds>(m_context.monitor.now()
                                                                           - instant);
    return m_context.wallNow() - ago;
}

} // namespace lockscope::widgets
