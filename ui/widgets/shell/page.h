#pragma once

#include "ui/widgets/shell/settings_dialog.h"

#include <QSize>

#include <functional>

class QAction;
class QMenu;
class QWidget;

namespace lockscope::widgets {

/// A panel beside a page, in a dock that can be moved and closed.
struct PageDock {
    QString name{};
    QString title{};
    QWidget* panel = nullptr;
    Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
    QSize size = {0, 0};           // at first, in characters and lines; 0: as the others leave it
    bool isBesideAllPages = false; // not only beside its own
    QString behind{};              // the dock whose place it shares, as a tab behind it
};

/// A page of the window: all that the window knows of it. Only the first three have to be given.
struct Page {
    QString name{};            // `--page` takes it
    QString title{};           // with the mnemonic of its entry in the View menu
    QWidget* widget = nullptr; // becomes a child of the window

    QString help{};            // the page of the help about it: "lab.md"; empty: none
    QList<QWidget*> tools{};   // in the strip above the pages, while this one is shown
    QList<PageDock> docks{};   // around the page
    QList<QMenu*> menus{};     // in the menu bar; also while another page is shown
    QList<QAction*> actions{}; // in the View menu; likewise

    QList<SettingsTab> settingsTabs{};                    // in the dialog of the settings
    std::function<void(const Settings&)> applySettings{}; // the user has changed some there

    std::function<void(const Settings&)> restore{}; // after all pages were added
    /// Puts there what is to be remembered: every second and at the end. The window writes it when
    /// it is not what was written last.
    std::function<void(Settings&)> save{};
    std::function<void()> resetLayout{}; // after the docks are where they were at first
    std::function<void()> closing{};     // the window closes now

    /// Whether the window may close now. A page that has to ask first answers no, and calls
    /// `close` later if the user agrees.
    std::function<bool(std::function<void()> close)> mayClose{};
    /// The same where nothing can be asked, because a signal ends the program: a page that has
    /// something to finish answers no, and calls `close` when it is done. The window does not wait
    /// long.
    std::function<bool(std::function<void()> close)> mayCloseUnasked{};
};

} // namespace lockscope::widgets
