#pragma once

#include <QList>

class QAction;
class QMenu;

namespace lockscope::widgets {

class Actions;

// Which actions stand in which menu, and in what order.

void fillServerMenu(QMenu& menu, const Actions& actions, QMenu& recent);

/// `docks`: the actions that show and hide the docks.
void fillViewMenu(QMenu& menu, const Actions& actions, const QList<QAction*>& docks);

void fillHelpMenu(QMenu& menu, const Actions& actions);

} // namespace lockscope::widgets
