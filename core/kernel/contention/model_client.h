#pragma once

#include "core/kernel/contention/model_channels.h"
#include "core/kernel/contention/model_driver.h"
#include "core/kernel/contention/model_line.h"
#include "core/kernel/contention/model_server.h"
#include "core/kernel/store/node.h"
#include "core/kernel/world/host.h"
#include "core/kernel/world/sim_store.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lockscope::contention {

/// What the clients of one thread share.
struct ModelThread {
    ModelDriver driver;
    std::vector<std::unique_ptr<ModelChannels>> channels; // one per server

    ModelThread(EventQueue& eventQueue, const Costs& costs,
                const std::vector<std::unique_ptr<ModelServer>>& servers);
};

/// One client program of a modelled run: two connections to each server, one of them for commands
/// that are answered late, and what its thread listens to. Servers are never out of reach.
class ModelClient final : public world::Host {
public:
    using Servers = std::vector<std::unique_ptr<ModelServer>>;

    /// Both outlive this.
    ModelClient(ModelThread& thread, const Servers& servers);

    Instant now() const override { return m_thread.driver.now(); }
    WallTime wallNow() const override;
    async::Pending<Instant> wakeAt(Instant when) override { return m_thread.driver.wakeAt(when); }

    async::Pending<store::Outcome> send(world::LinkAddress link, store::Command command) override
    {
        return lineTo(link).send(std::move(command));
    }
    async::Pending<std::vector<store::Outcome>> sendAll(
        world::LinkAddress link, std::vector<store::Command> commands) override
    {
        return lineTo(link).sendAll(std::move(commands));
    }
    std::shared_ptr<store::Mailbox> listen(int node, Bytes channel, async::Gate& bell) override;

    /// For a CommandContext; refers to this.
    std::vector<store::Node> nodes();
    Clock& clock() { return m_clock; }

    /// The connections vanish and are made anew.
    void crash();

    /// Sent so far. Listening and its end do not count.
    std::uint64_t commandCount() const;

private:
    /// One server as this client sees it.
    struct Node {
        ModelServer& server;
        std::unique_ptr<ModelLine> commands;
        std::unique_ptr<ModelLine> blocking;
        world::SimStore commandStore;
        world::SimStore blockingStore;
        world::SimChannels channels;
    };

    ModelLine& lineTo(world::LinkAddress link);

    ModelThread& m_thread;
    world::SimClock m_clock{*this};
    std::vector<Node> m_nodes;
    std::uint64_t m_countBefore = 0; // of the lines that crashed
};

} // namespace lockscope::contention
