#pragma once

#include "core/operations/servers.h"
#include "core/wire/connection/connection.h"

#include <memory>
#include <vector>

namespace lockscope::wire {

/// One connection to each of several servers, for looking and releasing: it leaves no trace in what
/// they know of the use of their keys. Opened when it is first asked for: a password that is
/// wrong is tried once only. Runs on one thread.
class ServerConnections final : public operations::Servers {
public:
    /// None at first. `rng` only spreads the attempts to reconnect.
    ServerConnections(async::Executor& executor, Clock& clock, Rng rng)
        : m_executor(executor),
          m_clock(clock),
          m_rng(rng)
    {}

    /// No task waits for the old ones any more.
    void setEndpoints(const std::vector<store::Endpoint>& endpoints);
    /// Where the endpoints differ from the present ones in read-only alone, takes that over on the
    /// connections that there are. False, and nothing is done, where they differ in more.
    bool adoptReadOnly(const std::vector<store::Endpoint>& endpoints);

    std::size_t count() const override { return m_connections.size(); }
    const store::Endpoint& endpoint(std::size_t server) const override
    {
        return m_connections[server]->endpoint();
    }
    Connection& store(std::size_t server) override;
    std::string node(std::size_t server) const override { return m_connections[server]->node(); }
    std::shared_ptr<store::Store> connectAgain(std::size_t server) override;

private:
    std::unique_ptr<Connection> connectionTo(const store::Endpoint& endpoint);

    async::Executor& m_executor;
    Clock& m_clock;
    Rng m_rng;
    std::vector<std::unique_ptr<Connection>> m_connections;
};

} // namespace lockscope::wire
