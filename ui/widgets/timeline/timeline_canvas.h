#pragma once

#include "ui/models/timeline/growing_drawing.h"
#include "ui/models/timeline/timeline_events.h"
#include "ui/models/timeline/timeline_layout.h"
#include "ui/models/timeline/zoom_state.h"
#include "ui/widgets/timeline/timeline_overview.h"

#include <QAbstractScrollArea>

namespace lockscope::widgets {

/// A run over time: what the server knew, and below it what each contender believed. Times count
/// from the beginning of the run. What is drawn is laid out anew only when it, the range or the
/// size changes. This is what is seen; TimelineView adds what the user does with it.
class TimelineCanvas : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineCanvas(QWidget* parent = nullptr);

    /// Shows all of a run. Nothing is shown for none.
    void showChronicle(std::shared_ptr<const trace::Chronicle> chronicle,
                       models::TimelineNames names);
    void showDrawing(models::RunDrawing drawing, models::TimelineNames names);
    /// Shows the same run as it has gone on. Range, history, selection and lanes stay; who follows
    /// sees the new end.
    void updateDrawing(models::RunDrawing drawing);
    void clear();

    void setGrouping(models::Grouping grouping);
    models::Grouping grouping() const { return m_grouping; }
    models::TimelineSetup setup() const { return {m_grouping, m_arrangement}; }
    /// Hides the lanes in whose titles the text does not occur, but not the server's.
    void setFilter(const QString& filter);
    /// Hides contenders that never overlapped. Chosen by itself for many lanes.
    void setOverlapsOnly(bool isOverlapsOnly);
    bool isOverlapsOnly() const { return m_arrangement.isOverlapsOnly; }
    bool hasOverlaps() const { return m_chronicle && !m_chronicle->overlaps.empty(); }
    int hiddenLaneCount() const { return m_index ? m_index->hiddenLaneCount() : 0; }
    /// By the number of a lane that is shown. A collapsed lane has all in one row.
    void setLaneCollapsed(int lane, bool isCollapsed);
    const std::vector<models::TimelineLane>& lanes() const;

    /// A vertical line at the step that is selected elsewhere. It does not move the range. A
    /// message that was on its way then, to the instant, and the hold that begins then have their
    /// arrows.
    void setCursorTime(std::optional<Instant> at);
    std::optional<Instant> cursorTime() const { return m_cursor; }
    /// Scrolls to the lanes of those whom an instant is about.
    void reveal(Instant at);
    /// Shows the way of a message, by its index in the chronicle.
    void selectMessage(std::size_t message);
    const std::vector<models::TimelineArrow>& arrows() const { return m_arrows; }

    /// From where times are counted; nothing: from the beginning of the run.
    void setTimeReference(models::TimeReference reference);
    models::TimeReference timeReference() const { return m_reference; }

    /// Stays at the end of a run that goes on. Panning stops it.
    void setFollowing(bool isFollowing) { m_zoom.setFollowing(isFollowing); }
    bool isFollowing() const { return m_zoom.isFollowing(); }

    /// The range that the user marked, to which tables and statistics are limited.
    std::optional<models::VisibleRange> selection() const { return m_zoom.selection(); }

    models::ZoomState& zoom() { return m_zoom; }

    /// Writes what is seen as PNG or SVG, by how the name ends. False when there is nothing to be
    /// seen, for other endings, and when the file cannot be written.
    bool savePicture(const QString& file);

    /// Parts of the viewport. Row 0 is the first row of the server, if there is any.
    QRect laneArea() const;
    QRect overviewArea() const;
    QRect rulerArea() const;
    QPoint placeOf(Instant at, int row) const; // in the middle of the row's bar

    /// What the last frame consisted of, for those who measure it.
    std::vector<QRectF> paintedRects() const;

    /// What the pointer explains at a point of the viewport; empty where there is nothing.
    QString toolTipAt(QPoint position);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void selectionChanged();
    void followingChanged(bool isFollowing);
    void timeReferenceChanged();
    /// Lanes appeared or went.
    void lanesChanged();

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

    const trace::Chronicle* chronicle() const { return m_chronicle.get(); }
    TimelineScene scene() const;
    double laneHeight() const;
    Instant timeAt(double viewportX) const;
    int laneAt(int viewportY) const; // -1: none
    std::optional<models::TimelineHit> hitAt(QPointF position);
    /// The lane at which keys act; -1: none.
    void setCurrentLane(int lane);
    int currentLane() const { return m_currentLane; }
    /// Scrolls no farther than needed, and shows the upper end of what is too high.
    void scrollToRows(int first, int last);
    /// Shows for whom a hold had to wait.
    void selectHold(std::uint32_t span);

private:
    void connectZoom();
    void rebuildIndex();
    void takeIndex(models::RunDrawing drawing);
    void arrange();
    void showLanes();
    void forgetLayout();
    void updateScrollBar();
    void updateArrows();
    void describe();
    void ensureLayout();
    void paintScene(QPainter& painter);
    QPointF toContent(QPointF position) const;

    std::shared_ptr<const trace::Chronicle> m_chronicle;
    models::TimelineNames m_names;
    models::Grouping m_grouping = models::Grouping::ByContender;
    models::TimelineArrangement m_arrangement;
    models::ZoomState m_zoom;
    models::TimeReference m_reference;
    std::unique_ptr<models::TimelineIndex> m_index;
    std::optional<models::TimelineLayout> m_layout;
    std::optional<Instant> m_cursor;
    std::optional<std::size_t> m_message;
    std::optional<std::uint32_t> m_hold;
    std::vector<models::TimelineArrow> m_arrows;
    TimelineOverview m_overview;
    int m_titleWidth = 0;
    int m_currentLane = -1;
};

} // namespace lockscope::widgets
