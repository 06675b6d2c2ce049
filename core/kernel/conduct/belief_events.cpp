#include "core/kernel/conduct/belief_events.h"

#include <algorithm>
#include <utility>

namespace lockscope::conduct {

using trace::Event;
using trace::EventKind;

BeliefEvents::BeliefEvents(const Workload& workload)
    : m_workload(workload),
      m_uses(static_cast<std::size_t>(workload.partyCount() * workload.lockCount))
{}

std::vector<Event> BeliefEvents::of(const LogEntry& entry)
{
    switch (entry.kind) {
    case LogEntry::Kind::Called: seeCall(entry); break;
    case LogEntry::Kind::Answered: seeAnswer(entry); break;
    case LogEntry::Kind::LossTold: addLoss(entry); break;
    case LogEntry::Kind::Ended: seeEnd(entry); break;
    default: break;
    }
    return std::exchange(m_events, {});
}

BeliefEvents::Use& BeliefEvents::useOf(const Event& event)
{
    return m_uses[static_cast<std::size_t>(event.contender)
                      * static_cast<std::size_t>(m_workload.lockCount)
                  + event.lock];
}

void BeliefEvents::add(const LogEntry& entry, EventKind kind, std::int64_t value)
{
    Event& event = m_events.emplace_back();
    event.at = entry.at;
    event.value = value;
    event.contender = static_cast<trace::ContenderId>(m_workload.partyOf(entry.process,
                                                                         entry.thread));
    event.lock = static_cast<trace::LockId>(std::max(entry.lock, 0));
    event.kind = kind;
    event.isRead = useOf(event).isRead;
}

void BeliefEvents::addLoss(const LogEntry& entry)
{
    add(entry, EventKind::Lost, static_cast<std::int64_t>(trace::LossReason::Gone));
    useOf(m_events.back()).depth = 0;
}

void BeliefEvents::seeCall(const LogEntry& entry)
{
    if (entry.word == Word::Acquire) {
        add(entry, EventKind::Requested);
        Use& use = useOf(m_events.back());
        use.isRead = use.depth == 0 ? entry.isRead : use.isRead;
        m_events.back().isRead = use.isRead;
    } else if (entry.word == Word::Release) {
        add(entry, EventKind::Releasing);
        Use& use = useOf(m_events.back());
        use.depth = std::max(use.depth - 1, 0);
    }
}

void BeliefEvents::seeAnswer(const LogEntry& entry)
{
    const bool isYes = entry.answer.kind == Answer::Kind::Yes;
    const bool isNo = entry.answer.kind == Answer::Kind::No;
    switch (entry.word) {
    case Word::Acquire: seeAcquired(entry); return;
    case Word::Release: seeReleased(entry); return;
    case Word::Extend:
        if (isYes) {
            add(entry, EventKind::Renewed);
        } else if (isNo) {
            add(entry, EventKind::RenewalFailed,
                static_cast<std::int64_t>(trace::RenewalFailure::Gone));
            addLoss(entry);
        }
        return;
    case Word::Held:
        if (isNo) {
            addLoss(entry);
        }
        return;
    default: return;
    }
}

void BeliefEvents::seeAcquired(const LogEntry& entry)
{
    switch (entry.answer.kind) {
    case Answer::Kind::Yes:
        add(entry, EventKind::Granted, 1);
        ++useOf(m_events.back()).depth;
        return;
    case Answer::Kind::Error: add(entry, EventKind::Uncertain, 1); return;
    default: add(entry, EventKind::GaveUp, 1); return;
    }
}

/// A client whose inner release fails does not know any more how often it holds the lock: it
/// believes in none of its holds.
void BeliefEvents::seeReleased(const LogEntry& entry)
{
    const bool isYes = entry.answer.kind == Answer::Kind::Yes;
    const bool isError = entry.answer.kind == Answer::Kind::Error;
    add(entry, isYes     ? EventKind::Released
               : isError ? EventKind::ReleaseUncertain
                         : EventKind::ReleaseRefused);
    if (!isYes && useOf(m_events.back()).depth > 0) {
        addLoss(entry);
    }
}

/// All threads of the process end with it.
void BeliefEvents::seeEnd(const LogEntry& entry)
{
    LogEntry one = entry;
    for (one.thread = 0; one.thread < m_workload.threadCount; ++one.thread) {
        add(one, EventKind::Crashed);
        for (int lock = 0; lock < m_workload.lockCount; ++lock) {
            Event of = m_events.back();
            of.lock = static_cast<trace::LockId>(lock);
            useOf(of).depth = 0;
        }
    }
}

} // namespace lockscope::conduct
