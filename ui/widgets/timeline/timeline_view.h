#pragma once

#include "ui/widgets/timeline/timeline_canvas.h"

namespace lockscope::widgets {

/// A timeline that is moved, marked and folded by mouse and keys. Wheel, dragging, W, S, A, D, F
/// and Alt with the arrows change what is seen; the ruler, or Shift, marks a range.
class TimelineView : public TimelineCanvas {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

Q_SIGNALS:
    /// The user clicked at a time, or went to an event by key. The line is there already.
    void timeChosen(lockscope::Instant at);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What the pointer is about. Mark: it will be a brush as soon as it moves.
    enum class Drag { None, Press, Pan, Overview, Mark, Brush };

    /// The end of the selection under the pointer.
    std::optional<Instant> handleAt(QPoint position) const;
    Drag dragFrom(QPoint position, Qt::KeyboardModifiers modifiers);
    void foldAt(QPoint position);
    void brushTo(Instant at);
    void clickAt(QPointF position);
    void choose(Instant at);
    void goToEvent(bool isForward);
    void centreOverviewAt(double viewportX);
    bool actOnSidewaysKey(const QKeyEvent& event);
    bool actOnKey(int key);
    bool actOnLaneKey(int key);
    bool actOnBrushKey(int key);
    void growSelection(double share);
    void moveToLane(int lane);
    void foldCurrentLane(bool isCollapsed) { setLaneCollapsed(currentLane(), isCollapsed); }
    Duration shareOfVisible(double share) const;

    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    Instant m_fromAtPress{};
    Instant m_anchor{}; // the end of the selection that stays
};

} // namespace lockscope::widgets
