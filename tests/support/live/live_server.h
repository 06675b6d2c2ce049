#pragma once

#include "core/wire/run/private_server.h"
#include "tests/support/live/plain_client.h"

#include <QStringList>

#include <memory>
#include <optional>

namespace lockscope::testing {

/// A private redis-server for one test, with a connected client that arranges and checks
/// things.
class LiveServer {
public:
    using Listen = wire::PrivateServer::Listen;

    /// Throws std::runtime_error when the server does not start.
    explicit LiveServer(Listen listen = Listen::UnixSocket, const QStringList& extraArguments = {});

    /// False on machines without redis-server: then the test says so and is skipped.
    static bool isInstalled();

    wire::PrivateServer& process() { return m_process; }
    store::Endpoint endpoint() const { return m_process.endpoint(); }
    PlainClient& client() { return *m_client; }

    /// kill -9; the data is gone, as nothing is saved.
    void kill();
    /// Starts it again at the same place, and connects the client anew.
    void restart();

    /// How often the server carried out the command ("set", "client|tracking"), as INFO
    /// commandstats has it.
    std::int64_t callCount(std::string_view commandName);

private:
    QStringList m_extraArguments;
    wire::PrivateServer m_process;
    std::unique_ptr<PlainClient> m_client;
};

} // namespace lockscope::testing
