#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/base/clock.h"

#include <cassert>
#include <coroutine>
#include <optional>
#include <utility>

namespace lockscope::async {

/// Wakes one waiting task. Opening an already open gate does nothing; passing it closes it again,
/// so news that come while no task waits are not lost, and many of them count as one.
class Gate {
public:
    class Passing;

    Gate() = default;
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    ~Gate();

    void open();

    /// To be awaited: goes on when the gate is open. One waiter at a time.
    Passing pass();

    /// The same, but goes on at `deadline` at the latest, whether the gate is open or not.
    Passing passBefore(Clock& clock, Instant deadline);

private:
    bool m_isOpen = false;
    Passing* m_waiter = nullptr;
};

/// What is awaited at a gate. It stands in the frame of who waits and allocates nothing: every
/// sleep and every wait for a lock goes through a gate.
class [[nodiscard]] Gate::Passing final : public Continuation {
public:
    ~Passing() override { leave(); }

    bool await_ready() const { return m_gate->m_isOpen; }
    template<class Promise>
    void await_suspend(std::coroutine_handle<Promise> handle)
    {
        assert(m_gate->m_waiter == nullptr && "one waiter at a time");
        m_handle = handle;
        m_executor = &handle.promise().executor();
        m_gate->m_waiter = this;
        if (m_clock != nullptr) {
            m_alarm.emplace(m_clock->wakeAt(m_deadline));
            m_alarm->wake(*this, *m_executor);
        }
    }
    void await_resume()
    {
        m_alarm.reset();
        if (m_gate != nullptr) {
            m_gate->m_isOpen = false;
            leave();
        }
    }
    void run() override { m_handle.resume(); }

private:
    friend class Gate;
    explicit Passing(Gate& gate) : m_gate(&gate) {}
    Passing(Gate& gate, Clock& clock, Instant deadline)
        : m_gate(&gate),
          m_clock(&clock),
          m_deadline(deadline)
    {}

    void leave()
    {
        if (m_gate != nullptr && m_gate->m_waiter == this) {
            m_gate->m_waiter = nullptr;
        }
    }

    Gate* m_gate; // nullptr: it is gone; then only the alarm ends the wait
    Clock* m_clock = nullptr;
    Instant m_deadline{};
    std::optional<Pending<Instant>> m_alarm;
    Executor* m_executor = nullptr;
    std::coroutine_handle<> m_handle;
};

inline Gate::~Gate()
{
    if (m_waiter != nullptr) {
        m_waiter->m_gate = nullptr;
    }
}

inline void Gate::open()
{
    m_isOpen = true;
    if (m_waiter != nullptr) {
        m_waiter->m_executor->post(*m_waiter);
    }
}

inline Gate::Passing Gate::pass()
{
    return Passing(*this);
}

inline Gate::Passing Gate::passBefore(Clock& clock, Instant deadline)
{
    return Passing(*this, clock, deadline);
}

} // namespace lockscope::async
