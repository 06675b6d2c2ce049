#include "contend/run_charts.h"

#include "latency_text.h"
#include "shell/palette_colors.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBinsPerDecade = 8;
constexpr int kMargin = 16;

QSize chartSize(const QFontMetrics& metrics)
{
    return {metrics.averageCharWidth() * 40, metrics.height() * 8};
}

/// Title above, scale below; between them is the area of the marks.
QRectF areaOf(const QWidget& chart)
{
    const double line = chart.fontMetrics().height();
    return QRectF(chart.rect()).adjusted(kMargin, line * 1.5 + 8, -kMargin, -line - 10);
}

void paintFrame(QPainter& painter, const QWidget& chart, const QString& title, const QString& side)
{
    const QPalette& palette = chart.palette();
    painter.fillRect(chart.rect(), palette.color(QPalette::Window));
    painter.setPen(palette.color(QPalette::PlaceholderText));
    const QRect head = chart.rect().adjusted(kMargin, 8, -kMargin, 0);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignTop, title);
    painter.drawText(head, Qt::AlignRight | Qt::AlignTop, side);
    painter.setPen(palette.color(QPalette::Mid));
    const QRectF area = areaOf(chart);
    painter.drawLine(QPointF(area.left(), area.bottom() + 0.5),
                     QPointF(area.right(), area.bottom() + 0.5));
}

void paintScale(QPainter& painter, const QWidget& chart, const QString& from, const QString& to)
{
    painter.setPen(chart.palette().color(QPalette::PlaceholderText));
    const QRect foot = chart.rect().adjusted(kMargin, 0, -kMargin, -5);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom, from);
    painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom, to);
}

} // namespace

RateChart::RateChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"rateChart"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Acquisitions per second over time"));
}

void RateChart::showSeries(const models::RateSeries& series, Duration span)
{
    m_series = series;
    m_span = span;
    setAccessibleDescription(tr("At most %1").arg(models::numberText(series.largest())));
    update();
}

QSize RateChart::sizeHint() const
{
    return chartSize(fontMetrics());
}

QSize RateChart::minimumSizeHint() const
{
    return sizeHint() * 0.6;
}

void RateChart::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const double top = models::niceCeiling(m_series.largest());
    paintFrame(painter, *this, tr("Acquisitions per second"),
               m_series.samples().empty() ? QString()
                                          : tr("up to %1").arg(models::numberText(top)));
    const QRectF area = areaOf(*this);
    const QPolygonF line = models::rateLine(m_series.samples(), m_span, top, area);
    paintScale(painter, *this, u"0 s"_s, models::latencyText(m_span));
    if (line.size() < 2) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor accent = palette().color(QPalette::Link);
    QPainterPath surface(QPointF(line.front().x(), area.bottom()));
    for (const QPointF& point : line) {
        surface.lineTo(point);
    }
    surface.lineTo(QPointF(line.back().x(), area.bottom()));
    painter.fillPath(surface, mixed(accent, palette().color(QPalette::Window), 0.14));
    painter.setPen(QPen(accent, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
}

WaitChart::WaitChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"waitChart"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Distribution of the waits"));
}

void WaitChart::showWaits(const trace::Histogram& waits)
{
    m_bins = models::timeBins(waits, kBinsPerDecade, 2 * kBinsPerDecade);
    m_marks.clear();
    m_legend.clear();
    if (waits.count() > 0) {
        m_marks = {waits.quantile(0.5), waits.quantile(0.99)};
        m_legend = tr("marks: p50 %1, p99 %2")
                       .arg(models::latencyText(m_marks[0]), models::latencyText(m_marks[1]));
    }
    setAccessibleDescription(m_legend);
    update();
}

QSize WaitChart::sizeHint() const
{
    return chartSize(fontMetrics());
}

QSize WaitChart::minimumSizeHint() const
{
    return sizeHint() * 0.6;
}

void WaitChart::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    paintFrame(painter, *this, tr("Distribution of waits"), m_legend);
    if (m_bins.empty()) {
        return;
    }
    paintScale(painter, *this, models::latencyText(m_bins.front().from),
               models::latencyText(m_bins.back().to));
    const QRectF area = areaOf(*this);
    const QColor accent = palette().color(QPalette::Link);
    for (const QRectF& bar : models::binBars(m_bins, area, 2)) {
        painter.fillRect(bar, mixed(accent, palette().color(QPalette::Window), 0.75));
    }
    paintMarks(painter, area);
}

void WaitChart::paintMarks(QPainter& painter, const QRectF& area) const
{
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
    for (const Duration mark : m_marks) {
        const double x = models::xOfTime(mark, m_bins, area);
        painter.drawLine(QPointF(x, area.top() - 4), QPointF(x, area.bottom()));
    }
}

} // namespace lockscope::widgets
