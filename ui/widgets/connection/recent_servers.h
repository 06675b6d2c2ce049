#pragma once

#include "core/kernel/store/endpoint.h"
#include "ui/widgets/shell/settings.h"

#include <QMenu>

#include <vector>

namespace lockscope::widgets {

/// What is remembered of a connection: everything but the passwords.
RecentServer recentServerOf(const std::vector<store::Endpoint>& endpoints);

/// The connection that was remembered, without its passwords. URLs that cannot be read (a settings
/// file may be edited by hand) are left out.
std::vector<store::Endpoint> endpointsOf(const RecentServer& server);

/// Gives servers that name no environment the one that they were opened with before: an address
/// that is typed or pasted is no way around what it is known to be.
void recallEnvironment(std::vector<store::Endpoint>& endpoints, const QList<RecentServer>& recent);

/// The URLs that can be read, one a line. A password that a user wrote into the settings file is
/// not among it.
QString urlsOf(const RecentServer& server);

/// "production · 10.0.0.5:6379/0"
QString titleOf(const RecentServer& server);

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
