#include "lab/timeline_view.h"

#include "formatting.h"
#include "lab/timeline_painter.h"
#include "timeline_words.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

using models::TimelineHit;
using models::TimelineLane;
using models::TimelineRow;
using models::VisibleRange;
using trace::Mark;

namespace {

QString timeText(Instant at)
{
    return models::exactTimeText(at.time_since_epoch());
}

constexpr int kMargin = TimelineScene::kMargin;
constexpr int kPadding = TimelineScene::kPadding;
constexpr int kRoomyRows = 8; // more than these stand closer
constexpr double kZoomStep = 1.5;
constexpr double kPanShare = 0.2; // of the visible range
constexpr double kNotch = 120;    // of a wheel

/// The nearest beginning, end or mark after an instant, or before it.
std::optional<Instant> nextEvent(const trace::Chronicle& chronicle, Instant at, bool isForward)
{
    std::optional<Instant> nearest;
    const auto see = [&](Instant candidate) {
        const bool isBeyond = isForward ? candidate > at : candidate < at;
        const bool isNearer = !nearest || (isForward ? candidate < *nearest : candidate > *nearest);
        if (isBeyond && isNearer) {
            nearest = candidate;
        }
    };
    const auto seeBoth = [&see](const auto& items) {
        for (const auto& item : items) {
            see(item.from);
            see(item.to);
        }
    };
    seeBoth(chronicle.spans);
    seeBoth(chronicle.tenures);
    seeBoth(chronicle.overlaps);
    for (const Mark& mark : chronicle.marks) {
        see(mark.at);
    }
    return nearest;
}

} // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setObjectName(u"timelineView"_s);
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&m_zoom, &models::ZoomState::rangeChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_zoom, &models::ZoomState::selectionChanged, viewport(),
            qOverload<>(&QWidget::update));
}

void TimelineView::showChronicle(std::shared_ptr<const trace::Chronicle> chronicle,
                                 models::TimelineNames names)
{
    m_chronicle = std::move(chronicle);
    m_names = std::move(names);
    m_cursor.reset();
    m_drag = Drag::None;
    verticalScrollBar()->setValue(0);
    rebuildIndex();
    m_zoom.setFull(m_index ? m_index->full() : VisibleRange());
}

void TimelineView::clear()
{
    showChronicle(nullptr, {});
}

void TimelineView::setGrouping(models::Grouping grouping)
{
    if (std::exchange(m_grouping, grouping) != grouping) {
        rebuildIndex();
    }
}

void TimelineView::setCursorTime(std::optional<Instant> at)
{
    m_cursor = at;
    describe();
    viewport()->update();
}

void TimelineView::rebuildIndex()
{
    m_index.reset();
    if (m_chronicle) {
        m_index.emplace(m_chronicle, m_grouping, m_names);
    }
    forgetLayout();
    describe();
}

void TimelineView::forgetLayout()
{
    m_layout.reset();
    m_overview.forget();
    measureTitles();
    updateScrollBar();
    viewport()->update();
}

void TimelineView::measureTitles()
{
    const QFontMetrics metrics = fontMetrics();
    int widest = metrics.horizontalAdvance(tr("Overview"));
    if (m_index) {
        for (const TimelineLane& lane : m_index->lanes()) {
            widest = std::max(widest, metrics.horizontalAdvance(lane.title));
        }
        for (const TimelineRow& row : m_index->rows()) {
            widest = std::max(widest, metrics.horizontalAdvance(row.title));
        }
    }
    m_titleWidth = std::min(widest, metrics.averageCharWidth() * 26) + 2 * kMargin + 1; // rounded
}

void TimelineView::updateScrollBar()
{
    const double content = m_index ? m_index->rowCount() * laneHeight() : 0;
    const int room = laneArea().height();
    QScrollBar* const bar = verticalScrollBar();
    bar->setPageStep(room);
    bar->setSingleStep(static_cast<int>(laneHeight() / 2));
    bar->setRange(0, std::max(static_cast<int>(std::ceil(content)) - room, 0));
}

/// What somebody hears who cannot see it.
void TimelineView::describe()
{
    if (!m_index) {
        setAccessibleDescription(tr("Nothing to show yet."));
        return;
    }
    QString text = tr("%1 until %2.")
                       .arg(models::countedText(static_cast<std::int64_t>(m_index->lanes().size()),
                                                tr("lane"), tr("lanes")),
                            models::tickText(m_chronicle->end));
    text += u' ';
    text +=
        m_chronicle->overlaps.empty()
            ? tr("Nobody believes to hold what somebody else holds.")
            : tr("Double belief %1; first: %2.")
                  .arg(models::countedText(static_cast<std::int64_t>(m_chronicle->overlaps.size()),
                                           tr("time"), tr("times")),
                       models::TimelineWords(*m_chronicle, m_names)
                           .sentence({TimelineHit::Kind::Overlap, 0, 1}));
    if (m_cursor) {
        text += u' ' + tr("At %1.").arg(timeText(*m_cursor));
    }
    setAccessibleDescription(text);
}

double TimelineView::laneHeight() const
{
    const bool isRoomy = !m_index || m_index->rowCount() <= kRoomyRows;
    return std::round(fontMetrics().height() * (isRoomy ? 3.8 : 2.6));
}

QRect TimelineView::laneArea() const
{
    const int line = fontMetrics().height();
    return viewport()->rect().adjusted(m_titleWidth, line + 3 * kPadding, -2 * kMargin,
                                       -3 * line - kMargin);
}

QRect TimelineView::overviewArea() const
{
    const QRect lanes = laneArea();
    const int height = 2 * fontMetrics().height();
    return {lanes.left(), viewport()->height() - height - kMargin, lanes.width(), height};
}

QPoint TimelineView::placeOf(Instant at, int row) const
{
    const QRect area = laneArea();
    const double x = models::xOf(at, m_zoom.visible(), area.width());
    const double y = models::barTop(row, laneHeight()) + models::barHeight(laneHeight()) / 2;
    return {area.left() + static_cast<int>(x),
            area.top() - verticalScrollBar()->value() + static_cast<int>(y)};
}

std::vector<QRectF> TimelineView::paintedRects() const
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

QPointF TimelineView::toContent(QPointF position) const
{
    const QRect area = laneArea();
    return {position.x() - area.left(), position.y() - area.top() + verticalScrollBar()->value()};
}

Instant TimelineView::timeAt(double viewportX) const
{
    const QRect area = laneArea();
    return models::instantAt(viewportX - area.left(), m_zoom.visible(), area.width());
}

QSize TimelineView::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 28};
}

QSize TimelineView::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 12};
}

/// A page above and below is laid out too, so that scrolling seldom asks for more.
void TimelineView::ensureLayout()
{
    const QRect area = laneArea();
    const double top = verticalScrollBar()->value();
    const double bottom = top + area.height();
    if (m_layout) {
        const models::TimelineFrame& frame = m_layout->frame();
        if (frame.range == m_zoom.visible() && frame.width == area.width()
            && frame.laneHeight == laneHeight() && frame.top <= top && frame.bottom >= bottom) {
            return;
        }
    }
    const double page = area.height();
    m_layout.emplace(*m_index, models::TimelineFrame{m_zoom.visible(), double(area.width()),
                                                     laneHeight(), top - page, bottom + page});
}

void TimelineView::paintEvent(QPaintEvent* /*event*/)
{
    const QRect area = laneArea();
    if (!m_index || area.width() <= 0 || area.height() <= 0) {
        return;
    }
    ensureLayout();
    QPainter painter(viewport());
    const TimelineScene shown = scene();
    const TimelinePainter parts(painter, shown);
    parts.paintSelection(m_zoom.selection());
    parts.paintRuler();
    parts.paintTitles();
    parts.paintLanes(*m_layout);
    parts.paintCursor(m_cursor);
    m_overview.paint(painter, shown, overviewArea(), m_zoom.full());
    if (hasFocus()) {
        painter.fillRect(0, 0, viewport()->width(), 2, palette().color(QPalette::Link));
    }
}

TimelineScene TimelineView::scene() const
{
    TimelineScene scene{*m_index, m_names, palette()};
    scene.whole = viewport()->rect();
    scene.lanes = laneArea();
    scene.visible = m_zoom.visible();
    scene.laneHeight = laneHeight();
    scene.scrolled = verticalScrollBar()->value();
    return scene;
}

QString TimelineView::toolTipAt(QPoint position)
{
    if (!m_index || !laneArea().contains(position)) {
        return {};
    }
    ensureLayout();
    const auto hit = m_layout->hitTest(toContent(position));
    if (!hit) {
        return {};
    }
    const QString more = hit->count > 1 ? u" · "_s + tr("and %1 more here").arg(hit->count - 1)
                                        : QString();
    return models::TimelineWords(*m_chronicle, m_names).sentence(*hit) + more;
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QAbstractScrollArea::viewportEvent(event);
    }
    const auto* const help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(help->pos());
    // Tool tips guess whether a text is markup, and a key may look like it.
    QToolTip::showText(help->globalPos(),
                       Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text,
                       viewport());
    return true;
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void TimelineView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange) {
        forgetLayout();
    }
}

void TimelineView::focusInEvent(QFocusEvent* /*event*/)
{
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* /*event*/)
{
    viewport()->update();
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / kNotch;
    const bool isSideways = turned.y() == 0 || event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        m_zoom.zoomAround(timeAt(event->position().x()), std::pow(kZoomStep, notches));
    } else if (isSideways) {
        m_zoom.panBy(shareOfVisible(-notches * kPanShare));
    } else {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (!m_index || event->button() != Qt::LeftButton) {
        QAbstractScrollArea::mousePressEvent(event);
        return;
    }
    m_pressedAt = position;
    m_fromAtPress = m_zoom.visible().from;
    m_drag = overviewArea().contains(position) ? Drag::Overview
             : laneArea().contains(position)   ? Drag::Press
                                               : Drag::None;
    if (m_drag == Drag::Overview) {
        centreOverviewAt(position.x());
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    const int moved = position.x() - m_pressedAt.x();
    if (m_drag == Drag::Overview) {
        centreOverviewAt(position.x());
    } else if (m_drag == Drag::Press && std::abs(moved) >= QApplication::startDragDistance()) {
        m_drag = Drag::Pan;
    }
    if (m_drag == Drag::Pan) {
        const Instant from = m_fromAtPress
                             - shareOfVisible(double(moved) / std::max(laneArea().width(), 1));
        m_zoom.panBy(from - m_zoom.visible().from);
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && std::exchange(m_drag, Drag::None) == Drag::Press) {
        choose(timeAt(event->position().x()));
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool isWithAlt = event->modifiers().testFlag(Qt::AltModifier);
    const bool isPlain = !isWithAlt && !event->modifiers().testFlag(Qt::ControlModifier)
                         && !event->modifiers().testFlag(Qt::MetaModifier);
    if (isWithAlt && event->key() == Qt::Key_Left) {
        m_zoom.back();
    } else if (isWithAlt && event->key() == Qt::Key_Right) {
        m_zoom.forward();
    } else if (!isPlain || !m_index || !actOnKey(event->key())) {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

/// False when the key means nothing here.
bool TimelineView::actOnKey(int key)
{
    const VisibleRange shown = m_zoom.visible();
    const Instant still = m_cursor.value_or(shown.from + shown.length() / 2);
    switch (key) {
    case Qt::Key_W: m_zoom.zoomAround(still, kZoomStep); return true;
    case Qt::Key_S: m_zoom.zoomAround(still, 1 / kZoomStep); return true;
    case Qt::Key_A: m_zoom.panBy(shareOfVisible(-kPanShare)); return true;
    case Qt::Key_D: m_zoom.panBy(shareOfVisible(kPanShare)); return true;
    case Qt::Key_F: m_zoom.fit(); return true;
    case Qt::Key_Period: goToEvent(true); return true;
    case Qt::Key_Comma: goToEvent(false); return true;
    default: return false;
    }
}

Duration TimelineView::shareOfVisible(double share) const
{
    return Duration(std::llround(share * static_cast<double>(m_zoom.visible().length().count())));
}

/// Without a line to start from, the first event that is visible, or the last.
void TimelineView::goToEvent(bool isForward)
{
    const VisibleRange shown = m_zoom.visible();
    const Instant start = isForward ? shown.from - Duration(1) : shown.to + Duration(1);
    const auto next = nextEvent(*m_chronicle, m_cursor.value_or(start), isForward);
    if (!next) {
        return;
    }
    if (*next < shown.from || *next > shown.to) {
        m_zoom.panBy(*next - (shown.from + shown.length() / 2));
    }
    choose(*next);
}

void TimelineView::choose(Instant at)
{
    setCursorTime(at);
    Q_EMIT timeChosen(at);
}

void TimelineView::centreOverviewAt(double viewportX)
{
    const QRect area = overviewArea();
    const VisibleRange shown = m_zoom.visible();
    const Instant middle = models::instantAt(viewportX - area.left(), m_zoom.full(), area.width());
    m_zoom.panBy(middle - (shown.from + shown.length() / 2));
}

} // namespace lockscope::widgets
