#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/sim_session.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::conduct {

/// What answers the clients of a RespServer: one server, simulated or real. Its clock is moved by
/// its owner. Used by one thread.
class Backend {
public:
    using SessionId = sim::SessionId;
    /// Bytes for a client, as they go over the wire.
    struct Output {
        SessionId session = 0;
        std::string bytes;
    };
    struct Key {
        Bytes name;
        std::optional<std::int64_t> expiresAtMs; // since 1970, by the server's clock; nullopt:
                                                 // never
    };

    Backend() = default;
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /// A connection for a client at `address`, "127.0.0.1:40312".
    virtual SessionId connect(const std::string& address, sim::ServerTime now) = 0;
    /// Forgets it and its waits.
    virtual void disconnect(SessionId session) = 0;
    /// Its latest command is answered only later: it must not be given another one.
    virtual bool isWaiting(SessionId session) const = 0;
    /// Carries it out. The answer; nullopt when it comes later or in parts.
    virtual std::optional<store::Reply> run(SessionId session, const store::Command& command,
                                            sim::ServerTime now) = 0;
    /// What there is to say since this was asked, in the order in which the server says it.
    virtual std::vector<Output> takeOutput() = 0;
    /// Connections that the server has ended since this was asked.
    virtual std::vector<SessionId> takeClosed() = 0;

    /// A script was ended by a limit that a real server does not have, since this was asked.
    virtual bool takeHasStoppedAScript() { return false; }

    /// Removes what has expired and answers the waits that are over by now.
    virtual void timePassed(sim::ServerTime now) = 0;
    virtual std::optional<sim::ServerTime> nextTimeout() const = 0;

    /// Those that are there at that moment.
    virtual std::vector<Key> keys(sim::ServerTime now) const = 0;
    virtual void forgetKeys() = 0;

    /// Its scripts are unknown: the next EVALSHA is answered with NOSCRIPT.
    virtual void forgetScripts() = 0;
    /// It is there again with its data; all connections and scripts are gone.
    virtual void restart() = 0;
    /// From now on nothing that it writes reaches its replicas.
    virtual void stopReplication(sim::ServerTime now) = 0;
    virtual void resumeReplication() = 0;
    /// A replica takes over that has what was there when replication stopped; all connections are
    /// gone.
    virtual void failOver(sim::ServerTime now) = 0;
};

} // namespace lockscope::conduct
