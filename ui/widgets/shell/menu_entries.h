#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenuBar;

namespace lockscope::widgets {

/// What an entry of a menu is called, without its key: "&Find…" and "查找(&F)…" are "Find" and
/// "查找".
QString nameOfTitle(QString title);

/// An action in a menu, under its name without marks for the keyboard.
struct MenuEntry {
    QAction* action = nullptr;
    QString name; // "Release"
    QString path; // "Lock › Release"
};

/// All that can be triggered, in the order of the menus, those of submenus included.
QList<MenuEntry> entriesOf(const QMenuBar& menus);

} // namespace lockscope::widgets
