#pragma once

#include "timeline_layout.h"

#include <QCoreApplication>

namespace lockscope::models {

/// What the timeline says about what is on it.
class TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(lockscope::models::TimelineWords)
public:
    /// Both must outlive it.
    TimelineWords(const trace::Chronicle& chronicle, const TimelineNames& names)
        : m_chronicle(chronicle),
          m_names(names)
    {}

    /// "Client A holds k · 0.000 s – 10.000 s (10.000 s) · released"
    QString sentence(const TimelineHit& hit) const;

private:
    QString spanSentence(const trace::Span& span) const;

    const trace::Chronicle& m_chronicle;
    const TimelineNames& m_names;
};

} // namespace lockscope::models
