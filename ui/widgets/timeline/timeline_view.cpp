#include "ui/widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::widgets {

using models::TimelineHit;
using models::VisibleRange;

namespace {

constexpr double kPanShare = 0.2;    // of the visible range
constexpr double kBrushShare = 0.02; // of the visible range
constexpr double kNotch = 120;       // of a wheel

} // namespace

TimelineView::TimelineView(QWidget* parent) : TimelineCanvas(parent)
{
    viewport()->setMouseTracking(true); // for the pointer over what can be grabbed
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / kNotch;
    const bool isSideways = turned.y() == 0 || event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoom().zoomAround(timeAt(event->position().x()),
                          std::pow(models::ZoomState::kStep, notches));
    } else if (isSideways) {
        zoom().panBy(shareOfVisible(-notches * kPanShare));
    } else {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

std::optional<Instant> TimelineView::handleAt(QPoint position) const
{
    constexpr int kReach = TimelineScene::kHandleReach;
    const auto range = selection();
    if (chronicle() == nullptr || !range
        || !rulerArea().adjusted(-kReach, 0, kReach, 0).contains(position)) {
        return std::nullopt;
    }
    for (const Instant end : {range->to, range->from}) {
        if (std::abs(scene().xOf(end) - position.x()) <= kReach) {
            return end;
        }
    }
    return std::nullopt;
}

/// What a press begins.
TimelineView::Drag TimelineView::dragFrom(QPoint position, Qt::KeyboardModifiers modifiers)
{
    if (const auto handle = handleAt(position)) {
        m_anchor = *handle == selection()->to ? selection()->from : selection()->to;
        return Drag::Mark;
    }
    const bool isOnLanes = laneArea().contains(position);
    if (rulerArea().contains(position) || (isOnLanes && modifiers.testFlag(Qt::ShiftModifier))) {
        m_anchor = timeAt(position.x());
        return Drag::Mark;
    }
    return overviewArea().contains(position) ? Drag::Overview
           : isOnLanes                       ? Drag::Press
                                             : Drag::None;
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (chronicle() == nullptr || event->button() != Qt::LeftButton) {
        QAbstractScrollArea::mousePressEvent(event);
        return;
    }
    m_pressedAt = position;
    m_fromAtPress = zoom().visible().from;
    m_drag = dragFrom(position, event->modifiers());
    if (m_drag == Drag::Overview) {
        centreOverviewAt(position.x());
    } else if (m_drag == Drag::None) {
        foldAt(position);
    }
}

/// A click on a title.
void TimelineView::foldAt(QPoint position)
{
    const QRect area = laneArea();
    const int lane = laneAt(position.y());
    if (lane >= 0 && position.x() < area.left() && position.y() >= area.top()
        && position.y() <= area.bottom()) {
        setCurrentLane(lane);
        foldCurrentLane(!lanes()[static_cast<std::size_t>(lane)].isCollapsed);
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    const int moved = position.x() - m_pressedAt.x();
    const bool isFar = std::abs(moved) >= QApplication::startDragDistance();
    if (m_drag == Drag::Overview) {
        centreOverviewAt(position.x());
    } else if (m_drag == Drag::Press && isFar) {
        m_drag = Drag::Pan;
    } else if (m_drag == Drag::Mark && isFar) {
        m_drag = Drag::Brush;
    } else if (m_drag == Drag::None) {
        viewport()->setCursor(handleAt(position) ? Qt::SplitHCursor : Qt::ArrowCursor);
    }
    if (m_drag == Drag::Pan) {
        const Instant from = m_fromAtPress
                             - shareOfVisible(double(moved) / std::max(laneArea().width(), 1));
        zoom().panBy(from - zoom().visible().from);
    } else if (m_drag == Drag::Brush) {
        brushTo(timeAt(position.x()));
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    const Drag done = std::exchange(m_drag, Drag::None);
    if (chronicle() != nullptr && (done == Drag::Press || done == Drag::Mark)) {
        clickAt(event->position());
    }
}

/// On the ruler: counts from there, or from the beginning again.
void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (chronicle() != nullptr && event->button() == Qt::LeftButton
        && rulerArea().contains(position)) {
        const Instant at = timeAt(position.x());
        const bool isThere = timeReference()
                             && std::chrono::abs(*timeReference() - at)
                                    <= shareOfVisible(5.0 / laneArea().width());
        setTimeReference(isThere ? std::nullopt : std::optional(at));
        return;
    }
    mousePressEvent(event);
}

/// A hold that is clicked shows for whom it had to wait.
void TimelineView::clickAt(QPointF position)
{
    choose(timeAt(position.x()));
    const auto hit = hitAt(position);
    if (hit && hit->kind == TimelineHit::Kind::Span) {
        selectHold(hit->index);
    }
}

void TimelineView::brushTo(Instant at)
{
    zoom().select(VisibleRange{m_anchor, at});
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = !(event->modifiers()
                           & (Qt::AltModifier | Qt::ControlModifier | Qt::MetaModifier));
    const int key = event->key();
    const bool isTaken = chronicle() != nullptr
                         && (actOnSidewaysKey(*event)
                             || (isPlain
                                 && (actOnKey(key) || actOnBrushKey(key) || actOnLaneKey(key))));
    if (!isTaken) {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

/// The arrows to the left and right: through the history with Alt, over the range with Shift, and
/// alone to fold the current lane.
bool TimelineView::actOnSidewaysKey(const QKeyEvent& event)
{
    const bool isLeft = event.key() == Qt::Key_Left;
    if (!isLeft && event.key() != Qt::Key_Right) {
        return false;
    }
    switch (event.modifiers() & ~Qt::KeypadModifier) {
    case Qt::AltModifier: isLeft ? zoom().back() : zoom().forward(); return true;
    case Qt::ShiftModifier: growSelection(isLeft ? -kBrushShare : kBrushShare); return true;
    case Qt::NoModifier: foldCurrentLane(isLeft); return true;
    default: return false;
    }
}

/// False when the key means nothing here.
bool TimelineView::actOnKey(int key)
{
    const VisibleRange shown = zoom().visible();
    const Instant still = cursorTime().value_or(shown.from + shown.length() / 2);
    switch (key) {
    case Qt::Key_W: zoom().zoomAround(still, models::ZoomState::kStep); return true;
    case Qt::Key_S: zoom().zoomAround(still, 1 / models::ZoomState::kStep); return true;
    case Qt::Key_A: zoom().panBy(shareOfVisible(-kPanShare)); return true;
    case Qt::Key_D: zoom().panBy(shareOfVisible(kPanShare)); return true;
    case Qt::Key_F: zoom().fit(); return true;
    case Qt::Key_Period: goToEvent(true); return true;
    case Qt::Key_Comma: goToEvent(false); return true;
    case Qt::Key_T:
        setTimeReference(timeReference() == cursorTime() ? std::nullopt : cursorTime());
        return true;
    default: return false;
    }
}

/// The keys for the selected range: its ends are set where the line is.
bool TimelineView::actOnBrushKey(int key)
{
    const auto range = selection();
    if (key == Qt::Key_R && range) {
        zoom().show(*range);
        return true;
    }
    if (key == Qt::Key_Escape && range) {
        zoom().select(std::nullopt);
        return true;
    }
    if (cursorTime() && (key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight)) {
        const bool isBegin = key == Qt::Key_BracketLeft;
        const VisibleRange shown = zoom().visible();
        m_anchor = isBegin ? (range ? range->to : shown.to) : (range ? range->from : shown.from);
        brushTo(*cursorTime());
        return true;
    }
    return false;
}

/// The keys of a tree, for lanes.
bool TimelineView::actOnLaneKey(int key)
{
    const auto count = static_cast<int>(lanes().size());
    const int lane = currentLane();
    const bool hasLane = lane >= 0 && lane < count;
    switch (key) {
    case Qt::Key_Up: moveToLane(hasLane ? lane - 1 : count - 1); return true;
    case Qt::Key_Down: moveToLane(lane + 1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        foldCurrentLane(hasLane && !lanes()[static_cast<std::size_t>(lane)].isCollapsed);
        return true;
    default: return false;
    }
}

void TimelineView::moveToLane(int lane)
{
    const auto count = static_cast<int>(lanes().size());
    if (count == 0) {
        return;
    }
    const int current = std::clamp(lane, 0, count - 1);
    const int row = lanes()[static_cast<std::size_t>(current)].firstRow;
    scrollToRows(row, row);
    setCurrentLane(current);
}

/// By a share of what is visible; the end that is not the anchor moves.
void TimelineView::growSelection(double share)
{
    const VisibleRange shown = zoom().visible();
    const auto range = selection();
    if (!range) {
        m_anchor = cursorTime().value_or(shown.from + shown.length() / 2);
    }
    const Instant moving = !range ? m_anchor : range->from == m_anchor ? range->to : range->from;
    brushTo(moving + shareOfVisible(share));
}

Duration TimelineView::shareOfVisible(double share) const
{
    const QRect area = laneArea();
    return timeAt(area.left() + share * area.width()) - timeAt(area.left());
}

/// Without a line to start from, the first event that is visible, or the last.
void TimelineView::goToEvent(bool isForward)
{
    const VisibleRange shown = zoom().visible();
    const Instant start = isForward ? shown.from - Duration(1) : shown.to + Duration(1);
    const auto next = models::nextEvent(*chronicle(), cursorTime().value_or(start), isForward);
    if (!next) {
        return;
    }
    if (*next < shown.from || *next > shown.to) {
        zoom().panBy(*next - (shown.from + shown.length() / 2));
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
    const VisibleRange shown = zoom().visible();
    const Instant middle = models::instantAt(viewportX - area.left(), zoom().full(), area.width());
    zoom().panBy(middle - (shown.from + shown.length() / 2));
}

} // namespace lockscope::widgets
