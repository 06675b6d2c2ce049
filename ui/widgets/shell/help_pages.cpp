#include "shell/help_pages.h"

#include "shell/actions.h"

#include <QCoreApplication>

namespace lockscope::widgets {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("HelpPages", text);
}

} // namespace

Question shortcutsPage(const Actions& actions, const QList<QAction*>& more)
{
    Question page;
    page.title = translated("Keyboard shortcuts");
    page.text = translated("Every function is available from the keyboard");
    page.acceptLabel = translated("Close");
    page.isMonospaced = true;
    for (const Actions::Shortcut& shortcut : actions.shortcutList(more)) {
        page.detail += shortcut.keys.leftJustified(16) + shortcut.what + u'\n';
    }
    page.detail.chop(1);
    return page;
}

Question aboutPage()
{
    Question page;
    page.title = translated("About Lockscope");
    page.text = translated("Lockscope %1").arg(QStringLiteral(LOCKSCOPE_VERSION));
    page.detail =
        translated("See, watch and release the distributed locks of a Redis server.\n\n"
                   "Free software under the GNU General Public License, version 3 or later.\nQt %1")
            .arg(QLatin1String(qVersion()));
    page.acceptLabel = translated("Close");
    return page;
}

} // namespace lockscope::widgets
