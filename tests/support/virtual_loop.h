#pragma once

#include "tests/support/manual_clock.h"
#include "tests/support/started_task.h"

#include <stdexcept>
#include <utility>

namespace lockscope::testing {

/// An executor and a clock that only move when the test says so.
class VirtualLoop {
public:
    async::ReadyQueue& executor() { return m_executor; }
    ManualClock& clock() { return m_clock; }
    Instant now() const { return m_clock.now(); }

    /// Runs everything that can run now.
    void settle();

    /// Lets time pass: every sleeper wakes at its own instant, and what follows from it happens
    /// then.
    void advance(Duration span);

    template<class T>
    StartedTask<T> start(async::Task<T> task)
    {
        StartedTask<T> started(m_executor, std::move(task));
        settle();
        return started;
    }

    /// Runs the task without letting time pass.
    template<class T>
    T run(async::Task<T> task)
    {
        const StartedTask<T> started = start(std::move(task));
        if (!started.isFinished()) {
            throw std::logic_error("the task still waits for something");
        }
        return started.result();
    }

private:
    ManualClock m_clock;
    async::ReadyQueue m_executor;
};

} // namespace lockscope::testing
