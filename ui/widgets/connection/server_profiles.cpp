#include "ui/widgets/connection/server_profiles.h"

#include "core/kernel/store/master_endpoint.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/controls/status_wording.h"

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QString passwordNameOf(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty()) {
        return {};
    }
    store::Endpoint account = endpoints.front();
    account.database = 0;
    account.tls = {};
    return models::toQString(store::toUrl(account));
}

QString passphraseNameOf(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty() || endpoints.front().tls.privateKeyFile().empty()) {
        return {};
    }
    return u"passphrase of "_s + models::toQString(endpoints.front().tls.privateKeyFile());
}

QString sentinelPasswordNameOf(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty() || !endpoints.front().hasSentinels()) {
        return {};
    }
    const store::SentinelSet& sentinels = endpoints.front().sentinels;
    const QString user = sentinels.user.empty() ? QString()
                                                : models::toQString(sentinels.user) + u'@';
    return u"password of the Sentinels "_s + user
           + models::toQString(store::hostsText(sentinels.hosts));
}

} // namespace

ServerProfile profileOf(const std::vector<store::Endpoint>& endpoints)
{
    ServerProfile server;
    for (const store::Endpoint& endpoint : endpoints) {
        server.urls += models::toQString(store::toUrl(endpoint));
    }
    if (!endpoints.empty()) {
        server.environment = models::toQString(endpoints.front().environment);
        server.isReadOnly = endpoints.front().isReadOnly;
        server.grouping = models::toQString(store::idOf(endpoints.front().grouping));
    }
    return server;
}

std::vector<store::Endpoint> endpointsOf(const ServerProfile& server)
{
    std::vector<store::Endpoint> endpoints;
    for (const QString& url : server.urls) {
        auto parsed = store::parseEndpoint(url.toStdString());
        if (auto* endpoint = std::get_if<store::Endpoint>(&parsed)) {
            endpoint->environment = server.environment.toStdString();
            endpoint->isReadOnly = server.isReadOnly;
            endpoint->grouping = store::groupingOfId(server.grouping.toStdString());
            endpoints.push_back(std::move(*endpoint));
        }
    }
    return endpoints;
}

void recallEnvironment(std::vector<store::Endpoint>& endpoints, const Settings& settings)
{
    for (const ServerProfile& server : settings.profiles + settings.recentServers) {
        for (const store::Endpoint& known : endpointsOf(server)) {
            for (store::Endpoint& endpoint : endpoints) {
                if (endpoint.environment.empty() && store::isSameServer(endpoint, known)) {
                    endpoint.environment = known.environment;
                }
            }
        }
    }
}

void recallRestrictions(store::Endpoint& server, const Settings& settings)
{
    for (const ServerProfile& profile : settings.profiles + settings.recentServers) {
        for (const store::Endpoint& known : endpointsOf(profile)) {
            if (store::isSameAddress(server, known)) {
                store::adoptRestrictions(server, known);
            }
        }
    }
}

QString urlsOf(const ServerProfile& server)
{
    return profileOf(endpointsOf(server)).urls.join(u'\n');
}

const std::array<SecretKind, 3>& secretKinds()
{
    static const std::array<SecretKind, 3> kKinds{
        {{&store::Endpoint::password, passwordNameOf},
         {&store::Endpoint::keyPassphrase, passphraseNameOf},
         {&store::Endpoint::sentinelPassword, sentinelPasswordNameOf}}};
    return kKinds;
}

void lend(std::vector<store::Endpoint>& endpoints, const SecretKind& kind, const QString& secret)
{
    for (store::Endpoint& endpoint : endpoints) {
        if ((endpoint.*kind.member).empty()) {
            endpoint.*kind.member = secret.toStdString();
        }
    }
}

QString titleOf(const ServerProfile& server)
{
    const std::vector<store::Endpoint> endpoints = endpointsOf(server);
    QString title = !server.name.isEmpty() ? server.name
                    : endpoints.empty()    ? UiText::tr("an unreadable address")
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

void RecentMenu::showServers(const QList<ServerProfile>& servers)
{
    clear();
    setEnabled(!servers.isEmpty());
    for (const ServerProfile& server : servers) {
        const QAction* action = addAction(titleOf(server).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, server] { Q_EMIT serverChosen(server); });
    }
    addSeparator();
    const QAction* forget = addAction(tr("Forget all"));
    connect(forget, &QAction::triggered, this, &RecentMenu::forgetChosen);
}

} // namespace lockscope::widgets
