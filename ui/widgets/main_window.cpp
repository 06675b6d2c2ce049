#include "main_window.h"

#include "acquire/hand_lock_journal.h"
#include "acquire/hand_locks.h"
#include "acquire/held_locks_panel.h"
#include "connection/connection_dialog.h"
#include "connection/recent_menu.h"
#include "connection/recent_servers.h"
#include "contend/contend_page.h"
#include "contend/run_visit.h"
#include "formatting.h"
#include "lab/lab_page.h"
#include "locks/activity_panel.h"
#include "locks/deep_sweep_question.h"
#include "locks/lock_commands.h"
#include "locks/lock_details_panel.h"
#include "locks/lock_filter_edit.h"
#include "locks/lock_side_panel.h"
#include "locks/lock_table_view.h"
#include "locks/locks_page.h"
#include "locks/release_journal.h"
#include "locks/watched_names.h"
#include "matrix/matrix_page.h"
#include "shell/actions.h"
#include "shell/environment_edge.h"
#include "shell/help_pages.h"
#include "shell/icons.h"
#include "shell/menus.h"
#include "shell/notice_bar.h"
#include "shell/page_bar.h"
#include "shell/page_switch.h"
#include "shell/prompter.h"
#include "shell/server_badge.h"
#include "shell/status_strip.h"
#include "shell/status_wording.h"
#include "shell/tones.h"
#include "shell/top_strip.h"
#include "shell/window_docks.h"
#include "shell/window_state.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QCloseEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
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
    createPages();
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
    // The details stand still with the table.
    const auto context = [this] {
        FactContext shown = factContext();
        shown.wallNow -= std::chrono::duration_cast<WallTime::duration>(shown.now - m_locks.now());
        shown.now = m_locks.now();
        return shown;
    };
    m_page = new LocksPage(m_locks, this);
    new WatchedNames({*m_page, m_context.monitor, settings(), m_context.watchOptions.patterns},
                     this);
    m_filter = new LockFilterEdit(this);
    m_side = new LockSidePanel(m_counts, this);
    m_details = new LockDetailsPanel(m_context.desk, context, this);
    m_log = new ActivityPanel(m_activity, this);
    m_journal = new ReleaseJournal(m_context.desk, m_activity, m_context.wallNow, this);
    m_lab = new LabPage({m_context.searcher, m_context.labRunner, m_protocols, m_context.prompter,
                         settings()},
                        this);
    createMatrix();
    m_contend = new ContendPage({m_context.runner, m_context.prompter, m_protocols}, this);
    m_visit = new RunVisit({m_context.runner, [this] { return m_watch.endpoints(); },
                            [this](const std::vector<store::Endpoint>& servers) {
                                servers.empty()
                                    ? disconnectServer()
                                    : m_context.monitor.open(servers, m_context.watchOptions);
                            }},
                           this);
    connect(m_visit, &RunVisit::ended, this, [this] {
        showNotice(tr("The run is over and its private servers are stopped. The previous server is "
                      "shown again."));
    });
    m_held = new HeldLocksPanel(m_context.keeper, this);
    new HandLockJournal(m_context.keeper, m_activity, m_context.wallNow, this);
}

void MainWindow::createMatrix()
{
    m_matrix = new MatrixPage({m_context.matrixSearcher, m_protocols, m_context.cells,
                               m_context.prompter},
                              this);
    connect(m_matrix, &MatrixPage::cellOpened, this,
            [this](const auto& order, const auto& reports) {
                m_lab->showCell(order, reports);
                showPage(u"lab"_s);
            });
}

void MainWindow::createCommands()
{
    m_commands = new LockCommands({*m_actions, m_page->table(), *m_filter, m_context.desk,
                                   *m_journal, [this] { return factContext(); }},
                                  this);
    m_hands = new HandLocks({m_context.keeper, m_context.prompter, m_protocols,
                             *m_actions->acquire},
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
}

void MainWindow::createPages()
{
    m_pages = new PageSwitch(*this, m_strip->pages());
    m_pages->add(u"locks"_s, tr("Locks"), m_page, m_actions->showLocks);
    m_pages->add(u"lab"_s, tr("Lab"), m_lab, m_actions->showLab);
    m_pages->add(u"matrix"_s, tr("Matrix"), m_matrix, m_actions->showMatrix);
    m_pages->add(u"contend"_s, tr("Contend"), m_contend, m_actions->showContend);
    connect(m_pages, &PageSwitch::pageShown, this,
            [this] { m_strip->showTableTools(m_pages->isFirstShown()); });
}

void MainWindow::createDocks()
{
    m_docks = std::make_unique<WindowDocks>(*this,
                                            WindowDocks::Panels{m_side, m_details, m_log, m_held});
    m_pages->setCommon(&m_docks->held());
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
    m_recentMenu = new RecentMenu(this);
    auto* bar = menuWidget()->findChild<QMenuBar*>(u"menuBar"_s);
    fillServerMenu(*bar->addMenu(tr("&Server")), *m_actions, *m_recentMenu);
    QMenu* lock = bar->addMenu(tr("&Lock"));
    lock->addAction(m_actions->acquire);
    lock->addSeparator();
    m_commands->fillMenu(*lock);
    fillViewMenu(*bar->addMenu(tr("&View")), *m_actions, m_docks->toggles());
    fillHelpMenu(*bar->addMenu(tr("&Help")), *m_actions);
    connect(m_recentMenu, &RecentMenu::serverChosen, this,
            [this](const RecentServer& server) { openServers(endpointsOf(server)); });
    connect(m_recentMenu, &RecentMenu::forgetChosen, this, [this] {
        settings().recentServers.clear();
        m_recentMenu->showServers({});
    });
}

void MainWindow::connectMonitor()
{
    service::LockMonitor* monitor = &m_context.monitor;
    connect(monitor, &service::LockMonitor::opened, this, &MainWindow::takeOpened);
    connect(monitor, &service::LockMonitor::linkChanged, this, &MainWindow::takeLink);
    connect(monitor, &service::LockMonitor::locksChanged, this, &MainWindow::takeLocks);
    const auto take = [this](const auto& news) {
        m_watch.take(news);
        scheduleRefresh();
    };
    connect(monitor, &service::LockMonitor::sweepProgressed, this, take);
    connect(monitor, &service::LockMonitor::loadMeasured, this, take);
    connect(
        &m_context.desk, &service::ReleaseDesk::auditFailed, this, [this](const QString& reason) {
            showNotice(tr("Could not write the result of the last attempt to the audit file: %1")
                           .arg(reason));
        });
}

void MainWindow::connectPanels()
{
    LockTableView* table = &m_page->table();
    connect(table, &LockTableView::currentLockChanged, this, &MainWindow::explain);
    connect(table, &LockTableView::detailsRequested, this, [this] { m_docks->showDetails(); });
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
    connect(m_journal, &ReleaseJournal::told, m_status, &StatusStrip::showNews);
    connect(m_journal, &ReleaseJournal::answeredLate, this, &MainWindow::showNotice);
    connect(m_page, &LocksPage::stepChosen, this, &MainWindow::takeStep);
    connect(&m_strip->badge(), &ServerBadge::clicked, this, &MainWindow::showConnectionDialog);
    connect(m_contend, &ContendPage::locksRequested, this, &MainWindow::watchRun);
    connect(m_hands, &HandLocks::noticed, this, &MainWindow::showNotice);
    connect(m_held, &HeldLocksPanel::emptinessChanged, this,
            [this] { m_docks->showHeld(!m_held->isEmpty()); });
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
    on(m_actions->focusTable, [this] {
        showPage(u"locks"_s);
        m_page->table().setFocus();
    });
    on(m_actions->focusFilter, [this] {
        showPage(u"locks"_s);
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    on(m_actions->copyReleaseCommand,
       [this] { QGuiApplication::clipboard()->setText(m_details->releaseCommand()); });
    on(m_actions->resetLayout, [this] {
        showPage(u"locks"_s);
        m_docks->reset();
        m_docks->showHeld(!m_held->isEmpty());
        m_page->table().resetColumns();
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
    m_docks->arrange();
    restoreWindowState(*this, settings());
    m_docks->showHeld(!m_held->isEmpty());
    m_page->table().restoreState(settings().tableColumns);
    m_filter->setHistory(settings().filterHistory);
    for (QAction* action : m_actions->theme->actions()) {
        action->setChecked(action->data().toInt() == static_cast<int>(settings().theme));
    }
    m_recentMenu->showServers(settings().recentServers);
    m_page->setFocus();
}

void MainWindow::openServers(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty()) {
        return;
    }
    rememberServer(settings(), recentServerOf(endpoints));
    m_recentMenu->showServers(settings().recentServers);
    m_context.monitor.open(endpoints, m_context.watchOptions);
}

QStringList MainWindow::pageNames() const
{
    return m_strip->pages().names();
}

bool MainWindow::showPage(const QString& name)
{
    return m_pages->show(name);
}

void MainWindow::openRun(const QString& path)
{
    showPage(u"lab"_s);
    m_lab->openRun(path);
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
    m_locks.setServers(m_watch.serverNames(), endpoints.empty() ? 0 : endpoints.front().database);
    m_strip->badge().showServers(endpoints);
    m_edge->setEnvironment(models::toQString(m_watch.environment()));
    m_contend->setServers(endpoints);
    m_hands->setServers(endpoints);
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
    if (auto entry = linkEntry(before, status, m_context.monitor.now())) {
        entry->at = m_context.wallNow();
        entry->place = models::toQString(store::serverName(m_watch.endpoints()[status.server]));
        m_activity.append(*std::move(entry));
    }
}

void MainWindow::takeLocks(const inspect::LockDelta& delta)
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

void MainWindow::explain(const inspect::LockPtr& lock)
{
    const LockTableView& table = m_page->table();
    if (lock == nullptr && table.chosenId()) {
        m_details->showAbsent(*table.chosenId(), table.isChosenHidden());
    } else {
        m_details->showLock(lock);
    }
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
    m_notice->showState(barText(m_page->situation(), m_watch, now));
    const bool isBlind = m_page->situation() == LocksSituation::NotAllowed;
    m_strip->showLive(isBlind ? LinkTone::Bad : linkWording(m_watch, now).tone,
                      m_watch.onlineCount() > 0, m_locks.isPaused(), m_locks.pausedChangeCount());
    const bool isOnline = m_watch.onlineCount() > 0;
    m_details->setOnline(isOnline);
    m_commands->setOnline(isOnline);
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
    const QString effect = models::toQString(m_watch.effectOfDeepSweep());
    if (!isDelicate && effect.isEmpty()) {
        m_context.monitor.resweep(true);
        return;
    }
    m_context.prompter.ask(this, deepSweepQuestion(isDelicate, effect), [this](Answer answer) {
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

void MainWindow::watchRun(const std::vector<store::Endpoint>& servers)
{
    m_visit->begin(servers);
    showPage(u"locks"_s);
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
    if (!m_hands->mayQuit([this] { close(); })) {
        event->ignore();
        return;
    }
    m_context.runner.stop();
    showPage(u"locks"_s); // whose layout is the one to keep
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
