#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"

#include <QAbstractSocket>
#include <QSslConfiguration>

#include <string>
#include <variant>

class QSslSocket;

namespace lockscope::wire {

/// The settings of a TLS connection, or which file cannot be used and why. Without a CA file the
/// authorities are those of SSL_CERT_FILE and SSL_CERT_DIR (several folders between colons),
/// without these the system's. An encrypted private key is decrypted with `keyPassphrase`.
std::variant<QSslConfiguration, store::Problem> tlsConfigurationOf(
    const store::TlsOptions& options, const std::string& keyPassphrase = {});

/// What became of the socket, for people: who is not trusted, whose name is wrong, who wants to see
/// a certificate. `wasOpen`: the encrypted stream was in use already.
store::Problem problemOfTls(const QSslSocket& socket, QAbstractSocket::SocketError error,
                            bool wasOpen);

} // namespace lockscope::wire
