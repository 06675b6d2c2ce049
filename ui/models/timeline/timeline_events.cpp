#include "ui/models/timeline/timeline_events.h"

#include "ui/models/formatting.h"

#include <algorithm>
#include <set>

namespace lockscope::models {

using trace::Message;
using trace::Span;
using Kind = TimelineArrow::Kind;

std::optional<Instant> nextEvent(const trace::Chronicle& chronicle, Instant at, bool isForward)
{
    std::optional<Instant> nearest;
    const auto see = [&](Instant candidate) {
        const bool isBeyond = isForward ? candidate > at : candidate < at;
        const bool isNearer = !nearest || (isForward ? candidate < *nearest : candidate > *nearest);
        if (isBeyond && isNearer) {
            nearest = candidate;
        }
    };
    const auto seeBoth = [&see](const auto& items) {
        for (const auto& item : items) {
            see(item.from);
            see(item.to);
        }
    };
    seeBoth(chronicle.spans);
    seeBoth(chronicle.serverHolds);
    seeBoth(chronicle.overlaps);
    for (const trace::Mark& mark : chronicle.marks) {
        see(mark.at);
    }
    for (const trace::Note& note : chronicle.notes) {
        see(note.at);
    }
    return nearest;
}

std::optional<std::size_t> messageAt(const trace::Chronicle& chronicle, Instant at)
{
    const auto end = std::ranges::upper_bound(chronicle.messages, at, {}, &Message::sentAt);
    const auto found = std::find_if(chronicle.messages.begin(), end, [at](const Message& message) {
        return message.sentAt == at || message.appliedAt == at || message.answeredAt == at;
    });
    return found == end
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - chronicle.messages.begin()));
}

std::optional<std::uint32_t> holdFrom(const trace::Chronicle& chronicle, Instant at)
{
    const auto begin = std::ranges::lower_bound(chronicle.spans, at, {}, &Span::from);
    const auto end = std::ranges::upper_bound(chronicle.spans, at, {}, &Span::from);
    const auto hold = std::find_if(begin, end, [](const Span& span) {
        return span.kind == Span::Kind::Holding;
    });
    return hold == end ? std::nullopt
                       : std::optional(static_cast<std::uint32_t>(hold - chronicle.spans.begin()));
}

std::vector<trace::ContenderId> contendersAt(const trace::Chronicle& chronicle, Instant at)
{
    std::set<trace::ContenderId> who;
    for (const trace::Overlap& overlap : chronicle.overlaps) {
        if (overlap.from <= at && at <= overlap.to) {
            who.insert({overlap.first, overlap.second});
        }
    }
    if (who.empty()) {
        for (const Span& span : chronicle.spans) {
            if (span.from == at || span.to == at) {
                who.insert(span.contender);
            }
        }
        for (const trace::Mark& mark : chronicle.marks) {
            if (mark.at == at) {
                who.insert(mark.contender);
            }
        }
        for (const trace::Note& note : chronicle.notes) {
            if (note.at == at) {
                who.insert(note.contender);
            }
        }
    }
    return {who.begin(), who.end()};
}

namespace {

bool isOfLock(const Span& span)
{
    return span.kind == Span::Kind::Waiting || span.kind == Span::Kind::Holding;
}

/// What a contender was about when it sent something: the last it had begun by then.
const Span* useAt(const trace::Chronicle& chronicle, trace::ContenderId contender, Instant at)
{
    const Span* latest = nullptr;
    for (const Span& span : chronicle.spans) {
        if (span.contender == contender && isOfLock(span) && (span.from <= at || !latest)) {
            latest = &span;
        }
    }
    return latest;
}

const Span* holdBefore(const trace::Chronicle& chronicle, const Span& hold)
{
    const Span* latest = nullptr;
    for (const Span& span : chronicle.spans) {
        const bool isBefore = span.kind == Span::Kind::Holding && span.lock == hold.lock
                              && span.contender != hold.contender && span.to <= hold.from;
        if (isBefore && (latest == nullptr || span.to > latest->to)) {
            latest = &span;
        }
    }
    return latest;
}

/// What woke a waiting contender up: the latest news it was sent, or answer to what it had asked
/// before; nullptr when it came by itself.
const Message* wokenBy(const trace::Chronicle& chronicle, const Span& hold, Instant since)
{
    const Message* latest = nullptr;
    for (const Message& message : chronicle.messages) {
        const bool isHeard = message.contender == hold.contender && message.answeredAt >= since
                             && message.answeredAt <= hold.from;
        const bool isLater = latest == nullptr || message.answeredAt >= latest->answeredAt;
        if (isHeard && isLater && (message.isPush || message.sentAt < since)) {
            latest = &message;
        }
    }
    return latest;
}

bool hasWaited(const trace::Chronicle& chronicle, const Span& hold, Instant since)
{
    return std::ranges::any_of(chronicle.spans, [&](const Span& span) {
        return span.kind == Span::Kind::Waiting && span.contender == hold.contender
               && span.lock == hold.lock && span.to == hold.from && span.from <= since;
    });
}

} // namespace

std::vector<TimelineArrow> arrowsOf(const TimelineIndex& index, const Message& message)
{
    const Span* const use = useAt(index.chronicle(), message.contender, message.sentAt);
    const int row = use == nullptr ? -1 : index.rowOf(message.contender, use->lock);
    if (row < 0) {
        return {};
    }
    const int server = index.truthRowOf(use->lock, message.node); // or kServer
    const QString text = toQString(message.text);
    if (!message.appliedAt) {
        return {{Kind::LostRequest, message.sentAt, message.sentAt, row, server, text}};
    }
    const Instant applied = *message.appliedAt;
    const TimelineArrow request{Kind::Request, message.sentAt, applied, row, server, text};
    if (!message.answeredAt) {
        return {request, {Kind::LostAnswer, applied, applied, server, row}};
    }
    return {request, {Kind::Answer, applied, *message.answeredAt, server, row}};
}

std::vector<TimelineArrow> handOverTo(const TimelineIndex& index, const Span& hold)
{
    const trace::Chronicle& chronicle = index.chronicle();
    const Span* const before = hold.kind == Span::Kind::Holding ? holdBefore(chronicle, hold)
                                                                : nullptr;
    if (before == nullptr || !hasWaited(chronicle, hold, before->to)) {
        return {};
    }
    const int fromRow = index.rowOf(before->contender, before->lock);
    const int toRow = index.rowOf(hold.contender, hold.lock);
    if (fromRow < 0 || toRow < 0) {
        return {};
    }
    if (const Message* const call = wokenBy(chronicle, hold, before->to)) {
        const Instant heard = *call->answeredAt;
        const QString text = toQString(call->text);
        if (heard == hold.from) {
            return {{Kind::Release, before->to, heard, fromRow, toRow, text}};
        }
        return {{Kind::Release, before->to, heard, fromRow, toRow},
                {Kind::WakeUp, heard, hold.from, toRow, toRow, text}};
    }
    const auto sent = std::ranges::find_if(chronicle.messages, [&](const Message& message) {
        return message.contender == hold.contender && message.sentAt >= before->to
               && message.sentAt < hold.from;
    });
    if (sent == chronicle.messages.end()) {
        return {{Kind::Release, before->to, hold.from, fromRow, toRow}};
    }
    return {{Kind::Release, before->to, sent->sentAt, fromRow, toRow},
            {Kind::WakeUp, sent->sentAt, hold.from, toRow, toRow, toQString(sent->text)}};
}

} // namespace lockscope::models
