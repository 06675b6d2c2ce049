#include "core/operations/master_links.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/master_endpoint.h"
#include "core/kernel/store/server_info.h"

#include <algorithm>
#include <utility>

namespace lockscope::operations {

using store::Problem;

namespace {

/// Replicas of replicas of replicas; more are a loop.
constexpr int kHopsMax = 4;

Problem notReached(const std::string& master, std::string why)
{
    return {Problem::Kind::NotMaster, master, {}, std::move(why)};
}

/// The master that this server names; empty if it is a master, or does not name one.
async::Task<std::string> masterNamedBy(store::Store& store)
{
    store::Command question("INFO", "replication");
    const store::Outcome outcome = co_await store.submit(std::move(question));
    const store::ServerInfo info = store::serverInfoOf(outcome);
    co_return info.role == store::ServerInfo::Role::Replica ? info.master : std::string();
}

} // namespace

async::Task<std::variant<WritePlace, Problem>> MasterLinks::find(std::uint16_t server)
{
    const store::Endpoint& named = m_servers.endpoint(server);
    WritePlace place{storeOf(server, {}), {}};
    if (named.isCluster() || named.hasSentinels()) {
        co_return place; // its connections lead to masters
    }
    co_await place.store->whenSettled();
    for (int hop = 0; hop < kHopsMax; ++hop) {
        const std::string reported = co_await masterNamedBy(*place.store);
        if (reported.empty()) {
            co_return place;
        }
        const auto master = store::masterEndpoint(endpoint(server, place.master), reported);
        place.master = master ? store::hostPortText({master->host, master->port}) : reported;
        place.store = storeOf(server, place.master);
        if (!place.store) {
            co_return notReached(place.master, {});
        }
        const Problem obstacle = co_await place.store->whenSettled();
        if (obstacle.kind != Problem::Kind::None) {
            co_return notReached(place.master, store::explain(obstacle));
        }
    }
    co_return notReached(place.master, KernelText::tr("It is a replica as well."));
}

store::Endpoint MasterLinks::endpoint(std::uint16_t server, const std::string& master) const
{
    const store::Endpoint& named = m_servers.endpoint(server);
    return master.empty() ? named : store::masterEndpoint(named, master).value_or(named);
}

std::shared_ptr<store::Store> MasterLinks::storeOf(std::uint16_t server, const std::string& master)
{
    if (master.empty()) {
        return {std::shared_ptr<store::Store>(), &m_servers.store(server)};
    }
    const auto wanted = store::masterEndpoint(m_servers.endpoint(server), master);
    if (!wanted) {
        return nullptr;
    }
    // Read-only is a part of the endpoint: a link that may write is not used once it may not.
    const auto known = std::ranges::find(m_links, *wanted, &Link::endpoint);
    if (known != m_links.end()) {
        return known->store;
    }
    auto store = m_servers.connectTo(*wanted);
    if (store) {
        m_links.push_back({*wanted, store});
    }
    return store;
}

std::shared_ptr<store::Store> MasterLinks::connectAgain(std::uint16_t server,
                                                        const std::string& master)
{
    const auto wanted = store::masterEndpoint(m_servers.endpoint(server), master);
    return master.empty() ? m_servers.connectAgain(server)
           : wanted       ? m_servers.connectTo(*wanted)
                          : nullptr;
}

} // namespace lockscope::operations
