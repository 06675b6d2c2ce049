#pragma once

#include "core/kernel/contention/costs.h"
#include "core/kernel/contention/event_queue.h"
#include "core/kernel/sim/sim_server.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace lockscope::contention {

/// The client's end of a connection.
class ModelPeer {
public:
    /// Has arrived at the client's machine now.
    virtual void arrived(store::Reply reply) = 0;

protected:
    ~ModelPeer() = default;
};

/// A Redis server that takes its time: one thread that works in rounds, as the real one does. A
/// round takes up all commands that are there, in the order in which they came, and what it has to
/// say leaves when the round is over, in the order in which it was said.
class ModelServer {
public:
    /// All three outlive this.
    ModelServer(EventQueue& eventQueue, const Costs& costs, sim::LuaEngine& lua);

    /// The peer outlives the connection.
    sim::SessionId connect(ModelPeer& peer);
    /// Commands and answers that are under way get lost.
    void disconnect(sim::SessionId session);

    /// `when`, which is not in the past, the client lets go of the command.
    void send(sim::SessionId session, store::Command command, Moment when);

    /// It has nothing to do, as far as its senders know.
    bool isAsleep() const { return !m_isAwake && m_underWayCount == 0; }

    /// How long it has worked.
    Work busyTime() const { return m_busyTime; }
    std::uint64_t commandCount() const { return m_commandCount; }

private:
    struct Arrival {
        sim::SessionId session = 0;
        store::Command command;
    };

    void arrive(Arrival arrival);
    void workRound();
    /// Begins so long after the round. Returns what it costs; what it says goes to the end of
    /// `said`.
    Work carryOut(const Arrival& arrival, Work before, std::vector<sim::Delivery>& said);
    Work takeDeliveries(std::vector<sim::Delivery>& said);
    void endRound(std::vector<sim::Delivery> said);
    void tellPeers(const std::vector<sim::Delivery>& said);
    void holdBack(Arrival arrival);
    void bringBack();
    void armTimeout();
    void endWaits();
    sim::ServerTime serverTimeIn(Work span) const;
    Work half() const { return m_costs.roundTrip / 2; }

    EventQueue& m_eventQueue;
    const Costs& m_costs;
    sim::SimServer m_server;
    std::map<sim::SessionId, ModelPeer*> m_peers;
    std::deque<Arrival> m_queue;
    std::vector<Arrival> m_heldBack; // of sessions that wait: not read until they are answered
    std::size_t m_underWayCount = 0; // commands that have not arrived
    bool m_isAwake = false;
    IdleTimer m_idle{m_costs};
    std::optional<Moment> m_timeoutAt; // for which there is an entry in the event queue
    Work m_busyTime{0};
    std::uint64_t m_commandCount = 0;
};

} // namespace lockscope::contention
