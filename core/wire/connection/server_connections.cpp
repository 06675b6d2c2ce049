#include "core/wire/connection/server_connections.h"

#include <algorithm>

namespace lockscope::wire {

void ServerConnections::setEndpoints(const std::vector<store::Endpoint>& endpoints)
{
    m_connections.clear();
    for (const store::Endpoint& endpoint : endpoints) {
        m_connections.push_back(connectionTo(endpoint));
    }
}

bool ServerConnections::adoptReadOnly(const std::vector<store::Endpoint>& endpoints)
{
    const auto isTheSame = [](const std::unique_ptr<Connection>& connection,
                              store::Endpoint endpoint) {
        endpoint.isReadOnly = connection->endpoint().isReadOnly;
        return connection->endpoint() == endpoint;
    };
    if (!std::ranges::equal(m_connections, endpoints, isTheSame)) {
        return false;
    }
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
        m_connections[i]->setReadOnly(endpoints[i].isReadOnly);
    }
    return true;
}

std::unique_ptr<Connection> ServerConnections::connectionTo(const store::Endpoint& endpoint)
{
    auto connection = std::make_unique<Connection>(endpoint, m_executor, m_clock, m_rng.split());
    connection->leaveNoTrace();
    connection->followMaster();
    return connection;
}

Connection& ServerConnections::store(std::size_t server)
{
    Connection& connection = *m_connections[server];
    if (connection.state() == Connection::State::Closed) {
        connection.open();
    }
    return connection;
}

std::shared_ptr<store::Store> ServerConnections::connectAgain(std::size_t server)
{
    std::shared_ptr<Connection> connection = connectionTo(endpoint(server));
    connection->open();
    return connection;
}

} // namespace lockscope::wire
