#include "ui/widgets/connection/password_keeper.h"

#include "ui/models/formatting.h"
#include "ui/widgets/connection/server_profiles.h"

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

PasswordKeeper::PasswordKeeper(service::SecretStore& secrets, Settings& settings, QObject* parent)
    : QObject(parent),
      m_secrets(secrets),
      m_settings(settings)
{
    connect(&secrets, &service::SecretStore::fetched, this, &PasswordKeeper::takeFetched);
    connect(&secrets, &service::SecretStore::stored, this, &PasswordKeeper::takeStored);
}

void PasswordKeeper::complete(const ServerProfile& profile, Then then)
{
    std::vector<store::Endpoint> endpoints = endpointsOf(profile);
    if (!profile.keepsPassword || endpoints.empty()) {
        then(std::move(endpoints));
        return;
    }
    m_fetches.insert(m_secrets.fetch(secretNameOf(endpoints)), {profile, std::move(then)});
}

void PasswordKeeper::takeFetched(quint64 request, const QString& secret, const QString& problem)
{
    const auto found = m_fetches.find(request);
    if (found == m_fetches.end()) {
        return;
    }
    const Fetch fetch = *found;
    m_fetches.erase(found);
    if (!problem.isEmpty()) {
        Q_EMIT failed(tr("Could not read the password of %1 from the keyring: %2")
                          .arg(titleOf(fetch.profile), problem));
    }
    std::vector<store::Endpoint> endpoints = endpointsOf(fetch.profile);
    lendPassword(endpoints, secret);
    fetch.then(std::move(endpoints));
}

void PasswordKeeper::fulfil(Wish wish, const std::vector<store::Endpoint>& endpoints)
{
    if (wish == Wish::Leave || endpoints.empty()) {
        return;
    }
    const QStringList urls = profileOf(endpoints).urls;
    const QString name = secretNameOf(endpoints);
    if (wish == Wish::Keep) {
        m_stores.insert(m_secrets.store(name, models::toQString(endpoints.front().password)), urls);
    } else {
        setKeepsPassword(m_settings, urls, false);
        m_stores.insert(m_secrets.remove(name), {});
    }
}

void PasswordKeeper::forget(const ServerProfile& removed)
{
    const QString name = secretNameOf(endpointsOf(removed));
    const auto keepsIt = [&name](const ServerProfile& server) {
        return server.keepsPassword && secretNameOf(endpointsOf(server)) == name;
    };
    if (removed.keepsPassword && !name.isEmpty()
        && std::ranges::none_of(m_settings.profiles + m_settings.recentServers, keepsIt)) {
        m_stores.insert(m_secrets.remove(name), {});
    }
}

/// Only what the keyring has is remembered as kept.
void PasswordKeeper::takeStored(quint64 request, const QString& problem)
{
    if (!m_stores.contains(request)) {
        return;
    }
    const QStringList urls = m_stores.take(request);
    if (!problem.isEmpty()) {
        Q_EMIT failed(tr("Could not change the password in the keyring: %1").arg(problem));
    } else if (!urls.isEmpty()) {
        setKeepsPassword(m_settings, urls, true);
    }
}

} // namespace lockscope::widgets
