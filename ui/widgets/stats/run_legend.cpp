#include "ui/widgets/stats/run_legend.h"

#include "ui/widgets/style/palette_colors.h"

#include <QPainter>

namespace lockscope::widgets {

namespace {

constexpr int kLine = 28;
constexpr int kGap = 8;

} // namespace

RunLegend::RunLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RunLegend::showRuns(const QString& ours, const QString& theirs)
{
    m_ours = ours;
    m_theirs = theirs;
    const QString text = tr("Solid: %1. Dashed and hatched: %2").arg(ours, theirs);
    setAccessibleName(text);
    setToolTip(text);
    update();
}

QSize RunLegend::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() + kGap};
}

QSize RunLegend::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 20, fontMetrics().height() + kGap};
}

void RunLegend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const QColor text = palette().color(QPalette::WindowText);
    int left = 0;
    const auto addRun = [&](const QString& title, const QColor& color, Qt::PenStyle style) {
        painter.setPen(QPen(color, 2, style, Qt::FlatCap));
        const int middle = height() / 2;
        painter.drawLine(left, middle, left + kLine, middle);
        left += kLine + kGap;
        const int room = width() / 2 - kLine - 3 * kGap;
        const QString shown = fontMetrics().elidedText(title, Qt::ElideMiddle, room);
        painter.setPen(text);
        painter.drawText(QRect(left, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter, shown);
        left += fontMetrics().horizontalAdvance(shown) + 3 * kGap;
    };
    addRun(m_ours, palette().color(QPalette::Link), Qt::SolidLine);
    addRun(m_theirs, mixed(text, palette().color(QPalette::Window), 0.75), Qt::DashLine);
}

} // namespace lockscope::widgets
