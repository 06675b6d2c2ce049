#pragma once

#include "core/kernel/base/clock.h"
#include "core/kernel/store/channels.h"
#include "core/kernel/store/store.h"
#include "core/kernel/world/host.h"

#include <utility>

namespace lockscope::world {

/// A simulated server as one connection of a client sees it. The host outlives it.
class SimStore final : public store::Store {
public:
    SimStore(Host& host, LinkAddress link) : m_host(host), m_link(link) {}

    async::Pending<store::Outcome> submit(store::Command command) override
    {
        return m_host.send(m_link, std::move(command));
    }
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override
    {
        return m_host.sendAll(m_link, std::move(commands));
    }

    std::uint64_t session() const override { return m_host.session(m_link); }

private:
    Host& m_host;
    LinkAddress m_link;
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
