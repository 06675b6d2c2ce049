#pragma once

#include "core/kernel/async/executor.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/content_hash.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/world/host.h"
#include "core/kernel/world/ledger.h"
#include "core/kernel/world/planned_life.h"
#include "core/kernel/world/sim_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::world {

/// A request on its way, and the task that waits for its answer.
struct Request {
    store::Command command;
    LinkAddress link;
    int client = 0;
    Purpose purpose = Purpose::Acquire;
    std::uint32_t number = 0;          // of the world's requests; a copy has that of its original
    std::uint32_t sentAtStep = 0;      // of the world
    Instant readyAt{};                 // no server sees it earlier
    Instant giveUpAt = Instant::max(); // the client stops waiting for an answer
    bool isAnswerCut = false;          // the connection breaks before the answer
    std::optional<async::Completer<store::Outcome>> answer;
};

/// The network as a client sees it.
class Network {
public:
    virtual ~Network() = default;
    virtual void send(Request request) = 0;
    virtual void subscribe(int client, int node, const Bytes& channel) = 0;
    /// Of a client's connection: another one after it broke. Constant where none breaks.
    virtual std::uint64_t sessionOf(int /*client*/, LinkAddress /*link*/) const { return 0; }
};

/// One client program in a world: its clock, its executor, its connections, its life. It runs when
/// the world says so and stands still otherwise.
class SimClient final : public Host {
public:
    struct Setting {
        const protocol::LockProtocol& protocol;
        const WorldPlan& plan;
        const ClientPlan& acts;
        Ledger& ledger;
        Network& network;
        trace::EventSink& events;
        const Instant& now; // the world's
        int index;
        int identity;         // whose it is
        int restartCount = 0; // how often this program crashed before
    };

    explicit SimClient(const Setting& setting);

    void start();
    /// Runs until it waits for something. True when it ran at all.
    bool run();
    /// It is gone, and so is everything in its memory.
    void crash();
    void hang() { m_life->hang(); }

    bool isOver() const { return m_isCrashed || m_life->isFinished(); }
    bool isCrashed() const { return m_isCrashed; }
    bool isHung() const { return m_life && m_life->isHung(); }
    /// Whether it holds locks by its plan that it will never give back.
    bool isDead() const { return isOver() || isHung(); }

    const protocol::Identity& identity() const { return m_contender->identity(); }
    /// The grant of a hold that it has not begun to give back; nullptr if it has no such hold.
    const protocol::Grant* grantOf(int lock) const
    {
        return m_isCrashed ? nullptr : m_life->grantOf(lock);
    }

    /// The request that it waits for; nullopt if it waits for none.
    std::optional<PlannedLife::Waiting> waitingFor() const
    {
        return m_isCrashed ? std::nullopt : m_life->waitingFor();
    }

    /// Its clock goes on from what it shows, this fast.
    void setRate(double rate);
    double rate() const { return m_rate; }
    void stepWallClock(Duration by) { m_wallClockOffset += by; }
    /// It runs on the same machine as the other one did.
    void goOnWithClockOf(const SimClient& other);
    Instant now() const override;
    /// The client remembers it: a calendar may be set after it was read.
    WallTime wallNow() const override;
    async::Pending<Instant> wakeAt(Instant when) override;

    async::Pending<store::Outcome> send(LinkAddress link, store::Command command) override;
    async::Pending<std::vector<store::Outcome>> sendAll(
        LinkAddress link, std::vector<store::Command> commands) override;
    /// The client remembers it, as what it does next depends on it.
    std::uint64_t session(LinkAddress link) const override;
    std::shared_ptr<store::Mailbox> listen(int node, Bytes channel, async::Gate& bell) override;

    /// When its next timer is due, in the world's time.
    std::optional<Instant> nextTimer();
    /// Wakes those that are due. True when there was one.
    bool fireTimers();

    /// What it learnt and when, as far as what it does next may depend on it.
    void remember(std::uint64_t what) const;
    std::uint64_t contentHash() const;

    struct ChannelListener {
        int node = 0;
        Bytes channel;
        std::shared_ptr<store::Mailbox> mailbox;
    };
    std::vector<ChannelListener>& listeners() { return m_listeners; }
    void hear(int node, const Bytes& channel, const store::Notice& notice);

    Purpose purpose() const;
    void beginAcquiring() { ++m_acquiringCount; }
    void endAcquiring() { --m_acquiringCount; }

private:
    struct Timer {
        Instant due; // in the world's time
        std::uint32_t order;
        async::Completer<Instant> wake;
    };

    /// What it reaches a server by.
    struct Lines {
        SimStore commands;
        SimStore blocking;
        SimChannels channels;
    };

    void makeContenders(protocol::ClientEnvironment environment);
    Instant worldTimeOf(Instant local) const;
    void forgetAbandonedTimers();

    Setting m_setting;
    async::ReadyQueue m_executor;
    SimClock m_clock;
    std::vector<Lines> m_lines; // by node; never grown once they are there
    std::vector<Timer> m_timers;
    std::vector<ChannelListener> m_listeners;
    std::uint32_t m_timerOrder = 0;
    mutable std::uint64_t m_history = 0; // reading a calendar adds to it
    double m_rate = 1;
    // The clock is a line: it showed m_localThen at m_rateSince and goes on from there at m_rate.
    Instant m_rateSince{}; // in the world's time
    Instant m_localThen{}; // what the clock showed then
    Duration m_wallClockOffset{0};
    int m_acquiringCount = 0;
    bool m_isCrashed = false;
    std::unique_ptr<protocol::ClientMemory> m_memory;
    std::optional<protocol::Contender> m_contender;
    std::unique_ptr<protocol::Contender> m_otherTask; // null where the plan needs none
    std::optional<PlannedLife> m_life;
    std::vector<async::BackgroundTask> m_collectors; // of requests that were sent together
    async::BackgroundTask m_task;
};

} // namespace lockscope::world
