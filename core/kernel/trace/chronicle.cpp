#include "core/kernel/trace/chronicle.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace lockscope::trace {

namespace {

/// Turns events into spans, one after the other.
class ChronicleBuilder {
public:
    void see(const Event& event)
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

    Chronicle finished(Instant end)
    {
        for (Span& span : m_chronicle.spans) {
            if (span.end == SpanEnd::Open) {
                span.to = std::max(end, span.from);
            }
        }
        std::ranges::stable_sort(m_chronicle.spans, {}, &Span::from);
        m_chronicle.end = end;
        return std::move(m_chronicle);
    }

private:
    using SpanIndex = std::optional<std::size_t>;

    /// What a contender is about with one lock.
    struct LockUse {
        SpanIndex waiting;
        SpanIndex holding;
        SpanIndex latestHold; // open or over
        int depth = 0;
    };
    struct Body {
        SpanIndex paused;
        SpanIndex down;
    };

    LockUse& useOf(const Event& event) { return m_uses[{event.contender, event.lock}]; }

    SpanIndex open(const Event& event, Span::Kind kind)
    {
        m_chronicle.spans.push_back({event.at, event.at, event.contender, event.lock, kind,
                                     SpanEnd::Open, event.isRead});
        return m_chronicle.spans.size() - 1;
    }

    void end(SpanIndex& index, Instant at, SpanEnd end)
    {
        if (const SpanIndex ended = std::exchange(index, std::nullopt)) {
            Span& span = m_chronicle.spans[*ended];
            span.to = at;
            span.end = end;
        }
    }

    void mark(const Event& event, Mark::Kind kind)
    {
        m_chronicle.marks.push_back({event.at, event.contender, event.lock, kind});
    }

    /// Who enters once more what it holds already does not wait in a lane of its own.
    void beginWaiting(const Event& event)
    {
        end(m_bodies[event.contender].down, event.at, SpanEnd::Resumed); // it was started again
        LockUse& use = useOf(event);
        if (!use.waiting && use.depth == 0) {
            use.waiting = open(event, Span::Kind::Waiting);
        }
    }

    void endWaiting(const Event& event, SpanEnd how) { end(useOf(event).waiting, event.at, how); }

    void takeGrant(const Event& event)
    {
        LockUse& use = useOf(event);
        end(use.waiting, event.at, SpanEnd::Granted);
        if (use.depth++ == 0) {
            use.holding = open(event, Span::Kind::Holding);
            use.latestHold = use.holding;
        }
    }

    void giveBack(const Event& event)
    {
        LockUse& use = useOf(event);
        use.depth = std::max(use.depth - 1, 0);
        if (use.depth == 0) {
            end(use.holding, event.at, SpanEnd::Released);
        }
    }

    void endHolding(const Event& event, SpanEnd how)
    {
        LockUse& use = useOf(event);
        use.depth = 0;
        end(use.holding, event.at, how);
    }

    /// What the server answered to the release that ended the belief.
    void correctEnd(const Event& event, SpanEnd how)
    {
        const LockUse& use = useOf(event);
        if (!use.holding && use.latestHold) {
            m_chronicle.spans[*use.latestHold].end = how;
        }
    }

    void crash(const Event& event)
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

    Chronicle m_chronicle;
    std::map<std::pair<ContenderId, LockId>, LockUse> m_uses;
    std::map<ContenderId, Body> m_bodies;
};

/// Goes through the holds in the order of their beginnings, with those that are still open.
class OverlapFinder {
public:
    explicit OverlapFinder(int permits) : m_permits(static_cast<std::size_t>(permits)) {}

    void see(const Span& span)
    {
        std::vector<Span>& open = m_open[span.lock];
        std::erase_if(open, [&span](const Span& other) { return other.to <= span.from; });
        if (open.size() >= m_permits) {
            for (const Span& other : open) {
                const bool mayShare = other.isRead && span.isRead;
                if (!mayShare && other.contender != span.contender) {
                    m_overlaps.push_back({span.from, std::min(span.to, other.to), span.lock,
                                          other.contender, span.contender});
                }
                if (m_permits > 1) {
                    break; // one too many: it is enough to show it beside the first
                }
            }
        }
        open.push_back(span);
    }

    std::vector<Overlap> overlaps() { return std::move(m_overlaps); }

private:
    std::size_t m_permits;
    std::map<LockId, std::vector<Span>> m_open;
    std::vector<Overlap> m_overlaps;
};

} // namespace

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

Chronicle chronicleOf(std::span<const Event> events, Instant end, int permits)
{
    ChronicleBuilder builder;
    for (const Event& event : events) {
        builder.see(event);
    }
    Chronicle chronicle = builder.finished(end);
    OverlapFinder finder(permits);
    for (const Span& span : chronicle.spans) {
        if (span.kind == Span::Kind::Holding) {
            finder.see(span);
        }
    }
    chronicle.overlaps = finder.overlaps();
    return chronicle;
}

} // namespace lockscope::trace
