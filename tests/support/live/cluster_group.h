#pragma once

#include "core/kernel/store/cluster.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/reply.h"
#include "core/wire/run/private_server.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::testing {

/// A cluster of our own on loopback ports and in temporary directories: three masters, the nodes 0
/// to 2, and a replica of each, the nodes 3 to 5. It is in a hurry: a node that is silent for a
/// second has failed. Stopped by their own process ids when this is destroyed.
class ClusterGroup {
public:
    static constexpr std::size_t kMasterCount = 3;

    /// Everything that passes between nodes is encrypted then, and they have a TLS port besides.
    struct TlsFiles {
        QString certificate;
        QString key;
        QString authority;
    };

    /// Waits until all nodes know each other and serve. Throws std::runtime_error when that takes
    /// too long. `replicas`: whether there are any. `options` as on redis-server's command line.
    enum class Replicas { None, OneEach };
    explicit ClusterGroup(Replicas replicas = Replicas::OneEach, const QStringList& options = {},
                          std::optional<TlsFiles> tls = std::nullopt);
    ClusterGroup(const ClusterGroup&) = delete;
    ClusterGroup& operator=(const ClusterGroup&) = delete;

    /// By the first three nodes; with TLS where they have it, and then `authority` is trusted.
    store::Endpoint endpoint() const;
    QString url() const;

    std::size_t nodeCount() const { return m_nodes.size(); }
    wire::PrivateServer& node(std::size_t index) { return *m_nodes[index]->server; }
    std::string nodeName(std::size_t index) const;
    std::string nodeId(std::size_t index) const { return m_nodes[index]->id; }
    /// What a user of this node is told.
    store::Reply ask(std::size_t node, const store::Command& command) const;
    /// The same for the node that has the first key of the command, which is its second word.
    store::Reply askOwner(const store::Command& command) const;
    /// Whether the node itself has the key, whoever serves the slot.
    bool hasKey(std::size_t node, const std::string& key) const;

    /// What all nodes that answer say together.
    store::ClusterTopology topology() const;
    /// The node that all of these take for the master of the slot; nullopt while they do not agree.
    std::optional<std::size_t> masterOf(std::uint16_t slot) const;
    std::optional<std::size_t> masterOfKey(const std::string& key) const;
    /// Waits until the nodes agree that another one has the slot, and serve.
    std::size_t waitForMaster(std::uint16_t slot, std::optional<std::size_t> former) const;
    /// Waits until every slot has a master that all agree on, every node serves, and `replicaCount`
    /// nodes are replicas that are up to date.
    void waitUntilSettled(std::size_t replicaCount) const;

    /// "job:17:lock", with a number from `from` on, whose slot the node has.
    std::string lockOn(std::size_t node, int from = 0) const;
    /// The same for a slot.
    static std::string lockIn(std::uint16_t slot);

    /// Adds an empty master that knows the others; its index.
    std::size_t addNode();
    void kill(std::size_t node) { m_nodes[node]->server->kill(); }
    void restart(std::size_t node);
    /// SIGSTOP and SIGCONT; a frozen node is not asked what it thinks of the others.
    void freeze(std::size_t node);
    void thaw(std::size_t node);

    /// The steps in which slots are moved.
    void openSlot(std::uint16_t slot, std::size_t source, std::size_t target) const;
    void moveKey(const std::string& key, std::size_t source, std::size_t target) const;
    void closeSlot(std::uint16_t slot, std::size_t source, std::size_t target) const;

private:
    struct Node {
        std::unique_ptr<wire::PrivateServer> server;
        std::string id;
        QStringList arguments;
        std::uint16_t tlsPort = 0; // 0: it has none
        bool isFrozen = false;
        bool isAlive() const { return server->processId() != 0 && !isFrozen; }
    };

    bool isStarted(Node& node) const;
    QStringList tlsOptions(std::uint16_t port) const;
    std::uint16_t port(std::size_t index) const; // that the nodes call each other by
    void start(std::size_t index);
    void meet(std::size_t index) const;
    void makeReplica(std::size_t index, std::size_t master) const;
    std::size_t upToDateCount() const;
    std::vector<store::ClusterView> views() const;

    std::vector<std::unique_ptr<Node>> m_nodes;
    QStringList m_options;
    std::optional<TlsFiles> m_tls;
};

} // namespace lockscope::testing
