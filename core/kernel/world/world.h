#pragma once

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/world/ledger.h"
#include "core/kernel/world/server_clock.h"
#include "core/kernel/world/sim_client.h"
#include "core/kernel/world/step.h"
#include "core/kernel/world/world_plan.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::world {

/// Hears what happens in a world, for stories and for the replay on a real server. Costs nothing
/// where there is no observer.
class Observer {
public:
    virtual ~Observer() = default;

    virtual void timeWentOn(Instant /*from*/, Instant /*to*/) {}
    /// A client sent it: it is under way from here on.
    virtual void sent(const Request& /*request*/) {}
    /// The server carried the request out; `reply` is what it answered at once. `isAnswerLost`: but
    /// no client received it.
    virtual void served(const Request& /*request*/, const std::optional<store::Reply>& /*reply*/,
                        bool /*isLate*/, bool /*isAnswerLost*/)
    {}
    /// A blocking command was answered, or a subscriber told.
    virtual void delivered(int /*client*/, LinkAddress /*link*/, const store::Reply& /*reply*/) {}
    virtual void faultHappened(const Step& /*step*/, const store::Command* /*concerned*/) {}
    virtual void recorded(const trace::Event& /*event*/) {}
    virtual void broke(const Violation& /*violation*/) {}
};

/// A world of clients that run a protocol's own coroutines over simulated servers, in steps that
/// the caller picks. The network is instant; what is slow or lost is a fault. Time goes on only
/// when no server has anything to do.
///
/// A run is a function of protocol, plan and steps: the same ones give the same world, on every
/// machine and with every compiler. Everything in it belongs to one thread.
class World final : private trace::EventSink, private Network {
public:
    /// All three outlive the world. An engine serves one world after the other.
    World(const protocol::LockProtocol& protocol, const WorldPlan& plan, sim::LuaEngine& lua);
    ~World() override;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void observeWith(Observer* observer) { m_observer = observer; }

    /// What may happen next, always in the same order. Empty: the run is over.
    std::span<const Step> steps();
    /// Carries out one of steps(). False when it is none of them, and nothing was done.
    bool takeStep(const Step& step);
    /// The same for a step that is known to be possible, because it was in a run with the same
    /// beginning. Not looked up: anything else breaks the world.
    void takeKnownStep(const Step& step);
    /// What the step costs in the length of a run: 1, and 0 for time that goes on once more.
    int costOf(const Step& step) const;

    /// The step and the latest one concern different servers, both were possible before, and the
    /// other order of the two is the one to look at: they lead to the same world.
    bool isBetterBeforeLatest(const Step& step) const;

    /// The run is over: heals what is broken and asks for every lock that is left behind.
    void conclude();

    Instant now() const { return m_now; }
    Duration elapsed() const { return m_now.time_since_epoch(); }
    const Ledger& ledger() const { return m_ledger; }
    const std::vector<Violation>& violations() const { return m_ledger.violations(); }
    /// Length of the run so far, see costOf().
    int cost() const { return m_cost; }
    /// Whether something would have happened behind the plan's horizon.
    bool isCutShort() const { return m_isCutShort; }
    int commandCount() const { return m_commandCount; }
    int faultCount() const { return m_faultCount; }
    const std::vector<trace::Event>& events() const { return m_events; }
    const WorldPlan& plan() const { return m_plan; }
    const sim::SimServer& server(int node) const
    {
        return m_nodes[static_cast<std::size_t>(node)].server;
    }
    /// What the server's clock shows.
    sim::ServerTime serverTime(int node) const
    {
        return m_nodes[static_cast<std::size_t>(node)].clock.at(m_now);
    }
    /// When that clock shows this, or showed it, if nothing changes it.
    Instant whenServerShows(int node, sim::ServerTime then) const
    {
        return m_nodes[static_cast<std::size_t>(node)].clock.whenItShows(then);
    }
    const std::optional<Step>& latestStep() const { return m_latest; }

    /// Two worlds of one protocol and plan with the same hash go on alike, as far as hashes tell.
    std::uint64_t stateHash() const;

private:
    /// A connection.
    struct Link {
        sim::SessionId session = 0;
        std::vector<Request> queue;     // sent, and not yet carried out
        std::optional<Request> waiting; // carried out; the server answers later
        std::uint64_t history = 0;      // of what was answered, and when
    };
    struct Node {
        sim::SimServer server;
        ServerClock clock;
        Instant slowUntil = Instant::min();
        bool isFresh = false; // it did something in the latest step
    };
    enum class Cut : std::uint8_t { None, Both, Answers };
    struct Reach {
        Cut cut = Cut::None;
        Instant until{};
    };
    struct ClientSlot { // of a client
        std::unique_ptr<SimClient> client;
        std::vector<Link> links;  // by role, then node
        std::vector<Reach> reach; // by node
        std::optional<Instant> pausedUntil;
        bool isFresh = false; // it did something in the latest step
        bool hasEnded = false;
        int restartCount = 0;
        int sentNow = 0; // requests in this instant
    };
    /// A request that was delayed or copied.
    struct LateRequest {
        Request request;
        Instant until{};
    };

    // trace::EventSink
    void append(const trace::Event& event) override;
    // Network
    void send(Request request) override;
    void subscribe(int client, int node, const Bytes& channel) override;

    ClientSlot makeSlot(int index, const WorldPlan& plan, const ClientPlan& acts);
    SimClient::Setting settingOf(int index, const WorldPlan& plan, const ClientPlan& acts,
                                 int restartCount);
    void connect(ClientSlot& slot, int node);
    std::size_t placeOf(LinkAddress address) const
    {
        const auto nodeCount = static_cast<std::size_t>(m_plan.nodeCount);
        return static_cast<std::size_t>(address.role) * nodeCount
               + static_cast<std::size_t>(address.node);
    }
    Link& linkOf(int client, LinkAddress address) { return slotOf(client).links[placeOf(address)]; }
    const Link& linkOf(int client, LinkAddress address) const
    {
        return slotOf(client).links[placeOf(address)];
    }
    ClientSlot& slotOf(int client) { return m_slots[static_cast<std::size_t>(client)]; }
    const ClientSlot& slotOf(int client) const { return m_slots[static_cast<std::size_t>(client)]; }
    Node& nodeOf(int node) { return m_nodes[static_cast<std::size_t>(node)]; }
    int slotCount() const { return static_cast<int>(m_slots.size()); }
    static bool isRunning(const ClientSlot& slot)
    {
        return !slot.pausedUntil && !slot.client->isCrashed();
    }
    bool isRunning(int client) const { return isRunning(slotOf(client)); }
    bool canReach(int client, int node) const;

    // Steps.
    bool isServable(int client, LinkAddress address) const;
    void listServes();
    void listLate();
    bool isAllOver() const;
    void begin();
    void carryOut(const Step& step);
    void settle();
    void endOf(int client);
    void closeListeners(int client);

    // Time.
    std::optional<Instant> nextDue();
    void advanceTo(Instant then);
    void wakeUp();
    void giveUpLateAnswers();

    // Requests.
    void execute(Request request, bool isLate, bool isAnswerLost);
    void answer(Request& request, store::Outcome outcome);
    void loseAnswer(Request request);
    void deliver(int node);
    void deliverToListener(int client, int node, const store::Reply& reply);
    std::optional<std::pair<int, LinkAddress>> linkOfSession(int node,
                                                             sim::SessionId session) const;
    void keepReplicaClose(int node);

    // Faults: what may go wrong now, and how it does.
    bool mayFail(FaultKind kind) const;
    bool mayAnythingFail() const;
    void offer(FaultKind kind, int client, int node, int variant = 0,
               LinkRole role = LinkRole::Commands);
    void offerBeginnings();
    void listFaults();
    void offerClientFaults(int client);
    void offerMessageFaults(int client);
    void offerNodeFaults(int node);
    void fail(const Step& step);
    void tellFault(const Step& step, const store::Command* concerned);
    void failClient(const Step& step);
    void failMessage(const Step& step, Request request);
    void failNode(const Step& step);
    void crash(int client);
    void startAgain(int client);
    void recordFault(trace::EventKind kind, int client, Duration amount = Duration(0));
    void breakSubscription(int client, int node);
    void cutOff(int client, int node, Cut cut);
    void slowDown(int node);
    void failOver(int node, std::size_t lostWriteCount);
    void loseConnections(int node);
    void removeEntry(int node, const Bytes& key);
    void serverChanged(int node);
    void heal();
    bool askFor(int lock);
    void judgeEnd(int lock);

    const protocol::LockProtocol& m_protocol;
    const WorldPlan& m_plan;
    Instant m_now{};
    Ledger m_ledger;
    std::vector<Node> m_nodes;
    std::vector<std::unique_ptr<WorldPlan>> m_askers; // of the clients that ask in the end
    std::vector<LateRequest> m_late;
    std::vector<Request> m_unanswered; // their clients wait in vain, until they give up
    std::array<int, static_cast<std::size_t>(FaultKind::FaultKindCount)> m_faultsDone{};
    std::vector<Step> m_steps;
    std::vector<bool> m_isAsleep; // by client, while time goes on
    std::vector<trace::Event> m_events;
    std::optional<Step> m_latest;
    Observer* m_observer = nullptr;
    std::size_t m_violationsTold = 0;
    int m_cost = 0;
    int m_commandCount = 0;
    std::uint32_t m_sentCount = 0;
    std::uint32_t m_stepCount = 0;
    int m_faultCount = 0;
    bool m_hasBegun = false;
    bool m_isCutShort = false;
    bool m_isHealed = false;
    bool m_mayMoreFail = false;
    bool m_needsBlocking = false;
    bool m_needsChannels = false;
    std::vector<ClientSlot> m_slots; // last: their coroutines refer to the rest
};

} // namespace lockscope::world
