#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace lockscope::pool {

/// Lets workers through, holds them up for a while, or sends them home. Any thread.
class PauseGate {
public:
    /// False: go home. Waits while it is closed.
    bool pass()
    {
        if (m_state.load(std::memory_order_relaxed) == State::Open) {
            return true;
        }
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_state != State::Closed; });
        return m_state == State::Open;
    }

    bool isOver() const { return m_state.load(std::memory_order_relaxed) == State::Over; }

    void open() { set(State::Open); }
    void close() { set(State::Closed); }
    void end() { set(State::Over); }

private:
    enum class State { Open, Closed, Over };

    void set(State state)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_state = state;
        }
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::atomic<State> m_state{State::Open};
};

} // namespace lockscope::pool
