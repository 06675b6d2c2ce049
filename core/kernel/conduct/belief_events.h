#pragma once

#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"
#include "core/kernel/trace/event.h"

#include <cstddef>
#include <vector>

namespace lockscope::conduct {

/// Translates the log of real clients into events: what each party (see Workload) asked for, was
/// told, and believes. The verdict and the record of a run are made of the same events.
class BeliefEvents {
public:
    explicit BeliefEvents(const Workload& workload);

    /// Entries have to come in the order of the log. Most have no event.
    std::vector<trace::Event> of(const LogEntry& entry);

private:
    struct Use {
        bool isRead = false;
        int depth = 0; // grants minus begun releases
    };

    Use& useOf(const trace::Event& event);
    void add(const LogEntry& entry, trace::EventKind kind, std::int64_t value = 0);
    void addLoss(const LogEntry& entry);
    void seeCall(const LogEntry& entry);
    void seeAnswer(const LogEntry& entry);
    void seeAcquired(const LogEntry& entry);
    void seeReleased(const LogEntry& entry);
    void seeEnd(const LogEntry& entry);

    const Workload& m_workload;
    std::vector<Use> m_uses; // by party, then lock
    std::vector<trace::Event> m_events;
};

} // namespace lockscope::conduct
