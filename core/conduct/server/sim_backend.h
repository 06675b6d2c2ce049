#pragma once

#include "core/conduct/server/backend.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"

#include <cstdint>
#include <utility>

namespace lockscope::conduct {

/// A simulated server, on whose clock a lease takes no time.
class SimBackend final : public Backend {
public:
    /// Its replicas have every write at once, until replication stops.
    explicit SimBackend(int replicaCount = 0);

    SessionId connect(const std::string& address, sim::ServerTime now) override;
    void disconnect(SessionId session) override { m_server.disconnect(session); }
    bool isWaiting(SessionId session) const override { return m_server.isWaiting(session); }
    std::optional<store::Reply> run(SessionId session, const store::Command& command,
                                    sim::ServerTime now) override;
    std::vector<Output> takeOutput() override;
    std::vector<SessionId> takeClosed() override { return m_server.takeClosed(); }
    bool takeHasStoppedAScript() override
    {
        return std::exchange(m_stoppedScripts, m_lua.stoppedCount()) != m_lua.stoppedCount();
    }
    void timePassed(sim::ServerTime now) override;
    std::optional<sim::ServerTime> nextTimeout() const override { return m_server.nextTimeout(); }
    std::vector<Key> keys(sim::ServerTime now) const override;
    void forgetKeys() override;
    void forgetScripts() override;
    void restart() override { m_server.restart(true); }
    void stopReplication(sim::ServerTime now) override;
    void resumeReplication() override;
    void failOver(sim::ServerTime now) override;

private:
    void replicate();
    void takeDeliveries();

    sim::LuaEngine m_lua{sim::LuaEngine::Answers::Computed};
    sim::SimServer m_server{m_lua};
    std::uint64_t m_stoppedScripts = 0; // that were asked for
    std::vector<Output> m_output;
    std::optional<sim::Keyspace> m_replicated; // since replication stopped: what replicas have
};

} // namespace lockscope::conduct
