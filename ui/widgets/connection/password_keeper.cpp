#include "ui/widgets/connection/password_keeper.h"

#include "ui/models/formatting.h"

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
    const auto completion = std::make_shared<Completion>();
    completion->profile = profile;
    completion->then = std::move(then);
    for (const SecretKind& kind : secretKinds()) {
        if (const QString name = kind.nameOf(endpoints); !name.isEmpty()) {
            ++completion->openCount;
            m_fetches.insert(m_secrets.fetch(name), {completion, &kind});
        }
    }
    completion->endpoints = std::move(endpoints);
}

void PasswordKeeper::takeFetched(quint64 request, const QString& secret, const QString& problem)
{
    const auto found = m_fetches.find(request);
    if (found == m_fetches.end()) {
        return;
    }
    const Fetch fetch = *found;
    m_fetches.erase(found);
    Completion& completion = *fetch.completion;
    lend(completion.endpoints, *fetch.kind, secret);
    if (!problem.isEmpty()) {
        completion.problem = problem;
    }
    if (--completion.openCount == 0) {
        finish(completion);
    }
}

void PasswordKeeper::finish(const Completion& completion)
{
    if (!completion.problem.isEmpty()) {
        Q_EMIT failed(tr("Could not read the password of %1 from the keyring: %2")
                          .arg(titleOf(completion.profile), completion.problem));
    }
    completion.then(completion.endpoints);
}

void PasswordKeeper::fulfil(Wish wish, const std::vector<store::Endpoint>& endpoints)
{
    if (wish == Wish::Leave || endpoints.empty()) {
        return;
    }
    const QStringList urls = profileOf(endpoints).urls;
    if (wish == Wish::Forget) {
        setKeepsPassword(m_settings, urls, false);
    }
    for (const SecretKind& kind : secretKinds()) {
        const QString name = kind.nameOf(endpoints);
        const QString secret = models::toQString(endpoints.front().*kind.member);
        if (wish == Wish::Forget && !name.isEmpty()) {
            m_stores.insert(m_secrets.remove(name), {});
        } else if (wish == Wish::Keep && !name.isEmpty() && !secret.isEmpty()) {
            m_stores.insert(m_secrets.store(name, secret), urls);
        }
    }
}

void PasswordKeeper::forget(const ServerProfile& removed)
{
    const std::vector<store::Endpoint> endpoints = endpointsOf(removed);
    for (const SecretKind& kind : secretKinds()) {
        const QString name = kind.nameOf(endpoints);
        const auto keepsIt = [&](const ServerProfile& server) {
            return server.keepsPassword && kind.nameOf(endpointsOf(server)) == name;
        };
        if (removed.keepsPassword && !name.isEmpty()
            && std::ranges::none_of(m_settings.profiles + m_settings.recentServers, keepsIt)) {
            m_stores.insert(m_secrets.remove(name), {});
        }
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
