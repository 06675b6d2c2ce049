#pragma once

#include "core/conduct/client_process.h"
#include "core/conduct/server/backend.h"
#include "core/kernel/base/time.h"
#include "core/wire/scratch_folder.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace lockscope::conduct {

/// A real Redis server of its own, in a process that ends with it and with this program. Each
/// client has a connection there, on which its bytes are passed on as they are.
///
/// Its clock is the machine's. That leases end when the owner's clock says so is brought about by
/// shortening, or prolonging, what is left of every key; waits that are over are ended by CLIENT
/// UNBLOCK. Scripts that ask for the TIME get the machine's.
class RealBackend final : public Backend {
public:
    /// `program`: redis-server or another one of its kind, looked up in PATH. Throws a
    /// std::runtime_error where it does not start.
    explicit RealBackend(const std::string& program);
    ~RealBackend() override;

    /// "Redis 7.0.15".
    std::string version();

    SessionId connect(const std::string& address, sim::ServerTime now) override;
    void disconnect(SessionId session) override;
    bool isWaiting(SessionId session) const override;
    std::optional<store::Reply> run(SessionId session, const store::Command& command,
                                    sim::ServerTime now) override;
    std::vector<Output> takeOutput() override { return std::exchange(m_output, {}); }
    std::vector<SessionId> takeClosed() override { return std::exchange(m_closed, {}); }
    void timePassed(sim::ServerTime now) override;
    std::optional<sim::ServerTime> nextTimeout() const override;
    std::vector<Key> keys(sim::ServerTime now) const override;
    void forgetKeys() override;
    void forgetScripts() override;
    void restart() override;
    void stopReplication(sim::ServerTime now) override;
    void resumeReplication() override { m_replicated.reset(); }
    void failOver(sim::ServerTime now) override;

private:
    /// Of a client, or our own.
    class Line;
    struct Wait {
        std::optional<sim::ServerTime> until;
        bool isGoingOn = false;
    };
    struct Client {
        std::unique_ptr<Line> line;
        std::int64_t id = 0; // that the server gave it
        Wait wait;
    };
    /// A key as DUMP has it.
    struct Copy {
        Bytes name;
        Bytes value;
        std::optional<std::int64_t> expiresAtMs; // by the owner's clock
    };

    store::Reply ask(const store::Command& command) const;
    std::optional<store::Reply> awaitAnswer(SessionId session, Client& client);
    bool isBlocked(const Client& client) const;
    void collect();
    void keepPace(sim::ServerTime now);
    void shiftExpiry(const Bytes& key, std::chrono::milliseconds span) const;
    std::vector<Bytes> names() const;
    std::optional<std::chrono::milliseconds> leftOf(const Bytes& key) const;

    std::string socketPath() const;

    wire::ScratchFolder m_folder;
    std::unique_ptr<ClientProcess> m_process;
    std::unique_ptr<Line> m_own;
    std::map<SessionId, Client> m_clients;
    SessionId m_lastSession = 0;
    std::vector<Output> m_output;
    std::vector<SessionId> m_closed;
    std::optional<sim::ServerTime> m_seenAt;       // the owner's clock when leases followed it last
    Instant m_reallySeenAt{};                      // and the machine's
    std::optional<std::vector<Copy>> m_replicated; // since replication stopped
};

/// The program of a real server that is found in PATH: redis-server, or valkey-server; empty:
/// none.
std::string realServerProgram();

} // namespace lockscope::conduct
