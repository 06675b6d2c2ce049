#pragma once

#include "core/kernel/trace/chronicle.h"
#include "ui/models/timeline/timeline_scale.h"

#include <QCoreApplication>

namespace lockscope::models {

/// How a timeline writes its instants: as times, or as the numbers of steps.
class AxisText {
    Q_DECLARE_TR_FUNCTIONS(lockscope::models::AxisText)
public:
    explicit AxisText(trace::Chronicle::Axis axis, TimeReference reference = std::nullopt)
        : m_isInSteps(axis == trace::Chronicle::Axis::Steps),
          m_reference(reference)
    {}

    /// At a line of the ruler: "1.5 s", or "7".
    QString tick(Instant at) const;
    /// In a sentence: "1.500 s", or "step 7".
    QString exact(Instant at) const;
    /// "1.5 s", or "3 steps".
    QString length(Duration length) const;
    /// "1.500 s", or "3 steps".
    QString exactLength(Duration length) const;

private:
    QString stepText(Instant at) const;

    bool m_isInSteps;
    TimeReference m_reference;
};

} // namespace lockscope::models
