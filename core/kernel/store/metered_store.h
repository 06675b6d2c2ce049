#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/store/store.h"

#include <utility>
#include <vector>

namespace lockscope::store {

/// Passes everything on, and counts what was sent and what came back.
class MeteredStore final : public Store {
public:
    /// Both outlive this, and this outlives all that waits for its outcomes.
    MeteredStore(async::Executor& executor, Store& inner) : m_inner(inner), m_forwarding(executor)
    {}

    async::Pending<Outcome> submit(Command command) override;
    async::Pending<std::vector<Outcome>> submitAll(std::vector<Command> commands) override;
    async::Task<Problem> whenSettled() override { return m_inner.whenSettled(); }
    std::uint64_t session() const override { return m_inner.session(); }
    Usage usage() const override { return m_usage; }

    /// How often each command was sent, by its name: "SET", "CLIENT|LIST".
    using Calls = std::vector<std::pair<Bytes, std::uint64_t>>;
    const Calls& calls() const { return m_calls; }

private:
    void countSent(const Command& command);
    async::Task<void> forward(async::Pending<Outcome> coming, async::Completer<Outcome> completer);
    async::Task<void> forwardAll(async::Pending<std::vector<Outcome>> coming,
                                 async::Completer<std::vector<Outcome>> completer);

    Store& m_inner;
    Usage m_usage;
    Calls m_calls; // some dozens at most
    async::TaskScope m_forwarding;
};

/// What the reply, or the command, takes on the wire (RESP2).
std::uint64_t wireSizeOf(const Reply& reply);
std::uint64_t wireSizeOf(const Command& command);

} // namespace lockscope::store
