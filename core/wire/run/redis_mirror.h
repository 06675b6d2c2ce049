#pragma once

#include "core/kernel/search/server_transcript.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace lockscope::wire {

/// Where a real server answered otherwise than the simulated one.
struct MirrorDifference {
    std::optional<std::size_t> step; // of the run; nullopt: what was left in the end
    int client = -1;                 // who asked; -1: no client of the run
    int node = 0;
    store::Command command; // empty: something was heard that was not asked for just then
    store::Reply simulated;
    std::optional<store::Reply> real; // nullopt: none came
};

/// What became of a run on real servers.
struct MirrorResult {
    enum class Status : std::uint8_t {
        Agrees,        // every reply was the same: the clients would have believed the same
        Differs,       // see `differences`
        NotRepeatable, // see `reason`
        NoServer,      // redis-server could not be started; see `reason`
    };

    Status status = Status::NotRepeatable;
    std::vector<MirrorDifference> differences;
    std::string reason; // one sentence
    /// What was broken by the end of the run, on the simulated servers and, with Agrees, by the
    /// same replies on the real ones.
    std::vector<world::Violation> violations;
    int speedFactor = 1;   // so many times as fast as the plan says
    int exchangeCount = 0; // that were compared, the questions in the end included
    Duration realTime{0};
};

/// Repeats a run of the simulated world on real servers of its own: what the simulated servers were
/// asked is asked again, from as many connections and in the same order, after the same spans of
/// real time, and every reply is held against the simulated one. The clients of a world do nothing
/// but what follows from the replies and from their clocks, so that a client that gets the same
/// replies believes the same.
///
/// Faults of clients, of messages and of operators are repeated; those of the servers themselves
/// are not. Runs once, on one thread, which has an event loop.
class RedisMirror final : public QObject {
    Q_OBJECT
public:
    explicit RedisMirror(QObject* parent = nullptr);
    ~RedisMirror() override;

    /// Ends with finished(). The protocol outlives this.
    void start(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
               const std::vector<world::Step>& steps);

Q_SIGNALS:
    void finished(const lockscope::wire::MirrorResult& result);

private:
    /// The run at one speed.
    struct Take {
        int speedFactor = 1;
        search::ServerTranscript transcript;
    };
    struct ChannelListener;
    using Place = std::tuple<int, world::LinkRole, int>; // client, role, node

    static Place operatorAt(int node);

    void choosePace(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                    const std::vector<world::Step>& steps);
    void startServers(int count);
    async::Task<void> perform();
    async::Task<void> performOnce(const Take& take);
    async::Task<void> connectAll(const search::ServerTranscript& transcript);
    async::Task<void> prepare(int node);
    async::Task<void> carryOut(const search::Exchange& exchange);
    async::Task<void> ask(const search::Exchange& exchange, store::Store& store);
    async::Task<void> hear(const search::Exchange& exchange);
    async::Task<void> hearMessage(const search::Exchange& exchange);
    void begin(const search::Exchange& exchange);
    void hangUp(const search::Exchange& exchange);
    async::Task<void> lookAtTheEnd(const search::ServerTranscript& transcript);
    void compare(const search::Exchange& exchange, const store::Outcome& outcome);
    Connection& connectionTo(const Place& place);
    void giveUp(MirrorResult::Status status, std::string reason);
    void endSoon();
    void finish();

    LoopExecutor m_executor;
    LoopClock m_clock;
    std::vector<std::unique_ptr<PrivateServer>> m_servers;
    int m_readyCount = 0;
    std::vector<Take> m_takes; // the fastest first
    std::map<Place, std::unique_ptr<Connection>> m_connections;
    std::map<Place, async::Pending<store::Outcome>> m_begun;
    std::map<Place, std::vector<std::unique_ptr<ChannelListener>>> m_listeners;
    Duration m_lateness{0}; // how late the latest take was at worst
    bool m_isEnding = false;
    MirrorResult m_result;
    async::BackgroundTask m_task;
};

} // namespace lockscope::wire
