#pragma once

#include "core/kernel/store/cluster.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/store.h"
#include "core/operations/command_feed.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::operations {

/// A server, or a node of a cluster by its address.
struct NodeStore {
    std::string name; // empty: it is no cluster
    store::Store* store = nullptr;
};

/// The servers in use. Their numbers are those of LockId::server. Runs on one
/// executor.
class Servers {
public:
    virtual ~Servers() = default;

    virtual std::size_t count() const = 0;
    virtual const store::Endpoint& endpoint(std::size_t server) const = 0;

    /// Of a server that exists. It may still be connecting: see Store::whenSettled().
    virtual store::Store& store(std::size_t server) = 0;

    /// With Sentinels, the address of the master that store() is connected to; in a cluster, that
    /// of the master that has the key. Empty while it is not connected, and for a server that is
    /// named itself.
    virtual std::string node(std::size_t, std::string_view /*key*/) const { return {}; }

    /// Of a cluster, as far as it is known; null for a single server.
    virtual store::ClusterTopologyPtr topology(std::size_t) const { return nullptr; }

    /// A connection to a server that is not among these: the master of a replica. Null: there is
    /// no way to it.
    virtual std::shared_ptr<store::Store> connectTo(const store::Endpoint& /*server*/)
    {
        return nullptr;
    }

    /// The one that answers about a key: of a cluster, the master that has it, as far as is known.
    /// Null: no node is known to.
    virtual store::Store* storeOf(std::size_t server, std::string_view /*key*/)
    {
        return &store(server);
    }

    /// Of a cluster, its masters, as far as they are known; otherwise the server, without a name.
    virtual std::vector<NodeStore> nodes(std::size_t server) { return {{{}, &store(server)}}; }

    /// What is carried out where the key is, told on a connection of its own. Null: no node of the
    /// cluster is known to have the key.
    virtual std::unique_ptr<CommandFeed> commandFeed(std::size_t /*server*/,
                                                     std::string_view /*key*/)
    {
        return nullptr;
    }

    /// One more, for a single purpose.
    virtual std::shared_ptr<store::Store> connectAgain(std::size_t server) = 0;
};

/// How the locks of these servers belong together.
inline store::Folding foldingOf(const Servers& servers)
{
    return store::foldingOf(servers.count() > 0 ? servers.endpoint(0).grouping
                                                : store::Grouping::Unsaid,
                            servers.count());
}

} // namespace lockscope::operations
