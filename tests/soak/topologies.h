#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/reply.h"
#include "core/wire/run/private_server.h"

#include <cstddef>
#include <map>
#include <memory>

// What the chaos happens to.
namespace lockscope::testing {

constexpr int kChaosLockCount = 12;
Bytes chaosLock(int number);

/// Several servers that stand for each other.
class Topology {
public:
    virtual ~Topology() = default;

    virtual store::Endpoint endpoint() const = 0;
    virtual std::size_t nodeCount() const = 0;
    virtual wire::PrivateServer& node(std::size_t index) = 0;
    /// One that has locks now.
    virtual std::size_t someMaster(Rng& rng) = 0;
    /// Until another node stands for it.
    virtual void waitForSuccessor(std::size_t master) = 0;
    virtual void restart(std::size_t node) = 0;
    /// SIGSTOP and SIGCONT.
    virtual void freeze(std::size_t node) = 0;
    virtual void thaw(std::size_t node) = 0;
    /// Asks for another master.
    virtual void failOver(std::size_t master) = 0;
    /// Until all agree, and every master has its replicas.
    virtual void settle() = 0;
    virtual std::map<Bytes, Bytes> truth() = 0;
    virtual store::Reply send(const store::Command& command) = 0;
    /// A slot with a lock goes to another master, where there are slots.
    virtual void moveSomething(Rng& /*rng*/) {}
};

/// A master with two replicas and three Sentinels.
std::unique_ptr<Topology> sentinelTopology();
/// Three masters with a replica each.
std::unique_ptr<Topology> clusterTopology();

} // namespace lockscope::testing
