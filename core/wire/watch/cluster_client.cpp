#include "core/wire/watch/cluster_client.h"

#include "core/wire/watch/lock_client.h"

namespace lockscope::wire {

ClusterClient::ClusterClient(const store::Endpoint& endpoint, store::Channels& channels,
                             async::Executor& executor, Clock& clock, Rng rng)
    : m_commands(endpoint, executor, clock, rng.split()),
      m_blocking(blockingEndpointOf(endpoint), executor, clock, rng.split()),
      m_channels(channels)
{}

std::vector<store::Node> ClusterClient::nodes()
{
    return {store::Node{m_commands, m_blocking, m_channels}};
}

void ClusterClient::open()
{
    m_commands.map().open();
    m_blocking.map().open();
}

store::Endpoint listeningEndpointOf(const store::Endpoint& endpoint)
{
    store::Endpoint node = endpoint;
    if (endpoint.isCluster()) {
        node.host = endpoint.clusterSeeds.front().host;
        node.port = endpoint.clusterSeeds.front().port;
        node.clusterSeeds = {};
    }
    return node;
}

} // namespace lockscope::wire
