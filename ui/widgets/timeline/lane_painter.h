#pragma once

#include "ui/models/timeline/axis_text.h"
#include "ui/models/timeline/timeline_layout.h"
#include "ui/widgets/style/palette_colors.h"

#include <QCoreApplication>
#include <QHash>
#include <QList>
#include <QPalette>
#include <QRect>
#include <QStaticText>
#include <QStringList>

#include <array>
#include <span>
#include <utility>
#include <vector>

class QPainter;

namespace lockscope::widgets {

/// Replays a layout: bars, marks and overlaps, from the place where the painter stands.
class LanePainter {
    Q_DECLARE_TR_FUNCTIONS(lockscope::widgets::LanePainter)
public:
    /// All must outlive it.
    LanePainter(QPainter& painter, const models::TimelineLayout& layout,
                const trace::Chronicle& chronicle, const models::TimelineNames& names,
                const QPalette& palette);

    void paint();
    /// Without texts and corners, for where rows are a few pixels high. Overlaps are along the top.
    void paintSmall();

private:
    class BarStrips;
    /// A bar that is hatched, or fades because it is not known where it ended.
    using Special = std::pair<models::TimelineStyle, const models::TimelineBox*>;
    struct BarLook {
        QColor fill;
        QColor hatch; // invalid: none
        QColor ink;   // of texts on it
    };
    /// A text as it is drawn; most of a frame's are the same few.
    struct Label {
        QStaticText text;
        double width = 0;
    };

    static BarLook lookOf(models::TimelineStyle style, const StateColors& colors,
                          const QPalette& palette);
    const BarLook& lookOf(models::TimelineStyle style) const;
    const Label& labelOf(const QString& text);
    QColor endColor(trace::SpanEnd end) const;
    void paintBars();
    void putBars(BarStrips& strips, models::TimelineStyle style,
                 std::span<const models::TimelineBox> boxes, std::vector<Special>& special) const;
    void finishRow(BarStrips& strips, const QRectF& bar, std::vector<Special>& special);
    void paintSpecial(models::TimelineStyle style, const models::TimelineBox& box);
    bool isFading(models::TimelineStyle style, const models::TimelineBox& box) const;
    void paintFading(const QColor& fill, const QRectF& rect);
    void paintUnknown();
    void paintContended();
    void paintEnds(models::TimelineStyle style);
    trace::SpanEnd endOf(models::TimelineStyle style, const models::TimelineBox& box) const;
    void paintBoxText(models::TimelineStyle style, const models::TimelineBox& box);
    bool isAtBox(models::TimelineStyle style, const models::TimelineBox& box) const;
    void paintMarks();
    void paintNotes();
    void paintOverlaps();
    QList<QRect> solidOverlap(const models::TimelineBox& box, const QRect& rect) const;
    void paintOverlapText(const models::TimelineBox& box, const QRectF& rect);
    QStringList boxTexts(models::TimelineStyle style, const models::TimelineBox& box) const;

    QPainter& m_painter;
    const models::TimelineLayout& m_layout;
    const trace::Chronicle& m_chronicle;
    const models::TimelineNames& m_names;
    const QPalette& m_palette;
    // Fitting colours to a palette takes longer than painting a bar: once for a frame.
    const StateColors m_colors;
    std::array<BarLook, models::kTimelineStyleCount> m_looks;
    QHash<QString, Label> m_labels;
    double m_textWidthMin = 0;
};

} // namespace lockscope::widgets
