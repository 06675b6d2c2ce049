#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/contention/model_driver.h"
#include "core/kernel/contention/model_server.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace lockscope::contention {

/// A client's connection to a modelled server. It never breaks, and answers come in the order of
/// the commands.
class ModelLine final : private ModelPeer, private ModelListener {
public:
    /// Both outlive this.
    ModelLine(ModelDriver& driver, ModelServer& server);
    /// A task that waits for an answer waits forever.
    ~ModelLine();
    ModelLine(const ModelLine&) = delete;
    ModelLine& operator=(const ModelLine&) = delete;

    async::Pending<store::Outcome> send(store::Command command);
    async::Pending<std::vector<store::Outcome>> sendAll(std::vector<store::Command> commands);

    std::uint64_t commandCount() const { return m_commandCount; }

private:
    using Waiter = std::function<void(store::Reply)>;

    void arrived(store::Reply reply) override { m_driver.deliver(*this, std::move(reply)); }
    void hear(store::Reply reply) override;
    void transmit(std::span<store::Command> commands, const Waiter& waiter);

    ModelDriver& m_driver;
    ModelServer& m_server;
    sim::SessionId m_session;
    std::deque<Waiter> m_waiters; // the oldest first
    std::uint64_t m_commandCount = 0;
};

} // namespace lockscope::contention
