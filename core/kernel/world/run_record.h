#pragma once

#include "core/kernel/world/observer.h"

#include <cstddef>
#include <vector>

namespace lockscope::world {

/// What is written down of a run, and who is told while it goes on. Nothing in a world depends on
/// it: with an observer and without one a run takes the same steps to the same states.
class RunRecord {
public:
    RunRecord() { m_events.reserve(kEventsUsual); }

    void observeWith(Observer* observer) { m_observer = observer; }
    /// Hands the observer to `tell`; where there is none, nothing is even prepared.
    template<typename Tell>
    void tell(const Tell& tell) const
    {
        if (m_observer != nullptr) {
            tell(*m_observer);
        }
    }
    /// `all` only grows: each of them is told once.
    void tellNew(const std::vector<Violation>& all)
    {
        for (; m_observer != nullptr && m_violationsTold < all.size(); ++m_violationsTold) {
            m_observer->broke(all[m_violationsTold]);
        }
    }

    void add(const trace::Event& event) { m_events.push_back(event); }
    /// A fault shows among the events of its client. Its observer is told by faultHappened().
    void addFault(trace::EventKind kind, int client, Instant at, Duration amount = Duration(0))
    {
        trace::Event event;
        event.at = at;
        event.kind = kind;
        event.contender = static_cast<trace::ContenderId>(client);
        event.value = amount.count();
        m_events.push_back(event);
    }
    const std::vector<trace::Event>& events() const { return m_events; }

private:
    /// Most runs have no more; a search makes a world for each of its runs.
    static constexpr std::size_t kEventsUsual = 32;

    std::vector<trace::Event> m_events;
    Observer* m_observer = nullptr;
    std::size_t m_violationsTold = 0;
};

} // namespace lockscope::world
