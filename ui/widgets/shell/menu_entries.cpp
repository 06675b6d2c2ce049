#include "ui/widgets/shell/menu_entries.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Without the key: "&Find…" and "查找(&F)…" are "Find" and "查找".
QString nameOf(const QAction& action)
{
    static const QRegularExpression kKey(u"\\(&\\w\\)|&(?!&)|…"_s);
    return action.text().remove(kKey);
}

void collect(const QList<QAction*>& actions, const QString& above, QList<MenuEntry>& entries)
{
    for (QAction* const action : actions) {
        const QString name = nameOf(*action);
        const QString path = above.isEmpty() ? name : above + u" › "_s + name;
        if (const QMenu* const menu = action->menu()) {
            collect(menu->actions(), path, entries);
        } else if (!action->isSeparator() && action->isVisible()) {
            entries.append({action, name, path});
        }
    }
}

} // namespace

QList<MenuEntry> entriesOf(const QMenuBar& menus)
{
    QList<MenuEntry> entries;
    collect(menus.actions(), {}, entries);
    return entries;
}

} // namespace lockscope::widgets
