#include "core/kernel/contention/model_client.h"

#include <utility>

namespace lockscope::contention {

using world::LinkAddress;
using world::LinkRole;

namespace {

/// What the clock on the wall shows when the run begins: any time will do.
constexpr WallTime kClientsBegin{std::chrono::seconds(1'700'000'000)};

} // namespace

ModelThread::ModelThread(EventQueue& eventQueue, const Costs& costs,
                         const std::vector<std::unique_ptr<ModelServer>>& servers)
    : driver(eventQueue, costs)
{
    for (const auto& server : servers) {
        channels.push_back(std::make_unique<ModelChannels>(driver, *server));
    }
}

ModelClient::ModelClient(ModelThread& thread, const Servers& servers) : m_thread(thread)
{
    for (const auto& server : servers) {
        const int index = static_cast<int>(m_nodes.size());
        m_nodes.push_back({*server, std::make_unique<ModelLine>(thread.driver, *server),
                           std::make_unique<ModelLine>(thread.driver, *server),
                           world::SimStore(*this, {index, LinkRole::Commands}),
                           world::SimStore(*this, {index, LinkRole::Blocking}),
                           world::SimChannels(*this, index)});
    }
}

WallTime ModelClient::wallNow() const
{
    return kClientsBegin + std::chrono::floor<std::chrono::milliseconds>(now().time_since_epoch());
}

ModelLine& ModelClient::lineTo(LinkAddress link)
{
    const Node& node = m_nodes[static_cast<std::size_t>(link.node)];
    return link.role == LinkRole::Blocking ? *node.blocking : *node.commands;
}

std::shared_ptr<store::Mailbox> ModelClient::listen(int node, Bytes channel, async::Gate& bell)
{
    return m_thread.channels[static_cast<std::size_t>(node)]->listen(channel, bell);
}

std::vector<store::Node> ModelClient::nodes()
{
    std::vector<store::Node> nodes;
    for (Node& node : m_nodes) {
        nodes.push_back({node.commandStore, node.blockingStore, node.channels});
    }
    return nodes;
}

void ModelClient::crash()
{
    m_countBefore = commandCount();
    for (Node& node : m_nodes) {
        node.commands = std::make_unique<ModelLine>(m_thread.driver, node.server);
        node.blocking = std::make_unique<ModelLine>(m_thread.driver, node.server);
    }
}

std::uint64_t ModelClient::commandCount() const
{
    std::uint64_t count = m_countBefore;
    for (const Node& node : m_nodes) {
        count += node.commands->commandCount() + node.blocking->commandCount();
    }
    return count;
}

} // namespace lockscope::contention
