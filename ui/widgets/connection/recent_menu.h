#pragma once

#include "ui/widgets/shell/settings.h"

#include <QMenu>

namespace lockscope::widgets {

/// The servers that were opened before, newest first, and a way to forget them.
class RecentMenu : public QMenu {
    Q_OBJECT
public:
    explicit RecentMenu(QWidget* parent = nullptr);

    void showServers(const QList<RecentServer>& servers);

Q_SIGNALS:
    void serverChosen(const lockscope::widgets::RecentServer& server);
    void forgetChosen();
};

} // namespace lockscope::widgets
