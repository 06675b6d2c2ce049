#pragma once

#include "core/service/secret_store.h"

namespace lockscope::app {

/// The keyring of the desktop session, through QtKeychain: the Secret Service of GNOME and others,
/// or KWallet. Without one, every request is answered with the reason.
class Keyring final : public service::SecretStore {
    Q_OBJECT
public:
    using SecretStore::SecretStore;

    RequestId fetch(const QString& name) override;
    RequestId store(const QString& name, const QString& secret) override;
    RequestId remove(const QString& name) override;

private:
    RequestId m_lastRequest = 0;
};

} // namespace lockscope::app
