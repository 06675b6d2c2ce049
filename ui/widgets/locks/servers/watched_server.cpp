#include "ui/widgets/locks/servers/watched_server.h"

#include "core/kernel/store/master_endpoint.h"
#include "ui/models/formatting.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/status_wording.h"
#include "ui/widgets/locks/activity_view.h"
#include "ui/widgets/locks/alerts/alert_desk.h"
#include "ui/widgets/locks/deep_sweep_question.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/lock_commands.h"
#include "ui/widgets/locks/lock_details_panel.h"
#include "ui/widgets/locks/lock_side_panel.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/owners_panel.h"
#include "ui/widgets/locks/page_actions.h"
#include "ui/widgets/locks/release/release_journal.h"
#include "ui/widgets/locks/table/filter_line.h"
#include "ui/widgets/locks/table/lock_columns.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"
#include "ui/widgets/locks/table/named_filters.h"
#include "ui/widgets/locks/table/table_export.h"
#include "ui/widgets/locks/treatments/own_formats.h"
#include "ui/widgets/locks/waits_panel.h"
#include "ui/widgets/locks/watched_names.h"
#include "ui/widgets/locks/write_switch.h"
#include "ui/widgets/shell/main_window.h"

#include <QAction>
#include <QClipboard>
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
constexpr std::chrono::milliseconds kShareTick{1000};

} // namespace

WatchedServer::WatchedServer(Parts parts, QObject* parent)
    : QObject(parent),
      m_parts(std::move(parts)),
      m_monitor(m_parts.services.monitor.get()),
      m_desk(m_parts.services.desk.get()),
      m_permit([this] { return m_monitor->now(); }, m_parts.mayWrite),
      m_locks([this] { return m_monitor->now(); }),
      m_activity([this](Instant instant) { return wallTimeOf(instant); })
{
    m_actions = new LockActions(this);
    m_switch = new WriteSwitch({m_permit, *m_actions->allowWrites,
                                [this] { return serversWording(m_opened); }, m_parts.prompter,
                                m_parts.window},
                               this);
    createPanels();
    createTools();
    createCommands();
    createTimers();
    connectMonitor();
    connectPanels();
    connectJournal();
    takeFormats();
    showServers();
    refresh();
}

WatchedServer::~WatchedServer()
{
    silence();
    for (const QPointer<QWidget>& widget : m_widgets) {
        delete widget;
    }
}

/// What the widgets still signal while they go, as a lost focus, is of no use any more.
void WatchedServer::silence()
{
    if (m_widgets.front()) {
        m_filter->disconnect();
        m_page->table().disconnect();
    }
}

void WatchedServer::createPanels()
{
    QWidget* const window = &m_parts.window;
    m_page = new LocksPage(m_locks, window);
    m_names = new WatchedNames({*m_page, *m_monitor, m_parts.settings, m_parts.options.patterns},
                               this);
    m_side = new LockSidePanel(m_counts, window);
    m_details = new LockDetailsPanel(
        *m_desk, [this] { return shownContext(); }, window);
    m_details->setHistory([this](const inspect::LockId& lock, int most) {
        return m_activity.linesOf(lock, most);
    });
    m_log = new ActivityView(m_activity, m_parts.prompter, window);
    m_owners = new OwnersPanel(m_locks, window);
    m_waits = new WaitsPanel(m_locks, window);
    m_journal = new ReleaseJournal(*m_desk, m_activity, m_parts.wallNow, this);
    m_alerts = new AlertDesk({*m_monitor, m_parts.hooks, m_parts.notifier, m_activity, m_locks,
                              [this](Instant instant) { return wallTimeOf(instant); },
                              [this] { return m_isOneOfSeveral ? name() : QString(); }},
                             this);
}

void WatchedServer::createTools()
{
    m_tools = new QWidget(&m_parts.window);
    m_filter = new LockFilterEdit(m_tools);
    m_filter->setKnownTexts([this](std::string_view field) { return m_locks.knownTexts(field); });
    new NamedFilters(*m_filter, m_parts.settings);
    m_page->filterLine().follow(*m_filter);
    m_pause = new QPushButton(tr("Pause"), m_tools);
    m_pause->setObjectName(u"pauseButton"_s);
    m_pause->setCheckable(true);
    m_pause->setFocusPolicy(Qt::TabFocus);
    m_pause->setToolTip(tr("Freeze the table (Space). Changes are recorded meanwhile."));
    connect(m_pause, &QPushButton::clicked, this, &WatchedServer::pauseChosen);
    createRow(m_tools, {}, 8, {growing(m_filter), m_pause});
    m_widgets = {m_page, m_tools, m_side, m_details, m_log, m_owners, m_waits};
}

void WatchedServer::createCommands()
{
    // The dialogs go with the page.
    m_commands = new LockCommands({*m_actions, m_page->table(), *m_filter, *m_desk, *m_journal,
                                   [this] { return factContext(); }},
                                  m_page);
    new OwnFormats({m_parts.formats, *m_monitor, *m_actions, m_page->table(), m_parts.window},
                   this);
    new TableExport(m_locks, *m_actions, m_parts.prompter, &m_parts.window, this);
    connect(m_actions->copyReleaseCommand, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(m_details->releaseCommand()); });
    // These keys mean something else while typing, so they belong to the lists only.
    for (QWidget* list : {static_cast<QWidget*>(&m_page->table()), static_cast<QWidget*>(m_side)}) {
        list->addAction(m_parts.actions.pause);
    }
    m_log->addListAction(m_parts.actions.pause);
    m_page->table().addAction(m_actions->release);
}

void WatchedServer::createTimers()
{
    m_refreshSoon = new QTimer(this);
    m_refreshSoon->setSingleShot(true);
    m_refreshSoon->setInterval(kRefreshPause);
    connect(m_refreshSoon, &QTimer::timeout, this, &WatchedServer::refresh);
    m_tick = new QTimer(this);
    m_tick->setInterval(kShareTick);
    connect(m_tick, &QTimer::timeout, this, &WatchedServer::refresh);
    const auto follow = [this](bool isVisible) {
        if (isVisible) {
            refresh();
            m_tick->start();
        } else {
            m_tick->stop();
        }
    };
    connect(&m_parts.window, &MainWindow::visibilityChanged, this, follow);
    if (m_parts.window.isVisible()) {
        m_tick->start();
    }
}

void WatchedServer::connectMonitor()
{
    service::LockMonitor* const monitor = m_monitor;
    connect(monitor, &service::LockMonitor::opened, this, &WatchedServer::takeOpened);
    connect(monitor, &service::LockMonitor::linkChanged, this, &WatchedServer::takeLink);
    connect(monitor, &service::LockMonitor::locksChanged, this, &WatchedServer::takeLocks);
    const auto take = [this](const auto& news) {
        m_watch.update(news);
        scheduleRefresh();
    };
    connect(monitor, &service::LockMonitor::sweepProgressed, this, take);
    connect(monitor, &service::LockMonitor::loadMeasured, this, take);
    connect(&m_parts.formats, &service::FormatStore::changed, this, &WatchedServer::takeFormats);
}

void WatchedServer::connectPanels()
{
    LockTableView* const table = &m_page->table();
    connect(table, &LockTableView::currentLockChanged, this, &WatchedServer::explain);
    connect(table, &LockTableView::detailsRequested, this, &WatchedServer::detailsRequested);
    connect(&m_locks, &models::LockTableModel::locksReplaced, &m_counts,
            &models::LockCountsModel::apply);
    connect(&m_locks, &models::LockTableModel::pausedChangeCountChanged, this,
            &WatchedServer::scheduleRefresh);
    connect(m_filter, &LockFilterEdit::filterChanged, this, &WatchedServer::takeFilter);
    connect(m_filter, &LockFilterEdit::filterUsed, this, [this](const QString& filter) {
        rememberFilter(m_parts.settings, filter);
        Q_EMIT filterRemembered();
    });
    connect(m_filter, &LockFilterEdit::returnPressed, this, [this, table] {
        if (m_filter->condition() != LockFilterEdit::Condition::Invalid) {
            table->takeKeyboard(); // where the arrows choose what was found
        }
    });
    connect(m_side, &LockSidePanel::wordChosen, m_filter, &LockFilterEdit::toggleWord);
    connect(m_log, &ActivityView::lockChosen, table, &LockTableView::setCurrentLock);
    connect(m_owners, &OwnersPanel::lockChosen, table, &LockTableView::setCurrentLock);
    connect(m_waits, &WaitsPanel::lockChosen, table, &LockTableView::setCurrentLock);
    connect(m_owners, &OwnersPanel::filterChosen, m_filter, &LockFilterEdit::toggleWord);
    connect(m_details, &LockDetailsPanel::releaseRequested, m_commands,
            &LockCommands::openReleaseDialog);
    connect(m_details, &LockDetailsPanel::capTtlRequested, m_commands,
            &LockCommands::openCapTtlDialog);
    connect(m_page, &LocksPage::stepChosen, this, &WatchedServer::takeStep);
    connect(m_page, &LocksPage::patternsChanged, this, &WatchedServer::settingsChanged);
    connect(m_page, &LocksPage::probableDataToggled, this, [this] {
        m_parts.settings.showsProbableData = !m_locks.showsProbableData();
        Q_EMIT settingsChanged();
    });
    connect(&m_parts.window, &MainWindow::goingAway, this, &WatchedServer::silence);
}

void WatchedServer::connectJournal()
{
    connect(m_journal, &ReleaseJournal::told, this, &WatchedServer::told);
    connect(m_journal, &ReleaseJournal::answeredLate, this, &WatchedServer::noticed);
    connect(m_journal, &ReleaseJournal::cameBack, this, &WatchedServer::noticed);
    connect(m_switch, &WriteSwitch::limitChanged, this, &WatchedServer::writeLimitChanged);
    connect(&m_permit, &WritePermit::changed, this, &WatchedServer::takePermit);
    connect(&m_permit, &WritePermit::expired, this, [this] {
        Q_EMIT told(tr("The time for writes is over: the connection is read-only again."));
    });
    connect(m_desk, &service::ReleaseDesk::auditFailed, this, [this](const QString& reason) {
        Q_EMIT noticed(
            tr("Could not write the result of the last attempt to the audit file: %1").arg(reason));
    });
}

void WatchedServer::open(const std::vector<store::Endpoint>& endpoints)
{
    m_opened = endpoints; // the monitor says so later
    service::WatchOptions options = m_parts.options;
    options.budget.percent = m_parts.settings.serverTimePercent;
    m_monitor->open(endpoints, options);
}

void WatchedServer::close()
{
    m_monitor->close();
    takeOpened({});
}

QString WatchedServer::name() const
{
    const QStringList urls = profileOf(m_opened).urls;
    const auto& profiles = m_parts.settings.profiles;
    const auto profile = std::ranges::find(profiles, urls, &ServerProfile::urls);
    return profile != profiles.end() && !profile->name.isEmpty() ? profile->name
                                                                 : serversWording(m_opened);
}

QString WatchedServer::writeLimit() const
{
    return m_switch->limitText();
}

void WatchedServer::restore()
{
    m_page->table().columns().restore(m_parts.settings.tableColumns);
    m_locks.setShowsProbableData(m_parts.settings.showsProbableData);
    m_locks.setColorRules(models::ColorRules(m_parts.settings.colorRules));
    m_alerts->setAlerts(m_parts.settings.alerts);
    m_filter->setHistory(m_parts.settings.filterHistory);
}

void WatchedServer::applySettings()
{
    m_names->applySettings();
    m_locks.setShowsProbableData(m_parts.settings.showsProbableData);
    m_locks.setColorRules(models::ColorRules(m_parts.settings.colorRules));
    m_alerts->setAlerts(m_parts.settings.alerts);
    restrictAsMasters();
    m_details->refresh();
    m_log->refresh(); // the times
    refresh();
}

void WatchedServer::setPaused(bool isPaused)
{
    m_locks.setPaused(isPaused);
    m_pause->setChecked(isPaused);
    refresh();
}

void WatchedServer::watchPanels(bool areOwnersShown, bool areWaitsShown)
{
    m_owners->setWatched(areOwnersShown);
    m_waits->setWatched(areWaitsShown);
}

void WatchedServer::resweep(bool isDeep)
{
    if (isDeep) {
        deepSweep();
    } else {
        m_monitor->resweep(false);
    }
}

void WatchedServer::deepSweep()
{
    const bool isDelicate = std::ranges::any_of(m_restricted, store::isProduction);
    const QString effect = models::toQString(m_watch.effectOfDeepSweep());
    if (!isDelicate && effect.isEmpty()) {
        m_monitor->resweep(true);
        return;
    }
    m_parts.prompter.ask(&m_parts.window, deepSweepQuestion(isDelicate, effect),
                         [server = QPointer(this)](Answer answer) {
                             if (answer == Answer::Accepted && server) {
                                 server->m_monitor->resweep(true);
                             }
                         });
}

void WatchedServer::fillMenu(QMenu& menu, QAction* first) const
{
    menu.addAction(first);
    menu.addSeparator();
    m_commands->fillMenu(menu);
    menu.addSeparator();
    menu.addAction(m_actions->treatments);
    menu.addAction(m_actions->exportCsv);
    menu.addAction(m_actions->exportJson);
}

void WatchedServer::takeOpened(const std::vector<store::Endpoint>& endpoints)
{
    m_opened = endpoints;
    m_restricted = endpoints;
    m_permit.open(endpoints);
    m_watch.open(m_permit.applyTo(endpoints));
    m_locks.clear();
    m_activity.clear();
    m_alerts->open(endpoints);
    m_details->showLock({});
    setPaused(false);
    m_locks.setHasClusters(std::ranges::any_of(endpoints, &store::Endpoint::isCluster));
    m_locks.setEndpoints(endpoints);
    showServers();
    m_switch->showState();
    refresh();
}

void WatchedServer::takePermit()
{
    m_watch.setEndpoints(m_permit.applyTo(m_restricted));
    showServers();
}

/// A release of a lock of a replica is sent to its master. So the rules of the master apply to the
/// replica as well: environment, read-only, the time for writes.
void WatchedServer::restrictAsMasters()
{
    std::vector<store::Endpoint> restricted = m_restricted;
    for (const service::LinkStatus& link : m_watch.links()) {
        if (link.info.role == store::ServerInfo::Role::Replica
            && store::masterEndpoint(m_restricted[link.server], link.info.master)) {
            store::adoptRestrictions(restricted[link.server],
                                     masterOf(link.server, link.info.master));
        }
    }
    if (restricted == m_restricted) {
        return;
    }
    m_restricted = std::move(restricted);
    m_permit.open(m_restricted);
    m_switch->showState();
    takePermit();
    Q_EMIT told(tr("The rules of the master apply to its replica: releases are sent to the "
                   "master."));
}

/// With all restrictions that are known of it; the server may have more of its own.
store::Endpoint WatchedServer::masterOf(std::size_t server, const std::string& address) const
{
    if (server >= m_restricted.size()) {
        return {};
    }
    store::Endpoint master =
        store::masterEndpoint(m_restricted[server], address).value_or(m_restricted[server]);
    recallRestrictions(master, m_parts.settings);
    return master;
}

void WatchedServer::showServers()
{
    m_desk->setEndpoints(m_watch.endpoints());
    m_details->setReadOnly(m_watch.isReadOnly());
    m_commands->setReadOnly(m_watch.isReadOnly());
    Q_EMIT serversChanged();
}

void WatchedServer::takeLink(const service::LinkStatus& status)
{
    if (status.server >= m_watch.serverCount()) {
        return;
    }
    const service::LinkStatus before = m_watch.links()[status.server];
    m_watch.update(status);
    logLink(before, status);
    restrictAsMasters();
    refresh();
}

void WatchedServer::logLink(const service::LinkStatus& before, const service::LinkStatus& status)
{
    if (auto entry = linkEntry(before, status, m_monitor->now())) {
        entry->at = m_parts.wallNow();
        entry->place = models::toQString(store::serverName(m_watch.endpoints()[status.server]));
        m_activity.append(*std::move(entry));
    }
}

void WatchedServer::takeLocks(const inspect::LockDelta& delta)
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

void WatchedServer::takeFormats()
{
    m_desk->setFormats(m_parts.formats.formats());
    m_locks.setFormats(m_parts.formats.formats());
    m_counts.setFormats(m_parts.formats.formats());
    m_owners->setNames(m_parts.formats.owners());
}

void WatchedServer::takeStep(EmptyText::Step step)
{
    if (step == EmptyText::Step::DeepSweep) {
        deepSweep();
    } else if (step == EmptyText::Step::ClearFilter) {
        m_filter->apply({});
    } else {
        Q_EMIT stepChosen(step);
    }
}

void WatchedServer::takeFilter(const inspect::LockFilter& filter)
{
    m_locks.setFilter(filter);
    m_side->showFilter(m_filter->text());
    refresh();
}

void WatchedServer::explain(const inspect::LockPtr& lock)
{
    const LockTableView& table = m_page->table();
    if (lock == nullptr && table.chosenId()) {
        m_details->showAbsent(*table.chosenId(), table.isChosenHidden());
    } else {
        m_details->showLock(lock);
    }
}

void WatchedServer::scheduleRefresh()
{
    if (!m_refreshSoon->isActive()) {
        m_refreshSoon->start();
    }
}

void WatchedServer::refresh()
{
    m_page->showState(m_watch, m_monitor->now());
    const bool isOnline = m_watch.onlineCount() > 0;
    showPauseButton();
    m_details->setOnline(isOnline);
    m_commands->setOnline(isOnline);
    Q_EMIT refreshed();
}

void WatchedServer::showPauseButton()
{
    const bool isPaused = m_locks.isPaused();
    const qint64 waiting = m_locks.pausedChangeCount();
    m_pause->setEnabled(m_watch.onlineCount() > 0 || isPaused);
    m_pause->setText(!isPaused     ? tr("Pause")
                     : waiting > 0 ? tr("Resume · +%1").arg(models::countText(waiting))
                                   : tr("Resume"));
}

FactContext WatchedServer::factContext() const
{
    return {m_monitor->now(),
            m_parts.wallNow(),
            m_watch.endpoints(),
            m_parts.formats.formats(),
            {},
            m_parts.formats.owners(),
            [this](std::size_t server, const std::string& master) {
                return masterOf(server, master);
            }};
}

/// The details stand still with the table.
FactContext WatchedServer::shownContext() const
{
    FactContext shown = factContext();
    shown.wallNow -= std::chrono::duration_cast<WallTime::duration>(shown.now - m_locks.now());
    shown.now = m_locks.now();
    shown.ruleOf = [this](const inspect::LockRecord& lock) { return m_locks.ruleOf(lock); };
    return shown;
}

WallTime WatchedServer::wallTimeOf(Instant instant) const
{
    const auto ago = std::chrono::duration_cast<std::chrono::milliseconds>(m_monitor->now()
                                                                           - instant);
    return m_parts.wallNow() - ago;
}

bool saysOtherwise(std::vector<store::Endpoint> chosen, const std::vector<store::Endpoint>& watched)
{
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        for (const SecretKind& kind : secretKinds()) {
            if ((chosen[i].*kind.member).empty()) {
                chosen[i].*kind.member = watched[i].*kind.member;
            }
        }
    }
    return chosen != watched;
}

bool areSameServers(const std::vector<store::Endpoint>& a, const std::vector<store::Endpoint>& b)
{
    return std::ranges::equal(a, b, [](const store::Endpoint& x, const store::Endpoint& y) {
        return store::isSameServer(x, y) && x.database == y.database && x.grouping == y.grouping;
    });
}

} // namespace lockscope::widgets
