#pragma once

#include "core/kernel/async/executor.h"
#include "core/kernel/async/pending.h"
#include "core/kernel/contention/costs.h"
#include "core/kernel/contention/event_queue.h"
#include "core/kernel/contention/model_server.h"
#include "core/kernel/store/reply.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>

namespace lockscope::contention {

/// Hears what the driver's thread reads from one of its connections.
class ModelListener {
public:
    virtual void hear(store::Reply reply) = 0;

protected:
    ~ModelListener() = default;
};

/// One thread of the clients as the live one is built: an event loop that in every round runs what
/// is ready for a while, reads what has arrived, and wakes tasks that are due. All of that takes
/// time: the tasks see a clock that moves on while they work.
class ModelDriver final : public async::Executor {
public:
    /// Both outlive this.
    ModelDriver(EventQueue& eventQueue, const Costs& costs);

    void post(async::Continuation& continuation) override;

    /// How far the thread is.
    Moment present() const { return m_isWorking ? m_present : m_eventQueue.now(); }
    Instant now() const { return std::chrono::floor<Duration>(present()); }
    async::Pending<Instant> wakeAt(Instant when);

    /// What runs now takes so much longer.
    void spend(Work work) { m_present += m_idle.timeFor(work, m_present); }

    /// All of them at once.
    void send(ModelServer& server, sim::SessionId session, std::span<store::Command> commands);

    /// Something has arrived for the listener: it hears it when the thread comes to reading.
    void deliver(ModelListener& listener, store::Reply reply);
    /// The listener is about to go.
    void forget(const ModelListener& listener);

    /// How long it has worked.
    Work busyTime() const { return m_busyTime; }

private:
    struct Item {
        ModelListener* listener = nullptr;
        store::Reply reply;
    };

    void runFrom(Moment when);
    void beginRound();
    void runOne();
    void readOne();
    void wakeSleepers();
    std::optional<Moment> nextTimer();
    /// Begins the next round, or sleeps.
    void goOn();
    void begin();
    /// Goes on with `next` when the thread is as far as it is now.
    void end(void (ModelDriver::*next)());
    void fallAsleep(std::optional<Moment> timer);

    EventQueue& m_eventQueue;
    const Costs& m_costs;
    async::ReadyQueue m_ready;
    std::deque<Item> m_arrived;
    std::multimap<Instant, async::Completer<Instant>> m_sleepers;
    Moment m_notBefore{}; // no task is woken before it
    Moment m_present{};
    Moment m_runUntil{};         // in this round
    std::size_t m_readsLeft = 0; // in this round
    bool m_isWorking = false;    // something of this thread is running just now
    bool m_isAwake = false;      // or about to be
    IdleTimer m_idle{m_costs};
    std::uint64_t m_sleepNumber = 0;
    Work m_busyTime{0};
};

} // namespace lockscope::contention
