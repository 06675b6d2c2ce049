#include "ui/widgets/shell/environment_edge.h"

#include "ui/widgets/style/tones.h"

#include <QPainter>

namespace lockscope::widgets {

EnvironmentEdge::EnvironmentEdge(QWidget* parent) : QWidget(parent)
{
    setFixedHeight(4);
    setVisible(false);
}

void EnvironmentEdge::setEnvironment(const QString& environment)
{
    m_environment = environment;
    setVisible(environmentColor(environment).isValid());
    update();
}

void EnvironmentEdge::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), environmentColor(m_environment));
}

} // namespace lockscope::widgets
