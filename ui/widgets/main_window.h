#pragma once

#include "activity_model.h"
#include "cell_cache.h"
#include "connection_tester.h"
#include "live_runner.h"
#include "lock_counts_model.h"
#include "lock_keeper.h"
#include "lock_monitor.h"
#include "lock_table_model.h"
#include "locks/lock_facts.h"
#include "locks/locks_situation.h"
#include "protocol_list_model.h"
#include "release_desk.h"
#include "search_runner.h"
#include "shell/settings.h"
#include "shell/watch_state.h"

#include <QMainWindow>

#include <functional>
#include <memory>

class QTimer;

namespace lockscope::widgets {

class Actions;
class ActivityPanel;
class ContendPage;
class EnvironmentEdge;
class HandLocks;
class HeldLocksPanel;
class LabPage;
class LockCommands;
class LockDetailsPanel;
class LockFilterEdit;
class LockSidePanel;
class LocksPage;
class MatrixPage;
class NoticeBar;
class PageSwitch;
class Prompter;
class RecentMenu;
class ReleaseJournal;
class RunVisit;
class StatusStrip;
class TopStrip;
class WindowDocks;
struct Question;

/// Everything a window is given. All of it outlives the window.
struct WindowContext {
    service::LockMonitor& monitor;
    service::ReleaseDesk& desk;
    service::ConnectionTester& tester;
    service::LiveRunner& runner;
    service::LockKeeper& keeper;
    service::SearchRunner& searcher;
    service::LiveRunner& labRunner; // besides the one of the Contend page
    service::SearchRunner& matrixSearcher;
    models::CellCache& cells; // of the matrix
    Prompter& prompter;
    SettingsFile& settings;             // loaded; the window saves it when it closes
    std::function<WallTime()> wallNow;  // calendar time of this machine
    service::WatchOptions watchOptions; // for the servers that are opened from here
};

/// The window: the table in the middle, counts at its left, one lock explained at its right, what
/// happened below. It brings the panels and the services together and decides nothing about locks
/// itself.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(WindowContext context, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Watches these servers, and remembers them among the recent ones. Also callable on the
    /// monitor directly, for servers that are not to be remembered.
    void openServers(const std::vector<store::Endpoint>& endpoints);

    /// The names of the pages, as `--page` takes them.
    QStringList pageNames() const;
    /// False when there is no such page.
    bool showPage(const QString& name);

    /// Shows a saved run or counterexample in the laboratory.
    void openRun(const QString& path);

    /// A sentence over the table that stays until the user closes it.
    void showNotice(const QString& text);

Q_SIGNALS:
    /// The user wants another theme, or the system's has changed under FollowSystem: see
    /// applyTheme().
    void themeChosen(lockscope::widgets::ThemeChoice choice);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void createPanels();
    void createMatrix();
    void createCommands();
    void createHead();
    void createDocks();
    void createStatus();
    void createMenus();
    void connectMonitor();
    void connectPanels();
    void connectActions();
    void restore();

    void createPages();

    void takeOpened(const std::vector<store::Endpoint>& endpoints);
    void takeLink(const service::LinkStatus& status);
    void takeLocks(const inspect::LockDelta& delta);
    void logLink(const service::LinkStatus& before, const service::LinkStatus& status);
    void explain(const inspect::LockPtr& lock);
    void scheduleRefresh();
    void refresh();

    void showConnectionDialog();
    void disconnectServer();
    void deepSweep();
    void takeStep(EmptyText::Step step);
    void setPaused(bool isPaused);
    void showFilterError(const QString& error);
    void watchRun(const std::vector<store::Endpoint>& servers);
    void showPageOfHelp(const Question& page);
    void chooseTheme(ThemeChoice choice);

    FactContext factContext() const;
    WallTime wallTimeOf(Instant instant) const;
    Settings& settings() { return m_context.settings.values(); }

    WindowContext m_context;
    WatchState m_watch;
    models::LockTableModel m_locks;
    models::LockCountsModel m_counts;
    models::ActivityModel m_activity;
    models::ProtocolListModel m_protocols;

    Actions* m_actions = nullptr;
    LocksPage* m_page = nullptr;
    LockFilterEdit* m_filter = nullptr;
    LockSidePanel* m_side = nullptr;
    LockDetailsPanel* m_details = nullptr;
    ActivityPanel* m_log = nullptr;
    ReleaseJournal* m_journal = nullptr;
    LockCommands* m_commands = nullptr;
    LabPage* m_lab = nullptr;
    MatrixPage* m_matrix = nullptr;
    ContendPage* m_contend = nullptr;
    RunVisit* m_visit = nullptr;
    HandLocks* m_hands = nullptr;
    HeldLocksPanel* m_held = nullptr;
    PageSwitch* m_pages = nullptr;
    EnvironmentEdge* m_edge = nullptr;
    TopStrip* m_strip = nullptr;
    NoticeBar* m_notice = nullptr;
    StatusStrip* m_status = nullptr;
    std::unique_ptr<WindowDocks> m_docks;
    RecentMenu* m_recentMenu = nullptr;
    QTimer* m_refreshSoon = nullptr;
    QTimer* m_tick = nullptr;
};

} // namespace lockscope::widgets
