#pragma once

#include "core/kernel/async/task.h"
#include "core/operations/servers.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::operations {

/// The place to which the writes for a server go.
struct WritePlace {
    std::shared_ptr<store::Store> store;
    std::string master; // "10.0.0.5:6379" if the server is a replica; empty: the server itself
};

/// Connections to the masters of servers that are replicas. A replica refuses writes, so a release
/// is read, planned and sent at its master. Runs on the executor of the servers, which outlive
/// this.
class MasterLinks {
public:
    explicit MasterLinks(Servers& servers) : m_servers(servers) {}

    /// Asks the server for its role, and a replica's master for its own, because a replica can have
    /// a replica. A problem if the master cannot be reached. A server that does not tell its role
    /// counts as a master: the scripts of a release check the role again.
    async::Task<std::variant<WritePlace, store::Problem>> find(std::uint16_t server);

    /// The kept connection to the master; for an empty name, to the server itself. Null if the
    /// master cannot be reached from here (see store::masterEndpoint()).
    std::shared_ptr<store::Store> storeOf(std::uint16_t server, const std::string& master);

    /// One more connection to the same place, for a single purpose.
    std::shared_ptr<store::Store> connectAgain(std::uint16_t server, const std::string& master);

    /// The endpoint of the master, or of the server itself for an empty name.
    store::Endpoint endpoint(std::uint16_t server, const std::string& master) const;

    void clear() { m_links.clear(); }

private:
    struct Link {
        store::Endpoint endpoint;
        std::shared_ptr<store::Store> store;
    };

    Servers& m_servers;
    std::vector<Link> m_links;
};

} // namespace lockscope::operations
