#include "core/kernel/contention/event_queue.h"

#include <cassert>
#include <utility>

namespace lockscope::contention {

void EventQueue::add(Moment when, Action action)
{
    assert(when >= m_now);
    m_entries.push({when, ++m_lastNumber, std::move(action)});
}

bool EventQueue::runNext(Moment end)
{
    if (m_entries.empty() || m_entries.top().at > end) {
        return false;
    }
    const Entry next = m_entries.top();
    m_entries.pop();
    m_now = next.at;
    next.action();
    return true;
}

void EventQueue::runUntil(Moment end)
{
    while (runNext(end)) {}
    m_now = end;
}

} // namespace lockscope::contention
