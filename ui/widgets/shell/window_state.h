#pragma once

#include "ui/widgets/shell/settings.h"

class QMainWindow;

namespace lockscope::widgets {

/// Keeps where the window is, and the arrangement of its docks.
void keepGeometry(const QMainWindow& window, Settings& settings);
void keepDocks(const QMainWindow& window, Settings& settings);

/// Puts the window and its docks where they were. What the settings do not know, or no longer fits,
/// stays as it is.
void restoreWindowState(QMainWindow& window, const Settings& settings);

} // namespace lockscope::widgets
