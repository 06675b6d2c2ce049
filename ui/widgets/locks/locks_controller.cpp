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
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/lock_details_panel.h"
#include "ui/widgets/locks/lock_side_panel.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/owners_panel.h"
#include "ui/widgets/locks/page_actions.h"
#include "ui/widgets/locks/rules/color_rules_tab.h"
#include "ui/widgets/locks/servers/server_tabs.h"
#include "ui/widgets/locks/servers/watched_server.h"
#include "ui/widgets/locks/table/lock_columns.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"
#include "ui/widgets/locks/treatments/own_formats.h"
#include "ui/widgets/locks/waits_panel.h"
#include "ui/widgets/shell/environment_edge.h"
#include "ui/widgets/shell/main_window.h"
#include "ui/widgets/shell/server_badge.h"
#include "ui/widgets/shell/status_strip.h"
#include "ui/widgets/shell/top_strip.h"
#include "ui/widgets/style/icons.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QDockWidget* dockOf(const QWidget& panel)
{
    return qobject_cast<QDockWidget*>(panel.parentWidget());
}

} // namespace

LocksController::LocksController(Context context)
    : QObject(&context.window),
      m_context(std::move(context))
{
    const auto takeFormats = [this] {
        m_context.watchOptions.formats = m_context.formats.formats();
    };
    takeFormats();
    connect(&m_context.formats, &service::FormatStore::changed, this, takeFormats);
    new FormatProblems(m_context.formats, m_context.window, this);
    m_actions = new PageActions(this);
    m_passwords = new PasswordKeeper(m_context.secrets, m_context.settings, this);
    m_held = new HeldLocksPanel(m_context.keeper, &m_context.window);
    m_hands = new HandLocks({m_context.keeper, m_context.prompter, m_context.protocols,
                             *m_actions->acquire},
                            &m_context.window);
    new HandLockJournal(
        m_context.keeper, [this]() -> models::ActivityModel& { return m_current->activity(); },
        m_context.wallNow, this);
    createFrame();
    createMenus();
    connectWindow();
    connectActions();
    add();
    turnTo(0);
}

LocksController::~LocksController() = default;

void LocksController::createFrame()
{
    QWidget* const window = &m_context.window;
    m_tabs = new ServerTabs(window);
    m_tools = new QStackedWidget(window);
    m_tools->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_counts = new QStackedWidget(window);
    m_details = new QStackedWidget(window);
    m_log = new QStackedWidget(window);
    m_owners = new QStackedWidget(window);
    m_waits = new QStackedWidget(window);
    connect(m_tabs, &ServerTabs::chosen, this, &LocksController::turnTo);
    connect(m_tabs, &ServerTabs::closeRequested, this,
            [this](int index) { close(*m_servers[static_cast<std::size_t>(index)]); });
    connect(m_tabs, &ServerTabs::othersClosed, this, &LocksController::closeOthers);
    connect(m_tabs, &ServerTabs::shownChanged, this, [this](bool isShown) {
        m_isShown = isShown;
        showActions();
    });
}

std::vector<QStackedWidget*> LocksController::stacks() const
{
    return {m_tools, m_counts, m_details, m_log, m_owners, m_waits};
}

void LocksController::createMenus()
{
    m_serverMenu = new QMenu(tr("&Server"), &m_context.window);
    m_recentMenu = new RecentMenu(m_serverMenu);
    m_serverMenu->addAction(m_actions->connectServer);
    m_serverMenu->addMenu(m_recentMenu);
    m_serverMenu->addAction(m_actions->disconnectServer);
    m_serverMenu->addSeparator();
    m_serverMenu->addActions({m_actions->nextTab, m_actions->previousTab, m_actions->closeTab});
    m_serverMenu->addSeparator();
    m_afterWrites = m_serverMenu->addSeparator();
    m_serverMenu->addAction(m_actions->sweep);
    m_serverMenu->addAction(m_actions->deepSweep);
    m_lockMenu = new QMenu(tr("&Lock"), &m_context.window);
    connect(m_recentMenu, &RecentMenu::serverChosen, this, [this](const ServerProfile& server) {
        m_passwords->complete(server, [this](const auto& endpoints) { openServers(endpoints); });
    });
    connect(m_recentMenu, &RecentMenu::forgetChosen, this, [this] {
        const auto removed = std::exchange(m_context.settings.recentServers, {});
        std::ranges::for_each(removed, [this](const auto& server) { m_passwords->forget(server); });
        showRecentServers();
    });
}

/// What can be done with the server that is shown. Only its actions have their keys.
void LocksController::fillMenus()
{
    m_serverMenu->insertAction(m_afterWrites, m_current->actions().allowWrites);
    m_lockMenu->clear();
    m_current->fillMenu(*m_lockMenu, m_actions->acquire);
}

Page LocksController::page()
{
    Page page{u"locks"_s, tr("L&ocks"), m_tabs};
    page.tools = {m_tools};
    page.docks = {
        {u"countsDock"_s, tr("Counts"), m_counts, Qt::LeftDockWidgetArea, {30, 0}},
        {u"detailsDock"_s, tr("Details"), m_details, Qt::RightDockWidgetArea, {46, 0}},
        {u"activityDock"_s, tr("Activity"), m_log, Qt::BottomDockWidgetArea, {0, 10}},
        {u"ownersDock"_s,
         tr("Owners"),
         m_owners,
         Qt::BottomDockWidgetArea,
         {},
         false,
         u"activityDock"_s},
        {u"waitsDock"_s,
         tr("Waiting"),
         m_waits,
         Qt::BottomDockWidgetArea,
         {},
         false,
         u"activityDock"_s},
        {u"heldDock"_s, tr("My locks"), m_held, Qt::BottomDockWidgetArea, {}, true},
    };
    page.menus = {m_serverMenu, m_lockMenu};
    page.actions = {m_actions->focusFilter, m_actions->focusTable, m_actions->pause};
    page.restore = [this](const Settings&) { restore(); };
    page.settingsTabs = createSettingsTabs();
    page.applySettings = [this](const Settings&) { applySettings(); };
    page.save = [this](Settings& settings) {
        settings.tableColumns = m_current->page().table().columns().savedState();
    };
    page.resetLayout = [this] {
        showHeldLocks();
        for (WatchedServer* const server : m_servers) {
            server->page().table().columns().reset();
        }
    };
    page.mayClose = [this](std::function<void()> close) {
        return m_hands->mayQuit(std::move(close));
    };
    page.mayCloseUnasked = [this](std::function<void()> close) {
        return m_hands->mayQuitUnasked(std::move(close));
    };
    return page;
}

void LocksController::restore()
{
    const auto follow = [this](const QStackedWidget& panel, bool& isShown) {
        connect(dockOf(panel), &QDockWidget::visibilityChanged, this,
                [this, &isShown](bool isVisible) {
                    isShown = isVisible;
                    m_current->watchPanels(m_areOwnersShown, m_areWaitsShown);
                });
    };
    follow(*m_owners, m_areOwnersShown);
    follow(*m_waits, m_areWaitsShown);
    showHeldLocks();
    m_current->restore();
    showRecentServers();
}

QList<SettingsTab> LocksController::createSettingsTabs()
{
    const auto texts = [this](std::string_view field) {
        return m_current->locks().knownTexts(field);
    };
    const AlertsTab::Alerts alerts{m_context.notifier,
                                   [this](const QString& alert, Duration span) {
                                       for (WatchedServer* const server : m_servers) {
                                           server->alerts().snooze(alert, span);
                                       }
                                   },
                                   [this](const QString& alert) {
                                       return m_current->alerts().snoozeLeft(alert);
                                   }};
    return {{tr("Colour rules"),
             [this, texts](QWidget* parent, auto changed) {
                 return new ColorRulesTab(m_context.settings, texts, std::move(changed), parent);
             }},
            {tr("Alerts"), [this, texts, alerts](QWidget* parent, auto changed) {
                 return new AlertsTab(m_context.settings, alerts, texts, std::move(changed),
                                      parent);
             }}};
}

void LocksController::connectWindow()
{
    MainWindow* const window = &m_context.window;
    connect(m_passwords, &PasswordKeeper::failed, window, &MainWindow::showNotice);
    connect(&window->strip().badge(), &ServerBadge::clicked, this,
            [this] { showConnectionDialog(Place::Beside); });
    connect(m_hands, &HandLocks::noticed, window, &MainWindow::showNotice);
    connect(m_held, &HeldLocksPanel::emptinessChanged, this, &LocksController::showHeldLocks);
}

void LocksController::connectActions()
{
    const auto on = [this](QAction* action, auto slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    on(m_actions->connectServer, [this] { showConnectionDialog(Place::Beside); });
    on(m_actions->disconnectServer, [this] { close(*m_current); });
    on(m_actions->closeTab, [this] { close(*m_current); });
    on(m_actions->nextTab, [this] { step(1); });
    on(m_actions->previousTab, [this] { step(-1); });
    on(m_actions->sweep, [this] { m_current->resweep(false); });
    on(m_actions->deepSweep, [this] { m_current->resweep(true); });
    on(m_actions->focusTable, [this] {
        m_context.window.showPage(u"locks"_s);
        m_current->page().table().setFocus();
    });
    on(m_actions->focusFilter, [this] {
        m_context.window.showPage(u"locks"_s);
        m_current->filter().setFocus(Qt::ShortcutFocusReason);
        m_current->filter().selectAll();
    });
    connect(m_actions->pause, &QAction::toggled, this, [this](bool isPaused) {
        if (isPaused != m_current->locks().isPaused()) {
            m_current->setPaused(isPaused);
        }
        showPause();
    });
}

void LocksController::connectServer(WatchedServer& server)
{
    WatchedServer* const s = &server;
    MainWindow& window = m_context.window;
    connect(s, &WatchedServer::serversChanged, this, [this, s] {
        showTab(*s);
        if (s == m_current) {
            showServers();
        }
    });
    connect(s, &WatchedServer::refreshed, this, [this, s] {
        showTab(*s);
        if (s == m_current) {
            showState();
        }
    });
    connect(s, &WatchedServer::writeLimitChanged, this, [this, s](const QString& limit) {
        if (s == m_current) {
            m_context.window.strip().badge().showWriteLimit(limit);
        }
    });
    connect(s, &WatchedServer::told, &window, [this, s](const QString& sentence) {
        m_context.window.status().showNews(withPlace(*s, sentence));
    });
    connect(s, &WatchedServer::noticed, &window, [this, s](const QString& sentence) {
        m_context.window.showNotice(withPlace(*s, sentence));
    });
    connect(s, &WatchedServer::stepChosen, this, &LocksController::takeStep);
    connect(s, &WatchedServer::detailsRequested, this, [this] { dockOf(*m_details)->show(); });
    connect(s, &WatchedServer::pauseChosen, m_actions->pause, &QAction::setChecked);
    connect(s, &WatchedServer::settingsChanged, this, &LocksController::applySettings);
    connect(s, &WatchedServer::filterRemembered, this, [this] {
        for (WatchedServer* const other : m_servers) {
            other->filter().setHistory(m_context.settings.filterHistory);
        }
    });
}

WatchedServer* LocksController::add()
{
    auto* const server = new WatchedServer({m_context.window, m_context.createWatch(), *m_actions,
                                            m_context.formats, m_context.hooks, m_context.notifier,
                                            m_context.prompter, m_context.settings,
                                            m_context.watchOptions, m_context.wallNow,
                                            m_context.mayWrite},
                                           this);
    if (m_current != nullptr) { // as the one that is shown
        m_context.settings.tableColumns = m_current->page().table().columns().savedState();
        server->restore();
        for (const models::AlertRule& alert : std::as_const(m_context.settings.alerts)) {
            server->alerts().snooze(alert.name, m_current->alerts().snoozeLeft(alert.name));
        }
    }
    m_tabs->addPage(&server->page());
    m_tools->addWidget(&server->tools());
    m_counts->addWidget(&server->counts());
    m_details->addWidget(&server->details());
    m_log->addWidget(&server->log());
    m_owners->addWidget(&server->owners());
    m_waits->addWidget(&server->waits());
    m_servers.push_back(server);
    connectServer(*server);
    takeCount();
    return server;
}

WatchedServer* LocksController::serverOf(const Endpoints& endpoints) const
{
    const auto found = std::ranges::find_if(m_servers, [&endpoints](const WatchedServer* server) {
        return server->isOpen() && areSameServers(server->opened(), endpoints);
    });
    return found == m_servers.end() ? nullptr : *found;
}

int LocksController::indexOf(const WatchedServer& server) const
{
    return static_cast<int>(std::ranges::find(m_servers, &server) - m_servers.begin());
}

const LocksController::Endpoints& LocksController::watched() const
{
    return m_current->opened();
}

void LocksController::turnTo(int index)
{
    if (m_current != nullptr) {
        m_current->watchPanels(false, false);
        m_serverMenu->removeAction(m_current->actions().allowWrites);
    }
    WatchedServer* const next = m_servers[static_cast<std::size_t>(index)];
    if (m_current != next) {
        m_before = std::exchange(m_current, next);
    }
    m_tabs->setCurrent(index);
    for (QStackedWidget* const stack : stacks()) {
        stack->setCurrentIndex(index);
    }
    m_current->watchPanels(m_areOwnersShown, m_areWaitsShown);
    fillMenus();
    showServers();
    showState();
}

void LocksController::step(int by)
{
    const auto count = static_cast<int>(m_servers.size());
    turnTo((indexOf(*m_current) + by + count) % count);
}

/// The last one stays, and watches nothing.
void LocksController::close(WatchedServer& server)
{
    if (m_servers.size() == 1) {
        server.close();
        return;
    }
    const int index = indexOf(server);
    if (&server == m_current) {
        turnTo(m_before != nullptr ? indexOf(*m_before) : index > 0 ? index - 1 : 1);
    }
    if (&server == m_before) {
        m_before = nullptr;
    }
    m_servers.erase(m_servers.begin() + index);
    m_tabs->removePage(index);
    delete &server;
    takeCount();
}

void LocksController::closeOthers(int index)
{
    const WatchedServer* const kept = m_servers[static_cast<std::size_t>(index)];
    turnTo(index);
    for (WatchedServer* const server : std::vector(m_servers)) {
        if (server != kept) {
            close(*server);
        }
    }
}

bool LocksController::closeServers(const Endpoints& endpoints)
{
    WatchedServer* const server = serverOf(endpoints);
    if (server == nullptr || QApplication::activeModalWidget() != nullptr) {
        return false;
    }
    close(*server);
    return true;
}

void LocksController::openServers(const Endpoints& endpoints)
{
    rememberAndOpen(endpoints, Place::Beside);
}

void LocksController::rememberAndOpen(const Endpoints& endpoints, Place place)
{
    if (endpoints.empty()) {
        return;
    }
    rememberServer(m_context.settings, profileOf(endpoints));
    showRecentServers();
    open(endpoints, place);
}

bool LocksController::watch(const Endpoints& endpoints)
{
    open(endpoints, Place::Beside);
    return isWatched(endpoints);
}

void LocksController::open(const Endpoints& endpoints, Place place)
{
    WatchedServer* server = serverOf(endpoints);
    WatchedServer* const before = m_current;
    if (server != nullptr) {
        turnTo(indexOf(*server));
        if (server->state().onlineCount() == 0 || saysOtherwise(endpoints, server->opened())) {
            server->open(endpoints);
        }
        if (place == Place::Instead && server != before) {
            close(*before);
        }
        return;
    }
    server = before;
    if (before->isOpen() && place == Place::Beside) {
        if (m_servers.size() >= kServersAtMost) {
            m_context.window.showNotice(
                tr("At most %1 servers can be open. Close one of them first.").arg(kServersAtMost));
            return;
        }
        server = add();
    }
    server->open(endpoints);
    turnTo(indexOf(*server));
}

void LocksController::showServers()
{
    const Endpoints& endpoints = m_current->state().endpoints();
    MainWindow& window = m_context.window;
    window.edge().setEnvironment(models::toQString(m_current->state().environment()));
    window.setWindowTitle(
        endpoints.empty() ? tr("Lockscope")
                          : tr("%1 – Lockscope").arg(titleOf(profileOf(m_current->restricted()))));
    window.strip().badge().showServers(endpoints);
    window.strip().badge().showWriteLimit(m_current->writeLimit());
    m_hands->setServers(endpoints);
    Q_EMIT watchedChanged(endpoints);
}

void LocksController::showState()
{
    const WatchState& state = m_current->state();
    const Instant now = m_current->now();
    const LocksSituation situation = m_current->page().situation();
    const bool isPaused = m_current->locks().isPaused();
    MainWindow& window = m_context.window;
    window.status().showState(state, m_current->locks().heldLockCount(), now);
    window.status().showTime(m_context.wallNow());
    window.notice().showState(barText(situation, state, now));
    const bool isBlind = situation == LocksSituation::NotAllowed;
    window.strip().showLive(isBlind ? LinkTone::Bad : linkWording(state, now).tone,
                            state.onlineCount() > 0, isPaused);
    m_actions->pause->setChecked(isPaused);
    m_actions->pause->setEnabled(isPaused || state.onlineCount() > 0); // Space is its key
    showActions();
}

void LocksController::showTab(const WatchedServer& server)
{
    const int index = indexOf(server);
    if (index == static_cast<int>(m_servers.size())) {
        return; // it is not there yet
    }
    m_tabs->setLook(index, tabLookOf(server.name(), server.state(), server.locks().isPaused(),
                                     server.now()));
}

void LocksController::showActions()
{
    for (QAction* const action :
         {m_actions->disconnectServer, m_actions->sweep, m_actions->deepSweep}) {
        action->setEnabled(m_current->state().isOpen());
    }
    const bool areSeveral = m_servers.size() > 1;
    m_actions->closeTab->setEnabled(m_isShown && m_current->isOpen());
    m_actions->nextTab->setEnabled(m_isShown && areSeveral);
    m_actions->previousTab->setEnabled(m_isShown && areSeveral);
}

void LocksController::takeCount()
{
    for (WatchedServer* const server : m_servers) {
        server->setOneOfSeveral(m_servers.size() > 1);
    }
    if (m_current != nullptr) {
        showActions();
    }
}

void LocksController::showPause()
{
    const bool isPaused = m_actions->pause->isChecked();
    m_actions->pause->setText(isPaused ? tr("Resume") : tr("&Pause"));
    m_actions->pause->setIcon(tintedIcon(isPaused ? u"resume" : u"pause"));
}

void LocksController::showConnectionDialog(Place place)
{
    auto* dialog = new ConnectionDialog({m_context.tester, *m_passwords, m_context.settings,
                                         m_context.prompter},
                                        &m_context.window);
    dialog->setEndpoints(watched());
    const bool isBeside = place == Place::Beside;
    dialog->offerInstead(isBeside && m_current->isOpen());
    connect(dialog, &ConnectionDialog::connectRequested, this,
            [this, dialog, isBeside](const Endpoints& endpoints) {
                rememberAndOpen(endpoints,
                                isBeside && !dialog->isInstead() ? Place::Beside : Place::Instead);
                m_passwords->fulfil(dialog->passwordWish(), endpoints);
            });
    connect(dialog, &QDialog::finished, this, &LocksController::showRecentServers);
    dialog->open();
}

void LocksController::showRecentServers()
{
    m_recentMenu->showServers(m_context.settings.recentServers);
}

/// Where a server is not reached, another address is one for the same tab.
void LocksController::takeStep(EmptyText::Step step)
{
    if (step == EmptyText::Step::Connect) {
        showConnectionDialog(Place::Instead);
    } else if (step == EmptyText::Step::StartDemo) {
        Q_EMIT demoWanted();
    }
}

void LocksController::showHeldLocks()
{
    dockOf(*m_held)->setVisible(!m_held->isEmpty());
    // Side by side.
    m_context.window.resizeDocks({dockOf(*m_log), dockOf(*m_held)}, {1, 1}, Qt::Horizontal);
}

void LocksController::applySettings()
{
    for (WatchedServer* const server : m_servers) {
        server->applySettings();
    }
}

/// What is said of a server that is not shown names it.
QString LocksController::withPlace(const WatchedServer& server, const QString& sentence) const
{
    return &server == m_current ? sentence : server.name() + u": "_s + sentence;
}

} // namespace lockscope::widgets
