#pragma once

#include "core/kernel/async/executor.h"

namespace lockscope::async {

/// Runs on another executor, and can be stopped: while it is paused, what is posted waits and
/// nothing runs, as in a process that was sent SIGSTOP.
class PausableExecutor final : public Executor {
public:
    /// `below` outlives this.
    explicit PausableExecutor(Executor& below) : m_below(below), m_turn(*this) {}

    void post(Continuation& continuation) override
    {
        m_queue.post(continuation);
        askForTurn();
    }

    void pause() { m_isPaused = true; }
    void resume()
    {
        m_isPaused = false;
        askForTurn();
    }
    bool isPaused() const { return m_isPaused; }

private:
    struct Turn final : Continuation {
        explicit Turn(PausableExecutor& executor) : owner(executor) {}
        void run() override { owner.runOne(); }
        PausableExecutor& owner;
    };

    void askForTurn()
    {
        if (!m_isPaused && !m_queue.isEmpty()) {
            m_below.post(m_turn);
        }
    }
    void runOne()
    {
        if (!m_isPaused) {
            m_queue.runOne();
            askForTurn();
        }
    }

    Executor& m_below;
    ReadyQueue m_queue;
    Turn m_turn;
    bool m_isPaused = false;
};

} // namespace lockscope::async
