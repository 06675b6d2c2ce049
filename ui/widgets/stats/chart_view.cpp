#include "ui/widgets/stats/chart_view.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/palette_colors.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QToolTip>

#include <algorithm>

// Its header is written in Qt's keywords, which are switched off here.
#define signals Q_SIGNALS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef foreach

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ChartContent;
using models::ChartMark;
using models::ChartReadout;
using models::ChartSeries;
using models::ChartTick;
using Shape = ChartSeries::Shape;

namespace {

constexpr int kMargin = 12;
constexpr int kTickGap = 10;
constexpr int kNameCharactersMin = 4;
constexpr double kLineWidth = 1.6;

QSharedPointer<QCPAxisTickerText> tickerOf(const std::vector<ChartTick>& ticks)
{
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const ChartTick& tick : ticks) {
        ticker->addTick(tick.at, tick.text);
    }
    return ticker;
}

} // namespace

/// Puts a content on the plot, in the colours of a palette: ours in the accent, the other run in
/// the colour of the text, dashed and hatched.
class ChartView::Painting {
public:
    Painting(QCustomPlot& plot, const QPalette& palette)
        : m_plot(plot),
          m_surface(palette.color(QPalette::Window)),
          m_ours(palette.color(QPalette::Link)),
          m_theirs(mixed(palette.color(QPalette::WindowText), m_surface, 0.75)),
          m_hairline(palette.color(QPalette::Mid)),
          m_quiet(palette.color(QPalette::PlaceholderText))
    {}

    void paint(const ChartContent& content)
    {
        m_plot.clearPlottables();
        m_plot.clearItems();
        m_plot.setBackground(m_surface);
        m_plot.xAxis->setRange(content.xFrom, content.xTo);
        m_plot.yAxis->setRange(0, content.yTop * kHeadroom);
        m_plot.yAxis2->setRange(0, kHeadroom);
        dressAxes(content);
        for (const ChartSeries& series : content.series) {
            if (series.shape == Shape::Bars) {
                addBars(series);
            } else {
                addLine(series, content);
            }
        }
        if (content.level) {
            addLevel(*content.level);
        }
    }

    void mark(const ChartReadout& readout)
    {
        auto* const band = new QCPItemRect(&m_plot);
        band->setLayer(u"background"_s);
        for (QCPItemPosition* const corner : {band->topLeft, band->bottomRight}) {
            corner->setTypeX(QCPItemPosition::ptPlotCoords);
            corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
        }
        band->topLeft->setCoords(readout.from, 0);
        band->bottomRight->setCoords(readout.to, 1);
        const QColor color = mixed(m_quiet, m_surface, 0.22);
        band->setBrush(color);
        band->setPen(QPen(color, 1));
    }

private:
    static constexpr double kHeadroom = 1.04; // a line at the very top is seen

    void dressAxes(const ChartContent& content)
    {
        m_plot.yAxis2->setVisible(!content.rightTicks.empty());
        m_plot.yAxis->setTicker(tickerOf(content.yTicks));
        m_plot.yAxis2->setTicker(tickerOf(content.rightTicks));
        m_plot.xAxis->setLabel(content.xTitle);
        for (QCPAxis* const axis : {m_plot.xAxis, m_plot.yAxis, m_plot.yAxis2}) {
            const bool isGround = axis == m_plot.xAxis;
            axis->setTickLabelFont(m_plot.font());
            axis->setLabelFont(m_plot.font());
            axis->setTickLabelColor(m_quiet);
            axis->setLabelColor(m_quiet);
            axis->setBasePen(isGround ? QPen(m_hairline, 1) : QPen(Qt::NoPen));
            axis->setTickPen(Qt::NoPen);
            axis->setSubTickPen(Qt::NoPen);
            axis->setTickLength(isGround ? 2 : 0);
            axis->grid()->setVisible(axis == m_plot.yAxis);
            axis->grid()->setPen(QPen(mixed(m_hairline, m_surface, 0.7), 1));
            axis->grid()->setZeroLinePen(Qt::NoPen);
        }
    }

    QColor colorOf(const ChartSeries& series) const { return series.isOther ? m_theirs : m_ours; }

    void addBars(const ChartSeries& series)
    {
        auto* const bars = new QCPBars(m_plot.xAxis, m_plot.yAxis);
        const QColor color = colorOf(series);
        const QColor fill = mixed(color, m_surface, 0.55);
        bars->setBrush(series.isOther ? QBrush(color, Qt::BDiagPattern) : QBrush(fill));
        bars->setPen(QPen(series.isOther ? color : fill, 1));
        for (const ChartMark& mark : series.marks) {
            const double width = mark.to - mark.from;
            bars->setWidth(width * (series.barTo - series.barFrom));
            if (mark.y > 0) {
                bars->addData(mark.from + width * (series.barFrom + series.barTo) / 2, mark.y);
            }
        }
    }

    void addLine(const ChartSeries& series, const ChartContent& content)
    {
        auto* const line = new QCPGraph(m_plot.xAxis,
                                        series.isOnRight ? m_plot.yAxis2 : m_plot.yAxis);
        const bool isDashed = series.isOther;
        line->setPen(QPen(colorOf(series), kLineWidth, isDashed ? Qt::DashLine : Qt::SolidLine,
                          Qt::FlatCap, Qt::RoundJoin));
        line->setLineStyle(QCPGraph::lsStepLeft);
        QVector<double> keys;
        QVector<double> values;
        const auto add = [&](double key, double value) {
            keys.append(key);
            values.append(value);
        };
        const bool isCurve = series.shape == Shape::Curve;
        add(isCurve ? content.xFrom : series.marks.front().from, 0);
        for (const ChartMark& mark : series.marks) {
            add(mark.from, mark.y);
        }
        add(isCurve ? content.xTo : series.marks.back().to, series.marks.back().y);
        if (!isCurve) {
            add(series.marks.back().to, 0);
            line->setBrush(series.isOther ? QBrush(Qt::NoBrush)
                                          : QBrush(mixed(m_ours, m_surface, 0.14)));
        }
        line->setData(keys, values, true);
    }

    void addLevel(double level)
    {
        auto* const line = new QCPItemStraightLine(&m_plot);
        line->point1->setCoords(0, level);
        line->point2->setCoords(1, level);
        line->setPen(QPen(m_quiet, 1, Qt::DotLine));
    }

    QCustomPlot& m_plot;
    QColor m_surface;
    QColor m_ours;
    QColor m_theirs;
    QColor m_hairline;
    QColor m_quiet;
};

ChartView::ChartView(const QString& name, QWidget* parent) : QWidget(parent)
{
    setObjectName(name);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    createParts();
    redraw();
}

void ChartView::createParts()
{
    m_title = new QLabel(this);
    m_note = new ElidedLabel(Qt::ElideRight, this);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* head = createRow(kMargin, {m_title, growing(m_note)});
    m_stack = new QStackedWidget(this);
    // It would keep the wheel from the page that scrolls, and the pointer from this widget.
    m_stack->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot = new QCustomPlot(m_stack);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->axisRect()->setMinimumMargins(QMargins(kMargin, kMargin / 2, 2 * kMargin, 0));
    connect(m_plot, &QCustomPlot::beforeReplot, this, &ChartView::fitTicks);
    m_empty = createQuietLabel({}, m_stack);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_plot);
    createColumn(this, {kMargin, kMargin / 2, kMargin, kMargin / 2}, 0, {head, growing(m_stack)});
}

void ChartView::showContent(const ChartContent& content, const QString& ours, const QString& theirs)
{
    m_content = content;
    m_ours = ours;
    m_theirs = theirs;
    setAccessibleName(content.title);
    setAccessibleDescription(content.series.empty() ? content.emptyText : content.note);
    m_title->setText(content.title);
    m_note->setFullText(content.note);
    m_empty->setText(content.emptyText);
    m_stack->setCurrentWidget(content.series.empty() ? static_cast<QWidget*>(m_empty) : m_plot);
    redraw();
}

void ChartView::redraw()
{
    Painting(*m_plot, palette()).paint(m_content);
    markReadout(m_place ? models::readoutAt(m_content, *m_place, m_ours, m_theirs) : std::nullopt);
}

/// Names are shortened until all of them fit; of other texts, some are left out.
void ChartView::fitTicks()
{
    const QMargins margins = m_plot->axisRect()->margins();
    const int count = static_cast<int>(m_content.xTicks.size());
    const int room = (m_plot->width() - margins.left() - margins.right()) / std::max(count, 1)
                     - kTickGap;
    int widest = 1;
    for (const ChartTick& tick : m_content.xTicks) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(tick.text));
    }
    // Whole, or enough of them to tell one from the other.
    const bool isRoomForNames = room >= std::min(widest, fontMetrics().averageCharWidth()
                                                             * kNameCharactersMin);
    const int each = m_content.areTicksNames ? 1 : (widest + room + kTickGap) / (room + kTickGap);
    std::vector<ChartTick> ticks;
    for (int i = 0; i < count; i += std::max(each, 1)) {
        ticks.push_back(m_content.xTicks[static_cast<std::size_t>(i)]);
        if (m_content.areTicksNames) {
            QString& name = ticks.back().text;
            name = isRoomForNames ? fontMetrics().elidedText(name, Qt::ElideMiddle, room)
                                  : QString();
        }
    }
    m_plot->xAxis->setTicker(tickerOf(ticks));
}

std::optional<double> ChartView::placeAt(QPointF position) const
{
    const QPointF onPlot = position - QPointF(m_plot->mapTo(this, QPoint()));
    if (m_content.series.empty() || !QRectF(m_plot->axisRect()->rect()).contains(onPlot)) {
        return std::nullopt;
    }
    return m_plot->xAxis->pixelToCoord(onPlot.x());
}

QString ChartView::readoutAt(QPointF position) const
{
    const auto x = placeAt(position);
    const auto readout = x ? models::readoutAt(m_content, *x, m_ours, m_theirs) : std::nullopt;
    return readout ? readout->text : QString();
}

QPointF ChartView::positionOf(double x) const
{
    const QPointF onPlot(m_plot->xAxis->coordToPixel(x), m_plot->axisRect()->center().y());
    return onPlot + QPointF(m_plot->mapTo(this, QPoint()));
}

void ChartView::tell(std::optional<double> x, QPoint globalPosition)
{
    const auto readout = x ? models::readoutAt(m_content, *x, m_ours, m_theirs) : std::nullopt;
    m_place = readout ? x : std::nullopt;
    markReadout(readout);
    if (readout) {
        QToolTip::showText(globalPosition, readout->text, this);
    } else {
        QToolTip::hideText();
    }
}

void ChartView::markReadout(const std::optional<ChartReadout>& readout)
{
    const auto bands = m_plot->layer(u"background"_s)->children();
    for (QCPLayerable* const child : bands) {
        if (auto* const band = qobject_cast<QCPItemRect*>(child)) {
            m_plot->removeItem(band);
        }
    }
    m_shownReadout = readout ? readout->text : QString();
    if (readout) {
        Painting(*m_plot, palette()).mark(*readout);
        setAccessibleDescription(readout->text);
    }
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    tell(placeAt(event->position()), event->globalPosition().toPoint());
}

void ChartView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    tell(std::nullopt, {});
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    std::optional<double> place;
    switch (event->key()) {
    case Qt::Key_Right: place = models::nextPlace(m_content, m_place, 1); break;
    case Qt::Key_Left: place = models::nextPlace(m_content, m_place, -1); break;
    case Qt::Key_Home: place = models::nextPlace(m_content, std::nullopt, 1); break;
    case Qt::Key_End: place = models::nextPlace(m_content, std::nullopt, -1); break;
    default: QWidget::keyPressEvent(event); return;
    }
    m_isFocusShown = true;
    update();
    if (place) {
        tell(place, mapToGlobal(positionOf(*place)).toPoint());
    }
}

void ChartView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    const Qt::FocusReason reason = event->reason();
    m_isFocusShown = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason
                     || reason == Qt::ShortcutFocusReason;
}

void ChartView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    tell(std::nullopt, {});
}

void ChartView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const bool isLook = event->type() == QEvent::PaletteChange
                        || event->type() == QEvent::FontChange;
    if (isLook && m_plot != nullptr) {
        redraw();
    }
}

void ChartView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    if (hasFocus() && m_isFocusShown) {
        painter.setPen(palette().color(QPalette::Link));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QSize ChartView::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 50, fontMetrics().height() * 15};
}

QSize ChartView::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 11};
}

} // namespace lockscope::widgets
