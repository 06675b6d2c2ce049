#include "lab/lane_painter.h"

#include "shell/palette_colors.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lockscope::widgets {

using models::TimelineBox;
using models::TimelineMark;
using models::TimelineStyle;
using trace::Mark;
using trace::Span;
using trace::SpanEnd;

namespace {

constexpr int kPadding = 6;
constexpr double kTextWidthMin = 24;
constexpr double kCornerWidthMin = 4;
constexpr double kEndWidthMin = 8;
constexpr double kFadingWidth = 32;
constexpr std::array kBars{TimelineStyle::Truth, TimelineStyle::Waiting, TimelineStyle::Down,
                           TimelineStyle::Holding, TimelineStyle::Paused}; // in their order

struct BarLook {
    QColor fill;
    QColor hatch; // invalid: none
};

BarLook lookOf(TimelineStyle style, const QPalette& palette)
{
    const StateColors colors = stateColorsOf(palette);
    const QColor base = palette.color(QPalette::Base);
    switch (style) {
    case TimelineStyle::Truth: return {colors.green, {}};
    case TimelineStyle::Holding: return {mixed(colors.green, base, 0.72), {}};
    case TimelineStyle::Waiting: return {mixed(colors.quiet, base, 0.22), {}};
    case TimelineStyle::Paused:
        return {mixed(colors.amber, base, 0.45), mixed(colors.amber, base, 0.75)};
    case TimelineStyle::Down:
        return {mixed(colors.quiet, base, 0.12), mixed(colors.quiet, base, 0.5)};
    case TimelineStyle::Overlap: return {colors.red, {}};
    case TimelineStyle::Unknown:
    case TimelineStyle::Contended: break; // are no bars
    }
    return {};
}

/// The end of the palette that is easier to read on a bar.
QColor inkOn(const QColor& fill, const QPalette& palette)
{
    const QColor text = palette.color(QPalette::Text);
    const QColor base = palette.color(QPalette::Base);
    return contrastRatio(text, fill) >= contrastRatio(base, fill) ? text : base;
}

QColor colorOf(Mark::Kind kind, const StateColors& colors)
{
    switch (kind) {
    case Mark::Kind::Refused: return colors.quiet;
    case Mark::Kind::Renewed: return colors.green;
    case Mark::Kind::RenewalFailed:
    case Mark::Kind::ReleaseRefused:
    case Mark::Kind::Rejected: return colors.red;
    }
    return colors.quiet;
}

/// The boxes of a row, which stand together.
std::span<const TimelineBox> boxesOfRow(const std::vector<TimelineBox>& boxes, int row)
{
    const auto found = std::ranges::equal_range(boxes, row, {}, &TimelineBox::row);
    return {found.begin(), found.end()};
}

/// The head of an end mark: shapes tell the ends apart, not only colours.
void drawEndHead(QPainter& painter, SpanEnd end, QPointF top)
{
    const QRectF head(top.x() - 2.5, top.y() - 5, 5, 5);
    switch (end) {
    case SpanEnd::Expired: painter.drawEllipse(head); return;
    case SpanEnd::Forced:
        painter.drawLine(head.topLeft(), head.bottomRight());
        painter.drawLine(head.topRight(), head.bottomLeft());
        return;
    case SpanEnd::Lost:
        painter.drawPolyline(QPolygonF{head.topLeft(), {top.x(), head.bottom()}, head.topRight()});
        return;
    case SpanEnd::Crashed: painter.drawRect(head); return;
    default: return;
    }
}

QColor endColor(SpanEnd end, const QPalette& palette)
{
    const StateColors colors = stateColorsOf(palette);
    switch (end) {
    case SpanEnd::Released: return palette.color(QPalette::Text);
    case SpanEnd::Expired: return colors.amber;
    case SpanEnd::Lost:
    case SpanEnd::Forced:
    case SpanEnd::Crashed: return colors.red;
    default: return {};
    }
}

} // namespace

void LanePainter::paint()
{
    paintUnknown();
    for (const TimelineStyle style : kBars) {
        paintBoxes(style);
        if (style == TimelineStyle::Holding) {
            paintContended();
        }
    }
    m_painter.setRenderHint(QPainter::Antialiasing);
    paintEnds(TimelineStyle::Truth);
    paintEnds(TimelineStyle::Holding);
    for (const TimelineStyle style : kBars) {
        for (const TimelineBox& box : m_layout.boxes(style)) {
            if (box.rect.width() >= kTextWidthMin) {
                paintBoxText(style, box);
            }
        }
    }
    paintMarks();
    paintOverlaps();
}

void LanePainter::paintSmall()
{
    for (const TimelineStyle style : kBars) {
        const BarLook look = lookOf(style, m_palette);
        for (const TimelineBox& box : m_layout.boxes(style)) {
            m_painter.fillRect(box.rect, look.hatch.isValid() ? look.hatch : look.fill);
        }
    }
    const QColor red = stateColorsOf(m_palette).red;
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Overlap)) {
        m_painter.fillRect(QRectF(box.rect.left(), 0, box.rect.width(), 3), red);
    }
}

void LanePainter::paintBoxes(TimelineStyle style)
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    paintNarrow(style);
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (const TimelineBox& box : m_layout.boxes(style)) {
        if (box.rect.width() >= kCornerWidthMin) {
            paintWide(style, box);
        }
    }
}

/// There is no room for corners. Neighbours in whole pixels make one rectangle.
void LanePainter::paintNarrow(TimelineStyle style)
{
    const BarLook look = lookOf(style, m_palette);
    const QColor color = look.hatch.isValid() ? look.hatch : look.fill;
    QRect run;
    for (const TimelineBox& box : m_layout.boxes(style)) {
        if (box.rect.width() >= kCornerWidthMin) {
            continue;
        }
        const int left = static_cast<int>(std::floor(box.rect.left()));
        const int right = std::max(static_cast<int>(std::floor(box.rect.right())), left + 1);
        const int top = static_cast<int>(box.rect.top());
        if (run.top() == top && left >= run.left() && left <= run.right() + 1) {
            run.setRight(std::max(run.right(), right - 1));
            continue;
        }
        if (run.isValid()) {
            m_painter.fillRect(run, color);
        }
        run = QRect(left, top, right - left, static_cast<int>(box.rect.height()));
    }
    if (run.isValid()) {
        m_painter.fillRect(run, color);
    }
}

void LanePainter::paintWide(TimelineStyle style, const TimelineBox& box)
{
    const BarLook look = lookOf(style, m_palette);
    QBrush fill(look.fill);
    if (box.count == 1 && endOf(style, box) == SpanEnd::Uncertain) {
        const double fading = std::min(kFadingWidth, box.rect.width() / 2);
        QLinearGradient gradient(box.rect.right() - fading, 0, box.rect.right(), 0);
        QColor gone = look.fill;
        gone.setAlpha(0);
        gradient.setColorAt(0, look.fill);
        gradient.setColorAt(1, gone);
        fill = gradient;
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(box.rect, 2, 2);
    if (look.hatch.isValid()) {
        m_painter.setBrush(QBrush(look.hatch, Qt::BDiagPattern));
        m_painter.drawRoundedRect(box.rect, 2, 2);
    }
}

/// Dim, so that it is not taken for waiting or holding.
void LanePainter::paintUnknown()
{
    QColor dim = stateColorsOf(m_palette).quiet;
    dim.setAlphaF(0.45F);
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Unknown)) {
        m_painter.fillRect(box.rect, QBrush(dim, Qt::Dense6Pattern));
    }
}

void LanePainter::paintContended()
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    const QColor amber = stateColorsOf(m_palette).amber;
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Contended)) {
        m_painter.fillRect(box.rect, amber);
    }
}

SpanEnd LanePainter::endOf(TimelineStyle style, const TimelineBox& box) const
{
    return style == TimelineStyle::Truth ? m_chronicle.tenures[box.index].end
                                         : m_chronicle.spans[box.index].end;
}

/// How a hold ended, at its end.
void LanePainter::paintEnds(TimelineStyle style)
{
    m_painter.setBrush(Qt::NoBrush);
    for (const TimelineBox& box : m_layout.boxes(style)) {
        if (box.count != 1 || box.rect.width() < kEndWidthMin
            || box.rect.right() > m_layout.frame().width) {
            continue;
        }
        const SpanEnd end = endOf(style, box);
        if (const QColor color = endColor(end, m_palette); color.isValid()) {
            const double x = std::round(box.rect.right()) - 1;
            m_painter.fillRect(QRectF(x, box.rect.top(), 2, box.rect.height()), color);
            m_painter.setPen(QPen(color, 1.4));
            drawEndHead(m_painter, end, {x + 1, box.rect.top() - 1});
        }
    }
}

/// Whether something of a style lies on a box of the same row.
bool LanePainter::isAtBox(TimelineStyle style, const TimelineBox& box) const
{
    return std::ranges::any_of(boxesOfRow(m_layout.boxes(style), box.row),
                               [&box](const TimelineBox& other) {
                                   return other.rect.intersects(box.rect);
                               });
}

void LanePainter::paintBoxText(TimelineStyle style, const TimelineBox& box)
{
    QRectF room = box.rect & QRectF(0, box.rect.top(), m_layout.frame().width, box.rect.height());
    if (style == TimelineStyle::Holding || style == TimelineStyle::Waiting) {
        // A pause covers the rest.
        for (const TimelineBox& pause :
             boxesOfRow(m_layout.boxes(TimelineStyle::Paused), box.row)) {
            if (pause.rect.intersects(room)) {
                room.setRight(std::max(pause.rect.left(), room.left()));
            }
        }
    }
    room.adjust(kPadding, 0, -kPadding, 0);
    for (const QString& text : boxTexts(style, box)) {
        if (m_painter.fontMetrics().horizontalAdvance(text) <= room.width()) {
            const bool isQuiet = style == TimelineStyle::Waiting || style == TimelineStyle::Down;
            m_painter.setPen(isQuiet ? m_palette.color(QPalette::Text)
                                     : inkOn(lookOf(style, m_palette).fill, m_palette));
            m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
            return;
        }
    }
}

/// What a bar says about itself; the first that fits is taken.
QStringList LanePainter::boxTexts(TimelineStyle style, const TimelineBox& box) const
{
    if (style == TimelineStyle::Truth) {
        const trace::Tenure& tenure = m_chronicle.tenures[box.index];
        const QString holder = m_names.contender(tenure.holder);
        return {tr("%1 holds %2").arg(holder, m_names.lock(tenure.lock)), holder};
    }
    const Span& span = m_chronicle.spans[box.index];
    switch (span.kind) {
    case Span::Kind::Waiting:
        return {tr("waiting for %1").arg(m_names.lock(span.lock)), tr("waiting")};
    case Span::Kind::Holding: return {tr("holds %1").arg(m_names.lock(span.lock)), tr("holds")};
    case Span::Kind::Down: return {tr("down")};
    case Span::Kind::Paused: break;
    }
    const QString length = models::tickText(Instant(span.to - span.from));
    const bool isHolding = isAtBox(TimelineStyle::Holding, box);
    return isHolding ? QStringList{tr("paused %1, believes to hold it").arg(length), tr("paused")}
                     : QStringList{tr("paused %1").arg(length), tr("paused")};
}

void LanePainter::paintMarks()
{
    const StateColors colors = stateColorsOf(m_palette);
    for (const TimelineMark& mark : m_layout.marks()) {
        const double height = kPadding + 1 + (mark.kind == Mark::Kind::Refused ? 0 : 2);
        m_painter.fillRect(QRectF(std::round(mark.x) - 0.5, mark.y - height, 1.5, height - 1),
                           colorOf(mark.kind, colors));
    }
}

void LanePainter::paintOverlaps()
{
    m_painter.setPen(QPen(stateColorsOf(m_palette).red, 2, Qt::DashLine));
    m_painter.setBrush(Qt::NoBrush);
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Overlap)) {
        const QRectF rect = box.rect.toAlignedRect(); // whole pixels keep the line sharp
        m_painter.drawRoundedRect(rect, 3, 3);
        paintOverlapText(box, rect);
    }
}

/// Between the bars of neighbours there is nothing else to be read.
void LanePainter::paintOverlapText(const TimelineBox& box, const QRectF& rect)
{
    const double height = m_layout.frame().laneHeight;
    const double bar = models::barHeight(height);
    const QFontMetrics metrics = m_painter.fontMetrics();
    if (rect.height() < height || height - bar < metrics.height()) {
        return;
    }
    const QRectF gap(rect.left(), models::barTop(box.row, height) + bar, rect.width(),
                     height - bar);
    const QRectF seen(0, gap.top(), m_layout.frame().width, gap.height());
    const QRectF room = (gap & seen).adjusted(kPadding, 0, -kPadding, 0);
    const trace::Overlap& overlap = m_chronicle.overlaps[box.index];
    const QString both = tr("%1 and %2 both")
                             .arg(m_names.contender(overlap.first),
                                  m_names.contender(overlap.second));
    for (const QString& text : {both, tr("both")}) {
        if (metrics.horizontalAdvance(text) <= room.width()) {
            m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
            return;
        }
    }
}

} // namespace lockscope::widgets
