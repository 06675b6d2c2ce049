#pragma once

#include "core/operations/servers.h"
#include "core/wire/connection/cluster_store.h"
#include "core/wire/connection/connection.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::wire {

/// One connection to each of several servers, or those to the nodes of a cluster, for looking and
/// releasing: it leaves no trace in what they know of the use of their keys. Opened when it is
/// first asked for: a password that is wrong is tried once only. Runs on one thread.
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

    std::size_t count() const override { return m_links.size(); }
    const store::Endpoint& endpoint(std::size_t server) const override
    {
        return m_links[server].endpoint();
    }
    store::Store& store(std::size_t server) override;
    std::string node(std::size_t server, std::string_view key) const override;
    store::ClusterTopologyPtr topology(std::size_t server) const override;
    std::shared_ptr<store::Store> connectAgain(std::size_t server) override;
    store::Store* storeOf(std::size_t server, std::string_view key) override;
    std::vector<operations::NodeStore> nodes(std::size_t server) override;
    std::unique_ptr<operations::CommandFeed> commandFeed(std::size_t server,
                                                         std::string_view key) override;
    std::shared_ptr<store::Store> connectTo(const store::Endpoint& server) override;

private:
    /// One of the two.
    struct Link {
        std::shared_ptr<Connection> connection;
        std::shared_ptr<ClusterStore> cluster;

        const store::Endpoint& endpoint() const
        {
            return cluster ? cluster->map().endpoint() : connection->endpoint();
        }
        void openIfClosed() const;
        void setReadOnly(bool isReadOnly) const;
    };
    Link linkTo(const store::Endpoint& endpoint);

    async::Executor& m_executor;
    Clock& m_clock;
    Rng m_rng;
    std::vector<Link> m_links;
};

} // namespace lockscope::wire
