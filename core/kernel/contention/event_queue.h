#pragma once

#include "core/kernel/contention/costs.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <vector>

namespace lockscope::contention {

/// What is to happen when: the time of a modelled run. What is due at the same moment happens in
/// the order in which it was added.
class EventQueue {
public:
    using Action = std::function<void()>;

    Moment now() const { return m_now; }

    /// `when` is not in the past. What `action` refers to outlives the event queue, or at least the
    /// moment.
    void add(Moment when, Action action);

    /// Lets everything happen that is due until then, and moves on to then.
    void runUntil(Moment end);
    /// The next thing happens; false when there is none until `end`.
    bool runNext(Moment end);

private:
    struct Entry {
        Moment at;
        std::uint64_t number = 0;
        Action action;
    };
    struct IsLater {
        bool operator()(const Entry& a, const Entry& b) const
        {
            return a.at != b.at ? a.at > b.at : a.number > b.number;
        }
    };

    std::priority_queue<Entry, std::vector<Entry>, IsLater> m_entries;
    Moment m_now{};
    std::uint64_t m_lastNumber = 0;
};

} // namespace lockscope::contention
