#include "timeline_words.h"

namespace lockscope::models {

using namespace Qt::StringLiterals;

using trace::Mark;
using trace::Span;
using trace::SpanEnd;

namespace {

QString endText(SpanEnd end)
{
    switch (end) {
    case SpanEnd::Open: return TimelineWords::tr("the record ends before it");
    case SpanEnd::Granted: return TimelineWords::tr("granted");
    case SpanEnd::GaveUp: return TimelineWords::tr("gave up");
    case SpanEnd::Released: return TimelineWords::tr("released");
    case SpanEnd::Expired: return TimelineWords::tr("expired");
    case SpanEnd::Lost: return TimelineWords::tr("found to be lost");
    case SpanEnd::Forced: return TimelineWords::tr("removed by somebody else");
    case SpanEnd::Crashed: return TimelineWords::tr("crashed");
    case SpanEnd::Resumed: return TimelineWords::tr("goes on");
    case SpanEnd::Uncertain: return TimelineWords::tr("not known how it ended");
    }
    return {};
}

QString markText(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Refused: return TimelineWords::tr("%1 is refused %2");
    case Mark::Kind::Renewed: return TimelineWords::tr("%1 renews %2");
    case Mark::Kind::RenewalFailed: return TimelineWords::tr("%1 fails to renew %2");
    case Mark::Kind::ReleaseRefused: return TimelineWords::tr("%1 releases %2, which it lacks");
    case Mark::Kind::Rejected: return TimelineWords::tr("%1 is rejected by what %2 protects");
    }
    return {};
}

QString timeText(Instant at)
{
    return exactTimeText(at.time_since_epoch());
}

/// "0.000 s – 10.000 s (10.000 s)"
QString stretchText(Instant from, Instant to)
{
    return u"%1 – %2 (%3)"_s.arg(timeText(from), timeText(to), exactTimeText(to - from));
}

} // namespace

QString TimelineWords::sentence(const TimelineHit& hit) const
{
    switch (hit.kind) {
    case TimelineHit::Kind::Span: return spanSentence(m_chronicle.spans[hit.index]);
    case TimelineHit::Kind::Tenure: {
        const trace::Tenure& tenure = m_chronicle.tenures[hit.index];
        const QString what = tr("The server: %1 holds %2")
                                 .arg(m_names.contender(tenure.holder), m_names.lock(tenure.lock));
        return what + u" · "_s + stretchText(tenure.from, tenure.to) + u" · "_s
               + endText(tenure.end);
    }
    case TimelineHit::Kind::Overlap: {
        const trace::Overlap& overlap = m_chronicle.overlaps[hit.index];
        const QString what = tr("%1 and %2 both believe to hold %3")
                                 .arg(m_names.contender(overlap.first),
                                      m_names.contender(overlap.second),
                                      m_names.lock(overlap.lock));
        return what + u" · "_s + stretchText(overlap.from, overlap.to);
    }
    case TimelineHit::Kind::Mark: {
        const Mark& mark = m_chronicle.marks[hit.index];
        return markText(mark.kind).arg(m_names.contender(mark.contender), m_names.lock(mark.lock))
               + u" · "_s + timeText(mark.at);
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
