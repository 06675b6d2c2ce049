#pragma once

#include "async/executor.h"
#include "async/pending.h"
#include "contention/agenda.h"
#include "contention/costs.h"
#include "contention/model_server.h"
#include "store/reply.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace lockscope::contention {

/// Hears what the driver's thread reads from one of its connections.
class ModelListener {
public:
    virtual void hear(store::Reply reply) = 0;

protected:
    ~ModelListener() = default;
};

/// One thread of the clients as the live one is built: an event loop that runs what is ready for a
/// while, then reads what has arrived, and looks at its timer only when there is nothing else to
/// do, as Qt's event loop on GLib does. All of that takes time. Whatever runs on it sees a clock
/// that moves on while it works.
class ModelDriver final : public async::Executor {
public:
    /// Both outlive this.
    ModelDriver(Agenda& agenda, const Costs& costs);

    void post(async::Continuation& continuation) override;

    /// How far the thread is.
    Moment present() const { return m_isWorking ? m_present : m_agenda.now(); }
    Instant now() const { return std::chrono::floor<Duration>(present()); }
    async::Pending<Instant> wakeAt(Instant when);

    const Costs::Driver& costs() const { return m_costs.driver; }

    /// What runs now takes so much longer.
    void spend(Work work) { m_present += m_slumber.timeFor(work, m_present); }

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
    void runReady();
    void readArrived();
    void wakeSleepers();
    /// Begins the next round, or sleeps.
    void goOn();
    void begin();
    /// Goes on with `next` when the thread is as far as it is now.
    void end(void (ModelDriver::*next)());
    void fallAsleep();
    void armTimer();
    Moment inWholeSteps(Moment when) const;

    Agenda& m_agenda;
    const Costs& m_costs;
    async::ReadyQueue m_ready;
    std::deque<Item> m_arrived;
    std::multimap<Instant, async::Completer<Instant>> m_sleepers;
    std::optional<Moment> m_timerAt;
    Moment m_present{};
    bool m_isWorking = false; // something of this thread is running just now
    bool m_isAwake = false;   // or about to be
    Slumber m_slumber{m_costs};
    std::uint64_t m_sleepNumber = 0;
    Work m_busyTime{0};
};

} // namespace lockscope::contention
