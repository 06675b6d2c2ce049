#include "tests/support/live/cluster_group.h"

#include "core/kernel/store/server_info.h"
#include "tests/support/live/free_ports.h"
#include "tests/support/live/group_of_servers.h"
#include "tests/support/live/plain_client.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace lockscope::testing {

namespace {

constexpr int kReadyPatienceMs = 60'000;
constexpr int kAttemptsMax = 20;
/// First and last slot of each of the masters.
constexpr std::array<std::pair<int, int>, ClusterGroup::kMasterCount> kRanges{
    {{0, 5460}, {5461, 10922}, {10923, 16383}}};

void expectOk(const store::Reply& reply)
{
    if (reply.isError()) {
        throw std::runtime_error("the cluster: " + reply.error()->text);
    }
}

} // namespace

ClusterGroup::ClusterGroup(Replicas replicas, const QStringList& options,
                           std::optional<TlsFiles> tls)
    : m_options(options),
      m_tls(std::move(tls))
{
    const std::size_t count = replicas == Replicas::OneEach ? 2 * kMasterCount : kMasterCount;
    for (std::size_t i = 0; i < count; ++i) {
        start(i);
        expectOk(ask(i, store::Command("CLUSTER", "SET-CONFIG-EPOCH", i + 1)));
    }
    for (std::size_t i = 0; i < kMasterCount; ++i) {
        expectOk(ask(i, store::Command("CLUSTER", "ADDSLOTSRANGE", kRanges[i].first,
                                       kRanges[i].second)));
    }
    for (std::size_t i = 1; i < count; ++i) {
        meet(i);
    }
    for (std::size_t i = kMasterCount; i < count; ++i) {
        makeReplica(i, i - kMasterCount);
    }
    waitUntilSettled(count - kMasterCount);
}

QStringList ClusterGroup::tlsOptions(std::uint16_t port) const
{
    return {QStringLiteral("--tls-port"),         QString::number(port),
            QStringLiteral("--tls-cluster"),      QStringLiteral("yes"),
            QStringLiteral("--tls-replication"),  QStringLiteral("yes"),
            QStringLiteral("--tls-cert-file"),    m_tls->certificate,
            QStringLiteral("--tls-key-file"),     m_tls->key,
            QStringLiteral("--tls-ca-cert-file"), m_tls->authority,
            QStringLiteral("--tls-auth-clients"), QStringLiteral("no")};
}

bool ClusterGroup::isStarted(Node& node) const
{
    node.tlsPort = m_tls ? freePort() : std::uint16_t(0);

    node.arguments = QStringList{QStringLiteral("--cluster-enabled"),
                                 QStringLiteral("yes"),
                                 QStringLiteral("--cluster-port"),
                                 QString::number(freePort()),
                                 QStringLiteral("--cluster-node-timeout"),
                                 QStringLiteral("1000"),
                                 QStringLiteral("--cluster-replica-validity-factor"),
                                 QStringLiteral("0"),
                                 QStringLiteral("--cluster-allow-replica-migration"),
                                 QStringLiteral("no"),
                                 QStringLiteral("--repl-diskless-sync-delay"),
                                 QStringLiteral("0")}
                     + m_options + (m_tls ? tlsOptions(node.tlsPort) : QStringList());
    node.server->start(node.arguments);
    return node.server->waitUntilReady(kReadyPatienceMs);
}

void ClusterGroup::start(std::size_t index)
{
    auto node = std::make_unique<Node>();
    node->server = std::make_unique<wire::PrivateServer>(wire::PrivateServer::Listen::LoopbackPort);
    // The port of the bus may turn out to be that of the server, or another process takes it.
    int attempts = 1;
    while (!isStarted(*node)) {
        if (++attempts > kAttemptsMax) {
            throw std::runtime_error("redis-server did not start");
        }
    }
    m_nodes.push_back(std::move(node));
    const store::Reply id = ask(index, store::Command("CLUSTER", "MYID"));
    m_nodes[index]->id = id.text() != nullptr ? *id.text() : std::string();
}

void ClusterGroup::meet(std::size_t index) const
{
    const QString busPort = m_nodes[index]->arguments[3];
    expectOk(ask(0, store::Command("CLUSTER", "MEET", "127.0.0.1", port(index),
                                   busPort.toStdString())));
}

void ClusterGroup::makeReplica(std::size_t index, std::size_t master) const
{
    waitForGroup("the cluster: a replica does not find its master", [&] {
        return !ask(index, store::Command("CLUSTER", "REPLICATE", m_nodes[master]->id)).isError();
    });
}

store::Endpoint ClusterGroup::endpoint() const
{
    store::Endpoint endpoint;
    for (std::size_t i = 0; i < kMasterCount; ++i) {
        endpoint.clusterSeeds.push_back({"127.0.0.1", port(i)});
    }
    if (m_tls) {
        endpoint.transport = store::Endpoint::Transport::Tls;
        endpoint.tls.caFile = m_tls->authority.toStdString();
    }
    return endpoint;
}

std::uint16_t ClusterGroup::port(std::size_t index) const
{
    const Node& node = *m_nodes[index];
    return node.tlsPort != 0 ? node.tlsPort : node.server->endpoint().port;
}

QString ClusterGroup::url() const
{
    return QString::fromStdString(store::toUrl(endpoint()));
}

std::string ClusterGroup::nodeName(std::size_t index) const
{
    return store::serverName(m_nodes[index]->server->endpoint());
}

store::Reply ClusterGroup::ask(std::size_t node, const store::Command& command) const
{
    return PlainClient(m_nodes[node]->server->endpoint()).ask(command);
}

store::Reply ClusterGroup::askOwner(const store::Command& command) const
{
    const auto owner = masterOfKey(command.words[1]);
    if (!owner) {
        throw std::runtime_error("the cluster: nobody has the key");
    }
    return ask(*owner, command);
}

bool ClusterGroup::hasKey(std::size_t node, const std::string& key) const
{
    const store::Reply keys = ask(node, store::Command("KEYS", "*"));
    const store::Reply::Array* const all = keys.array();
    return all != nullptr && std::ranges::any_of(*all, [&key](const store::Reply& item) {
               return item.text() != nullptr && *item.text() == key;
           });
}

std::vector<store::ClusterView> ClusterGroup::views() const
{
    std::vector<store::ClusterView> views;
    for (const auto& node : m_nodes) {
        if (!node->isAlive()) {
            continue;
        }
        const store::Endpoint endpoint = node->server->endpoint();
        PlainClient client(endpoint);
        const store::Outcome nodes = client("CLUSTER", "NODES");
        const store::Outcome info = client("CLUSTER", "INFO");
        auto view = store::clusterViewOf(nodes, info, {endpoint.host, endpoint.port});
        if (auto* const known = std::get_if<store::ClusterView>(&view)) {
            views.push_back(std::move(*known));
        }
    }
    return views;
}

store::ClusterTopology ClusterGroup::topology() const
{
    return store::ClusterTopology(views());
}

std::optional<std::size_t> ClusterGroup::masterOf(std::uint16_t slot) const
{
    std::optional<std::string> agreed;
    for (const store::ClusterView& view : views()) {
        const store::ClusterTopology topology{std::span(&view, 1)};
        const store::ClusterNode* const master = topology.masterOf(slot);
        if (master == nullptr || (agreed && *agreed != master->id)) {
            return std::nullopt;
        }
        agreed = master->id;
    }
    const auto node = std::ranges::find_if(m_nodes, [&agreed](const auto& n) {
        return agreed && n->id == *agreed;
    });
    return node != m_nodes.end() ? std::optional(std::size_t(node - m_nodes.begin()))
                                 : std::nullopt;
}

std::optional<std::size_t> ClusterGroup::masterOfKey(const std::string& key) const
{
    return masterOf(store::slotOf(key));
}

std::size_t ClusterGroup::waitForMaster(std::uint16_t slot, std::optional<std::size_t> former) const
{
    std::optional<std::size_t> found;
    waitForGroup("the cluster: the nodes do not agree on a master", [&] {
        found = masterOf(slot);
        const auto all = views();
        return found && found != former && std::ranges::none_of(all, &store::ClusterView::isDown);
    });
    return *found;
}

void ClusterGroup::waitUntilSettled(std::size_t replicaCount) const
{
    waitForGroup("the cluster: it does not settle", [this, replicaCount] {
        const std::vector<store::ClusterView> all = views();
        const bool doKnowAll = std::ranges::all_of(all, [&all](const store::ClusterView& view) {
            return !view.isDown && view.lines.size() >= all.size();
        });
        const auto doAgree = [this](std::uint16_t slot) { return masterOf(slot).has_value(); };
        return doKnowAll && doAgree(0) && doAgree(8000) && doAgree(16383)
               && topology().unservedSlots().empty() && upToDateCount() == replicaCount;
    });
}

std::size_t ClusterGroup::upToDateCount() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_nodes, [](const auto& node) {
        if (!node->isAlive()) {
            return false;
        }
        const store::Outcome outcome = PlainClient(node->server->endpoint())("INFO", "replication");
        const store::ServerInfo info = store::serverInfoOf(outcome);
        return info.role == store::ServerInfo::Role::Replica && info.isMasterLinkUp
               && !info.isSyncing;
    }));
}

std::string ClusterGroup::lockOn(std::size_t node, int from) const
{
    const store::ClusterTopology topology = this->topology();
    for (int i = from;; ++i) {
        std::string name = "job:" + std::to_string(i) + ":lock";
        const store::ClusterNode* const master = topology.masterOfKey(name);
        if (master != nullptr && master->id == m_nodes[node]->id) {
            return name;
        }
    }
}

std::string ClusterGroup::lockIn(std::uint16_t slot)
{
    for (int i = 0;; ++i) {
        std::string name = "job:" + std::to_string(i) + ":lock";
        if (store::slotOf(name) == slot) {
            return name;
        }
    }
}

std::size_t ClusterGroup::addNode()
{
    const std::size_t index = m_nodes.size();
    start(index);
    meet(index);
    waitForGroup("the cluster: the new node is not known", [this] {
        const std::vector<store::ClusterView> all = views();
        return std::ranges::all_of(all, [this, &all](const store::ClusterView& view) {
            return !view.isDown && view.lines.size() >= all.size();
        });
    });
    return index;
}

void ClusterGroup::restart(std::size_t node)
{
    m_nodes[node]->server->start(m_nodes[node]->arguments);
    if (!m_nodes[node]->server->waitUntilReady(kReadyPatienceMs)) {
        throw std::runtime_error("redis-server did not start again");
    }
}

void ClusterGroup::freeze(std::size_t node)
{
    m_nodes[node]->server->freeze();
    m_nodes[node]->isFrozen = true;
}

void ClusterGroup::thaw(std::size_t node)
{
    m_nodes[node]->server->thaw();
    m_nodes[node]->isFrozen = false;
}

void ClusterGroup::openSlot(std::uint16_t slot, std::size_t source, std::size_t target) const
{
    expectOk(ask(target, store::Command("CLUSTER", "SETSLOT", slot, "IMPORTING", nodeId(source))));
    expectOk(ask(source, store::Command("CLUSTER", "SETSLOT", slot, "MIGRATING", nodeId(target))));
}

void ClusterGroup::moveKey(const std::string& key, std::size_t source, std::size_t target) const
{
    expectOk(ask(source, store::Command("MIGRATE", "127.0.0.1", port(target), key, 0, 5000)));
}

void ClusterGroup::closeSlot(std::uint16_t slot, std::size_t source, std::size_t target) const
{
    expectOk(ask(target, store::Command("CLUSTER", "SETSLOT", slot, "NODE", nodeId(target))));
    expectOk(ask(source, store::Command("CLUSTER", "SETSLOT", slot, "NODE", nodeId(target))));
}

} // namespace lockscope::testing
