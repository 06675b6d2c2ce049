#pragma once

#include "ui/models/timeline/axis_text.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QCoreApplication>

namespace lockscope::models {

/// What the timeline says about what is on it.
class TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(lockscope::models::TimelineWords)
public:
    /// Chronicle and names must outlive it.
    TimelineWords(const trace::Chronicle& chronicle, const TimelineNames& names,
                  TimeReference reference = std::nullopt)
        : m_chronicle(chronicle),
          m_names(names),
          m_text(chronicle.axis, reference)
    {}

    /// "Client A holds k · 0.000 s – 10.000 s (10.000 s) · released"
    QString sentence(const TimelineHit& hit) const;
    /// What a screen reader says.
    QString summary(std::size_t laneCount) const;

    /// How a stretch ended: "released".
    static QString endText(trace::SpanEnd end);
    /// What happened in an instant, with places for who (%1) and the lock (%2).
    static QString markText(trace::Mark::Kind kind);
    /// "Server", or of one of several "Server 2".
    static QString serverText(std::optional<int> node);
    /// The same as markText() without the name: "is refused".
    static QString eventText(trace::Mark::Kind kind);

private:
    QString spanSentence(const trace::Span& span) const;
    QString stretchText(Instant from, Instant to) const;

    const trace::Chronicle& m_chronicle;
    const TimelineNames& m_names;
    AxisText m_text;
};

} // namespace lockscope::models
