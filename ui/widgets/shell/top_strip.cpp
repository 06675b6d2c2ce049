#include "ui/widgets/shell/top_strip.h"

#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/status_dot.h"
#include "ui/widgets/shell/page_bar.h"
#include "ui/widgets/shell/server_badge.h"

#include <QHBoxLayout>
#include <QLabel>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

TopStrip::TopStrip(QWidget* parent) : Strip(Qt::BottomEdge, parent)
{
    setObjectName(u"topStrip"_s);
    m_pages = new PageBar(this);
    m_badge = new ServerBadge(this);
    m_badge->setObjectName(u"serverBadge"_s);
    m_layout = new QHBoxLayout(this);
    m_layout->setContentsMargins(12, 6, 12, 9);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_pages);
    m_layout->addWidget(m_badge);
    m_layout->addStretch(0); // takes the place of tools that expand
    m_layout->addWidget(createLiveMark());
}

void TopStrip::addTool(QWidget* tool)
{
    const bool expands = (tool->sizePolicy().expandingDirections() & Qt::Horizontal) != 0;
    m_layout->insertWidget(m_layout->count() - 2, tool, expands ? 1 : 0);
}

QWidget* TopStrip::createLiveMark()
{
    auto* mark = new QWidget(this);
    m_dot = new StatusDot(mark);
    m_live = new QLabel(mark);
    m_live->setObjectName(u"liveText"_s);
    createRow(mark, {4, 0, 0, 0}, 6, {m_dot, m_live});
    m_live->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Offline")));
    return mark;
}

void TopStrip::showLive(LinkTone tone, bool isOnline, bool isPaused)
{
    m_dot->setTone(isPaused ? LinkTone::Warning : tone);
    m_live->setText(isPaused ? tr("Paused") : isOnline ? tr("Live") : tr("Offline"));
}

QString TopStrip::liveText() const
{
    return m_live->text();
}

} // namespace lockscope::widgets
