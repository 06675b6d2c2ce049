#pragma once

#include "ui/widgets/shell/page.h"

#include <QMainWindow>

#include <functional>

class QActionGroup;
class QMenuBar;

namespace lockscope::widgets {

class EnvironmentEdge;
class HelpWindow;
class NoticeBar;
class PageSwitch;
class Prompter;
class StatusStrip;
class TopStrip;
struct Question;

/// The window around the pages: head, menus, status, theme, and what is remembered of them from one
/// run of the program to the next. It knows the pages by what they hand in, and none by name.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// Both outlive the window; the settings are loaded, and saved when it closes.
    MainWindow(Prompter& prompter, SettingsFile& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    void addPage(const Page& page);
    /// Once all pages are there: looks as it did the last time.
    void restore();

    /// The names of the pages, as `--page` takes them.
    QStringList pageNames() const;
    /// False when there is no such page.
    bool showPage(const QString& name);

    /// The files that the settings name, besides their own.
    void setPaths(const QList<UsedPath>& paths) { m_paths = paths; }

    /// Closes the window as the user does, but asks nothing, and calls `closed`, perhaps later: the
    /// pages may have something to finish.
    void closeUnasked(const std::function<void()>& closed);

    /// A sentence above the pages that stays until the user closes it.
    void showNotice(const QString& text);

    // What stands around the pages, for the code that fills it.
    EnvironmentEdge& edge() { return *m_edge; }
    TopStrip& strip() { return *m_strip; }
    NoticeBar& notice() { return *m_notice; }
    StatusStrip& status() { return *m_status; }

Q_SIGNALS:
    /// The user wants another theme, or the system's has changed under FollowSystem: see
    /// applyTheme().
    void themeChosen(lockscope::widgets::ThemeChoice choice);
    void visibilityChanged(bool isVisible);
    /// The user wants to see the demo's locks.
    void demoWanted();
    /// The widgets go now. What they still signal, as a lost focus, is of no use any more.
    void goingAway();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void createHead();
    void createStatus();
    void createMenus();
    void createThemes(QMenu& menu);
    void createEditMenu();
    void showThemes();

    void openSettings();
    void applySettings();
    void gatherState();
    void saveSettings();
    void resetLayout();
    void showPageOfHelp(const Question& page);
    void showHelp();
    Settings& settings() { return m_settings.values(); }

    Prompter& m_prompter;
    SettingsFile& m_settings;
    QList<Page> m_added;
    QList<UsedPath> m_paths;
    bool m_hasSaveFailed = false;
    bool m_mayAsk = true;
    bool m_hasBeenShown = false; // what is remembered is on the screen

    PageSwitch* m_pages = nullptr;
    EnvironmentEdge* m_edge = nullptr;
    TopStrip* m_strip = nullptr;
    NoticeBar* m_notice = nullptr;
    StatusStrip* m_status = nullptr;
    HelpWindow* m_help = nullptr; // once it was asked for

    // The menus that the pages add to, and what stands behind that there.
    QMenuBar* m_bar = nullptr;
    QAction* m_quit = nullptr;
    QMenu* m_edit = nullptr;
    QMenu* m_view = nullptr;
    QAction* m_afterPages = nullptr;
    QAction* m_afterActions = nullptr;
    QAction* m_resetLayout = nullptr;
    QActionGroup* m_themes = nullptr; // data(): int(ThemeChoice)
};

} // namespace lockscope::widgets
