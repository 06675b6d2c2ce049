#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/reply.h"
#include "core/wire/run/private_server.h"

#include <QProcess>
#include <QTemporaryDir>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::testing {

/// One master with two replicas and three Sentinels of our own, on loopback ports and in temporary
/// directories. They are in a hurry: a server that is silent for a second is down. Stopped by
/// their own process ids when this is destroyed.
class SentinelGroup {
public:
    static constexpr std::size_t kNodeCount = 3;
    static constexpr const char* kMasterName = "mymaster";

    /// Waits until the Sentinels know each other and the replicas. Throws std::runtime_error when
    /// that takes too long. `sentinelLines` go into the configuration of every Sentinel.
    explicit SentinelGroup(const QByteArray& sentinelLines = {});
    ~SentinelGroup();
    SentinelGroup(const SentinelGroup&) = delete;
    SentinelGroup& operator=(const SentinelGroup&) = delete;

    /// The master by its Sentinels.
    store::Endpoint endpoint() const;
    /// "redis+sentinel://127.0.0.1:…/mymaster"
    QString url() const;

    wire::PrivateServer& node(std::size_t index) { return *m_nodes[index]; }
    std::string nodeName(std::size_t index) const;
    /// What a user of this node is told.
    store::Reply ask(std::size_t node, const store::Command& command) const;
    store::Endpoint sentinelEndpoint(std::size_t index) const;
    store::Reply askSentinel(std::size_t index, const store::Command& command) const;

    /// The node that every Sentinel names and that says so itself; nullopt while that is not so.
    std::optional<std::size_t> master() const;
    /// Waits until there is one, other than `former`.
    std::size_t waitForMaster(std::optional<std::size_t> former = std::nullopt) const;
    /// kill -9 of the node, and its start as an empty server that the Sentinels will make a
    /// replica.
    void kill(std::size_t node) { m_nodes[node]->kill(); }
    void restart(std::size_t node);
    void killSentinels();
    /// Waits until both other nodes are replicas of the master and up to date.
    void waitForReplicas() const;

private:
    struct Sentinel {
        QProcess process;
        std::uint16_t port = 0;
    };

    void startNodes();
    void startSentinels(const QByteArray& lines);
    std::string known(std::size_t sentinel) const;
    bool isComplete(std::size_t sentinel) const;
    std::size_t upToDateCount() const;

    QTemporaryDir m_folder;
    std::vector<std::unique_ptr<wire::PrivateServer>> m_nodes;
    std::vector<std::unique_ptr<Sentinel>> m_sentinels;
};

} // namespace lockscope::testing
