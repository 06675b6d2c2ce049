#pragma once

#include "core/wire/run/private_server.h"
#include "tests/support/live/cluster_group.h"

#include <QString>
#include <QStringList>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

namespace lockscope::bench {

/// What a benchmark runs against: a server of its own, or with "cluster" as the first argument a
/// cluster of three masters.
class BenchServers {
public:
    BenchServers(int argc, char** argv, const QStringList& options = {})
    {
        if (argc > 1 && std::string_view(argv[1]) == "cluster") {
            m_cluster = std::make_unique<testing::ClusterGroup>(
                testing::ClusterGroup::Replicas::None, options);
            return;
        }
        m_server.start(options);
        if (!m_server.waitUntilReady()) {
            std::fprintf(stderr, "redis-server did not start\n");
            std::exit(1);
        }
    }

    bool isCluster() const { return m_cluster != nullptr; }
    const char* name() const { return isCluster() ? "a cluster of three masters" : "one server"; }

    store::Endpoint endpoint() const
    {
        return isCluster() ? m_cluster->endpoint() : m_server.endpoint();
    }

    /// Each server by itself.
    std::vector<store::Endpoint> nodes() const
    {
        std::vector<store::Endpoint> nodes;
        for (std::size_t i = 0; isCluster() && i < m_cluster->nodeCount(); ++i) {
            nodes.push_back(m_cluster->node(i).endpoint());
        }
        if (!isCluster()) {
            nodes.push_back(m_server.endpoint());
        }
        return nodes;
    }

private:
    wire::PrivateServer m_server;
    std::unique_ptr<testing::ClusterGroup> m_cluster;
};

} // namespace lockscope::bench
