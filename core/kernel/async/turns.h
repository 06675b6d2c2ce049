#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"

#include <deque>
#include <memory>
#include <utility>

namespace lockscope::async {

/// Lets one task through at a time, in the order in which they asked.
class Turns {
    struct State;

public:
    /// The next task goes through when this is gone. It may outlive the Turns.
    class Turn {
    public:
        Turn(Turn&& other) noexcept = default;
        Turn& operator=(Turn&&) = delete;
        ~Turn()
        {
            if (m_state) {
                passOn(m_state);
            }
        }

    private:
        friend class Turns;
        explicit Turn(std::shared_ptr<State> state) : m_state(std::move(state)) {}
        std::shared_ptr<State> m_state;
    };

    /// A task that is dropped while it waits is passed over.
    Task<Turn> next()
    {
        const std::shared_ptr<State> state = m_state;
        if (!std::exchange(state->isTaken, true)) {
            co_return Turn(state);
        }
        auto pending = state->waiting.emplace_back().pending();
        co_return co_await std::move(pending);
    }

private:
    struct State {
        bool isTaken = false;
        std::deque<Completer<Turn>> waiting;
    };

    /// The turn of a task that is gone is destroyed at once, and so goes to the task after it.
    static void passOn(const std::shared_ptr<State>& state)
    {
        if (state->waiting.empty()) {
            state->isTaken = false;
            return;
        }
        Completer<Turn> next = std::move(state->waiting.front());
        state->waiting.pop_front();
        next.complete(Turn(state));
    }

    std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace lockscope::async
