#pragma once

#include "chart_geometry.h"

#include <QWidget>

#include <vector>

namespace lockscope::widgets {

/// Acquisitions per second over the time of the run.
class RateChart : public QWidget {
    Q_OBJECT
public:
    explicit RateChart(QWidget* parent = nullptr);

    /// `span` is the time the axis reaches to.
    void showSeries(const models::RateSeries& series, Duration span);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    models::RateSeries m_series;
    Duration m_span{0};
};

/// How long the waits were: a bar for each range of times, on a logarithmic scale, and marks for
/// the middle and the tail.
class WaitChart : public QWidget {
    Q_OBJECT
public:
    explicit WaitChart(QWidget* parent = nullptr);

    void showWaits(const trace::Histogram& waits);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintMarks(QPainter& painter, const QRectF& area) const;

    std::vector<models::TimeBin> m_bins;
    std::vector<Duration> m_marks; // the middle and the tail
    QString m_legend;
};

} // namespace lockscope::widgets
