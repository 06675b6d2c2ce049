#pragma once

#include "core/kernel/base/clock.h"
#include "core/kernel/store/channels.h"
#include "core/kernel/store/store.h"
#include "core/kernel/world/host.h"
#include "core/kernel/world/world_plan.h"

#include <utility>

namespace lockscope::world {

/// A simulated server as one connection of a client sees it. The host outlives it.
class SimStore final : public store::Store {
public:
    SimStore(Host& host, LinkAddress link, CommandChange change = nullptr)
        : m_host(host),
          m_link(link),
          m_change(change)
    {}

    async::Pending<store::Outcome> submit(store::Command command) override
    {
        return m_host.send(m_link, changed(std::move(command)));
    }
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override
    {
        for (store::Command& command : commands) {
            command = changed(std::move(command));
        }
        return m_host.sendAll(m_link, std::move(commands));
    }

    std::uint64_t session() const override { return m_host.session(m_link); }

private:
    store::Command changed(store::Command command) const
    {
        return m_change == nullptr ? std::move(command) : m_change(std::move(command));
    }

    Host& m_host;
    LinkAddress m_link;
    CommandChange m_change; // nullptr: none
};

/// The pub/sub side of a simulated server.
class SimChannels final : public store::Channels {
public:
    SimChannels(Host& host, int node) : m_host(host), m_node(node) {}

    store::Subscription subscribe(Bytes channel, async::Gate& bell) override
    {
        return store::Subscription(m_host.listen(m_node, std::move(channel), bell));
    }

private:
    Host& m_host;
    int m_node;
};

/// The clock of a simulated machine.
class SimClock final : public Clock {
public:
    explicit SimClock(Host& host) : m_host(host) {}

    Instant now() const override { return m_host.now(); }
    async::Pending<Instant> wakeAt(Instant when) override { return m_host.wakeAt(when); }
    WallTime wallNow() const override { return m_host.wallNow(); }

private:
    Host& m_host;
};

} // namespace lockscope::world
