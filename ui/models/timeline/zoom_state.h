#pragma once

#include "ui/models/timeline/timeline_scale.h"

#include <QObject>

#include <optional>
#include <vector>

namespace lockscope::models {

/// Which part of a run is looked at: the one source for ruler, lanes and overview. What is asked
/// for is fitted into the full range and is never shorter than kShortestSpan, or than the full
/// range where that is shorter still.
class ZoomState : public QObject {
    Q_OBJECT
public:
    static constexpr double kStep = 1.5; // of a notch, a key or a button
    static constexpr Duration kShortestSpan = std::chrono::microseconds(10);
    static constexpr std::size_t kStepsAtMost = 100; // of the history

    using QObject::QObject;

    VisibleRange full() const { return m_full; }
    VisibleRange visible() const { return m_visible; }
    std::optional<VisibleRange> selection() const { return m_selection; }

    /// Another run: all of it is shown, and history and selection are forgotten. A reversed range
    /// counts as an empty one.
    void setFull(VisibleRange full);

    /// The same run has gone on: range, history and selection stay. Who follows keeps its length
    /// and sees the new end, or all of it who saw all of it.
    void extendFull(VisibleRange full);

    /// Stays at the end of a run that goes on, until the user looks elsewhere.
    void setFollowing(bool isFollowing);
    bool isFollowing() const { return m_isFollowing; }

    /// Shows a range, its ends in any order.
    void show(VisibleRange range);
    void fit();

    /// Comes closer by `factor`, or moves away when it is below 1, while `at` stays where it is on
    /// the screen, or the end for who follows. Factors that are not above 0 do nothing.
    void zoomAround(Instant at, double factor);

    /// Moves on by a time, at most to an end of the run. Moving is no step of the history.
    void panBy(Duration by);

    bool canGoBack() const { return !m_past.empty(); }
    bool canGoForward() const { return !m_future.empty(); }
    void back();
    void forward();

    /// Marks a range, cut to the full one.
    void select(std::optional<VisibleRange> selection);

Q_SIGNALS:
    void rangeChanged();
    void selectionChanged();
    void followingChanged(bool isFollowing);

private:
    VisibleRange fitted(VisibleRange range) const;
    Duration allowed(double lengthUs) const;
    void go(VisibleRange range);
    void travel(std::vector<VisibleRange>& from, std::vector<VisibleRange>& to);

    VisibleRange m_full;
    bool m_isFollowing = false;
    VisibleRange m_visible;
    std::optional<VisibleRange> m_selection;
    std::vector<VisibleRange> m_past;
    std::vector<VisibleRange> m_future;
};

} // namespace lockscope::models
