#pragma once

#include "core/service/alert_hooks.h"
#include "core/service/connection_tester.h"
#include "core/service/format_store.h"
#include "core/service/lock_keeper.h"
#include "core/service/secret_store.h"
#include "core/service/watch_services.h"
#include "ui/widgets/locks/locks_situation.h"
#include "ui/widgets/shell/page.h"

#include <QObject>

#include <functional>
#include <vector>

class QStackedWidget;

namespace lockscope::models {
class ProtocolListModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class HandLocks;
class HeldLocksPanel;
class MainWindow;
class Notifier;
class PageActions;
class PasswordKeeper;
class Prompter;
class RecentMenu;
class ServerTabs;
class WatchedServer;

/// The page of the locks on the watched servers, with a tab for each of them: the table in the
/// middle, counts at its left, one lock explained at its right, what happened below. It decides
/// which server is shown, and has the window show what there is to say of that one.
class LocksController : public QObject {
    Q_OBJECT
public:
    /// Each of them costs two threads and some connections.
    static constexpr int kServersAtMost = 8;

    /// All of it outlives the controller.
    struct Context {
        MainWindow& window; // owns the controller
        service::WatchServicesFactory createWatch;
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

    using Endpoints = std::vector<store::Endpoint>;

    explicit LocksController(Context context);
    ~LocksController() override;

    Page page();

    /// Watches these servers beside the others, and remembers them among the recent ones. Servers
    /// that are watched already are shown, and opened anew only if they are to be reached
    /// otherwise, or are not reached.
    void openServers(const Endpoints& endpoints);
    /// The same without remembering them. False, and said so, if there are too many.
    bool watch(const Endpoints& endpoints);
    /// Ends the watch of these servers, unless a dialog is open. False if nothing was ended.
    bool closeServers(const Endpoints& endpoints);

    bool isWatched(const Endpoints& endpoints) const { return serverOf(endpoints) != nullptr; }
    /// The servers that are shown, as they were opened, whatever may be written to now.
    const Endpoints& watched() const;

Q_SIGNALS:
    /// The servers that are shown, or what may be written to: read-only says so of each.
    void watchedChanged(const std::vector<lockscope::store::Endpoint>& endpoints);
    /// The user wants to see the demo's locks.
    void demoWanted();

private:
    enum class Place { Beside, Instead };

    void createFrame();
    void createMenus();
    QList<SettingsTab> createSettingsTabs();
    void connectWindow();
    void connectActions();
    void connectServer(WatchedServer& server);

    WatchedServer* add();
    WatchedServer* serverOf(const Endpoints& endpoints) const;
    int indexOf(const WatchedServer& server) const;
    std::vector<QStackedWidget*> stacks() const;
    void turnTo(int index);
    void step(int by);
    void close(WatchedServer& server);
    void closeOthers(int index);
    void open(const Endpoints& endpoints, Place place);
    void rememberAndOpen(const Endpoints& endpoints, Place place);

    void fillMenus();
    void showServers();
    void showState();
    void showTab(const WatchedServer& server);
    void showActions();
    void takeCount();
    void showPause();
    void showHeldLocks();
    void showRecentServers();
    void showConnectionDialog(Place place);
    void restore();
    void applySettings();
    void takeStep(EmptyText::Step step);
    QString withPlace(const WatchedServer& server, const QString& sentence) const;

    Context m_context;
    PageActions* m_actions = nullptr;
    PasswordKeeper* m_passwords = nullptr;
    HeldLocksPanel* m_held = nullptr;
    HandLocks* m_hands = nullptr;
    QMenu* m_serverMenu = nullptr;
    QAction* m_afterWrites = nullptr; // in that menu
    QMenu* m_lockMenu = nullptr;
    RecentMenu* m_recentMenu = nullptr;

    // The servers in the order of their tabs, and of what is in each stack. There is always one,
    // though it may not be open.
    std::vector<WatchedServer*> m_servers;
    WatchedServer* m_current = nullptr;
    WatchedServer* m_before = nullptr; // was shown before it; null: none that is left
    bool m_isShown = false;            // the page is
    bool m_areOwnersShown = false;     // their dock is
    bool m_areWaitsShown = false;      // likewise
    ServerTabs* m_tabs = nullptr;
    QStackedWidget* m_tools = nullptr;
    QStackedWidget* m_counts = nullptr;
    QStackedWidget* m_details = nullptr;
    QStackedWidget* m_log = nullptr;
    QStackedWidget* m_owners = nullptr;
    QStackedWidget* m_waits = nullptr;
};

} // namespace lockscope::widgets
