#include "core/kernel/exports/proof_run.h"

#include "core/kernel/base/joined.h"
#include "core/kernel/conduct/belief_events.h"
#include "core/kernel/conduct/telling.h"
#include "core/kernel/search/wording.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace lockscope::exports {

using conduct::Deviation;
using conduct::Find;
using conduct::Interference;
using conduct::LogEntry;
using conduct::MessageName;
using trace::Event;
using trace::EventKind;

namespace {

/// Goes through the log of a run once.
class ProofRecorder {
public:
    explicit ProofRecorder(const Find& find) : m_find(find), m_beliefs(find.workload) {}

    void record(report::RunFile& run)
    {
        for (const LogEntry& entry : m_find.log.entries) {
            see(entry);
            ++m_order;
        }
        run.events = std::move(m_events);
        run.messages = std::move(m_messages);
        run.notes = std::move(m_notes);
        run.end = m_find.log.entries.empty() ? Instant{} : m_find.log.entries.back().at;
    }

private:
    void see(const LogEntry& entry)
    {
        std::ranges::copy(m_beliefs.of(entry), std::back_inserter(m_events));
        switch (entry.kind) {
        case LogEntry::Kind::Arrived: seeRequest(entry); return;
        case LogEntry::Kind::Executed: seeExecution(entry); return;
        case LogEntry::Kind::Interfered: seeInterference(entry); return;
        case LogEntry::Kind::LetGo: seeEnd(entry); return;
        case LogEntry::Kind::Said: addNote(entry); return;
        default: return;
        }
    }

    void add(const LogEntry& entry, EventKind kind)
    {
        Event& event = m_events.emplace_back();
        event.at = entry.at;
        event.contender = contenderOf(entry);
        event.kind = kind;
    }

    void addNote(const LogEntry& entry)
    {
        if (!entry.text.empty()) {
            m_notes.push_back({entry.at, contenderOf(entry), entry.text});
        }
    }

    /// A thread of its own where it is known which; requests are those of the process.
    trace::ContenderId contenderOf(const LogEntry& entry) const
    {
        return static_cast<trace::ContenderId>(m_find.workload.partyOf(std::max(entry.process, 0),
                                                                       entry.thread));
    }

    using MessageKey = std::tuple<int, int, std::string, int>;
    static MessageKey keyOf(const MessageName& name)
    {
        return {name.process, name.server, name.kind, name.occurrence};
    }

    trace::Message* messageOf(const MessageName& name)
    {
        const auto found = m_places.find(keyOf(name));
        return found == m_places.end() ? nullptr : &m_messages[found->second];
    }

    void seeRequest(const LogEntry& entry)
    {
        m_places[keyOf(entry.message)] = m_messages.size();
        trace::Message& message = m_messages.emplace_back();
        message.sentAt = entry.at;
        message.sentOrder = m_order;
        message.contender = contenderOf(entry);
        message.node = std::max(entry.message.server - 1, 0);
        message.text = search::commandText(entry.command);
    }

    void seeExecution(const LogEntry& entry)
    {
        if (trace::Message* const message = messageOf(entry.message)) {
            message->appliedAt = entry.at;
            message->appliedOrder = m_order;
            message->text += ": " + search::answerText(entry.reply);
            answer(*message, entry.at);
        }
    }

    void answer(trace::Message& message, Instant at) const
    {
        message.answeredAt = at;
        message.answeredOrder = m_order;
    }

    const Deviation& deviationOf(const LogEntry& entry) const
    {
        return m_find.deviations[static_cast<std::size_t>(entry.deviation)];
    }

    void seeInterference(const LogEntry& entry)
    {
        const Deviation& deviation = deviationOf(entry);
        if (deviation.kind == Interference::Pause) {
            m_pauses[entry.process] = m_events.size();
            add(entry, EventKind::Paused);
        }
        trace::Message* const message = messageOf(deviation.message);
        const bool keepsAnswer = isBehindRequest(deviation.kind)
                                 && deviation.kind != Interference::InterruptAfter;
        if (message != nullptr && isAtMessage(deviation.kind) && keepsAnswer) {
            message->answeredAt.reset();
        }
    }

    void seeEnd(const LogEntry& entry)
    {
        const Deviation& deviation = deviationOf(entry);
        if (deviation.kind == Interference::Pause) {
            Event& pause = m_events[m_pauses[entry.process]];
            pause.value = (entry.at - pause.at).count();
            add(entry, EventKind::Resumed);
        }
        trace::Message* const message = messageOf(deviation.message);
        if (message != nullptr && deviation.kind == Interference::DelayReply) {
            answer(*message, entry.at);
        }
    }

    const Find& m_find;
    conduct::BeliefEvents m_beliefs;
    std::vector<Event> m_events;
    std::vector<trace::Message> m_messages;
    std::vector<trace::Note> m_notes;
    std::map<MessageKey, std::size_t> m_places;
    std::map<int, std::size_t> m_pauses; // the latest of each process, among the events
    std::uint32_t m_order = 0;
};

trace::RunLabels labelsOf(const Find& find, const std::string& client)
{
    trace::RunLabels labels;
    labels.title = client;
    for (int party = 0; party < find.workload.partyCount(); ++party) {
        labels.contenders.push_back(partyName(find.workload, party));
    }
    for (int lock = 0; lock < find.workload.lockCount; ++lock) {
        labels.locks.push_back("lock " + std::to_string(lock + 1));
    }
    for (int server = 0; server < find.workload.serverCount; ++server) {
        labels.servers.push_back("server " + std::to_string(server + 1));
    }
    return labels;
}

report::PromiseVerdict verdictOf(const Find& find)
{
    report::PromiseVerdict verdict;
    verdict.promise = find.breach.violation.promise;
    verdict.status = report::PromiseVerdict::Status::Broken;
    verdict.kind = idOf(find.breach.violation.kind);
    verdict.isPromised = true;
    verdict.at = find.breach.violation.at.time_since_epoch();
    verdict.summary = describe(find);
    verdict.chances = 1;
    verdict.faults.emplace();
    for (const Deviation& deviation : find.deviations) {
        verdict.faults->push_back(faultOf(deviation.kind));
    }
    return verdict;
}

/// Returns the hold that the verdict calls late, with its end.
std::vector<trace::ServerHold> serverHoldsOf(const conduct::Breach& breach)
{
    if (!breach.ended) {
        return {};
    }
    trace::ServerHold hold;
    hold.from = breach.ended->from;
    hold.to = breach.ended->to;
    hold.holder = static_cast<trace::ContenderId>(breach.ended->party);
    hold.lock = static_cast<trace::LockId>(breach.violation.lock);
    hold.end = breach.ended->isByFailOver ? trace::SpanEnd::Lost : trace::SpanEnd::Expired;
    return {hold};
}

} // namespace

report::RunFile runFileOf(const Find& find, const std::vector<std::string>& adapter)
{
    const std::string client = joined(adapter, " ");
    report::RunFile run;
    run.protocol = report::SavedProtocol::client(client);
    run.mode = report::kProveMode;
    run.labels = labelsOf(find, client);
    run.promises = {verdictOf(find)};
    for (const Deviation& deviation : find.deviations) {
        run.faults.push_back(describe(deviation));
    }
    run.story = tellFind(find);
    run.serverHolds = serverHoldsOf(find.breach);
    ProofRecorder(find).record(run);
    return run;
}

} // namespace lockscope::exports
