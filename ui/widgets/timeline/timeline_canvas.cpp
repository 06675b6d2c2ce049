#include "ui/widgets/timeline/timeline_canvas.h"

#include "ui/models/timeline/axis_text.h"
#include "ui/models/timeline/timeline_words.h"
#include "ui/widgets/controls/picture_file.h"
#include "ui/widgets/timeline/timeline_painter.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

using models::TimelineLane;
using models::VisibleRange;

namespace {

constexpr int kCanvasMargin = TimelineScene::kMargin;
constexpr int kPadding = TimelineScene::kPadding;
constexpr int kRoomyRows = 8;          // more than these stand closer
constexpr std::size_t kManyLanes = 24; // of more, those that overlap are shown first

} // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QAbstractScrollArea(parent)
{
    setObjectName(u"timelineView"_s);
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // it is all painted over
    connectZoom();
}

void TimelineCanvas::connectZoom()
{
    connect(&m_zoom, &models::ZoomState::rangeChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_zoom, &models::ZoomState::selectionChanged, this, [this] {
        describe();
        viewport()->update();
        Q_EMIT selectionChanged();
    });
    connect(&m_zoom, &models::ZoomState::followingChanged, this, &TimelineCanvas::followingChanged);
}

void TimelineCanvas::showChronicle(std::shared_ptr<const trace::Chronicle> chronicle,
                                   models::TimelineNames names)
{
    models::RunDrawing drawing;
    drawing.chronicle = std::move(chronicle);
    showDrawing(std::move(drawing), std::move(names));
}

void TimelineCanvas::showDrawing(models::RunDrawing drawing, models::TimelineNames names)
{
    m_names = std::move(names);
    m_arrangement.collapsed.clear();
    m_arrangement.isOverlapsOnly = false;
    m_currentLane = -1;
    m_cursor.reset();
    setTimeReference(std::nullopt);
    verticalScrollBar()->setValue(0);
    takeIndex(std::move(drawing));
    setOverlapsOnly(hasOverlaps() && lanes().size() > kManyLanes);
    m_zoom.setFull(m_index ? m_index->full() : VisibleRange());
}

void TimelineCanvas::updateDrawing(models::RunDrawing drawing)
{
    takeIndex(std::move(drawing));
    m_zoom.extendFull(m_index->full());
}

void TimelineCanvas::clear()
{
    showChronicle(nullptr, {});
}

void TimelineCanvas::setGrouping(models::Grouping grouping)
{
    if (std::exchange(m_grouping, grouping) != grouping) {
        m_arrangement.collapsed.clear(); // they were lanes of the other kind
        m_currentLane = -1;
        rebuildIndex();
    }
}

void TimelineCanvas::setFilter(const QString& filter)
{
    if (std::exchange(m_arrangement.filter, filter) != filter) {
        m_currentLane = -1;
        arrange();
    }
}

void TimelineCanvas::setOverlapsOnly(bool isOverlapsOnly)
{
    if (std::exchange(m_arrangement.isOverlapsOnly, isOverlapsOnly) != isOverlapsOnly) {
        m_currentLane = -1;
        arrange();
    }
}

const std::vector<TimelineLane>& TimelineCanvas::lanes() const
{
    static const std::vector<TimelineLane> kNone;
    return m_index ? m_index->lanes() : kNone;
}

void TimelineCanvas::setLaneCollapsed(int lane, bool isCollapsed)
{
    if (lane < 0 || static_cast<std::size_t>(lane) >= lanes().size()) {
        return;
    }
    const TimelineLane& item = lanes()[static_cast<std::size_t>(lane)];
    if (!item.canCollapse() || item.isCollapsed == isCollapsed) {
        return;
    }
    if (isCollapsed) {
        m_arrangement.collapsed.insert(item.key());
    } else {
        m_arrangement.collapsed.erase(item.key());
    }
    arrange();
}

void TimelineCanvas::setCursorTime(std::optional<Instant> at)
{
    m_cursor = at;
    m_message.reset();
    m_hold.reset();
    if (m_chronicle && at) {
        m_message = models::messageAt(*m_chronicle, *at);
        m_hold = models::holdFrom(*m_chronicle, *at);
    }
    updateArrows();
    describe();
}

void TimelineCanvas::reveal(Instant at)
{
    if (!m_index) {
        return;
    }
    const std::vector<trace::ContenderId> who = models::contendersAt(*m_chronicle, at);
    const auto isMeant = [&who](const models::TimelineRow& row) {
        return row.contender && std::ranges::find(who, *row.contender) != who.end();
    };
    const auto& rows = m_index->rows();
    const auto first = std::ranges::find_if(rows, isMeant);
    const auto last = std::find_if(rows.rbegin(), rows.rend(), isMeant);
    if (first != rows.end()) {
        scrollToRows(static_cast<int>(first - rows.begin()),
                     static_cast<int>(rows.rend() - last) - 1);
    }
}

void TimelineCanvas::scrollToRows(int first, int last)
{
    const int top = static_cast<int>(first * laneHeight());
    const int bottom = static_cast<int>((last + 1) * laneHeight()) - laneArea().height();
    QScrollBar* const bar = verticalScrollBar();
    bar->setValue(std::clamp(bar->value(), std::min(bottom, top), top));
}

void TimelineCanvas::selectMessage(std::size_t message)
{
    m_message = message;
    m_hold.reset();
    updateArrows();
}

void TimelineCanvas::setTimeReference(models::TimeReference reference)
{
    if (std::exchange(m_reference, reference) != reference) {
        describe();
        viewport()->update();
        Q_EMIT timeReferenceChanged();
    }
}

void TimelineCanvas::rebuildIndex()
{
    m_index.reset();
    if (m_chronicle) {
        m_index = std::make_unique<models::TimelineIndex>(m_chronicle, m_grouping, m_names);
    }
    arrange();
}

/// What was not sorted, or otherwise than it is looked at, is sorted here.
void TimelineCanvas::takeIndex(models::RunDrawing drawing)
{
    m_chronicle = std::move(drawing.chronicle);
    m_message.reset();
    m_hold.reset();
    if (drawing.index == nullptr || drawing.setup.grouping != m_grouping) {
        rebuildIndex();
        return;
    }
    m_index = std::move(drawing.index);
    if (drawing.setup == setup()) {
        showLanes();
    } else {
        arrange();
    }
}

void TimelineCanvas::arrange()
{
    if (m_index) {
        m_index->arrange(m_arrangement);
    }
    showLanes();
}

void TimelineCanvas::showLanes()
{
    m_currentLane = std::min(m_currentLane, static_cast<int>(lanes().size()) - 1);
    updateArrows();
    forgetLayout();
    describe();
    Q_EMIT lanesChanged();
}

void TimelineCanvas::updateArrows()
{
    m_arrows.clear();
    if (m_index && m_message && *m_message < m_chronicle->messages.size()) {
        m_arrows = models::arrowsOf(*m_index, m_chronicle->messages[*m_message]);
    }
    if (m_index && m_hold) {
        std::ranges::copy(models::handOverTo(*m_index, m_chronicle->spans[*m_hold]),
                          std::back_inserter(m_arrows));
    }
    viewport()->update();
}

void TimelineCanvas::forgetLayout()
{
    m_layout.reset();
    m_overview.forget();
    m_titleWidth = titleWidthOf(m_index.get(), fontMetrics());
    updateScrollBar();
    viewport()->update();
}

void TimelineCanvas::updateScrollBar()
{
    const double content = m_index ? m_index->rowCount() * laneHeight() : 0;
    const int room = laneArea().height();
    QScrollBar* const bar = verticalScrollBar();
    bar->setPageStep(room);
    bar->setSingleStep(static_cast<int>(laneHeight() / 2));
    bar->setRange(0, std::max(static_cast<int>(std::ceil(content)) - room, 0));
}

/// What a screen reader says.
void TimelineCanvas::describe()
{
    if (!m_index) {
        setAccessibleDescription(tr("Nothing to show yet."));
        return;
    }
    QString text = models::TimelineWords(*m_chronicle, m_names).summary(lanes().size());
    const models::AxisText written(m_chronicle->axis, m_reference);
    if (m_cursor) {
        text += u' ' + tr("At %1.").arg(written.exact(*m_cursor));
    }
    if (const auto range = selection()) {
        text +=
            u' '
            + tr("Selected: %1 – %2.").arg(written.exact(range->from), written.exact(range->to));
    }
    if (m_currentLane >= 0) {
        const TimelineLane& lane = lanes()[static_cast<std::size_t>(m_currentLane)];
        text += u' '
                + (lane.isCollapsed ? tr("Lane %1, collapsed.") : tr("Lane %1.")).arg(lane.title);
    }
    setAccessibleDescription(text);
}

double TimelineCanvas::laneHeight() const
{
    const bool isRoomy = !m_index || m_index->rowCount() <= kRoomyRows;
    return std::round(fontMetrics().height() * (isRoomy ? 3.8 : 2.6));
}

QRect TimelineCanvas::laneArea() const
{
    const int line = fontMetrics().height();
    return viewport()->rect().adjusted(m_titleWidth, line + 3 * kPadding, -2 * kCanvasMargin,
                                       -3 * line - kCanvasMargin);
}

QRect TimelineCanvas::overviewArea() const
{
    const QRect lanes = laneArea();
    const int height = 2 * fontMetrics().height();
    return {lanes.left(), viewport()->height() - height - kCanvasMargin, lanes.width(), height};
}

QRect TimelineCanvas::rulerArea() const
{
    const QRect lanes = laneArea();
    return {lanes.left(), 0, lanes.width(), lanes.top()};
}

QPoint TimelineCanvas::placeOf(Instant at, int row) const
{
    const QRect area = laneArea();
    const double x = models::xOf(at, m_zoom.visible(), area.width());
    const double y = models::barTop(row, laneHeight()) + models::barHeight(laneHeight()) / 2;
    return {area.left() + static_cast<int>(x),
            area.top() - verticalScrollBar()->value() + static_cast<int>(y)};
}

std::vector<QRectF> TimelineCanvas::paintedRects() const
{
    std::vector<QRectF> rects;
    if (m_layout) {
        const double down = laneArea().top() - verticalScrollBar()->value();
        for (std::size_t style = 0; style < models::kTimelineStyleCount; ++style) {
            for (const auto& box : m_layout->boxes(static_cast<models::TimelineStyle>(style))) {
                rects.push_back(box.rect.translated(laneArea().left(), down));
            }
        }
    }
    return rects;
}

QPointF TimelineCanvas::toContent(QPointF position) const
{
    const QRect area = laneArea();
    return {position.x() - area.left(), position.y() - area.top() + verticalScrollBar()->value()};
}

Instant TimelineCanvas::timeAt(double viewportX) const
{
    const QRect area = laneArea();
    return models::instantAt(viewportX - area.left(), m_zoom.visible(), area.width());
}

int TimelineCanvas::laneAt(int viewportY) const
{
    const double y = toContent(QPointF(0, viewportY)).y();
    const int row = static_cast<int>(std::floor(y / laneHeight()));
    const bool isRow = m_index && row >= 0 && row < m_index->rowCount();
    return isRow ? m_index->rows()[static_cast<std::size_t>(row)].lane : -1;
}

std::optional<models::TimelineHit> TimelineCanvas::hitAt(QPointF position)
{
    if (!m_index || !laneArea().contains(position.toPoint())) {
        return std::nullopt;
    }
    ensureLayout();
    return m_layout->hitTest(toContent(position));
}

void TimelineCanvas::setCurrentLane(int lane)
{
    m_currentLane = lane;
    describe();
    viewport()->update();
}

void TimelineCanvas::selectHold(std::uint32_t span)
{
    m_hold = span;
    updateArrows();
}

QSize TimelineCanvas::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 28};
}

QSize TimelineCanvas::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 12};
}

/// Only what is seen: that is what a frame may cost, whether it is moved sideways or scrolled.
void TimelineCanvas::ensureLayout()
{
    const QRect area = laneArea();
    const double top = verticalScrollBar()->value();
    const models::TimelineFrame wanted{m_zoom.visible(), double(area.width()), laneHeight(), top,
                                       top + area.height()};
    if (!m_layout) {
        m_layout.emplace(*m_index, wanted);
    } else if (m_layout->frame() != wanted) {
        m_layout->layOut(*m_index, wanted);
    }
}

TimelineScene TimelineCanvas::scene() const
{
    TimelineScene scene{*m_index, m_names, palette()};
    scene.whole = viewport()->rect();
    scene.lanes = laneArea();
    scene.visible = m_zoom.visible();
    scene.laneHeight = laneHeight();
    scene.scrolled = verticalScrollBar()->value();
    scene.currentLane = m_currentLane;
    scene.reference = m_reference;
    scene.selection = selection();
    scene.cursor = m_cursor;
    return scene;
}

void TimelineCanvas::paintScene(QPainter& painter)
{
    ensureLayout();
    const TimelineScene shown = scene();
    TimelinePainter(painter, shown).paint(*m_layout, m_arrows);
    m_overview.paint(painter, shown, overviewArea(), m_zoom.full());
}

void TimelineCanvas::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    if (!m_index || laneArea().isEmpty()) {
        painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
        return;
    }
    paintScene(painter);
    if (hasFocus()) {
        painter.fillRect(0, 0, viewport()->width(), 2, palette().color(QPalette::Link));
    }
}

bool TimelineCanvas::savePicture(const QString& file)
{
    return m_index && !laneArea().isEmpty()
           && writePicture(file, viewport()->size(), accessibleName(), [this](QPainter& painter) {
                  painter.setFont(font());
                  paintScene(painter);
              });
}

QString TimelineCanvas::toolTipAt(QPoint position)
{
    const auto hit = hitAt(position);
    if (!hit) {
        return {};
    }
    const QString more = hit->count > 1 ? u" · "_s + tr("and %1 more here").arg(hit->count - 1)
                                        : QString();
    return models::TimelineWords(*m_chronicle, m_names, m_reference).sentence(*hit) + more;
}

bool TimelineCanvas::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QAbstractScrollArea::viewportEvent(event);
    }
    const auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
    return true;
}

void TimelineCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void TimelineCanvas::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange) {
        forgetLayout();
    }
}

void TimelineCanvas::focusInEvent(QFocusEvent* /*event*/)
{
    viewport()->update();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* /*event*/)
{
    viewport()->update();
}

} // namespace lockscope::widgets
