#pragma once

#include "shell/prompter.h"

#include <QList>

class QAction;

namespace lockscope::widgets {

class Actions;

/// All keys, a line each. `more` are actions that belong to a panel.
Question shortcutsPage(const Actions& actions, const QList<QAction*>& more);

Question aboutPage();

} // namespace lockscope::widgets
