#include "ui/widgets/shell/menu_entries.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

void collect(const QList<QAction*>& actions, const QString& above, QList<MenuEntry>& entries)
{
    for (QAction* const action : actions) {
        const QString name = nameOfTitle(action->text());
        const QString path = above.isEmpty() ? name : above + u" › "_s + name;
        if (const QMenu* const menu = action->menu()) {
            collect(menu->actions(), path, entries);
        } else if (!action->isSeparator() && action->isVisible()) {
            entries.append({action, name, path});
        }
    }
}

} // namespace

QString nameOfTitle(QString title)
{
    static const QRegularExpression kKey(u"\\(&\\w\\)|&(?!&)|…"_s);
    return title.remove(kKey);
}

QList<MenuEntry> entriesOf(const QMenuBar& menus)
{
    QList<MenuEntry> entries;
    collect(menus.actions(), {}, entries);
    return entries;
}

} // namespace lockscope::widgets
