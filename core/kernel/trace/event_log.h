#pragma once

#include "core/kernel/trace/event.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace lockscope::trace {

/// Events in the order in which they were appended, up to a bound. Beyond it events are counted and
/// not kept: droppedCount() says so, and a view of the log says it as well.
class EventLog final : public EventSink {
public:
    explicit EventLog(std::size_t capacity = 4'000'000) : m_capacity(capacity) {}

    void append(const Event& event) override
    {
        if (m_events.size() < m_capacity) {
            m_events.push_back(event);
        } else {
            ++m_droppedCount;
        }
    }

    std::span<const Event> events() const { return m_events; }
    std::size_t droppedCount() const { return m_droppedCount; }

    /// Hands over what there is and begins anew.
    std::vector<Event> takeEvents() { return std::exchange(m_events, {}); }

private:
    std::size_t m_capacity;
    std::vector<Event> m_events;
    std::size_t m_droppedCount = 0;
};

} // namespace lockscope::trace
