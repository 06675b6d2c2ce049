#include "ui/models/timeline/axis_text.h"

#include "ui/models/formatting.h"

namespace lockscope::models {

using namespace Qt::StringLiterals;

namespace {

/// As trace::instantOfStep() has it.
std::int64_t stepsIn(Duration length)
{
    return length.count();
}

} // namespace

QString AxisText::stepText(Instant at) const
{
    const std::int64_t step = stepsIn(at - m_reference.value_or(Instant{}));
    const bool isAhead = m_reference && step > 0;
    return isAhead ? u'+' + QString::number(step) : QString::number(step);
}

QString AxisText::tick(Instant at) const
{
    return m_isInSteps ? stepText(at) : tickText(at, m_reference);
}

QString AxisText::exact(Instant at) const
{
    return m_isInSteps ? tr("step %1").arg(stepText(at)) : exactTimeText(at, m_reference);
}

QString AxisText::length(Duration length) const
{
    return m_isInSteps ? countedText(stepsIn(length), tr("step"), tr("steps"))
                       : tickText(Instant(length));
}

QString AxisText::exactLength(Duration length) const
{
    return m_isInSteps ? this->length(length) : exactTimeText(length);
}

} // namespace lockscope::models
