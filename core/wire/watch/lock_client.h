#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/store/channels.h"
#include "core/kernel/store/node.h"
#include "core/wire/connection/connection.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lockscope::wire {

/// Where answers may be late: longer than any protocol lets the server keep a command waiting.
store::Endpoint blockingEndpointOf(store::Endpoint endpoint);

/// A Store whose connection is opened with the first command, which waits for it. For commands that
/// the server may answer late.
class BlockingStore final : public store::Store {
public:
    BlockingStore(store::Endpoint endpoint, async::Executor& executor, Clock& clock, Rng rng);

    async::Pending<store::Outcome> submit(store::Command command) override;
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override;

    /// Without those of the connection itself.
    std::uint64_t takeCommandCount() { return std::exchange(m_commandCount, 0); }

private:
    async::Task<void> sendWhenOnline(store::Command command,
                                     async::Completer<store::Outcome> completer);
    async::Task<void> sendAllWhenOnline(std::vector<store::Command> commands,
                                        async::Completer<std::vector<store::Outcome>> completer);
    async::Task<void> waitForConnection();

    Connection m_connection;
    async::Executor& m_executor;
    Clock& m_clock;
    std::uint64_t m_commandCount = 0;
    async::TaskScope m_tasks;
};

/// One per server.
using Connections = std::vector<std::shared_ptr<Connection>>;

/// Not yet open.
Connections connectionsTo(const std::vector<store::Endpoint>& endpoints, async::Executor& executor,
                          Clock& clock, Rng& rng);

/// The connections of one client program that takes locks: one per server for commands, one more
/// per server where it blocks. Several clients of a thread may share the former, as the tasks of
/// one program do: then what one of them sends does not wait for the replies to the others. Counts
/// its commands. Runs on one thread.
class LockClient final {
public:
    /// `channels`: one per endpoint, shared with other clients of the thread; they outlive this.
    LockClient(const std::vector<store::Endpoint>& endpoints,
               const std::vector<store::Channels*>& channels, async::Executor& executor,
               Clock& clock, Rng rng);
    /// Shares the connections with other clients. A crash does not end them, and their commands are
    /// counted by the client that is asked first.
    LockClient(Connections shared, const std::vector<store::Channels*>& channels,
               async::Executor& executor, Clock& clock, Rng rng);

    /// For a ClientEnvironment; refers to this.
    std::vector<store::Node> nodes() const;

    /// See Connection::followMaster().
    void followMaster();
    void open();
    /// Ends when every server is online, or has failed once; with problem(). This outlives it.
    async::Task<store::Problem> whenSettled();
    bool isOnline() const;
    /// Why a server is not reached; kind None when all are.
    store::Problem problem() const;

    /// The sockets vanish, as when the program dies, and are opened anew. Shared ones stay.
    void crash();

    /// Sent since the last call, those that the server may answer late included.
    std::uint64_t takeCommandCount();

    const Connections& connections() const { return m_connections; }

private:
    Connections m_connections;
    bool m_sharesConnections = false;
    std::vector<std::unique_ptr<BlockingStore>> m_blocking;
    std::vector<store::Channels*> m_channels;
};

} // namespace lockscope::wire
