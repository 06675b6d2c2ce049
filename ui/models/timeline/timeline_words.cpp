#include "ui/models/timeline/timeline_words.h"

#include "ui/models/formatting.h"

namespace lockscope::models {

using namespace Qt::StringLiterals;

using trace::Mark;
using trace::Span;
using trace::SpanEnd;

QString TimelineWords::endText(SpanEnd end)
{
    switch (end) {
    case SpanEnd::Open: return tr("the recording ends first");
    case SpanEnd::Granted: return tr("granted");
    case SpanEnd::GaveUp: return tr("gave up");
    case SpanEnd::Released: return tr("released");
    case SpanEnd::Expired: return tr("expired");
    case SpanEnd::Lost: return tr("found to be lost");
    case SpanEnd::Forced: return tr("removed by another client");
    case SpanEnd::Crashed: return tr("crashed");
    case SpanEnd::Resumed: return tr("resumes");
    case SpanEnd::Uncertain: return tr("outcome unknown");
    }
    return {};
}

QString TimelineWords::markText(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Refused: return tr("%1 is refused %2");
    case Mark::Kind::Renewed: return tr("%1 renews %2");
    case Mark::Kind::RenewalFailed: return tr("%1 fails to renew %2");
    case Mark::Kind::ReleaseRefused: return tr("%1 tries to release %2 without holding it");
    case Mark::Kind::Rejected: return tr("%1 is rejected by the resource that %2 protects");
    }
    return {};
}

QString TimelineWords::eventText(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Refused: return tr("is refused");
    case Mark::Kind::Renewed: return tr("renews");
    case Mark::Kind::RenewalFailed: return tr("fails to renew");
    case Mark::Kind::ReleaseRefused: return tr("releases without holding");
    case Mark::Kind::Rejected: return tr("is rejected by the resource");
    }
    return {};
}

/// "0.000 s – 10.000 s (10.000 s)"
QString TimelineWords::stretchText(Instant from, Instant to) const
{
    return u"%1 – %2 (%3)"_s.arg(m_text.exact(from), m_text.exact(to),
                                 m_text.exactLength(to - from));
}

QString TimelineWords::serverText(std::optional<int> node)
{
    return node ? tr("Server %1").arg(*node + 1) : tr("Server");
}

QString TimelineWords::summary(std::size_t laneCount) const
{
    const bool isInSteps = m_chronicle.axis == trace::Chronicle::Axis::Steps;
    const QString size = (isInSteps ? tr("%1, %2.") : tr("%1 until %2."))
                             .arg(countedText(static_cast<std::int64_t>(laneCount), tr("lane"),
                                              tr("lanes")),
                                  AxisText(m_chronicle.axis).length(m_chronicle.end - Instant()));
    const std::size_t overlaps = m_chronicle.overlaps.size();
    if (overlaps == 0) {
        return size + u' ' + tr("No two contenders believed they held the same lock.");
    }
    return size + u' '
           + tr("Two contenders believed they held the same lock %1. First: %2.")
                 .arg(countedText(static_cast<std::int64_t>(overlaps), tr("time"), tr("times")),
                      sentence({TimelineHit::Kind::Overlap, 0, 1}));
}

QString TimelineWords::sentence(const TimelineHit& hit) const
{
    switch (hit.kind) {
    case TimelineHit::Kind::Span: return spanSentence(m_chronicle.spans[hit.index]);
    case TimelineHit::Kind::ServerHold: {
        const trace::ServerHold& serverHold = m_chronicle.serverHolds[hit.index];
        const QString what = tr("%1: %2 holds %3")
                                 .arg(serverText(serverHold.node),
                                      m_names.holder(serverHold.holder),
                                      m_names.lock(serverHold.lock));
        const QString end = serverHold.overBy ? tr("last seen then; ended by %1 at the latest")
                                                    .arg(m_text.exact(*serverHold.overBy))
                                              : endText(serverHold.end);
        return what + u" · "_s + stretchText(serverHold.from, serverHold.to) + u" · "_s + end;
    }
    case TimelineHit::Kind::Overlap: {
        const trace::Overlap& overlap = m_chronicle.overlaps[hit.index];
        const QString what = tr("%1 and %2 both believe they hold %3")
                                 .arg(m_names.contender(overlap.first),
                                      m_names.contender(overlap.second),
                                      m_names.lock(overlap.lock));
        return what + u" · "_s + stretchText(overlap.from, overlap.to);
    }
    case TimelineHit::Kind::Mark: {
        const Mark& mark = m_chronicle.marks[hit.index];
        return markText(mark.kind).arg(m_names.contender(mark.contender), m_names.lock(mark.lock))
               + u" · "_s + m_text.exact(mark.at);
    }
    case TimelineHit::Kind::Note: {
        const trace::Note& note = m_chronicle.notes[hit.index];
        return tr("%1 writes: %2").arg(m_names.contender(note.contender), toQString(note.text))
               + u" · "_s + m_text.exact(note.at);
    }
    }
    return {};
}

QString TimelineWords::spanSentence(const Span& span) const
{
    const QString who = m_names.contender(span.contender);
    QString what;
    switch (span.kind) {
    case Span::Kind::Waiting: what = tr("%1 waits for %2").arg(who, m_names.lock(span.lock)); break;
    case Span::Kind::Holding:
        what = (span.isRead ? tr("%1 holds %2, shared") : tr("%1 holds %2"))
                   .arg(who, m_names.lock(span.lock));
        break;
    case Span::Kind::Paused: what = tr("%1 is paused").arg(who); break;
    case Span::Kind::Down: what = tr("%1 is down").arg(who); break;
    }
    return what + u" · "_s + stretchText(span.from, span.to) + u" · "_s + endText(span.end);
}

} // namespace lockscope::models
