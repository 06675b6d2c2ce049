#include "ui/widgets/connection/recent_menu.h"

#include "ui/widgets/connection/recent_servers.h"

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

RecentMenu::RecentMenu(QWidget* parent) : QMenu(tr("&Recent"), parent)
{
    setObjectName(u"recentMenu"_s);
}

void RecentMenu::showServers(const QList<RecentServer>& servers)
{
    clear();
    setEnabled(!servers.isEmpty());
    for (const RecentServer& server : servers) {
        const QAction* action = addAction(titleOf(server).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, server] { Q_EMIT serverChosen(server); });
    }
    addSeparator();
    const QAction* forget = addAction(tr("Forget all"));
    connect(forget, &QAction::triggered, this, &RecentMenu::forgetChosen);
}

} // namespace lockscope::widgets
