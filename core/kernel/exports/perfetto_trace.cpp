#include "core/kernel/exports/perfetto_trace.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/exports/span_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::exports {

using trace::Chronicle;
using trace::Mark;
using trace::Message;
using trace::Overlap;
using trace::RunLabels;
using trace::ServerHold;
using trace::Span;
using trace::SpanEnd;

namespace {

enum class Process : std::uint8_t { Contenders = 1, Servers, Holders, Overlaps };

constexpr std::string_view kSliceMicroseconds = "1";

/// In quotation marks, whatever is in it.
std::string jsonString(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Names in quotation marks, made once.
std::vector<std::string> quotedAll(const std::vector<std::string>& names)
{
    std::vector<std::string> all;
    all.reserve(names.size());
    for (const std::string& name : names) {
        all.push_back(jsonString(name));
    }
    return all;
}

std::string nameOf(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Refused: return KernelText::tr("refused");
    case Mark::Kind::Renewed: return KernelText::tr("renewed");
    case Mark::Kind::RenewalFailed: return KernelText::tr("renewal failed");
    case Mark::Kind::ReleaseRefused: return KernelText::tr("release refused");
    case Mark::Kind::Rejected: return KernelText::tr("rejected by the resource");
    }
    return {};
}

/// Where a line of the trace stands in time. Lines of one instant keep the order in which they were
/// noted, which is the one of their meaning.
struct Moment {
    enum class Kind : std::uint8_t {
        AcquisitionBegin,
        PhaseBegin,
        PhaseEnd,
        AcquisitionEnd,
        Mark,
        ServerHoldBegin,
        ServerHoldEnd,
        OverlapBegin,
        OverlapEnd,
        Sent,
        Applied,
        Answered,
        Note,
    };

    Instant at;
    Kind kind;
    std::size_t index; // of the span, mark, server hold, overlap, message or note
};

/// Which spans belong to one acquisition: the wait and what it led to.
class Acquisitions {
public:
    explicit Acquisitions(const std::vector<Span>& spans)
    {
        std::map<std::pair<trace::ContenderId, trace::LockId>, std::size_t> granted;
        m_parts.reserve(spans.size());
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const Span& span = spans[i];
            m_parts.push_back({i, true, true});
            const std::pair whose(span.contender, span.lock);
            if (span.kind == Span::Kind::Waiting && span.end == SpanEnd::Granted) {
                granted[whose] = i;
            } else if (span.kind == Span::Kind::Holding) {
                const auto wait = granted.find(whose);
                if (wait != granted.end() && spans[wait->second].to == span.from) {
                    m_parts[wait->second].isLast = false;
                    m_parts[i] = {wait->second, false, true};
                    granted.erase(wait);
                }
            }
        }
    }

    struct Part {
        std::size_t first; // the span that it begins with
        bool isFirst;
        bool isLast;
    };
    const Part& partOf(std::size_t span) const { return m_parts[span]; }

private:
    std::vector<Part> m_parts;
};

/// Puts the moments into their order.
class MomentOrder {
public:
    MomentOrder(const Chronicle& chronicle, const Acquisitions& acquisitions)
    {
        using Kind = Moment::Kind;
        for (std::size_t i = 0; i < chronicle.spans.size(); ++i) {
            addSpan(chronicle.spans[i], i, acquisitions.partOf(i));
        }
        for (std::size_t i = 0; i < chronicle.marks.size(); ++i) {
            add(chronicle.marks[i].at, Kind::Mark, i);
        }
        for (std::size_t i = 0; i < chronicle.serverHolds.size(); ++i) {
            add(chronicle.serverHolds[i].from, Kind::ServerHoldBegin, i);
            add(chronicle.serverHolds[i].to, Kind::ServerHoldEnd, i);
        }
        for (std::size_t i = 0; i < chronicle.overlaps.size(); ++i) {
            add(chronicle.overlaps[i].from, Kind::OverlapBegin, i);
            add(chronicle.overlaps[i].to, Kind::OverlapEnd, i);
        }
        for (std::size_t i = 0; i < chronicle.messages.size(); ++i) {
            addMessage(chronicle.messages[i], i);
        }
        for (std::size_t i = 0; i < chronicle.notes.size(); ++i) {
            add(chronicle.notes[i].at, Kind::Note, i);
        }
        std::ranges::stable_sort(m_moments, {}, &Moment::at);
    }

    const std::vector<Moment>& moments() const { return m_moments; }

private:
    void add(Instant at, Moment::Kind kind, std::size_t index)
    {
        m_moments.push_back({at, kind, index});
    }

    void addSpan(const Span& span, std::size_t index, const Acquisitions::Part& part)
    {
        if (isOfLock(span) && part.isFirst) {
            add(span.from, Moment::Kind::AcquisitionBegin, index);
        }
        add(span.from, Moment::Kind::PhaseBegin, index);
        add(span.to, Moment::Kind::PhaseEnd, index);
        if (isOfLock(span) && part.isLast) {
            add(span.to, Moment::Kind::AcquisitionEnd, index);
        }
    }

    void addMessage(const Message& message, std::size_t index)
    {
        if (!message.isPush) {
            add(message.sentAt, Moment::Kind::Sent, index);
        }
        if (message.appliedAt) {
            add(*message.appliedAt, Moment::Kind::Applied, index);
        }
        if (message.answeredAt) {
            add(*message.answeredAt, Moment::Kind::Answered, index);
        }
    }

    std::vector<Moment> m_moments;
};

class TraceWriter {
public:
    TraceWriter(const Chronicle& chronicle, const RunLabels& labels)
        : m_chronicle(chronicle),
          m_labels(labels),
          m_contenders(quotedAll(labels.contenders)),
          m_locks(quotedAll(labels.locks)),
          m_acquisitions(chronicle.spans)
    {}

    std::string write()
    {
        m_text = R"({"displayTimeUnit":"ms","otherData":{"producer":"Lockscope","title":)"
                 + jsonString(m_labels.title) + "},\n\"traceEvents\":[";
        nameEverybody();
        const MomentOrder order(m_chronicle, m_acquisitions);
        for (const Moment& moment : order.moments()) {
            write(moment);
        }
        return std::move(m_text) + "\n]}\n";
    }

private:
    // The head and the tail of a line; what is between them begins with a comma.
    void begin(char phase, std::string_view category, std::string_view quotedName, Process process,
               std::size_t thread, Instant at)
    {
        m_text += m_isFirst ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
        m_isFirst = false;
        m_text += phase;
        m_text.append("\",\"cat\":\"").append(category).append("\",\"name\":").append(quotedName);
        m_text += ",\"pid\":" + std::to_string(static_cast<int>(process));
        m_text += ",\"tid\":" + std::to_string(thread + 1);
        m_text += ",\"ts\":" + std::to_string((at - m_labels.origin).count());
    }
    /// Arguments are mandatory, also where there are none.
    void end()
    {
        m_text += m_hasArguments ? "}" : ",\"args\":{}}";
        m_hasArguments = false;
    }
    void argument(std::string_view name, std::string_view quotedValue)
    {
        m_text.append(",\"args\":{\"").append(name).append("\":").append(quotedValue) += '}';
        m_hasArguments = true;
    }
    void endArgument(SpanEnd end) { argument("end", inQuotes(idOf(end))); }

    static std::string inQuotes(std::string_view word) { return '"' + std::string(word) + '"'; }

    /// No two things share a number: those that have ids come one after the other.
    enum class IdRange : std::uint8_t { Span, ServerHold, Overlap, Message };
    void id(IdRange range, std::size_t index)
    {
        const std::size_t offsets[] = {0, m_chronicle.spans.size(),
                                       m_chronicle.spans.size() + m_chronicle.serverHolds.size(),
                                       m_chronicle.spans.size() + m_chronicle.serverHolds.size()
                                           + m_chronicle.overlaps.size()};
        static constexpr std::string_view kDigits = "0123456789abcdef";
        std::string hex;
        std::size_t number = offsets[static_cast<std::size_t>(range)] + index + 1;
        for (; number > 0; number /= 16) {
            hex.insert(hex.begin(), kDigits[number % 16]);
        }
        m_text += ",\"id\":\"0x" + hex + '"';
    }

    std::string contender(std::size_t contender) const
    {
        return contender < m_contenders.size() ? m_contenders[contender]
                                               : jsonString(m_labels.contender(contender));
    }
    std::string holder(const ServerHold& serverHold) const
    {
        return serverHold.holder ? contender(*serverHold.holder)
                                 : jsonString(m_labels.holder(std::nullopt));
    }
    std::string lock(std::size_t lock) const
    {
        return lock < m_locks.size() ? m_locks[lock] : jsonString(m_labels.lock(lock));
    }

    void nameEverybody()
    {
        nameProcess(Process::Contenders, KernelText::tr("contenders"), m_labels.contenders);
        nameProcess(Process::Servers, KernelText::tr("servers"), m_labels.servers);
        nameProcess(Process::Holders, KernelText::tr("holders according to the servers"),
                    holderThreads());
        nameProcess(Process::Overlaps, KernelText::tr("overlapping beliefs"), m_labels.locks);
    }

    /// In the order of threadOf().
    std::vector<std::string> holderThreads() const
    {
        std::vector<std::string> names = m_labels.locks;
        const bool hasNodes = std::ranges::any_of(m_chronicle.serverHolds, [](const auto& hold) {
            return hold.node.has_value();
        });
        for (std::size_t node = 0; hasNodes && node < m_labels.servers.size(); ++node) {
            for (const std::string& lock : m_labels.locks) {
                names.push_back(KernelText::tr("%1 on %2", lock, m_labels.server(node)));
            }
        }
        return names;
    }

    void nameProcess(Process process, std::string_view name,
                     const std::vector<std::string>& threads)
    {
        nameLine("process_name", process, 0, inQuotes(name));
        for (std::size_t i = 0; i < threads.size(); ++i) {
            nameLine("thread_name", process, i, jsonString(threads[i]));
        }
    }

    void nameLine(std::string_view what, Process process, std::size_t thread,
                  std::string_view quotedName)
    {
        begin('M', "__metadata", inQuotes(what), process, thread, m_labels.origin);
        argument("name", quotedName);
        end();
    }

    void write(const Moment& moment)
    {
        using Kind = Moment::Kind;
        switch (moment.kind) {
        case Kind::AcquisitionBegin: writeAcquisition('b', moment); break;
        case Kind::AcquisitionEnd: writeAcquisition('e', moment); break;
        case Kind::PhaseBegin: writePhase('b', moment); break;
        case Kind::PhaseEnd: writePhase('e', moment); break;
        case Kind::Mark: writeMark(m_chronicle.marks[moment.index]); break;
        case Kind::ServerHoldBegin: writeServerHold('b', moment); break;
        case Kind::ServerHoldEnd: writeServerHold('e', moment); break;
        case Kind::OverlapBegin: writeOverlap('b', moment); break;
        case Kind::OverlapEnd: writeOverlap('e', moment); break;
        case Kind::Sent:
        case Kind::Applied:
        case Kind::Answered: writeMessage(moment); break;
        case Kind::Note: writeNote(m_chronicle.notes[moment.index]); break;
        }
    }

    /// The span around both phases, named by the lock. Also of the end the name is that of the
    /// first span, because they have to be the same.
    void writeAcquisition(char phase, const Moment& moment)
    {
        const Span& span = m_chronicle.spans[moment.index];
        begin(phase, "lock", lock(span.lock), Process::Contenders, span.contender, moment.at);
        id(IdRange::Span, m_acquisitions.partOf(moment.index).first);
        if (phase == 'b') {
            argument("mode", span.isRead ? "\"read\"" : "\"exclusive\"");
        } else {
            endArgument(span.end);
        }
        end();
    }

    void writePhase(char phase, const Moment& moment)
    {
        const Span& span = m_chronicle.spans[moment.index];
        begin(phase, isOfLock(span) ? "lock" : "contender", inQuotes(wordOf(span.kind)),
              Process::Contenders, span.contender, moment.at);
        id(IdRange::Span, m_acquisitions.partOf(moment.index).first);
        if (phase == 'e') {
            endArgument(span.end);
        }
        end();
    }

    void writeMark(const Mark& mark)
    {
        begin('i', "mark", inQuotes(nameOf(mark.kind)), Process::Contenders, mark.contender,
              mark.at);
        m_text += R"(,"s":"t")";
        argument("lock", lock(mark.lock));
        end();
    }

    void writeNote(const trace::Note& note)
    {
        begin('i', "note", jsonString(note.text), Process::Contenders, note.contender, note.at);
        m_text += R"(,"s":"t")";
        end();
    }

    /// A lock's own, and behind all of those one for each server that has a part of it.
    std::size_t threadOf(const ServerHold& serverHold) const
    {
        const std::size_t lanes = serverHold.node ? static_cast<std::size_t>(*serverHold.node) + 1
                                                  : 0;
        return lanes * m_labels.locks.size() + serverHold.lock;
    }

    void writeServerHold(char phase, const Moment& moment)
    {
        const ServerHold& serverHold = m_chronicle.serverHolds[moment.index];
        begin(phase, "tenure", holder(serverHold), Process::Holders, threadOf(serverHold),
              moment.at);
        id(IdRange::ServerHold, moment.index);
        if (phase == 'e') {
            endArgument(serverHold.end);
        }
        end();
    }

    void writeOverlap(char phase, const Moment& moment)
    {
        const Overlap& overlap = m_chronicle.overlaps[moment.index];
        const std::string name = jsonString(m_labels.contender(overlap.first) + " and "
                                            + m_labels.contender(overlap.second));
        begin(phase, "overlap", name, Process::Overlaps, overlap.lock, moment.at);
        id(IdRange::Overlap, moment.index);
        end();
    }

    void writeMessage(const Moment& moment)
    {
        const Message& message = m_chronicle.messages[moment.index];
        const bool isAtServer = moment.kind == Moment::Kind::Applied;
        const Process process = isAtServer ? Process::Servers : Process::Contenders;
        const std::size_t thread = isAtServer ? static_cast<std::size_t>(message.node)
                                              : message.contender;
        begin('X', "message", jsonString(message.text), process, thread, moment.at);
        m_text.append(",\"dur\":").append(kSliceMicroseconds);
        argument("step", inQuotes(stepOf(moment.kind)));
        end();
        if (const std::optional<char> arrow = arrowAt(message, moment.kind)) {
            begin(*arrow, "message", "\"message\"", process, thread, moment.at);
            id(IdRange::Message, moment.index);
            m_text += *arrow == 'f' ? R"(,"bp":"e")" : "";
            end();
        }
    }

    static std::string_view stepOf(Moment::Kind kind)
    {
        return kind == Moment::Kind::Sent      ? "sent"
               : kind == Moment::Kind::Applied ? "executed"
                                               : "answered";
    }

    /// Which part of an arrow is here: its start, a point on its way or its finish.
    static std::optional<char> arrowAt(const Message& message, Moment::Kind kind)
    {
        const bool isFirst = kind == (message.isPush ? Moment::Kind::Applied : Moment::Kind::Sent);
        const bool isLast = kind == Moment::Kind::Answered
                            || (kind == Moment::Kind::Applied && !message.answeredAt);
        if (!message.appliedAt || (isFirst && isLast)) {
            return std::nullopt; // it leads nowhere
        }
        return isFirst ? 's' : isLast ? 'f' : 't';
    }

    const Chronicle& m_chronicle;
    const RunLabels& m_labels;
    std::vector<std::string> m_contenders;
    std::vector<std::string> m_locks;
    Acquisitions m_acquisitions;
    std::string m_text;
    bool m_isFirst = true;
    bool m_hasArguments = false; // the line that is being written
};

} // namespace

std::string perfettoTrace(const Chronicle& chronicle, const RunLabels& labels)
{
    return TraceWriter(chronicle, labels).write();
}

} // namespace lockscope::exports
