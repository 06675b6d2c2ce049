#include "ui/widgets/shell/help_pages.h"

#include "ui/models/ui_text.h"
#include "ui/widgets/shell/menu_entries.h"

#include <QAction>
#include <QMenuBar>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QString lineOf(const QString& keys, const QString& what)
{
    return keys.leftJustified(16) + what + u'\n';
}

QString linesOf(const QMenuBar& menus)
{
    QString lines;
    for (const MenuEntry& entry : entriesOf(menus)) {
        QStringList keys;
        for (const QKeySequence& key : entry.action->shortcuts()) {
            keys += key.toString(QKeySequence::NativeText);
        }
        if (!keys.isEmpty()) {
            lines += lineOf(keys.join(u", "), entry.name);
        }
    }
    return lines;
}

} // namespace

Question shortcutsPage(const QMenuBar& menus)
{
    Question page;
    page.title = UiText::tr("Keyboard shortcuts");
    page.text = UiText::tr("Every function is available from the keyboard");
    page.acceptLabel = UiText::tr("Close");
    page.isMonospaced = true;
    page.detail = linesOf(menus)
                  + lineOf(UiText::tr("Esc"),
                           UiText::tr("Clear the filter, or close a dialog without changes"))
                  + lineOf(UiText::tr("Up, Down"),
                           UiText::tr("In the filter box: previous filters"))
                  + lineOf(UiText::tr("Right, Left"),
                           UiText::tr("In the table: show or hide the holders of a lock"))
                  + lineOf(UiText::tr("Enter"),
                           UiText::tr("In the table: the details of the lock"));
    page.detail.chop(1);
    return page;
}

QString keysPage(const QMenuBar& menus)
{
    const Question keys = shortcutsPage(menus);
    return u"# %1\n\n%2.\n\n```\n%3\n```\n"_s.arg(keys.title, keys.text, keys.detail);
}

Question aboutPage()
{
    Question page;
    page.title = UiText::tr("About Lockscope");
    page.text = UiText::tr("Lockscope %1").arg(QStringLiteral(LOCKSCOPE_VERSION));
    page.detail =
        UiText::tr("See, watch and release the distributed locks of a Redis server.\n\n"
                   "Free software under the GNU General Public License, version 3 or later.\nQt %1")
            .arg(QLatin1String(qVersion()));
    page.acceptLabel = UiText::tr("Close");
    return page;
}

} // namespace lockscope::widgets
