#include "shell/menus.h"

#include "shell/actions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

namespace lockscope::widgets {

void fillServerMenu(QMenu& menu, const Actions& actions, QMenu& recent)
{
    menu.addAction(actions.connectServer);
    menu.addMenu(&recent);
    menu.addAction(actions.disconnectServer);
    menu.addSeparator();
    menu.addAction(actions.sweep);
    menu.addAction(actions.deepSweep);
    menu.addSeparator();
    menu.addAction(actions.quit);
}

void fillViewMenu(QMenu& menu, const Actions& actions, const QList<QAction*>& docks)
{
    menu.addAction(actions.showLocks);
    menu.addAction(actions.showLab);
    menu.addAction(actions.showMatrix);
    menu.addAction(actions.showContend);
    menu.addSeparator();
    menu.addAction(actions.focusFilter);
    menu.addAction(actions.focusTable);
    menu.addAction(actions.pause);
    menu.addSeparator();
    menu.addActions(docks);
    menu.addAction(actions.resetLayout);
    menu.addSeparator();
    QMenu* theme = menu.addMenu(QCoreApplication::translate("Menus", "&Theme"));
    theme->addActions(actions.theme->actions());
}

void fillHelpMenu(QMenu& menu, const Actions& actions)
{
    menu.addAction(actions.shortcuts);
    menu.addSeparator();
    menu.addAction(actions.about);
}

} // namespace lockscope::widgets
