#include "ui/widgets/connection/recent_servers.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/controls/status_wording.h"

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

RecentServer recentServerOf(const std::vector<store::Endpoint>& endpoints)
{
    RecentServer server;
    for (const store::Endpoint& endpoint : endpoints) {
        server.urls += models::toQString(store::toUrl(endpoint));
    }
    if (!endpoints.empty()) {
        server.environment = models::toQString(endpoints.front().environment);
        server.isReadOnly = endpoints.front().isReadOnly;
    }
    return server;
}

std::vector<store::Endpoint> endpointsOf(const RecentServer& server)
{
    std::vector<store::Endpoint> endpoints;
    for (const QString& url : server.urls) {
        auto parsed = store::parseEndpoint(url.toStdString());
        if (auto* endpoint = std::get_if<store::Endpoint>(&parsed)) {
            endpoint->environment = server.environment.toStdString();
            endpoint->isReadOnly = server.isReadOnly;
            endpoints.push_back(std::move(*endpoint));
        }
    }
    return endpoints;
}

void recallEnvironment(std::vector<store::Endpoint>& endpoints, const QList<RecentServer>& recent)
{
    for (const RecentServer& server : recent) {
        for (const store::Endpoint& known : endpointsOf(server)) {
            for (store::Endpoint& endpoint : endpoints) {
                if (endpoint.environment.empty() && store::isSameServer(endpoint, known)) {
                    endpoint.environment = known.environment;
                }
            }
        }
    }
}

QString urlsOf(const RecentServer& server)
{
    return recentServerOf(endpointsOf(server)).urls.join(u'\n');
}

QString titleOf(const RecentServer& server)
{
    const std::vector<store::Endpoint> endpoints = endpointsOf(server);
    QString title = endpoints.empty() ? UiText::tr("an unreadable address")
                                      : serversWording(endpoints);
    if (!server.environment.isEmpty()) {
        title.prepend(server.environment + u" · "_s);
    }
    if (server.isReadOnly) {
        title += UiText::tr(" · read-only");
    }
    return title;
}

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
