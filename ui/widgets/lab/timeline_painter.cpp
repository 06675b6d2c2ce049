#include "lab/timeline_painter.h"

#include "lab/lane_painter.h"
#include "shell/palette_colors.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

using models::TimelineLane;
using models::TimelineRow;

namespace {

constexpr int kMargin = TimelineScene::kMargin;
constexpr int kPadding = TimelineScene::kPadding;

} // namespace

void drawElided(QPainter& painter, const QRectF& rect, const QString& text)
{
    const QString fitting = painter.fontMetrics().elidedText(text, Qt::ElideRight,
                                                             static_cast<int>(rect.width()));
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, fitting);
}

double TimelinePainter::xOf(Instant at) const
{
    const QRect& area = m_scene.lanes;
    return area.left() + models::xOf(at, m_scene.visible, area.width());
}

void TimelinePainter::paintSelection(const std::optional<models::VisibleRange>& selection) const
{
    if (selection) {
        const QRectF area = m_scene.lanes;
        const double left = xOf(selection->from);
        const QRectF band(left, area.top(), xOf(selection->to) - left, area.height());
        m_painter.fillRect(band & area, stateColorsOf(m_scene.palette).selection);
    }
}

void TimelinePainter::paintRuler() const
{
    const QRect& area = m_scene.lanes;
    const StateColors colors = stateColorsOf(m_scene.palette);
    const QFontMetrics metrics = m_painter.fontMetrics();
    const double apart = metrics.averageCharWidth() * 16;
    const int baseline = area.top() - kPadding - metrics.descent();
    for (const models::Tick& tick : models::ticks(m_scene.visible, area.width(), apart)) {
        const QString text = models::tickText(tick.at);
        const int width = metrics.horizontalAdvance(text);
        const int x = area.left() + static_cast<int>(tick.x);
        m_painter.fillRect(x, area.top(), 1, area.height(), colors.hairline);
        m_painter.setPen(m_scene.palette.color(QPalette::Text));
        m_painter.drawText(std::min(x - width / 2, m_scene.whole.width() - width), baseline, text);
    }
}

/// The title of a row and what is said quietly below it.
std::pair<QString, QString> TimelinePainter::titlesOf(int row) const
{
    const std::vector<TimelineLane>& lanes = m_scene.index.lanes();
    const TimelineRow& item = m_scene.index.rows()[static_cast<std::size_t>(row)];
    const TimelineLane& lane = lanes[static_cast<std::size_t>(item.lane)];
    if (!lane.isTruth) {
        return {row == lane.firstRow ? lane.title : QString(), item.title};
    }
    const bool hasOneTruth = row == 0 && (lanes.size() < 2 || !lanes[1].isTruth);
    return {row == 0 ? tr("Server") : QString(),
            hasOneTruth ? tr("the truth") : tr("the truth: %1").arg(lane.title)};
}

void TimelinePainter::paintTitles() const
{
    const QRect& area = m_scene.lanes;
    m_painter.save();
    m_painter.setClipRect(QRect(0, area.top(), m_scene.whole.width(), area.height()));
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
    const auto [title, second] = titlesOf(row);
    const int line = m_painter.fontMetrics().height();
    const int lines = int(!title.isEmpty()) + int(!second.isEmpty());
    QRectF rect(kMargin, row * height + (height - lines * line) / 2,
                m_scene.lanes.left() - 2 * kMargin, line);
    m_painter.setPen(m_scene.palette.color(QPalette::Text));
    drawElided(m_painter, rect, title);
    rect.translate(0, title.isEmpty() ? 0 : line);
    m_painter.setPen(colors.quiet);
    drawElided(m_painter, rect, second);
    if (!m_scene.index.rows()[static_cast<std::size_t>(row)].contender) {
        m_painter.fillRect(QRectF(0, (row + 1) * height - 1, m_scene.whole.width(), 1),
                           colors.hairline);
    }
}

void TimelinePainter::paintLanes(const models::TimelineLayout& layout) const
{
    const QRect& area = m_scene.lanes;
    m_painter.save();
    m_painter.setClipRect(area);
    m_painter.translate(area.left(), area.top() - m_scene.scrolled);
    LanePainter(m_painter, layout, m_scene.index.chronicle(), m_scene.names, m_scene.palette)
        .paint();
    m_painter.restore();
}

void TimelinePainter::paintCursor(const std::optional<Instant>& cursor) const
{
    const QRect& area = m_scene.lanes;
    if (cursor && *cursor >= m_scene.visible.from && *cursor <= m_scene.visible.to) {
        m_painter.fillRect(static_cast<int>(xOf(*cursor)) - 1, area.top() - kPadding, 2,
                           area.height() + kPadding, m_scene.palette.color(QPalette::Link));
    }
}

} // namespace lockscope::widgets
