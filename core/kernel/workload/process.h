#pragma once

#include "core/kernel/async/pausable_executor.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"

namespace lockscope::workload {

/// What one pretended client program runs in. It can be made to stand still, renewals and replies
/// included, as a stopped process does.
class Process {
public:
    /// Both outlive this.
    Process(async::Executor& below, Clock& clock) : m_below(below), m_clock(clock), m_own(below) {}

    async::Executor& executor() { return m_own; }

    /// Nothing of this process runs from now until the span is over.
    void pauseFor(Duration span)
    {
        m_own.pause();
        m_alarm = async::BackgroundTask(m_below, resumeAt(m_clock, m_own, m_clock.now() + span));
    }
    /// Ends a pause early.
    void resume()
    {
        m_alarm = {};
        m_own.resume();
    }
    bool isPaused() const { return m_own.isPaused(); }

private:
    static async::Task<void> resumeAt(Clock& clock, async::PausableExecutor& process, Instant when)
    {
        co_await clock.wakeAt(when);
        process.resume();
    }

    async::Executor& m_below;
    Clock& m_clock;
    async::PausableExecutor m_own;
    async::BackgroundTask m_alarm;
};

} // namespace lockscope::workload
