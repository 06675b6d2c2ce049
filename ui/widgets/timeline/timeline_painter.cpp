#include "ui/widgets/timeline/timeline_painter.h"

#include "ui/models/timeline/axis_text.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::widgets {

using models::TimelineArrow;
using models::TimelineLane;
using models::TimelineRow;

namespace {

constexpr int kPaintedMargin = TimelineScene::kMargin;
constexpr int kPaintedPadding = TimelineScene::kPadding;
constexpr int kTitleCharacters = 26; // at most
constexpr int kTickCharacters = 16;  // from one to the next
constexpr int kStepCharacters = 5;
constexpr double kFoldSize = 7;
constexpr double kHead = 8; // of an arrow
constexpr double kLineWidth = 1.6;

/// Paints what led to what, over the lanes. Places are those of the lanes: from the left end of the
/// range and the top of the first row.
class ArrowPainter {
public:
    /// Both must outlive it.
    ArrowPainter(QPainter& painter, const TimelineScene& scene) : m_painter(painter), m_scene(scene)
    {}

    void paint(const models::TimelineArrow& arrow) const
    {
        const bool isLost = arrow.kind == TimelineArrow::Kind::LostRequest
                            || arrow.kind == TimelineArrow::Kind::LostAnswer;
        const QColor color = isLost ? stateColorsOf(m_scene.palette).red
                                    : m_scene.palette.color(QPalette::Text);
        const QPointF from = placeOf(arrow.from, arrow.fromRow);
        QPointF to = placeOf(arrow.to, arrow.toRow);
        to = isLost ? (from + to) / 2 : to;
        m_painter.setPen(QPen(color, kLineWidth, isLost ? Qt::DashLine : Qt::SolidLine));
        m_painter.drawLine(from, to);
        if (isLost) {
            paintCross(to, color);
        } else {
            paintHead(from, to, color);
        }
        paintText(arrow.text, (from + to) / 2);
    }

private:
    QPointF placeOf(Instant at, int row) const
    {
        const double x = models::xOf(at, m_scene.visible, m_scene.lanes.width());
        const double height = m_scene.laneHeight;
        const double y = row == TimelineArrow::kServer
                             ? m_scene.scrolled
                             : models::barTop(row, height) + models::barHeight(height) / 2;
        return {x, y};
    }

    void paintHead(QPointF from, QPointF to, const QColor& color) const
    {
        const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
        const auto wing = [&](double turn) {
            return to - kHead * QPointF(std::cos(angle + turn), std::sin(angle + turn));
        };
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawPolygon(QPolygonF{to, wing(0.4), wing(-0.4)});
        m_painter.setBrush(Qt::NoBrush);
    }

    void paintCross(QPointF at, const QColor& color) const
    {
        constexpr double kArm = 4;
        m_painter.setPen(QPen(color, 2));
        m_painter.drawLine(at - QPointF(kArm, kArm), at + QPointF(kArm, kArm));
        m_painter.drawLine(at - QPointF(kArm, -kArm), at + QPointF(kArm, -kArm));
    }

    /// On a ground of its own, as it may stand on anything, and within what is seen.
    void paintText(const QString& text, QPointF at) const
    {
        if (text.isEmpty()) {
            return;
        }
        const QFontMetrics metrics = m_painter.fontMetrics();
        const double width = m_scene.lanes.width();
        const QString fitting = metrics.elidedText(text, Qt::ElideRight,
                                                   static_cast<int>(width / 2));
        QRectF ground(0, 0, metrics.horizontalAdvance(fitting) + 12, metrics.height() + 2);
        ground.moveCenter(at);
        ground.moveLeft(std::clamp(at.x() + kHead, 0.0, std::max(width - ground.width(), 0.0)));
        m_painter.setPen(stateColorsOf(m_scene.palette).hairline);
        m_painter.setBrush(m_scene.palette.color(QPalette::Base));
        m_painter.drawRoundedRect(ground, 3, 3);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(m_scene.palette.color(QPalette::Text));
        m_painter.drawText(ground, Qt::AlignCenter | Qt::TextSingleLine, fitting);
    }

    QPainter& m_painter;
    const TimelineScene& m_scene;
};

} // namespace

void drawElided(QPainter& painter, const QRectF& rect, const QString& text)
{
    const QString fitting = painter.fontMetrics().elidedText(text, Qt::ElideRight,
                                                             static_cast<int>(rect.width()));
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, fitting);
}

namespace {

/// The title of a row and what is said quietly below it.
std::pair<QString, QString> titlesOf(const models::TimelineIndex& index, int row)
{
    const std::vector<TimelineLane>& lanes = index.lanes();
    const TimelineRow& item = index.rows()[static_cast<std::size_t>(row)];
    const TimelineLane& lane = lanes[static_cast<std::size_t>(item.lane)];
    const QString merged = lane.isCollapsed ? TimelinePainter::tr("%1 lanes").arg(lane.fullCount)
                                            : QString();
    if (row != lane.firstRow) {
        return {{}, item.title};
    }
    if (!lane.isTruth) {
        return {lane.title, lane.isCollapsed ? merged : item.title};
    }
    const bool hasServers = std::ranges::any_of(lanes, [](const TimelineLane& other) {
        return other.node.has_value();
    });
    const bool hasOneLock = std::ranges::none_of(lanes, [&lane](const TimelineLane& other) {
        return other.isTruth && other.id != lane.id;
    });
    const QString whose = lane.node    ? TimelinePainter::tr("on server %1").arg(*lane.node + 1)
                          : hasServers ? TimelinePainter::tr("on a majority")
                                       : TimelinePainter::tr("actual holders");
    const QString truth = hasOneLock ? whose : TimelinePainter::tr("%1: %2").arg(whose, lane.title);
    return {row > 0      ? QString()
            : hasServers ? TimelinePainter::tr("Servers")
                         : TimelinePainter::tr("Server"),
            lane.isCollapsed ? TimelinePainter::tr("%1, %2").arg(truth, merged) : truth};
}

} // namespace

int titleWidthOf(const models::TimelineIndex* index, const QFontMetrics& metrics)
{
    int widest = metrics.horizontalAdvance(TimelinePainter::tr("Overview"));
    if (index != nullptr) {
        for (int row = 0; row < index->rowCount(); ++row) {
            const auto [title, second] = titlesOf(*index, row);
            widest = std::max({widest, metrics.horizontalAdvance(title),
                               metrics.horizontalAdvance(second)});
        }
    }
    const int most = metrics.averageCharWidth() * kTitleCharacters;
    return std::min(widest, most) + 2 * kPaintedMargin + 1; // what is measured is rounded
}

double TimelineScene::xOf(Instant at) const
{
    return lanes.left() + models::xOf(at, visible, lanes.width());
}

QRect TimelineScene::ruler() const
{
    return {lanes.left(), whole.top(), lanes.width(), lanes.top() - whole.top()};
}

void TimelinePainter::paint(const models::TimelineLayout& layout,
                            const std::vector<models::TimelineArrow>& arrows) const
{
    const QRect& whole = m_scene.whole;
    const QRect& lanes = m_scene.lanes;
    const QColor base = m_scene.palette.color(QPalette::Base);
    paintGround();
    paintLanes(layout, arrows);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.fillRect(QRect(whole.topLeft(), QPoint(lanes.left() - 1, whole.bottom())), base);
    m_painter.fillRect(QRect(QPoint(lanes.right() + 1, 0), whole.bottomRight()), base);
    paintTitles();
    m_painter.fillRect(QRect(whole.topLeft(), QPoint(whole.right(), lanes.top() - 1)), base);
    m_painter.fillRect(QRect(QPoint(0, lanes.bottom() + 1), whole.bottomRight()), base);
    paintRuler();
    paintHandles();
    paintLines();
}

std::vector<models::Tick> TimelinePainter::ticks() const
{
    const bool isInSteps = m_scene.index.chronicle().axis == trace::Chronicle::Axis::Steps;
    const double apart = m_painter.fontMetrics().averageCharWidth()
                         * (isInSteps ? kStepCharacters : kTickCharacters);
    return models::ticks(m_scene.visible, m_scene.lanes.width(), apart, m_scene.reference);
}

/// The selected range, the lines of the ruler and those below the truth; what was before and after
/// the record is dimmed.
void TimelinePainter::paintGround() const
{
    const QRect& area = m_scene.lanes;
    const StateColors colors = stateColorsOf(m_scene.palette);
    const auto fill = [&](Instant from, Instant to, const QBrush& brush) {
        const double left = m_scene.xOf(from);
        const QRectF band(left, area.top(), m_scene.xOf(to) - left, area.height());
        m_painter.fillRect(band & QRectF(area), brush);
    };
    m_painter.fillRect(area, m_scene.palette.color(QPalette::Base));
    if (m_scene.selection) {
        fill(m_scene.selection->from, m_scene.selection->to, colors.selection);
    }
    const Instant end = m_scene.index.chronicle().end;
    fill(m_scene.visible.from, std::min(Instant{}, m_scene.visible.to), colors.track);
    fill(std::max(end, m_scene.visible.from), m_scene.visible.to, colors.track);
    for (const models::Tick& tick : ticks()) {
        m_painter.fillRect(area.left() + static_cast<int>(tick.x), area.top(), 1, area.height(),
                           colors.hairline);
    }
    for (const TimelineLane& lane : m_scene.index.lanes()) {
        const double bottom = lane.endRow() * m_scene.laneHeight - m_scene.scrolled;
        if (lane.isTruth && bottom > 0 && bottom <= area.height()) {
            m_painter.fillRect(QRectF(area.left(), area.top() + bottom - 1, area.width(), 1),
                               colors.hairline);
        }
    }
}

void TimelinePainter::paintLanes(const models::TimelineLayout& layout,
                                 const std::vector<models::TimelineArrow>& arrows) const
{
    m_painter.save();
    m_painter.translate(m_scene.lanes.left(), m_scene.lanes.top() - m_scene.scrolled);
    LanePainter(m_painter, layout, m_scene.index.chronicle(), m_scene.names, m_scene.palette)
        .paint();
    const ArrowPainter painter(m_painter, m_scene);
    for (const models::TimelineArrow& arrow : arrows) {
        painter.paint(arrow);
    }
    m_painter.restore();
}

void TimelinePainter::paintTitles() const
{
    const QRect& area = m_scene.lanes;
    m_painter.save();
    m_painter.translate(0, area.top() - m_scene.scrolled);
    const double height = m_scene.laneHeight;
    const int end = std::min(m_scene.index.rowCount(),
                             static_cast<int>((m_scene.scrolled + area.height()) / height) + 1);
    for (int row = static_cast<int>(m_scene.scrolled / height); row < end; ++row) {
        paintTitle(row);
    }
    m_painter.restore();
}

void TimelinePainter::paintTitle(int row) const
{
    const double height = m_scene.laneHeight;
    const StateColors colors = stateColorsOf(m_scene.palette);
    const auto laneNumber = m_scene.index.rows()[static_cast<std::size_t>(row)].lane;
    const TimelineLane& lane = m_scene.index.lanes()[static_cast<std::size_t>(laneNumber)];
    const auto [title, second] = titlesOf(m_scene.index, row);
    const int line = m_painter.fontMetrics().height();
    const int lines = int(!title.isEmpty()) + int(!second.isEmpty());
    QRectF rect(kPaintedMargin, row * height + (height - lines * line) / 2,
                m_scene.lanes.left() - 2 * kPaintedMargin, line);
    if (laneNumber == m_scene.currentLane) {
        m_painter.fillRect(QRectF(0, row * height, m_scene.lanes.left() - 1, height),
                           colors.selection);
    }
    if (row == lane.firstRow && lane.canCollapse()) {
        paintFold(lane, rect);
    }
    m_painter.setPen(m_scene.palette.color(QPalette::Text));
    drawElided(m_painter, rect, title);
    rect.translate(0, title.isEmpty() ? 0 : line);
    m_painter.setPen(colors.quiet);
    drawElided(m_painter, rect, second);
    if (lane.isTruth && row == lane.endRow() - 1) {
        m_painter.fillRect(QRectF(0, (row + 1) * height - 1, m_scene.lanes.left(), 1),
                           colors.hairline);
    }
}

/// A triangle that points to the right when the lane is collapsed, else down.
void TimelinePainter::paintFold(const TimelineLane& lane, const QRectF& title) const
{
    const QPointF middle(title.left() - kFoldSize / 2 - 2, title.center().y());
    const double half = kFoldSize / 2;
    const QPolygonF right{middle + QPointF(-half / 2, -half), middle + QPointF(half / 2, 0),
                          middle + QPointF(-half / 2, half)};
    const QPolygonF down{middle + QPointF(-half, -half / 2), middle + QPointF(half, -half / 2),
                         middle + QPointF(0, half / 2)};
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(stateColorsOf(m_scene.palette).quiet);
    m_painter.drawPolygon(lane.isCollapsed ? right : down);
    m_painter.restore();
}

void TimelinePainter::paintRuler() const
{
    const QRect& area = m_scene.lanes;
    const QFontMetrics metrics = m_painter.fontMetrics();
    const int baseline = area.top() - kPaintedPadding - metrics.descent();
    const models::AxisText written(m_scene.index.chronicle().axis, m_scene.reference);
    m_painter.setPen(m_scene.palette.color(QPalette::Text));
    for (const models::Tick& tick : ticks()) {
        const QString text = written.tick(tick.at);
        const int width = metrics.horizontalAdvance(text);
        const int x = area.left() + static_cast<int>(tick.x);
        m_painter.drawText(std::min(x - width / 2, m_scene.whole.width() - width), baseline, text);
    }
}

/// The ends of the selected range, to be grabbed on the ruler.
void TimelinePainter::paintHandles() const
{
    if (!m_scene.selection) {
        return;
    }
    const QColor accent = m_scene.palette.color(QPalette::Link);
    const QRect ruler = m_scene.ruler();
    for (const Instant at : {m_scene.selection->from, m_scene.selection->to}) {
        const int x = static_cast<int>(m_scene.xOf(at));
        if (x < ruler.left() - 1 || x > ruler.right() + 1) {
            continue;
        }
        m_painter.fillRect(x - 3, ruler.top() + kPaintedPadding / 2, 6,
                           ruler.height() - kPaintedPadding, accent);
        m_painter.fillRect(x, m_scene.lanes.top(), 1, m_scene.lanes.height(), accent);
    }
}

/// The position that the user points at, and the one that time is counted from.
void TimelinePainter::paintLines() const
{
    const QRect& area = m_scene.lanes;
    const auto isSeen = [this](const std::optional<Instant>& at) {
        return at && *at >= m_scene.visible.from && *at <= m_scene.visible.to;
    };
    const QColor accent = m_scene.palette.color(QPalette::Link);
    if (isSeen(m_scene.cursor)) {
        m_painter.fillRect(static_cast<int>(m_scene.xOf(*m_scene.cursor)) - 1,
                           area.top() - kPaintedPadding, 2, area.height() + kPaintedPadding,
                           accent);
    }
    if (isSeen(m_scene.reference)) {
        const int x = static_cast<int>(m_scene.xOf(*m_scene.reference));
        m_painter.setPen(QPen(accent, 1, Qt::DashLine));
        m_painter.drawLine(x, area.top(), x, area.bottom());
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(accent);
        const QPoint foot(x, area.top());
        m_painter.drawPolygon(QPolygon{foot, foot - QPoint(5, 6), foot - QPoint(-5, 6)});
        m_painter.setBrush(Qt::NoBrush);
    }
}

} // namespace lockscope::widgets
