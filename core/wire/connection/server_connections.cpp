#include "core/wire/connection/server_connections.h"

#include "core/wire/connection/monitor_feed.h"

#include <algorithm>

namespace lockscope::wire {

void ServerConnections::Link::openIfClosed() const
{
    if (cluster && !cluster->map().isOpen()) {
        cluster->map().open();
    } else if (connection && connection->state() == Connection::State::Closed) {
        connection->open();
    }
}

void ServerConnections::Link::setReadOnly(bool isReadOnly) const
{
    if (cluster) {
        cluster->map().setReadOnly(isReadOnly);
    } else {
        connection->setReadOnly(isReadOnly);
    }
}

void ServerConnections::setEndpoints(const std::vector<store::Endpoint>& endpoints)
{
    m_links.clear();
    for (const store::Endpoint& endpoint : endpoints) {
        m_links.push_back(linkTo(endpoint));
    }
}

bool ServerConnections::adoptReadOnly(const std::vector<store::Endpoint>& endpoints)
{
    const auto isTheSame = [](const Link& link, store::Endpoint endpoint) {
        endpoint.isReadOnly = link.endpoint().isReadOnly;
        return link.endpoint() == endpoint;
    };
    if (!std::ranges::equal(m_links, endpoints, isTheSame)) {
        return false;
    }
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
        m_links[i].setReadOnly(endpoints[i].isReadOnly);
    }
    return true;
}

ServerConnections::Link ServerConnections::linkTo(const store::Endpoint& endpoint)
{
    Link link;
    if (endpoint.isCluster()) {
        link.cluster = std::make_shared<ClusterStore>(endpoint, m_executor, m_clock, m_rng.split());
        link.cluster->map().leaveNoTrace();
    } else {
        link.connection = std::make_shared<Connection>(endpoint, m_executor, m_clock,
                                                       m_rng.split());
        link.connection->leaveNoTrace();
        link.connection->followMaster();
    }
    return link;
}

store::Store& ServerConnections::store(std::size_t server)
{
    const Link& link = m_links[server];
    link.openIfClosed();
    return link.cluster ? static_cast<store::Store&>(*link.cluster) : *link.connection;
}

std::string ServerConnections::node(std::size_t server, std::string_view key) const
{
    const Link& link = m_links[server];
    return link.cluster ? link.cluster->node(key) : link.connection->node();
}

store::ClusterTopologyPtr ServerConnections::topology(std::size_t server) const
{
    const Link& link = m_links[server];
    return link.cluster ? link.cluster->map().topology() : nullptr;
}

std::shared_ptr<store::Store> ServerConnections::connectTo(const store::Endpoint& server)
{
    const Link link = linkTo(server);
    link.openIfClosed();
    return link.cluster ? std::shared_ptr<store::Store>(link.cluster) : link.connection;
}

store::Store* ServerConnections::storeOf(std::size_t server, std::string_view key)
{
    const Link& link = m_links[server];
    return link.cluster ? link.cluster->map().connectionOf(store::slotOf(key)) : &store(server);
}

std::vector<operations::NodeStore> ServerConnections::nodes(std::size_t server)
{
    const Link& link = m_links[server];
    if (!link.cluster) {
        return {{{}, &store(server)}};
    }
    std::vector<operations::NodeStore> nodes;
    ClusterMap& map = link.cluster->map();
    for (const store::ClusterNode& master :
         map.topology() ? map.topology()->masters() : std::vector<store::ClusterNode>()) {
        nodes.push_back({store::hostPortText(master.address), &map.connectionTo(master)});
    }
    return nodes;
}

std::unique_ptr<operations::CommandFeed> ServerConnections::commandFeed(std::size_t server,
                                                                        std::string_view key)
{
    const Link& link = m_links[server];
    const Connection* const node = link.cluster
                                       ? link.cluster->map().connectionOf(store::slotOf(key))
                                       : nullptr;
    if (link.cluster && node == nullptr) {
        return nullptr;
    }
    return std::make_unique<MonitorFeed>(node != nullptr ? node->endpoint() : link.endpoint(),
                                         m_executor, m_clock, m_rng.split());
}

std::shared_ptr<store::Store> ServerConnections::connectAgain(std::size_t server)
{
    return connectTo(endpoint(server));
}

} // namespace lockscope::wire
