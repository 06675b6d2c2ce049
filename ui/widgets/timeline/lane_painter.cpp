#include "ui/widgets/timeline/lane_painter.h"

#include "ui/models/formatting.h"
#include "ui/widgets/timeline/row_strip.h"
#include "ui/widgets/timeline/timeline_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace lockscope::widgets {

using models::TimelineBox;
using models::TimelineMark;
using models::TimelineStyle;
using trace::Mark;
using trace::Span;
using trace::SpanEnd;

namespace {

constexpr int kPadding = 6;
constexpr double kCornerWidthMin = 4;
constexpr int kCornerHeightMin = 4;
constexpr double kEndWidthMin = 8;
constexpr double kFadingWidth = 32;
constexpr double kOutlineWidthMin = 8;
constexpr std::array kBars{TimelineStyle::Truth, TimelineStyle::Waiting, TimelineStyle::Down,
                           TimelineStyle::Holding, TimelineStyle::Paused}; // in their order

/// The end of the palette that is easier to read on a bar.
QColor inkOn(const QColor& fill, const QPalette& palette)
{
    const QColor text = palette.color(QPalette::Text);
    const QColor base = palette.color(QPalette::Base);
    return contrastRatio(text, fill) >= contrastRatio(base, fill) ? text : base;
}

QColor colorOf(std::optional<Mark::Kind> kind, const StateColors& colors)
{
    if (!kind) {
        return colors.blue;
    }
    switch (*kind) {
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
    return {std::ranges::lower_bound(boxes, row, {}, &TimelineBox::row),
            std::ranges::upper_bound(boxes, row, {}, &TimelineBox::row)};
}

/// Takes the boxes or marks of a row from those that are left, if they are the next.
template<class Item>
std::span<const Item> takeRow(std::span<const Item>& rest, int row)
{
    const auto isInRow = [row](const Item& item) { return item.row == row; };
    const auto end = std::find_if_not(rest.begin(), rest.end(), isInRow);
    const auto taken = rest.first(static_cast<std::size_t>(end - rest.begin()));
    rest = rest.subspan(taken.size());
    return taken;
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

/// A bar with its corners taken off, in whole pixels: much cheaper than a rounded rectangle, and
/// sharper.
void fillBar(QPainter& painter, const QRectF& bar, const QBrush& brush)
{
    const int left = static_cast<int>(std::floor(bar.left()));
    const QRect rect(left, static_cast<int>(bar.top()),
                     static_cast<int>(std::floor(bar.right())) - left,
                     static_cast<int>(bar.height()));
    painter.fillRect(rect.adjusted(1, 0, -1, 0), brush);
    painter.fillRect(QRect(rect.left(), rect.top() + 1, 1, rect.height() - 2), brush);
    painter.fillRect(QRect(rect.right(), rect.top() + 1, 1, rect.height() - 2), brush);
}

} // namespace

/// All bars of a row: the lines along their tops and bottoms, where corners are taken off, and the
/// lines in between. Where a row is crowded nothing has corners, and all its lines are the same.
class LanePainter::BarStrips {
public:
    explicit BarStrips(double width) : m_edge(width), m_body(width) {}

    void put(const QRectF& bar, QRgb color)
    {
        m_body.fill(bar.left(), bar.right(), color);
        if (m_hasCorners) {
            m_edge.fill(bar.left(), bar.right(), color);
        }
    }
    void putWithCorners(const QRectF& bar, QRgb color)
    {
        if (!std::exchange(m_hasCorners, true)) {
            m_edge.copy(m_body);
        }
        m_body.fill(bar.left(), bar.right(), color);
        m_edge.fill(bar.left() + 1, bar.right() - 1, color);
    }
    void clear(const QRectF& bar)
    {
        m_body.clear(bar.left(), bar.right());
        if (m_hasCorners) {
            m_edge.clear(bar.left(), bar.right());
        }
    }

    /// In the height of `bar`. Nothing is left for the next row.
    void paint(QPainter& painter, const QRectF& bar)
    {
        const int top = static_cast<int>(bar.top());
        const int height = static_cast<int>(bar.height());
        if (m_hasCorners && height >= kCornerHeightMin) {
            m_body.paint(painter, top + 1, height - 2);
            m_edge.paint(painter, top, 1);
            m_edge.paint(painter, top + height - 1, 1);
        } else {
            m_body.paint(painter, top, height);
        }
        m_body.clear();
        m_edge.clear();
        m_hasCorners = false;
    }

private:
    RowStrip m_edge; // empty until there are corners
    RowStrip m_body;
    bool m_hasCorners = false;
};

LanePainter::LanePainter(QPainter& painter, const models::TimelineLayout& layout,
                         const trace::Chronicle& chronicle, const models::TimelineNames& names,
                         const QPalette& palette)
    : m_painter(painter),
      m_layout(layout),
      m_chronicle(chronicle),
      m_names(names),
      m_palette(palette),
      m_colors(stateColorsOf(palette))
{
    for (std::size_t style = 0; style < models::kTimelineStyleCount; ++style) {
        m_looks[style] = lookOf(static_cast<TimelineStyle>(style), m_colors, palette);
    }
    m_textWidthMin = painter.fontMetrics().averageCharWidth() + 2 * kPadding;
}

LanePainter::BarLook LanePainter::lookOf(TimelineStyle style, const StateColors& colors,
                                         const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    const auto onBar = [&palette](const QColor& fill) { return inkOn(fill, palette); };
    switch (style) {
    case TimelineStyle::Truth: return {colors.green, {}, onBar(colors.green)};
    case TimelineStyle::Holding: {
        const QColor fill = mixed(colors.green, base, 0.72);
        return {fill, {}, onBar(fill)};
    }
    case TimelineStyle::Waiting: return {mixed(colors.quiet, base, 0.22), {}, text};
    case TimelineStyle::Paused: {
        const QColor fill = mixed(colors.amber, base, 0.45);
        return {fill, mixed(colors.amber, base, 0.75), onBar(fill)};
    }
    case TimelineStyle::Down:
        return {mixed(colors.quiet, base, 0.12), mixed(colors.quiet, base, 0.5), text};
    case TimelineStyle::Overlap: return {colors.red, {}, {}};
    case TimelineStyle::Unknown:
    case TimelineStyle::Contended: break; // are no bars
    }
    return {};
}

const LanePainter::BarLook& LanePainter::lookOf(TimelineStyle style) const
{
    return m_looks[static_cast<std::size_t>(style)];
}

const LanePainter::Label& LanePainter::labelOf(const QString& text)
{
    const auto known = m_labels.constFind(text);
    if (known != m_labels.constEnd()) {
        return *known;
    }
    Label label{QStaticText(text), double(m_painter.fontMetrics().horizontalAdvance(text))};
    label.text.setTextFormat(Qt::PlainText);
    label.text.prepare({}, m_painter.font());
    return *m_labels.insert(text, label);
}

QColor LanePainter::endColor(SpanEnd end) const
{
    switch (end) {
    case SpanEnd::Released: return m_palette.color(QPalette::Text);
    case SpanEnd::Expired: return m_colors.amber;
    case SpanEnd::Lost:
    case SpanEnd::Forced:
    case SpanEnd::Crashed: return m_colors.red;
    default: return {};
    }
}

void LanePainter::paint()
{
    paintUnknown();
    paintBars();
    paintContended();
    m_painter.setRenderHint(QPainter::Antialiasing);
    paintEnds(TimelineStyle::Truth);
    paintEnds(TimelineStyle::Holding);
    for (const TimelineStyle style : kBars) {
        for (const TimelineBox& box : m_layout.boxes(style)) {
            if (box.rect.width() >= m_textWidthMin) {
                paintBoxText(style, box);
            }
        }
    }
    paintMarks();
    paintNotes();
    paintOverlaps();
}

void LanePainter::paintSmall()
{
    for (const TimelineStyle style : kBars) {
        const BarLook& look = lookOf(style);
        for (const TimelineBox& box : m_layout.boxes(style)) {
            m_painter.fillRect(box.rect, look.hatch.isValid() ? look.hatch : look.fill);
        }
    }
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Overlap)) {
        m_painter.fillRect(QRectF(box.rect.left(), 0, box.rect.width(), 3), m_colors.red);
    }
}

/// Row by row: all bars as pixels, then what is more than a colour.
void LanePainter::paintBars()
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    BarStrips strips(m_layout.frame().width);
    std::array<std::span<const TimelineBox>, kBars.size()> rest;
    std::ranges::transform(kBars, rest.begin(), [this](TimelineStyle style) {
        return std::span(m_layout.boxes(style));
    });
    const auto isBefore = [](const auto& a, const auto& b) {
        return !a.empty() && (b.empty() || a.front().row < b.front().row);
    };
    while (true) {
        const auto& uppermost = *std::ranges::min_element(rest, isBefore);
        if (uppermost.empty()) {
            return;
        }
        const TimelineBox& any = uppermost.front();
        std::vector<Special> special;
        for (std::size_t i = 0; i < kBars.size(); ++i) {
            const auto boxes = takeRow(rest[i], any.row);
            if (!special.empty() && !boxes.empty()) { // these are to lie on top
                finishRow(strips, any.rect, special);
            }
            putBars(strips, kBars[i], boxes, special);
        }
        finishRow(strips, any.rect, special);
    }
}

void LanePainter::finishRow(BarStrips& strips, const QRectF& bar, std::vector<Special>& special)
{
    strips.paint(m_painter, bar);
    for (const auto& [style, box] : std::exchange(special, {})) {
        paintSpecial(style, *box);
    }
}

void LanePainter::putBars(BarStrips& strips, TimelineStyle style,
                          std::span<const TimelineBox> boxes, std::vector<Special>& special) const
{
    const BarLook& look = lookOf(style);
    const bool isHatched = look.hatch.isValid();
    for (const TimelineBox& box : boxes) {
        if (box.rect.width() < kCornerWidthMin) {
            strips.put(box.rect, (isHatched ? look.hatch : look.fill).rgba());
            continue;
        }
        const bool isUnsure = isFading(style, box);
        if (isUnsure) {
            strips.clear(box.rect);
        } else {
            strips.putWithCorners(box.rect, look.fill.rgba());
        }
        if (isUnsure || isHatched) {
            special.emplace_back(style, &box);
        }
    }
}

void LanePainter::paintSpecial(TimelineStyle style, const TimelineBox& box)
{
    const BarLook& look = lookOf(style);
    if (isFading(style, box)) {
        paintFading(look.fill, box.rect);
    }
    if (look.hatch.isValid()) {
        fillBar(m_painter, box.rect, QBrush(look.hatch, Qt::BDiagPattern));
    }
}

/// It is not known where it ended. A server hold does not fade: it was seen until its end.
bool LanePainter::isFading(TimelineStyle style, const TimelineBox& box) const
{
    return box.count == 1 && style != TimelineStyle::Truth
           && endOf(style, box) == SpanEnd::Uncertain;
}

void LanePainter::paintFading(const QColor& fill, const QRectF& rect)
{
    const double fading = std::min(kFadingWidth, rect.width() / 2);
    QLinearGradient gradient(rect.right() - fading, 0, rect.right(), 0);
    QColor gone = fill;
    gone.setAlpha(0);
    gradient.setColorAt(0, fill);
    gradient.setColorAt(1, gone);
    fillBar(m_painter, rect, gradient);
}

/// Dim, so that it is not taken for waiting or holding.
void LanePainter::paintUnknown()
{
    QColor dim = m_colors.quiet;
    dim.setAlphaF(0.45F);
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Unknown)) {
        m_painter.fillRect(box.rect, QBrush(dim, Qt::Dense6Pattern));
    }
}

void LanePainter::paintContended()
{
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    RowStrip strip(m_layout.frame().width);
    std::span<const TimelineBox> rest(m_layout.boxes(TimelineStyle::Contended));
    while (!rest.empty()) {
        const auto row = takeRow(rest, rest.front().row);
        for (const TimelineBox& box : row) {
            strip.fill(box.rect.left(), box.rect.right(), m_colors.amber.rgba());
        }
        const QRectF& any = row.front().rect;
        strip.paint(m_painter, static_cast<int>(any.top()), static_cast<int>(any.height()));
        strip.clear();
    }
}

SpanEnd LanePainter::endOf(TimelineStyle style, const TimelineBox& box) const
{
    return style == TimelineStyle::Truth ? m_chronicle.serverHolds[box.index].end
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
        if (const QColor color = endColor(end); color.isValid()) {
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
    if (room.width() < m_textWidthMin - 2 * kPadding) {
        return;
    }
    for (const QString& text : boxTexts(style, box)) {
        const Label& label = labelOf(text);
        if (label.width <= room.width()) {
            m_painter.setPen(lookOf(style).ink);
            const double top = room.center().y() - label.text.size().height() / 2;
            m_painter.drawStaticText(QPointF(room.left(), top), label.text);
            return;
        }
    }
}

/// What a bar says about itself; the first that fits is taken.
QStringList LanePainter::boxTexts(TimelineStyle style, const TimelineBox& box) const
{
    if (style == TimelineStyle::Truth) {
        const trace::ServerHold& serverHold = m_chronicle.serverHolds[box.index];
        const QString holder = m_names.holder(serverHold.holder);
        return {tr("%1 holds %2").arg(holder, m_names.lock(serverHold.lock)), holder};
    }
    const Span& span = m_chronicle.spans[box.index];
    switch (span.kind) {
    case Span::Kind::Waiting:
        return {tr("waiting for %1").arg(m_names.lock(span.lock)), tr("waiting")};
    case Span::Kind::Holding: return {tr("holds %1").arg(m_names.lock(span.lock)), tr("holds")};
    case Span::Kind::Down: return {tr("down")};
    case Span::Kind::Paused: break;
    }
    const QString length = models::AxisText(m_chronicle.axis).length(span.to - span.from);
    const bool isHolding = isAtBox(TimelineStyle::Holding, box);
    return isHolding
               ? QStringList{tr("paused %1, believes it holds the lock").arg(length), tr("paused")}
               : QStringList{tr("paused %1").arg(length), tr("paused")};
}

/// All of a row at once; refusals, of which there are most, are shorter than the rest.
void LanePainter::paintMarks()
{
    constexpr int kShort = kPadding - 1;
    constexpr int kLong = kPadding + 1;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    RowStrip refusals(m_layout.frame().width);
    RowStrip others(m_layout.frame().width);
    std::span<const TimelineMark> rest(m_layout.marks());
    while (!rest.empty()) {
        const auto row = takeRow(rest, rest.front().row);
        for (const TimelineMark& mark : row) {
            const double x = std::round(mark.x);
            RowStrip& strip = mark.kind == Mark::Kind::Refused ? refusals : others;
            strip.fill(x, mark.kind ? x : x + 1, colorOf(mark.kind, m_colors).rgba());
        }
        const int bottom = static_cast<int>(row.front().y) - 2;
        refusals.paint(m_painter, bottom - kShort, kShort);
        others.paint(m_painter, bottom - kLong, kLong);
        refusals.clear();
        others.clear();
    }
    m_painter.setRenderHint(QPainter::Antialiasing);
}

/// A line where it was written, and behind it as much as there is room for before the next one.
void LanePainter::paintNotes()
{
    const double lineHeight = m_painter.fontMetrics().height();
    for (const TimelineBox& box : m_layout.notes()) {
        m_painter.fillRect(QRectF(std::round(box.rect.left()), box.rect.top(), 2,
                                  box.rect.height()),
                           m_colors.blue);
        const QRectF room = box.rect.adjusted(kPadding, 0, -kPadding, 0);
        if (room.width() < m_textWidthMin || m_layout.frame().laneHeight < lineHeight) {
            continue;
        }
        const QString text = box.count == 1 ? models::toQString(m_chronicle.notes[box.index].text)
                                            : tr("%1 lines").arg(box.count);
        m_painter.setPen(m_palette.color(QPalette::Text));
        const double overhang = std::max(lineHeight - room.height(), 0.0) / 2;
        drawElided(m_painter, room.adjusted(0, -overhang, 0, overhang), text);
    }
}

void LanePainter::paintOverlaps()
{
    QList<QRect> filled; // as conspicuous as an outline, and a hundredth of the work
    m_painter.setPen(QPen(m_colors.red, 2, Qt::DashLine));
    m_painter.setBrush(Qt::NoBrush);
    for (const TimelineBox& box : m_layout.boxes(TimelineStyle::Overlap)) {
        const QRect rect = box.rect.toAlignedRect(); // whole pixels keep the line sharp
        if (rect.width() < kOutlineWidthMin) {
            filled += solidOverlap(box, rect);
            continue;
        }
        m_painter.drawRoundedRect(rect, 3, 3);
        paintOverlapText(box, rect);
    }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_colors.red);
    m_painter.drawRects(filled);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setRenderHint(QPainter::Antialiasing);
}

/// What of a narrow overlap is filled: its place in both rows and a line between them, so that the
/// rows in between can still be read.
QList<QRect> LanePainter::solidOverlap(const TimelineBox& box, const QRect& rect) const
{
    const double height = m_layout.frame().laneHeight;
    const double beyond = models::barTop(box.row, height) - rect.top();
    const int end = static_cast<int>(models::barHeight(height) + 2 * beyond);
    const int between = rect.height() - 2 * end;
    if (box.count > 1 || between <= 0) { // several reach from and to different rows
        return {rect};
    }
    return {QRect(rect.left(), rect.top(), rect.width(), end),
            QRect(rect.center().x(), rect.top() + end, 1, between),
            QRect(rect.left(), rect.bottom() + 1 - end, rect.width(), end)};
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
