#pragma once

#include "core/kernel/base/time.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/shell/watch_state.h"

class QLabel;
class QProgressBar;
class QTimer;

namespace lockscope::widgets {

class ElidedLabel;
class StatusDot;

/// The line along the bottom: how news arrives, how much was looked at, what there is, what we
/// cost, what time it is.
class StatusStrip : public Strip {
    Q_OBJECT
public:
    explicit StatusStrip(QWidget* parent = nullptr);

    /// Shows the state as of `now` on the monitor's time line.
    void showState(const WatchState& state, qint64 lockCount, Instant now);
    void showTime(WallTime now);

    /// A sentence about what was just done, or was not; it goes by itself after a while.
    void showNews(const QString& news);

    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void createParts();
    void showLink(const WatchState& state, Instant now);
    void showSweep(const WatchState& state, qint64 lockCount);
    void showReason();
    void colorTexts();

    StatusDot* m_dot = nullptr;
    QLabel* m_link = nullptr;
    ElidedLabel* m_reason = nullptr;
    QLabel* m_sweep = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_cost = nullptr;
    QLabel* m_time = nullptr;
    QTimer* m_newsEnd = nullptr;
    QString m_news;
    QString m_linkReason;
};

} // namespace lockscope::widgets
