#pragma once

#include "core/kernel/base/rng.h"
#include "core/operations/servers.h"
#include "core/wire/connection/connection.h"
#include "tests/soak/release_race_ledger.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::testing {

/// One release, with a look at the lock immediately before and after it, in the same transaction.
struct WatchedRelease {
    std::uint16_t server = 0;
    Bytes key; // the first one of the script
    store::Reply answer;
    Look before;
    Look after;
};

/// Servers whose connections put every script between two looks at its lock. To its sender the
/// script is answered as without them. Each connection is a real one.
class WatchedServers final : public operations::Servers {
public:
    /// The look at the lock that a script with this first key is about.
    using Looker = std::function<store::Command(const Bytes& key)>;
    using Listener = std::function<void(const WatchedRelease& release)>;

    /// Executor and clock outlive this, and every connection.
    WatchedServers(std::vector<store::Endpoint> endpoints, async::Executor& executor, Clock& clock,
                   Rng rng, Looker looker, Listener listener);
    ~WatchedServers() override;

    std::size_t count() const override { return m_endpoints.size(); }
    const store::Endpoint& endpoint(std::size_t server) const override
    {
        return m_endpoints[server];
    }
    store::Store& store(std::size_t server) override { return *m_stores[server]; }
    std::shared_ptr<store::Store> connectAgain(std::size_t server) override;
    bool isOnline() const;

private:
    class WatchedStore;

    std::vector<store::Endpoint> m_endpoints;
    async::Executor& m_executor;
    Clock& m_clock;
    Rng m_rng;
    Looker m_looker;
    Listener m_listener;
    std::vector<std::shared_ptr<store::Store>> m_stores;
};

} // namespace lockscope::testing
