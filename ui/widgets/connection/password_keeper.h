#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/service/secret_store.h"
#include "ui/widgets/shell/settings.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <vector>

namespace lockscope::widgets {

/// The passwords of remembered servers, in the keyring and nowhere else.
class PasswordKeeper : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    PasswordKeeper(service::SecretStore& secrets, Settings& settings, QObject* parent = nullptr);

    /// The servers of the profile with their password, if the keyring keeps one; without it if it
    /// cannot be had, which is told by failed(). `then` comes at once where nothing is kept.
    using Then = std::function<void(std::vector<store::Endpoint>)>;
    void complete(const ServerProfile& profile, Then then);

    enum class Wish { Leave, Keep, Forget };
    /// What the user wants to become of the password of these servers, which are remembered.
    void fulfil(Wish wish, const std::vector<store::Endpoint>& endpoints);

    /// The server is remembered no more: its password goes too, unless another entry of the same
    /// account keeps it.
    void forget(const ServerProfile& removed);

Q_SIGNALS:
    void failed(const QString& sentence);

private:
    void takeFetched(quint64 request, const QString& secret, const QString& problem);
    void takeStored(quint64 request, const QString& problem);

    struct Fetch {
        ServerProfile profile;
        Then then;
    };

    service::SecretStore& m_secrets;
    Settings& m_settings;
    QHash<quint64, Fetch> m_fetches;
    QHash<quint64, QStringList> m_stores; // the URLs of what is to be kept
};

} // namespace lockscope::widgets
