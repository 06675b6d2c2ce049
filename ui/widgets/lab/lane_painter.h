#pragma once

#include "timeline_layout.h"

#include <QCoreApplication>
#include <QPalette>
#include <QStringList>

class QPainter;

namespace lockscope::widgets {

/// Replays a layout: bars, marks and overlaps, from the place where the painter stands.
class LanePainter {
    Q_DECLARE_TR_FUNCTIONS(lockscope::widgets::LanePainter)
public:
    /// All must outlive it.
    LanePainter(QPainter& painter, const models::TimelineLayout& layout,
                const trace::Chronicle& chronicle, const models::TimelineNames& names,
                const QPalette& palette)
        : m_painter(painter),
          m_layout(layout),
          m_chronicle(chronicle),
          m_names(names),
          m_palette(palette)
    {}

    void paint();
    /// Without texts and corners, for where rows are a few pixels high. Overlaps are along the top.
    void paintSmall();

private:
    void paintBoxes(models::TimelineStyle style);
    void paintNarrow(models::TimelineStyle style);
    void paintWide(models::TimelineStyle style, const models::TimelineBox& box);
    void paintUnknown();
    void paintContended();
    void paintEnds(models::TimelineStyle style);
    trace::SpanEnd endOf(models::TimelineStyle style, const models::TimelineBox& box) const;
    void paintBoxText(models::TimelineStyle style, const models::TimelineBox& box);
    bool isAtBox(models::TimelineStyle style, const models::TimelineBox& box) const;
    void paintMarks();
    void paintOverlaps();
    void paintOverlapText(const models::TimelineBox& box, const QRectF& rect);
    QStringList boxTexts(models::TimelineStyle style, const models::TimelineBox& box) const;

    QPainter& m_painter;
    const models::TimelineLayout& m_layout;
    const trace::Chronicle& m_chronicle;
    const models::TimelineNames& m_names;
    const QPalette& m_palette;
};

} // namespace lockscope::widgets
