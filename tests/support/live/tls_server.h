#pragma once

#include "tests/support/live/free_ports.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/test_certificates.h"

#include <cstdint>

namespace lockscope::testing {

/// A server with a TLS port beside its unix socket.
struct TlsServer {
    std::uint16_t port = freePort();
    LiveServer server;

    TlsServer(const TestCertificates& certificates, const QString& name,
              const QString& wantsClients)
        : server(LiveServer::Listen::UnixSocket,
                 {QStringLiteral("--tls-port"), QString::number(port),
                  QStringLiteral("--tls-cert-file"), certificates.certificate(name),
                  QStringLiteral("--tls-key-file"), certificates.key(name),
                  QStringLiteral("--tls-ca-cert-file"),
                  certificates.certificate(QStringLiteral("ours")),
                  QStringLiteral("--tls-auth-clients"), wantsClients})
    {}
};

} // namespace lockscope::testing
