#include "core/wire/loop_executor.h"

#include "core/wire/loop_clock.h"

#include <QMetaObject>

#include <chrono>

namespace lockscope::wire {

namespace {

/// So that sockets and timers get their turn between long chains of continuations: a SCAN that
/// could be sent should not wait until everything that is already here has been digested.
constexpr std::chrono::microseconds kTurn(40);

} // namespace

void LoopExecutor::post(async::Continuation& continuation)
{
    m_queue.post(continuation);
    if (!m_isDrainScheduled) {
        m_isDrainScheduled = true;
        QMetaObject::invokeMethod(this, &LoopExecutor::drain, Qt::QueuedConnection);
    }
}

void LoopExecutor::drain()
{
    m_isDrainScheduled = false;
    const Instant end = LoopClock::present() + kTurn;
    do {
        if (!m_queue.runOne()) {
            return;
        }
    } while (LoopClock::present() < end);
    if (!m_queue.isEmpty() && !m_isDrainScheduled) {
        m_isDrainScheduled = true;
        QMetaObject::invokeMethod(this, &LoopExecutor::drain, Qt::QueuedConnection);
    }
}

} // namespace lockscope::wire
