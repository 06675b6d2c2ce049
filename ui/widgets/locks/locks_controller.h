#pragma once

#include "core/service/alert_hooks.h"
#include "core/service/connection_tester.h"
#include "core/service/format_store.h"
#include "core/service/lock_keeper.h"
#include "core/service/lock_monitor.h"
#include "core/service/release_desk.h"
#include "core/service/secret_store.h"
#include "ui/models/locks/activity_model.h"
#include "ui/models/locks/lock_counts_model.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/lock_facts.h"
#include "ui/widgets/locks/locks_situation.h"
#include "ui/widgets/locks/write_permit.h"
#include "ui/widgets/shell/page.h"
#include "ui/widgets/shell/watch_state.h"

#include <QObject>

#include <functional>

class QPushButton;
class QTimer;

namespace lockscope::models {
class ProtocolListModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class ActivityView;
class AlertDesk;
class HandLocks;
class HeldLocksPanel;
class LockActions;
class LockCommands;
class LockDetailsPanel;
class LockFilterEdit;
class LockSidePanel;
class LocksPage;
class MainWindow;
class Notifier;
class OwnersPanel;
class PasswordKeeper;
class Prompter;
class RecentMenu;
class ReleaseJournal;
class WatchedNames;
class WriteSwitch;

/// The page of the locks on the watched servers: the table in the middle, counts at its left, one
/// lock explained at its right, what happened below. It brings the panels, the services and what
/// the window shows of the servers together, and decides nothing about locks itself.
class LocksController : public QObject {
    Q_OBJECT
public:
    /// All of it outlives the controller.
    struct Context {
        MainWindow& window; // owns the controller
        service::LockMonitor& monitor;
        service::ReleaseDesk& desk;
        service::ConnectionTester& tester;
        service::LockKeeper& keeper;
        models::ProtocolListModel& protocols;
        service::FormatStore& formats;
        service::SecretStore& secrets;
        service::AlertHooks& hooks;
        Notifier& notifier;
        Prompter& prompter;
        Settings& settings;
        std::function<WallTime()> wallNow;  // wall-clock time of this machine
        service::WatchOptions watchOptions; // for the servers that are opened from here
        bool mayWrite = true;               // false: no server is ever written to
    };

    explicit LocksController(Context context);
    ~LocksController() override;

    Page page();

    /// Watches these servers, and remembers them among the recent ones. Also callable on the
    /// monitor directly, for servers that are not to be remembered.
    void openServers(const std::vector<store::Endpoint>& endpoints);
    /// Watches these servers without remembering them; none: nothing is watched.
    void watch(const std::vector<store::Endpoint>& endpoints);
    /// As they were opened, whatever may be written to now.
    const std::vector<store::Endpoint>& watched() const { return m_opened; }

Q_SIGNALS:
    /// The servers, or what may be written to: read-only says so of each.
    void watchedChanged(const std::vector<lockscope::store::Endpoint>& endpoints);
    /// The user wants to see the demo's locks.
    void demoWanted();

private:
    void createPanels();
    void createCommands();
    void createPauseButton();
    void createTimers();
    QList<SettingsTab> createSettingsTabs();
    QMenu* createServerMenu();
    QMenu* createLockMenu();
    void connectMonitor();
    void connectPanels();
    void connectActions();

    void takePermit();
    void showServers();
    void takeOpened(const std::vector<store::Endpoint>& endpoints);
    void takeLink(const service::LinkStatus& status);
    void takeLocks(const inspect::LockDelta& delta);
    void logLink(const service::LinkStatus& before, const service::LinkStatus& status);
    void showTitles();
    void applySettings();
    void explain(const inspect::LockPtr& lock);
    void scheduleRefresh();
    void refresh();

    void showConnectionDialog();
    void showRecentServers();
    void deepSweep();
    void takeStep(EmptyText::Step step);
    void setPaused(bool isPaused);
    void showPauseButton(bool isOnline);
    void showHeldLocks();

    FactContext factContext() const;
    WallTime wallTimeOf(Instant instant) const;

    Context m_context;
    std::vector<store::Endpoint> m_opened;
    WatchState m_watch;
    WritePermit m_permit;
    models::LockTableModel m_locks;
    models::LockCountsModel m_counts;
    models::ActivityModel m_activity;

    LockActions* m_actions = nullptr;
    WriteSwitch* m_switch = nullptr;
    PasswordKeeper* m_passwords = nullptr;
    LocksPage* m_page = nullptr;
    WatchedNames* m_names = nullptr;
    LockFilterEdit* m_filter = nullptr;
    QPushButton* m_pause = nullptr;
    LockSidePanel* m_side = nullptr;
    LockDetailsPanel* m_details = nullptr;
    ActivityView* m_log = nullptr;
    OwnersPanel* m_owners = nullptr;
    HeldLocksPanel* m_held = nullptr;
    ReleaseJournal* m_journal = nullptr;
    AlertDesk* m_alerts = nullptr;
    LockCommands* m_commands = nullptr;
    HandLocks* m_hands = nullptr;
    RecentMenu* m_recentMenu = nullptr;
    QTimer* m_refreshSoon = nullptr;
    QTimer* m_tick = nullptr;
};

} // namespace lockscope::widgets
