#include "tests/support/live/live_contender.h"

#include <algorithm>
#include <utility>

namespace lockscope::testing {

LiveContender::LiveContender(const std::vector<store::Endpoint>& servers,
                             const protocol::LockProtocol& protocol, std::uint64_t seed,
                             const std::optional<protocol::Identity>& identity)
    : m_memory(protocol.makeMemory())
{
    Rng rng(seed);
    std::vector<store::Channels*> channels;
    for (const store::Endpoint& server : servers) {
        m_channels.push_back(std::make_unique<wire::RedisChannels>(server, m_executor, m_clock,
                                                                   rng.split()));
        channels.push_back(m_channels.back().get());
    }
    m_client = std::make_unique<wire::LockClient>(servers, channels, m_executor, m_clock,
                                                  rng.split());
    m_client->open();
    run(m_client->whenSettled());
    const auto isOnline = [](const auto& connection) {
        return connection->state() == wire::Connection::State::Online;
    };
    if (std::none_of(m_client->connections().begin(), m_client->connections().end(), isOnline)) {
        throw std::runtime_error("no server answers");
    }
    protocol::ClientEnvironment environment{m_client->nodes(), m_executor, m_clock, m_log};
    const protocol::Identity ownIdentity{protocol::randomUuid(rng), seed};
    m_contender = std::make_unique<protocol::Contender>(std::move(environment),
                                                        identity.value_or(ownIdentity), 0,
                                                        rng.split(), *m_memory);
}

} // namespace lockscope::testing
