#include "core/kernel/trace/chronicle.h"

#include <algorithm>
#include <utility>

namespace lockscope::trace {

void GrowingChronicle::append(std::span<const Event> events)
{
    for (const Event& event : events) {
        settleHoldsBegunBefore(event.at);
        see(event);
    }
}

void GrowingChronicle::setServerHolds(std::vector<ServerHold> serverHolds)
{
    m_chronicle.serverHolds = std::move(serverHolds);
}

const Chronicle& GrowingChronicle::extendTo(Instant end)
{
    std::erase_if(m_openSpans, [this, end](std::size_t index) {
        Span& span = m_chronicle.spans[index];
        if (span.end == SpanEnd::Open) {
            span.to = std::max(end, span.from);
        }
        return span.end != SpanEnd::Open;
    });
    std::erase_if(m_openOverlaps, [this](const OpenOverlap& open) {
        const Span& first = m_chronicle.spans[open.first];
        const Span& second = m_chronicle.spans[open.second];
        m_chronicle.overlaps[open.overlap].to = std::min(first.to, second.to);
        return first.end != SpanEnd::Open || second.end != SpanEnd::Open;
    });
    m_chronicle.end = end;
    return m_chronicle;
}

Chronicle GrowingChronicle::finished(Instant end) &&
{
    settleHoldsBegunBefore(end);
    extendTo(end);
    return std::move(m_chronicle);
}

void GrowingChronicle::see(const Event& event)
{
    switch (event.kind) {
    case EventKind::Requested: beginWaiting(event); return;
    case EventKind::Granted: takeGrant(event); return;
    case EventKind::GaveUp:
    case EventKind::Withdrew:
    case EventKind::Unavailable: endWaiting(event, SpanEnd::GaveUp); return;
    case EventKind::Uncertain: endWaiting(event, SpanEnd::Uncertain); return;
    case EventKind::Releasing: giveBack(event); return;
    case EventKind::Lost: endHolding(event, SpanEnd::Lost); return;
    case EventKind::Expired: endHolding(event, SpanEnd::Expired); return;
    case EventKind::Forced: endHolding(event, SpanEnd::Forced); return;
    case EventKind::ReleaseUncertain: correctEnd(event, SpanEnd::Uncertain); return;
    case EventKind::ReleaseRefused:
        correctEnd(event, SpanEnd::Lost);
        mark(event, Mark::Kind::ReleaseRefused);
        return;
    case EventKind::Refused: mark(event, Mark::Kind::Refused); return;
    case EventKind::Renewed: mark(event, Mark::Kind::Renewed); return;
    case EventKind::RenewalFailed: mark(event, Mark::Kind::RenewalFailed); return;
    case EventKind::EffectRejected: mark(event, Mark::Kind::Rejected); return;
    case EventKind::Crashed: crash(event); return;
    case EventKind::Paused:
        m_bodies[event.contender].paused = open(event, Span::Kind::Paused);
        return;
    case EventKind::Resumed:
        end(m_bodies[event.contender].paused, event.at, SpanEnd::Resumed);
        return;
    case EventKind::Released:
    case EventKind::Entered:
    case EventKind::Left: return;
    }
}

GrowingChronicle::SpanIndex GrowingChronicle::open(const Event& event, Span::Kind kind)
{
    m_chronicle.spans.push_back({event.at, event.at, event.contender, event.lock, kind,
                                 SpanEnd::Open, event.isRead});
    m_openSpans.push_back(m_chronicle.spans.size() - 1);
    return m_openSpans.back();
}

void GrowingChronicle::end(SpanIndex& index, Instant at, SpanEnd end)
{
    if (const SpanIndex ended = std::exchange(index, std::nullopt)) {
        Span& span = m_chronicle.spans[*ended];
        span.to = at;
        span.end = end;
    }
}

void GrowingChronicle::mark(const Event& event, Mark::Kind kind)
{
    m_chronicle.marks.push_back({event.at, event.contender, event.lock, kind});
}

/// Who enters once more what it holds already does not wait in a lane of its own.
void GrowingChronicle::beginWaiting(const Event& event)
{
    end(m_bodies[event.contender].down, event.at, SpanEnd::Resumed); // it was started again
    LockUse& use = useOf(event);
    if (!use.waiting && use.depth == 0) {
        use.waiting = open(event, Span::Kind::Waiting);
    }
}

void GrowingChronicle::takeGrant(const Event& event)
{
    LockUse& use = useOf(event);
    end(use.waiting, event.at, SpanEnd::Granted);
    if (use.depth++ == 0) {
        use.holding = open(event, Span::Kind::Holding);
        use.latestHold = use.holding;
        if (m_order == InstantOrder::AsRecorded) {
            findOverlaps(*use.holding);
        } else {
            m_unsettledHolds.push_back(*use.holding);
        }
    }
}

void GrowingChronicle::giveBack(const Event& event)
{
    LockUse& use = useOf(event);
    use.depth = std::max(use.depth - 1, 0);
    if (use.depth == 0) {
        end(use.holding, event.at, SpanEnd::Released);
    }
}

void GrowingChronicle::endHolding(const Event& event, SpanEnd how)
{
    LockUse& use = useOf(event);
    use.depth = 0;
    end(use.holding, event.at, how);
}

/// What the server answered to the release that ended the belief.
void GrowingChronicle::correctEnd(const Event& event, SpanEnd how)
{
    const LockUse& use = useOf(event);
    if (!use.holding && use.latestHold) {
        m_chronicle.spans[*use.latestHold].end = how;
    }
}

void GrowingChronicle::crash(const Event& event)
{
    for (auto& [whose, use] : m_uses) {
        if (whose.first == event.contender) {
            use.depth = 0;
            end(use.waiting, event.at, SpanEnd::Crashed);
            end(use.holding, event.at, SpanEnd::Crashed);
        }
    }
    Body& body = m_bodies[event.contender];
    end(body.paused, event.at, SpanEnd::Crashed);
    body.down = open(event, Span::Kind::Down);
}

void GrowingChronicle::settleHoldsBegunBefore(Instant now)
{
    if (m_unsettledHolds.empty() || m_chronicle.spans[m_unsettledHolds.front()].from >= now) {
        return; // a hold that ends in the same instant does not overlap
    }
    for (const std::size_t index : std::exchange(m_unsettledHolds, {})) {
        findOverlaps(index);
    }
}

/// True if the hold has ended before another one begins at `now`.
bool GrowingChronicle::isOver(const Span& hold, Instant now) const
{
    return hold.end != SpanEnd::Open && (m_order == InstantOrder::AsRecorded || hold.to <= now);
}

void GrowingChronicle::findOverlaps(std::size_t index)
{
    const Span& span = m_chronicle.spans[index];
    std::vector<std::size_t>& open = m_heldAtOnce[span.lock];
    std::erase_if(open, [this, &span](std::size_t other) {
        return isOver(m_chronicle.spans[other], span.from);
    });
    if (open.size() >= m_permits) {
        for (const std::size_t first : open) {
            const Span& other = m_chronicle.spans[first];
            const bool mayShare = other.isRead && span.isRead;
            if (!mayShare && other.contender != span.contender) {
                m_openOverlaps.push_back({m_chronicle.overlaps.size(), first, index});
                m_chronicle.overlaps.push_back({span.from, span.from, span.lock, other.contender,
                                                span.contender});
            }
            if (m_permits > 1) {
                break; // one too many: it is enough to show it beside the first
            }
        }
    }
    open.push_back(index);
}

std::vector<ContenderId> GrowingChronicle::overlappingWith(ContenderId contender, LockId lock) const
{
    std::vector<ContenderId> others;
    for (const OpenOverlap& open : m_openOverlaps) {
        const Overlap& overlap = m_chronicle.overlaps[open.overlap];
        const bool isOpen = m_chronicle.spans[open.first].end == SpanEnd::Open
                            && m_chronicle.spans[open.second].end == SpanEnd::Open;
        const bool isOfContender = overlap.first == contender || overlap.second == contender;
        if (isOpen && isOfContender && overlap.lock == lock) {
            others.push_back(overlap.first == contender ? overlap.second : overlap.first);
        }
    }
    std::ranges::sort(others);
    return others;
}

std::string_view idOf(SpanEnd end)
{
    switch (end) {
    case SpanEnd::Open: return "open";
    case SpanEnd::Granted: return "granted";
    case SpanEnd::GaveUp: return "gave-up";
    case SpanEnd::Released: return "released";
    case SpanEnd::Expired: return "expired";
    case SpanEnd::Lost: return "lost";
    case SpanEnd::Forced: return "forced";
    case SpanEnd::Crashed: return "crashed";
    case SpanEnd::Resumed: return "resumed";
    case SpanEnd::Uncertain: return "uncertain";
    }
    return {};
}

Chronicle chronicleOf(std::span<const Event> events, Instant end, int permits, InstantOrder order)
{
    GrowingChronicle chronicle(permits, order);
    chronicle.append(events);
    return std::move(chronicle).finished(end);
}

} // namespace lockscope::trace
