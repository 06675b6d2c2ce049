#include "core/kernel/exports/shiviz_log.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lockscope::exports {

using trace::Chronicle;
using trace::Mark;
using trace::Message;
using trace::RunLabels;
using trace::Span;

namespace {

constexpr std::string_view kParser =
    R"((?<timestamp>-?\d+) (?<host>\S+) (?<clock>\{[^}]*\}) (?<event>.*))";

/// A name that neither the regular expression nor JSON has to be afraid of.
std::string plainName(std::string_view name)
{
    std::string plain;
    for (const char c : name) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool isPlain = isLetter || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
        plain += isPlain ? c : '_';
    }
    return plain.empty() ? std::string("_") : plain;
}

/// The hosts of a log: first the contenders, then the servers. No two have the same name.
class Hosts {
public:
    Hosts(const RunLabels& labels, std::size_t contenderCount, std::size_t serverCount)
        : m_contenderCount(contenderCount)
    {
        for (std::size_t i = 0; i < contenderCount; ++i) {
            add(plainName(labels.contender(i)));
        }
        for (std::size_t i = 0; i < serverCount; ++i) {
            add(plainName(labels.server(i)));
        }
    }

    std::size_t count() const { return m_names.size(); }
    const std::string& name(std::size_t host) const { return m_names[host]; }
    static std::size_t ofContender(trace::ContenderId contender) { return contender; }
    std::size_t ofServer(int node) const
    {
        return m_contenderCount + static_cast<std::size_t>(node);
    }

private:
    void add(const std::string& wanted)
    {
        std::string name = wanted;
        for (int number = 2; !m_taken.insert(name).second; ++number) {
            name = wanted + '_' + std::to_string(number);
        }
        m_names.push_back(std::move(name));
    }

    std::size_t m_contenderCount;
    std::vector<std::string> m_names;
    std::set<std::string> m_taken;
};

/// A line of the log before it has a clock.
struct Entry {
    /// Within an instant: what ends or begins before its contender says anything, what is said, and
    /// what follows from it.
    enum class Rank : std::uint8_t { Before, Said, After };
    enum class Step : std::uint8_t { None, Sent, Applied, Answered };

    Instant at;
    Rank rank = Rank::After;
    std::uint32_t order = 0; // among what is said
    std::size_t host = 0;
    std::string text;
    Step step = Step::None;
    std::size_t message = 0; // unless it is None
};

std::size_t contenderCountOf(const Chronicle& chronicle, const RunLabels& labels)
{
    std::size_t count = labels.contenders.size();
    const auto see = [&count](trace::ContenderId id) {
        count = std::max<std::size_t>(count, std::size_t(id) + 1);
    };
    for (const Span& span : chronicle.spans) {
        see(span.contender);
    }
    for (const Mark& mark : chronicle.marks) {
        see(mark.contender);
    }
    for (const Message& message : chronicle.messages) {
        see(message.contender);
    }
    for (const trace::Note& note : chronicle.notes) {
        see(note.contender);
    }
    for (const trace::ServerHold& serverHold : chronicle.serverHolds) {
        see(serverHold.holder.value_or(0));
    }
    for (const trace::Overlap& overlap : chronicle.overlaps) {
        see(overlap.second);
    }
    return count;
}

std::size_t serverCountOf(const Chronicle& chronicle, const RunLabels& labels)
{
    std::size_t count = labels.servers.size();
    for (const Message& message : chronicle.messages) {
        count = std::max(count, static_cast<std::size_t>(message.node) + 1);
    }
    return count;
}

std::string beginText(const Span& span, const std::string& lock)
{
    switch (span.kind) {
    case Span::Kind::Waiting: return KernelText::tr("requests %1", lock);
    case Span::Kind::Holding:
        return span.isRead ? KernelText::tr("holds (as a reader) %1", lock)
                           : KernelText::tr("holds %1", lock);
    case Span::Kind::Paused: return KernelText::tr("pauses");
    case Span::Kind::Down: return KernelText::tr("is down");
    }
    return {};
}

std::string endText(const Span& span, const std::string& lock)
{
    const std::string_view how = idOf(span.end);
    switch (span.kind) {
    case Span::Kind::Waiting: return KernelText::tr("stops waiting for %1 (%2)", lock, how);
    case Span::Kind::Holding: return KernelText::tr("no longer holds %1 (%2)", lock, how);
    case Span::Kind::Paused: return KernelText::tr("resumes (%1)", how);
    case Span::Kind::Down: return KernelText::tr("is back (%1)", how);
    }
    return {};
}

std::string textOf(Mark::Kind kind, const std::string& lock)
{
    switch (kind) {
    case Mark::Kind::Refused: return KernelText::tr("is refused %1", lock);
    case Mark::Kind::Renewed: return KernelText::tr("renewed %1", lock);
    case Mark::Kind::RenewalFailed: return KernelText::tr("could not renew %1", lock);
    case Mark::Kind::ReleaseRefused: return KernelText::tr("could not release %1", lock);
    case Mark::Kind::Rejected:
        return KernelText::tr("is rejected by the resource that %1 protects", lock);
    }
    return {};
}

/// Without the answer, where it came.
std::string commandOf(const Message& message)
{
    return message.text.substr(0, message.answeredAt ? message.text.find(": ") : std::string::npos);
}

/// Everything that happens, in an order that no cause contradicts.
class Entries {
public:
    Entries(const Chronicle& chronicle, const RunLabels& labels, const Hosts& hosts)
        : m_labels(labels),
          m_hosts(hosts)
    {
        for (std::size_t i = 0; i < chronicle.messages.size(); ++i) {
            addMessage(chronicle.messages[i], i);
        }
        for (const Span& span : chronicle.spans) {
            addSpan(span);
        }
        for (const Mark& mark : chronicle.marks) {
            add(mark.at, Entry::Rank::After, mark.contender,
                textOf(mark.kind, labels.lock(mark.lock)));
        }
        for (const trace::Note& note : chronicle.notes) {
            add(note.at, Entry::Rank::After, note.contender,
                KernelText::tr("writes: %1", note.text));
        }
        for (const trace::Overlap& overlap : chronicle.overlaps) {
            add(overlap.from, Entry::Rank::After, overlap.second,
                KernelText::tr("holds %1 together with %2", labels.lock(overlap.lock),
                               labels.contender(overlap.first)));
        }
        std::ranges::stable_sort(m_entries, [](const Entry& a, const Entry& b) {
            return std::tuple(a.at, a.rank, a.order) < std::tuple(b.at, b.rank, b.order);
        });
    }

    const std::vector<Entry>& all() const { return m_entries; }

private:
    void add(Instant at, Entry::Rank rank, trace::ContenderId contender, std::string text)
    {
        m_entries.push_back({at, rank, 0, Hosts::ofContender(contender), std::move(text),
                             Entry::Step::None, 0});
    }

    void addSpan(const Span& span)
    {
        const std::string lock = m_labels.lock(span.lock);
        const bool isWish = span.kind == Span::Kind::Waiting;
        add(span.from, isWish ? Entry::Rank::Before : Entry::Rank::After, span.contender,
            beginText(span, lock));
        const bool isEnd = span.end != trace::SpanEnd::Open
                           && span.end != trace::SpanEnd::Granted; // which is a beginning, too
        if (isEnd) {
            const bool isAfter = isWish || span.from == span.to;
            add(span.to, isAfter ? Entry::Rank::After : Entry::Rank::Before, span.contender,
                endText(span, lock));
        }
    }

    void addMessage(const Message& message, std::size_t index)
    {
        const std::size_t client = Hosts::ofContender(message.contender);
        const std::size_t server = m_hosts.ofServer(message.node);
        const auto say = [&](Instant at, std::uint32_t order, std::size_t host, std::string text,
                             Entry::Step step) {
            m_entries.push_back({at, Entry::Rank::Said, order, host, std::move(text), step, index});
        };
        const std::string& clientName = m_hosts.name(client);
        if (message.isPush) {
            say(message.sentAt, message.appliedOrder, server,
                KernelText::tr("tells %1, which %2", clientName, message.text),
                Entry::Step::Applied);
        } else {
            const std::string command = commandOf(message);
            say(message.sentAt, message.sentOrder, client,
                KernelText::tr("sends %1 to %2", command, m_hosts.name(server)), Entry::Step::Sent);
            if (message.appliedAt) {
                say(*message.appliedAt, message.appliedOrder, server,
                    KernelText::tr("carries out %1 of %2", command, clientName),
                    Entry::Step::Applied);
            }
        }
        if (message.answeredAt) {
            say(*message.answeredAt, message.answeredOrder, client,
                message.isPush ? message.text : KernelText::tr("hears %1", message.text),
                Entry::Step::Answered);
        }
    }

    const RunLabels& m_labels;
    const Hosts& m_hosts;
    std::vector<Entry> m_entries;
};

/// How many events of each host have happened before; hosts that it has not heard of are missing.
using VectorClock = std::map<std::size_t, std::uint64_t>;

/// Counts the clocks on, event by event.
class Clocks {
public:
    Clocks(std::size_t hostCount, std::size_t messageCount)
        : m_ofHost(hostCount),
          m_ofMessage(messageCount)
    {}

    const VectorClock& see(const Entry& entry)
    {
        VectorClock& clock = m_ofHost[entry.host];
        if (entry.step == Entry::Step::Applied || entry.step == Entry::Step::Answered) {
            for (const auto& [host, count] : m_ofMessage[entry.message]) {
                std::uint64_t& known = clock[host];
                known = std::max(known, count);
            }
        }
        ++clock[entry.host];
        if (entry.step == Entry::Step::Answered) {
            m_ofMessage[entry.message].clear(); // it is over
        } else if (entry.step != Entry::Step::None) {
            m_ofMessage[entry.message] = clock;
        }
        return clock;
    }

private:
    std::vector<VectorClock> m_ofHost;
    std::vector<VectorClock> m_ofMessage; // what it knows on its way
};

std::string textOf(const VectorClock& clock, const Hosts& hosts)
{
    std::string text = "{";
    for (const auto& [host, count] : clock) {
        text += (text.size() > 1 ? ",\"" : "\"") + hosts.name(host) + "\":" + std::to_string(count);
    }
    return text + '}';
}

} // namespace

std::string shivizLog(const Chronicle& chronicle, const RunLabels& labels)
{
    const Hosts hosts(labels, contenderCountOf(chronicle, labels),
                      serverCountOf(chronicle, labels));
    const Entries entries(chronicle, labels, hosts);
    Clocks clocks(hosts.count(), chronicle.messages.size());
    std::string text(kParser);
    text += "\n\n";
    if (chronicle.messages.empty()) {
        text += "# "
                + KernelText::tr("No messages were recorded: every host has only its own events, "
                                 "and events of different hosts are unordered.")
                + '\n';
    }
    for (const Entry& entry : entries.all()) {
        text += std::to_string((entry.at - labels.origin).count()) + ' ' + hosts.name(entry.host)
                + ' ' + textOf(clocks.see(entry), hosts) + ' ' + escaped(entry.text) + '\n';
    }
    return text;
}

} // namespace lockscope::exports
