#include "ui/widgets/controls/harm_badges.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/harm_mark.h"

#include <QPainter>
#include <QStringList>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBadgeGap = 4;

} // namespace

HarmBadges::HarmBadges(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void HarmBadges::showHarms(std::vector<search::Harm> harms, bool arePromised)
{
    m_harms = std::move(harms);
    m_arePromised = arePromised;
    QStringList names;
    for (const search::Harm harm : m_harms) {
        names += models::toQString(search::nameOf(harm));
    }
    setToolTip(models::listed(names));
    setAccessibleName(models::listed(names));
    setVisible(!m_harms.empty());
    updateGeometry();
    update();
}

QSize HarmBadges::sizeHint() const
{
    const int side = fontMetrics().height() + 2;
    const auto count = static_cast<int>(m_harms.size());
    return {count * side + (count - 1) * kBadgeGap, side};
}

void HarmBadges::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const StateColors colors = stateColorsOf(palette());
    const double side = height();
    QRectF ground(0, 0, side, side);
    for (const search::Harm harm : m_harms) {
        paintHarmBadge(painter, ground.adjusted(0.5, 0.5, -0.5, -0.5), harm, m_arePromised, colors);
        ground.translate(side + kBadgeGap, 0);
    }
}

} // namespace lockscope::widgets
