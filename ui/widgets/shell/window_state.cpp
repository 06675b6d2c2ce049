#include "ui/widgets/shell/window_state.h"

#include <QMainWindow>

namespace lockscope::widgets {

namespace {

/// Raised whenever docks are added or renamed: an arrangement of other docks is no use.
constexpr int kLayoutVersion = 2;

} // namespace

void keepGeometry(const QMainWindow& window, Settings& settings)
{
    settings.windowGeometry = window.saveGeometry();
}

void keepDocks(const QMainWindow& window, Settings& settings)
{
    settings.dockLayout = window.saveState(kLayoutVersion);
}

void restoreWindowState(QMainWindow& window, const Settings& settings)
{
    if (!settings.windowGeometry.isEmpty()) {
        window.restoreGeometry(settings.windowGeometry);
    }
    if (!settings.dockLayout.isEmpty()) {
        window.restoreState(settings.dockLayout, kLayoutVersion);
    }
}

} // namespace lockscope::widgets
