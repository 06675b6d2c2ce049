#include "ui/widgets/controls/strip.h"

#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

namespace lockscope::widgets {

Strip::Strip(Qt::Edge edge, QWidget* parent) : QWidget(parent), m_edge(edge)
{}

void Strip::paintEvent(QPaintEvent* /*event*/)
{
    const int y = m_edge == Qt::TopEdge ? 0 : height() - 1;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, y, width(), y);
}

QPushButton* createButton(const QString& name, const QString& text, QWidget* parent,
                          const QString& toolTip)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    return button;
}

QProgressBar* createProgressLine(const QString& name, const QString& spoken, QWidget* parent)
{
    constexpr int kHeight = 4;
    auto* progress = new QProgressBar(parent);
    progress->setObjectName(name);
    progress->setAccessibleName(spoken);
    progress->setRange(0, kProgressMax);
    progress->setTextVisible(false);
    progress->setFixedHeight(kHeight);
    return progress;
}

} // namespace lockscope::widgets
