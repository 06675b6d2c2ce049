#pragma once

#include "core/kernel/store/endpoint.h"
#include "ui/widgets/shell/settings.h"

#include <QMenu>

#include <array>
#include <string>
#include <vector>

namespace lockscope::widgets {

/// What is remembered of a connection: everything but the passwords and the user's own words.
ServerProfile profileOf(const std::vector<store::Endpoint>& endpoints);

/// The connection that was remembered, without its passwords. URLs that cannot be read (a settings
/// file may be edited by hand) are left out.
std::vector<store::Endpoint> endpointsOf(const ServerProfile& server);

/// Gives servers that name no environment that of their profile, or the one that they were opened
/// with before: an address that is typed or pasted is no way around what it is known to be.
void recallEnvironment(std::vector<store::Endpoint>& endpoints, const Settings& settings);

/// Gives a server the restrictions of every profile and every earlier connection with its address,
/// however they reach it: see store::adoptRestrictions(). Meant for the master of a replica, whose
/// address the user has not typed.
void recallRestrictions(store::Endpoint& server, const Settings& settings);

/// The URLs that can be read, one a line. A password that a user wrote into the settings file is
/// not among it.
QString urlsOf(const ServerProfile& server);

/// A secret of a server that the keyring may keep.
struct SecretKind {
    std::string store::Endpoint::*member;
    /// Its name in the keyring. Empty: these servers have no such secret.
    QString (*nameOf)(const std::vector<store::Endpoint>& endpoints);
};

/// The password, which is that of a user of the server, in whichever database; and the passphrase
/// of the private key, whichever servers want to see its certificate.
const std::array<SecretKind, 3>& secretKinds();

/// The same secret for every server that has none of this kind.
void lend(std::vector<store::Endpoint>& endpoints, const SecretKind& kind, const QString& secret);

/// "production · 10.0.0.5:6379/0", or with its name in place of the address.
QString titleOf(const ServerProfile& server);

/// The servers that were opened before, newest first, and a way to forget them.
class RecentMenu : public QMenu {
    Q_OBJECT
public:
    explicit RecentMenu(QWidget* parent = nullptr);

    void showServers(const QList<ServerProfile>& servers);

Q_SIGNALS:
    void serverChosen(const lockscope::widgets::ServerProfile& server);
    void forgetChosen();
};

} // namespace lockscope::widgets
