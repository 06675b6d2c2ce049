#pragma once

#include "lab/timeline_overview.h"
#include "timeline_layout.h"
#include "zoom_state.h"

#include <QAbstractScrollArea>

namespace lockscope::widgets {

/// A run over time: what the server knew, and below it what each contender believed. Times count
/// from the beginning of the run. What is drawn is laid out anew only when it, the range or the
/// size changes.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Shows all of a run. Nothing is shown for none.
    void showChronicle(std::shared_ptr<const trace::Chronicle> chronicle,
                       models::TimelineNames names);
    void clear();
    void setGrouping(models::Grouping grouping);

    /// A vertical line at the step that is selected elsewhere. It does not move the range.
    void setCursorTime(std::optional<Instant> at);
    std::optional<Instant> cursorTime() const { return m_cursor; }

    models::ZoomState& zoom() { return m_zoom; }

    /// Parts of the viewport. Row 0 is the first row of the server, if there is any.
    QRect laneArea() const;
    QRect overviewArea() const;
    QPoint placeOf(Instant at, int row) const; // in the middle of the row's bar

    /// What the last frame consisted of, for those who measure it.
    std::vector<QRectF> paintedRects() const;

    /// What the pointer explains at a point of the viewport; empty where there is nothing.
    QString toolTipAt(QPoint position);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user clicked at a time, or went to an event by key. The line is there already.
    void timeChosen(lockscope::Instant at);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { None, Press, Pan, Overview };

    void rebuildIndex();
    void forgetLayout();
    void measureTitles();
    void updateScrollBar();
    void describe();
    void ensureLayout();
    double laneHeight() const;
    QPointF toContent(QPointF position) const;
    Instant timeAt(double viewportX) const;

    TimelineScene scene() const;

    void choose(Instant at);
    void goToEvent(bool isForward);
    void centreOverviewAt(double viewportX);
    bool actOnKey(int key);
    Duration shareOfVisible(double share) const;

    std::shared_ptr<const trace::Chronicle> m_chronicle;
    models::TimelineNames m_names;
    models::Grouping m_grouping = models::Grouping::ByContender;
    models::ZoomState m_zoom;
    std::optional<models::TimelineIndex> m_index;
    std::optional<models::TimelineLayout> m_layout;
    std::optional<Instant> m_cursor;
    TimelineOverview m_overview;
    int m_titleWidth = 0;

    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    Instant m_fromAtPress{};
};

} // namespace lockscope::widgets
