#pragma once

#include "core/service/alert_hooks.h"
#include "core/service/format_store.h"
#include "core/service/watch_services.h"
#include "ui/models/locks/activity_model.h"
#include "ui/models/locks/lock_counts_model.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/lock_facts.h"
#include "ui/widgets/locks/locks_situation.h"
#include "ui/widgets/locks/write_permit.h"
#include "ui/widgets/shell/watch_state.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

class QMenu;
class QPushButton;
class QTimer;

namespace lockscope::widgets {

class ActivityView;
class AlertDesk;
class LockActions;
class LockCommands;
class LockDetailsPanel;
class LockFilterEdit;
class LockSidePanel;
class LocksPage;
class MainWindow;
class Notifier;
class OwnersPanel;
class WaitsPanel;
class PageActions;
class Prompter;
class ReleaseJournal;
class WatchedNames;
class WriteSwitch;
struct Settings;

/// One watched server, or one Redlock set, and all that shows it: the watch, what is known of its
/// locks, the permit to write, the table and the panels around it. It goes on while another server
/// is shown. What the window says of the server that is shown is the matter of its owner.
class WatchedServer : public QObject {
    Q_OBJECT
public:
    /// Except for the services all of it outlives the server.
    struct Parts {
        MainWindow& window; // owns the widgets, until the server goes
        service::WatchServices services;
        PageActions& actions;
        service::FormatStore& formats;
        service::AlertHooks& hooks;
        Notifier& notifier;
        Prompter& prompter;
        Settings& settings;
        service::WatchOptions& options;    // of all servers of the window
        std::function<WallTime()> wallNow; // wall-clock time of this machine
        bool mayWrite = true;              // false: it is never written to
    };

    /// Nothing is watched yet.
    WatchedServer(Parts parts, QObject* parent);
    ~WatchedServer() override;

    /// Watches these servers from now on; what was known of others is forgotten.
    void open(const std::vector<store::Endpoint>& endpoints);
    void close();

    bool isOpen() const { return !m_opened.empty(); }
    /// As they were opened, whatever may be written to now.
    const std::vector<store::Endpoint>& opened() const { return m_opened; }
    /// The same with the restrictions of the masters of those that are replicas.
    const std::vector<store::Endpoint>& restricted() const { return m_restricted; }
    /// As they may be written to now, and how they are doing.
    const WatchState& state() const { return m_watch; }
    /// "10.0.0.5:6379/0", or its name among the profiles.
    QString name() const;
    /// How long it may be written to yet; empty: there is no limit.
    QString writeLimit() const;
    Instant now() const { return m_monitor->now(); }

    /// Whether other servers are watched as well, so that what is said of this one must name it.
    void setOneOfSeveral(bool isOneOfSeveral) { m_isOneOfSeveral = isOneOfSeveral; }

    /// What a new server takes from the settings, and what it takes when they have changed.
    void restore();
    void applySettings();
    void setPaused(bool isPaused);
    /// Sweeps again; a deep sweep that may do harm is asked about.
    void resweep(bool isDeep);

    /// Whether somebody sees who holds what, and who waits; else these cost nothing.
    void watchPanels(bool areOwnersShown, bool areWaitsShown);

    /// Fills a menu with what can be done with the locks, below `first`.
    void fillMenu(QMenu& menu, QAction* first) const;

    LockActions& actions() { return *m_actions; }
    AlertDesk& alerts() { return *m_alerts; }
    const models::LockTableModel& locks() const { return m_locks; }
    models::ActivityModel& activity() { return m_activity; }

    // What shows it. The window owns all of it; it goes with the server.
    QWidget& tools() { return *m_tools; }
    LockFilterEdit& filter() { return *m_filter; }
    LocksPage& page() { return *m_page; }
    LockSidePanel& counts() { return *m_side; }
    LockDetailsPanel& details() { return *m_details; }
    ActivityView& log() { return *m_log; }
    OwnersPanel& owners() { return *m_owners; }
    WaitsPanel& waits() { return *m_waits; }

Q_SIGNALS:
    /// Another server, or it may be written to otherwise: opened(), state().
    void serversChanged();
    /// How it is doing, or how much there is: at least once a second while the window is visible.
    void refreshed();
    void writeLimitChanged(const QString& limitText);

    /// A sentence that need not be seen, and one that has to.
    void told(const QString& sentence);
    void noticed(const QString& sentence);

    // What the user wants, and is not the matter of one server.
    void stepChosen(lockscope::widgets::EmptyText::Step step);
    void detailsRequested();
    void pauseChosen(bool isPaused);
    /// The settings were changed from here; of the history of filters only the second tells.
    void settingsChanged();
    void filterRemembered();

private:
    void createPanels();
    void createTools();
    void createCommands();
    void createTimers();
    void connectMonitor();
    void connectPanels();
    void connectJournal();
    void silence();

    void takeOpened(const std::vector<store::Endpoint>& endpoints);
    void takePermit();
    void restrictAsMasters();
    store::Endpoint masterOf(std::size_t server, const std::string& address) const;
    void showServers();
    void takeLink(const service::LinkStatus& status);
    void takeLocks(const inspect::LockDelta& delta);
    void takeFormats();
    void takeStep(EmptyText::Step step);
    void takeFilter(const inspect::LockFilter& filter);
    void logLink(const service::LinkStatus& before, const service::LinkStatus& status);
    void explain(const inspect::LockPtr& lock);
    void scheduleRefresh();
    void refresh();
    void showPauseButton();
    void deepSweep();

    FactContext factContext() const;
    FactContext shownContext() const;
    WallTime wallTimeOf(Instant instant) const;

    Parts m_parts;
    service::LockMonitor* m_monitor;
    service::ReleaseDesk* m_desk;
    std::vector<store::Endpoint> m_opened;
    std::vector<store::Endpoint> m_restricted; // as m_watch has them; never loosened
    bool m_isOneOfSeveral = false;
    WatchState m_watch;
    WritePermit m_permit;
    models::LockTableModel m_locks;
    models::LockCountsModel m_counts;
    models::ActivityModel m_activity;

    LockActions* m_actions = nullptr;
    WriteSwitch* m_switch = nullptr;
    QWidget* m_tools = nullptr;
    LocksPage* m_page = nullptr;
    WatchedNames* m_names = nullptr;
    LockFilterEdit* m_filter = nullptr;
    QPushButton* m_pause = nullptr;
    LockSidePanel* m_side = nullptr;
    LockDetailsPanel* m_details = nullptr;
    ActivityView* m_log = nullptr;
    OwnersPanel* m_owners = nullptr;
    WaitsPanel* m_waits = nullptr;
    ReleaseJournal* m_journal = nullptr;
    AlertDesk* m_alerts = nullptr;
    LockCommands* m_commands = nullptr;
    QTimer* m_refreshSoon = nullptr;
    QTimer* m_tick = nullptr;
    std::vector<QPointer<QWidget>> m_widgets; // null once the window has gone
};

/// Whether what the user has chosen says anything else of the servers than how they are watched. A
/// password or passphrase that is not given again is no other one.
bool saysOtherwise(std::vector<store::Endpoint> chosen,
                   const std::vector<store::Endpoint>& watched);

/// Whether both lists lead to the same databases of the same servers, in the same grouping.
bool areSameServers(const std::vector<store::Endpoint>& a, const std::vector<store::Endpoint>& b);

} // namespace lockscope::widgets
