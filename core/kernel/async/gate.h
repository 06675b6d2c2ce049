#pragma once

#include "async/pending.h"
#include "async/task.h"
#include "base/clock.h"

#include <optional>
#include <utility>

namespace lockscope::async {

/// Wakes one waiting task. Opening an already open gate does nothing; passing it closes it again,
/// so news that come while nobody waits are not lost, and many of them count as one.
class Gate {
public:
    void open()
    {
        m_isOpen = true;
        if (m_waiter) {
            m_waiter->complete(true);
        }
    }

    /// Completes when the gate is open. One waiter at a time.
    Task<void> pass()
    {
        if (!m_isOpen) {
            m_waiter.emplace();
            co_await m_waiter->pending();
            m_waiter.reset();
        }
        m_isOpen = false;
    }

    /// The same, but goes on at `deadline` at the latest, whether the gate is open or not.
    Task<void> passBefore(Executor& executor, Clock& clock, Instant deadline)
    {
        const BackgroundTask alarm(executor, openAt(*this, clock, deadline));
        co_await pass();
    }

private:
    static Task<void> openAt(Gate& gate, Clock& clock, Instant when)
    {
        co_await clock.wakeAt(when);
        gate.open();
    }

    bool m_isOpen = false;
    std::optional<Completer<bool>> m_waiter;
};

} // namespace lockscope::async
