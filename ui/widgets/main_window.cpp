#include "main_window.h"

#include "connection/connection_dialog.h"
#include "connection/recent_servers.h"
#include "formatting.h"
#include "locks/activity_panel.h"
#include "locks/lock_commands.h"
#include "locks/lock_details_panel.h"
#include "locks/lock_filter_edit.h"
#include "locks/lock_side_panel.h"
#include "locks/lock_table_view.h"
#include "locks/locks_page.h"
#include "locks/release_journal.h"
#include "shell/actions.h"
#include "shell/environment_edge.h"
#include "shell/help_pages.h"
#include "shell/icons.h"
#include "shell/notice_bar.h"
#include "shell/page_bar.h"
#include "shell/prompter.h"
#include "shell/server_badge.h"
#include "shell/status_strip.h"
#include "shell/status_wording.h"
#include "shell/tones.h"
#include "shell/top_strip.h"
#include "shell/window_state.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Room for every column and for the details; on a smaller screen the window fills it.
constexpr QSize kUsualSize(1440, 900);
constexpr QSize kLeastSize(1280, 800);
constexpr std::chrono::milliseconds kRefreshPause{50};
constexpr std::chrono::milliseconds kTick{1000};

} // namespace

MainWindow::MainWindow(WindowContext context, QWidget* parent)
    : QMainWindow(parent),
      m_context(std::move(context)),
      m_locks([this] { return m_context.monitor.now(); }),
      m_activity([this](Instant instant) { return wallTimeOf(instant); })
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("Lockscope"));
    setWindowIcon(applicationIcon());
    m_actions = new Actions(this);
    createPanels();
    createCommands();
    createHead();
    createDocks();
    createStatus();
    createMenus();
    connectMonitor();
    connectPanels();
    connectActions();
    restore();
    refresh();
}

MainWindow::~MainWindow()
{
    // The panels refer to the models, which are members, so they go first; and what they still say
    // while they go (the filter box loses the focus) concerns nobody any more.
    m_filter->disconnect();
    m_page->table().disconnect();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::createPanels()
{
    const auto context = [this] { return factContext(); };
    m_page = new LocksPage(m_locks, this);
    m_filter = new LockFilterEdit(this);
    m_side = new LockSidePanel(m_counts, this);
    m_details = new LockDetailsPanel(m_context.desk, context, this);
    m_log = new ActivityPanel(m_activity, this);
    m_journal = new ReleaseJournal(m_context.desk, m_activity, m_context.wallNow, this);
    m_pages = new QStackedWidget(this);
    setCentralWidget(m_pages);
}

void MainWindow::createCommands()
{
    m_commands = new LockCommands({*m_actions, m_page->table(), *m_filter, m_context.desk,
                                   *m_journal, [this] { return factContext(); }},
                                  this);
    // These keys mean something else while typing, so they belong to the lists only.
    for (QWidget* list : {static_cast<QWidget*>(&m_page->table()), static_cast<QWidget*>(m_side),
                          static_cast<QWidget*>(m_log)}) {
        list->addAction(m_actions->pause);
    }
    m_page->table().addAction(m_actions->release);
}

void MainWindow::createHead()
{
    auto* head = new QWidget(this);
    m_edge = new EnvironmentEdge(head);
    m_edge->setObjectName(u"environmentEdge"_s);
    m_strip = new TopStrip(m_filter, m_actions->pause, head);
    m_notice = new NoticeBar(head);
    auto* bar = new QMenuBar(head);
    bar->setObjectName(u"menuBar"_s);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_edge);
    layout->addWidget(bar);
    layout->addWidget(m_strip);
    layout->addWidget(m_notice);
    setMenuWidget(head);
    addPage(u"locks"_s, tr("Locks"), m_page);
}

void MainWindow::addPage(const QString& name, const QString& title, QWidget* page)
{
    m_pages->addWidget(page);
    m_strip->pages().addPage(name, title);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* panel,
                                 Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::createDocks()
{
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_sideDock = addDock(u"countsDock"_s, tr("Counts"), m_side, Qt::LeftDockWidgetArea);
    m_detailsDock = addDock(u"detailsDock"_s, tr("Details"), m_details, Qt::RightDockWidgetArea);
    m_logDock = addDock(u"activityDock"_s, tr("Activity"), m_log, Qt::BottomDockWidgetArea);
}

void MainWindow::arrangeDocks()
{
    const int unit = fontMetrics().height();
    resizeDocks({m_sideDock, m_detailsDock}, {unit * 12, unit * 22}, Qt::Horizontal);
    resizeDocks({m_logDock}, {unit * 9}, Qt::Vertical);
}

void MainWindow::createStatus()
{
    m_status = new StatusStrip(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(m_status, 1);
    m_refreshSoon = new QTimer(this);
    m_refreshSoon->setSingleShot(true);
    m_refreshSoon->setInterval(kRefreshPause);
    connect(m_refreshSoon, &QTimer::timeout, this, &MainWindow::refresh);
    m_tick = new QTimer(this);
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &MainWindow::refresh);
}

void MainWindow::createMenus()
{
    auto* bar = menuWidget()->findChild<QMenuBar*>(u"menuBar"_s);
    createServerMenu(*bar->addMenu(tr("&Server")));
    m_commands->fillMenu(*bar->addMenu(tr("&Lock")));
    createViewMenu(*bar->addMenu(tr("&View")));
    QMenu* help = bar->addMenu(tr("&Help"));
    help->addAction(m_actions->shortcuts);
    help->addSeparator();
    help->addAction(m_actions->about);
}

void MainWindow::createServerMenu(QMenu& menu)
{
    menu.addAction(m_actions->connectServer);
    m_recentMenu = menu.addMenu(tr("&Recent"));
    m_recentMenu->setObjectName(u"recentMenu"_s);
    menu.addAction(m_actions->disconnectServer);
    menu.addSeparator();
    menu.addAction(m_actions->sweep);
    menu.addAction(m_actions->deepSweep);
    menu.addSeparator();
    menu.addAction(m_actions->quit);
}

void MainWindow::createViewMenu(QMenu& menu)
{
    menu.addAction(m_actions->focusFilter);
    menu.addAction(m_actions->focusTable);
    menu.addAction(m_actions->pause);
    menu.addSeparator();
    for (const QDockWidget* dock : {m_sideDock, m_detailsDock, m_logDock}) {
        menu.addAction(dock->toggleViewAction());
    }
    menu.addAction(m_actions->resetLayout);
    menu.addSeparator();
    QMenu* theme = menu.addMenu(tr("&Theme"));
    theme->addActions(m_actions->theme->actions());
}

void MainWindow::connectMonitor()
{
    service::LockMonitor* monitor = &m_context.monitor;
    connect(monitor, &service::LockMonitor::opened, this, &MainWindow::takeOpened);
    connect(monitor, &service::LockMonitor::linkChanged, this, &MainWindow::takeLink);
    connect(monitor, &service::LockMonitor::locksChanged, this, &MainWindow::takeLocks);
    connect(monitor, &service::LockMonitor::sweepProgressed, this,
            [this](const service::SweepProgress& progress) {
                m_watch.take(progress);
                scheduleRefresh();
            });
    connect(monitor, &service::LockMonitor::loadMeasured, this,
            [this](const service::ServerLoad& load) {
                m_watch.take(load);
                scheduleRefresh();
            });
    connect(&m_context.desk, &service::ReleaseDesk::auditFailed, this,
            [this](const QString& reason) {
                showNotice(
                    tr("The last attempt could not be written to the audit file: %1").arg(reason));
            });
}

void MainWindow::connectPanels()
{
    LockTableView* table = &m_page->table();
    connect(table, &LockTableView::currentLockChanged, this, [this](const inspect::LockPtr& lock) {
        if (lock != nullptr) { // one that is gone stays readable until another one is chosen
            m_details->showLock(lock);
        }
    });
    connect(table, &LockTableView::detailsRequested, this, [this] { m_detailsDock->show(); });
    connect(&m_locks, &models::LockTableModel::locksReplaced, &m_counts,
            &models::LockCountsModel::apply);
    connect(&m_locks, &models::LockTableModel::pausedChangeCountChanged, this,
            &MainWindow::scheduleRefresh);
    connect(m_filter, &LockFilterEdit::filterChanged, this,
            [this](const inspect::LockFilter& filter) {
                m_locks.setFilter(filter);
                m_side->showFilter(m_filter->text());
                refresh();
            });
    connect(m_filter, &LockFilterEdit::errorChanged, this, &MainWindow::showFilterError);
    connect(m_filter, &LockFilterEdit::filterUsed, this, [this](const QString& filter) {
        rememberFilter(settings(), filter);
        m_filter->setHistory(settings().filterHistory);
    });
    connect(m_side, &LockSidePanel::wordChosen, m_filter, &LockFilterEdit::toggleWord);
    connect(m_log, &ActivityPanel::lockChosen, table, &LockTableView::setCurrentLock);
    connect(m_details, &LockDetailsPanel::releaseRequested, m_commands,
            &LockCommands::openReleaseDialog);
    connect(m_details, &LockDetailsPanel::capTtlRequested, m_commands,
            &LockCommands::openCapTtlDialog);
    connect(m_page, &LocksPage::stepChosen, this, &MainWindow::takeStep);
    connect(&m_strip->badge(), &ServerBadge::clicked, this, &MainWindow::showConnectionDialog);
    connect(&m_strip->pages(), &PageBar::pageChosen, this, &MainWindow::showPage);
}

void MainWindow::connectActions()
{
    const auto on = [this](QAction* action, auto slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    on(m_actions->connectServer, &MainWindow::showConnectionDialog);
    on(m_actions->disconnectServer, &MainWindow::disconnectServer);
    on(m_actions->sweep, [this] { m_context.monitor.resweep(false); });
    on(m_actions->deepSweep, &MainWindow::deepSweep);
    on(m_actions->quit, &MainWindow::close);
    on(m_actions->focusTable, [this] { m_page->table().setFocus(); });
    on(m_actions->focusFilter, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    on(m_actions->copyReleaseCommand,
       [this] { QGuiApplication::clipboard()->setText(m_details->releaseCommand()); });
    on(m_actions->resetLayout, [this] {
        restoreState(m_defaultLayout);
        m_page->table().resetColumns();
        arrangeDocks();
    });
    on(m_actions->shortcuts,
       [this] { showPageOfHelp(shortcutsPage(*m_actions, m_page->table().copyActions())); });
    on(m_actions->about, [this] { showPageOfHelp(aboutPage()); });
    connect(m_actions->pause, &QAction::toggled, this, &MainWindow::setPaused);
    connect(m_actions->theme, &QActionGroup::triggered, this, [this](const QAction* action) {
        chooseTheme(static_cast<ThemeChoice>(action->data().toInt()));
    });
}

void MainWindow::restore()
{
    resize(kUsualSize.boundedTo(screen()->availableSize().expandedTo(kLeastSize)));
    arrangeDocks();
    m_defaultLayout = saveState();
    restoreWindowState(*this, settings());
    m_page->table().restoreState(settings().tableColumns);
    m_filter->setHistory(settings().filterHistory);
    for (QAction* action : m_actions->theme->actions()) {
        action->setChecked(action->data().toInt() == static_cast<int>(settings().theme));
    }
    fillRecentMenu();
    m_page->setFocus();
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    m_recentMenu->setEnabled(!settings().recentServers.isEmpty());
    for (const RecentServer& server : settings().recentServers) {
        QAction* action = m_recentMenu->addAction(titleOf(server).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this,
                [this, server] { openServers(endpointsOf(server)); });
    }
    m_recentMenu->addSeparator();
    QAction* forget = m_recentMenu->addAction(tr("Forget all"));
    connect(forget, &QAction::triggered, this, [this] {
        settings().recentServers.clear();
        fillRecentMenu();
    });
}

void MainWindow::openServers(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty()) {
        return;
    }
    rememberServer(settings(), recentServerOf(endpoints));
    fillRecentMenu();
    m_context.monitor.open(endpoints, m_context.watchOptions);
}

QStringList MainWindow::pageNames() const
{
    return m_strip->pages().names();
}

bool MainWindow::showPage(const QString& name)
{
    const auto index = static_cast<int>(pageNames().indexOf(name));
    if (index < 0) {
        return false;
    }
    m_pages->setCurrentIndex(index);
    m_strip->pages().setCurrent(name);
    return true;
}

void MainWindow::showNotice(const QString& text)
{
    m_notice->showNotice(text);
}

void MainWindow::takeOpened(const std::vector<store::Endpoint>& endpoints)
{
    m_watch.open(endpoints);
    m_locks.clear();
    m_activity.clear();
    m_details->showLock({});
    m_actions->pause->setChecked(false);
    std::vector<std::string> names;
    names.reserve(endpoints.size());
    for (const store::Endpoint& endpoint : endpoints) {
        names.push_back(store::serverName(endpoint));
    }
    m_locks.setServers(std::move(names), endpoints.empty() ? 0 : endpoints.front().database);
    m_strip->badge().showServers(endpoints);
    m_edge->setEnvironment(models::toQString(m_watch.environment()));
    m_details->setReadOnly(m_watch.isReadOnly());
    m_commands->setReadOnly(m_watch.isReadOnly());
    setWindowTitle(endpoints.empty()
                       ? tr("Lockscope")
                       : tr("%1 – Lockscope").arg(titleOf(recentServerOf(endpoints))));
    refresh();
}

void MainWindow::takeLink(const service::LinkStatus& status)
{
    if (status.server >= m_watch.serverCount()) {
        return;
    }
    const service::LinkStatus before = m_watch.links()[status.server];
    m_watch.take(status);
    logLink(before, status);
    refresh();
}

void MainWindow::logLink(const service::LinkStatus& before, const service::LinkStatus& status)
{
    if (before.state == status.state && before.live == status.live) {
        return;
    }
    const LinkWording wording = linkWording(status, m_context.monitor.now());
    models::ActivityEntry entry;
    entry.at = m_context.wallNow();
    entry.kind = wording.tone == LinkTone::Bad ? models::ActivityKind::Problem
                                               : models::ActivityKind::Connection;
    entry.text = models::toQString(store::serverName(m_watch.endpoints()[status.server])) + u": "
                 + wording.text;
    if (!wording.reason.isEmpty()) {
        entry.text += u" · " + wording.reason;
    }
    m_activity.append(std::move(entry));
}

void MainWindow::takeLocks(const inspect::LockDelta& delta)
{
    m_locks.apply(delta);
    m_activity.apply(delta);
    if (!m_locks.isPaused()) {
        for (const inspect::LockChange& change : delta.changes) {
            m_details->updateLock(change);
        }
    }
    scheduleRefresh();
}

void MainWindow::scheduleRefresh()
{
    if (!m_refreshSoon->isActive()) {
        m_refreshSoon->start();
    }
}

void MainWindow::refresh()
{
    const Instant now = m_context.monitor.now();
    m_page->showState(m_watch, now);
    m_status->showState(m_watch, m_locks.heldLockCount(), now);
    m_status->showTime(m_context.wallNow());
    m_notice->showState(m_page->situation() == LocksSituation::Table ? staleText(m_watch, now)
                                                                     : QString());
    m_strip->showLive(linkWording(m_watch, now).tone, m_watch.onlineCount() > 0, m_locks.isPaused(),
                      m_locks.pausedChangeCount());
    for (QAction* action : {m_actions->disconnectServer, m_actions->sweep, m_actions->deepSweep}) {
        action->setEnabled(m_watch.isOpen());
    }
}

void MainWindow::showConnectionDialog()
{
    auto* dialog = new ConnectionDialog(m_context.tester, settings().recentServers, this);
    dialog->setEndpoints(m_watch.endpoints());
    connect(dialog, &ConnectionDialog::connectRequested, this, &MainWindow::openServers);
    dialog->open();
}

void MainWindow::disconnectServer()
{
    m_context.monitor.close();
    takeOpened({});
}

void MainWindow::deepSweep()
{
    const bool isDelicate = environmentColor(models::toQString(m_watch.environment())).isValid();
    if (!isDelicate) {
        m_context.monitor.resweep(true);
        return;
    }
    Question question;
    question.title = tr("Deep sweep");
    question.text = tr("Read every key of a production server that could be a lock?");
    question.detail = tr("It is paced so that no call keeps the server busy for longer than about "
                         "a millisecond, and "
                         "changes nothing. With many keys it takes a while.");
    question.acceptLabel = tr("Deep sweep");
    question.declineLabel = tr("Cancel");
    m_context.prompter.ask(this, question, [this](Answer answer) {
        if (answer == Answer::Accepted) {
            m_context.monitor.resweep(true);
        }
    });
}

void MainWindow::takeStep(EmptyText::Step step)
{
    switch (step) {
    case EmptyText::Step::Connect: showConnectionDialog(); break;
    case EmptyText::Step::DeepSweep: deepSweep(); break;
    case EmptyText::Step::ClearFilter: m_filter->apply({}); break;
    case EmptyText::Step::None: break;
    }
}

void MainWindow::setPaused(bool isPaused)
{
    m_locks.setPaused(isPaused);
    m_actions->pause->setText(isPaused ? tr("Resume") : tr("&Pause"));
    m_actions->pause->setIcon(tintedIcon(isPaused ? u"resume" : u"pause"));
    refresh();
}

void MainWindow::showFilterError(const QString& error)
{
    m_status->showRemark(error.isEmpty() ? QString() : tr("Filter: %1").arg(error));
}

void MainWindow::showPageOfHelp(const Question& page)
{
    m_context.prompter.ask(this, page, [](Answer) {});
}

void MainWindow::chooseTheme(ThemeChoice choice)
{
    settings().theme = choice;
    Q_EMIT themeChosen(choice);
}

FactContext MainWindow::factContext() const
{
    return {m_context.monitor.now(), m_context.wallNow(), m_watch.endpoints()};
}

WallTime MainWindow::wallTimeOf(Instant instant) const
{
    const auto ago = std::chrono::duration_cast<std::chrono::milliseconds>(m_context.monitor.now()
                                                                           - instant);
    return m_context.wallNow() - ago;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    keepWindowState(*this, settings());
    settings().tableColumns = m_page->table().saveState();
    m_context.settings.save();
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ThemeChange && settings().theme == ThemeChoice::FollowSystem) {
        Q_EMIT themeChosen(ThemeChoice::FollowSystem);
    }
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    refresh();
    m_tick->start();
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    m_tick->stop();
}

} // namespace lockscope::widgets
