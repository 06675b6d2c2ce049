#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/service/secret_store.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/shell/settings.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace lockscope::widgets {

/// The passwords of remembered servers, and the passphrases of their keys, in the keyring and
/// nowhere else.
class PasswordKeeper : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    PasswordKeeper(service::SecretStore& secrets, Settings& settings, QObject* parent = nullptr);

    /// The servers of the profile with their secrets, if the keyring keeps them; without those that
    /// cannot be had, which is told by failed(). `then` comes at once where nothing is kept.
    using Then = std::function<void(std::vector<store::Endpoint>)>;
    void complete(const ServerProfile& profile, Then then);

    enum class Wish { Leave, Keep, Forget };
    /// What the user wants to become of the secrets of these servers, which are remembered.
    void fulfil(Wish wish, const std::vector<store::Endpoint>& endpoints);

    /// The server is remembered no more: its secrets go too, unless another entry keeps the same.
    void forget(const ServerProfile& removed);

Q_SIGNALS:
    void failed(const QString& sentence);

private:
    void takeFetched(quint64 request, const QString& secret, const QString& problem);
    void takeStored(quint64 request, const QString& problem);

    /// Of all secrets of one profile.
    struct Completion {
        ServerProfile profile;
        std::vector<store::Endpoint> endpoints;
        Then then;
        int openCount = 0; // requests that are not answered
        QString problem;
    };
    struct Fetch {
        std::shared_ptr<Completion> completion;
        const SecretKind* kind = nullptr;
    };

    void finish(const Completion& completion);

    service::SecretStore& m_secrets;
    Settings& m_settings;
    QHash<quint64, Fetch> m_fetches;
    QHash<quint64, QStringList> m_stores; // the URLs of what is to be kept
};

} // namespace lockscope::widgets
