#include "shell/top_strip.h"

#include "formatting.h"
#include "shell/icons.h"
#include "shell/page_bar.h"
#include "shell/server_badge.h"
#include "shell/status_dot.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

TopStrip::TopStrip(QWidget* filter, QAction* pause, QWidget* parent)
    : QWidget(parent),
      m_filter(filter)
{
    setObjectName(u"topStrip"_s);
    m_pages = new PageBar(this);
    m_badge = new ServerBadge(this);
    m_badge->setObjectName(u"serverBadge"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 9);
    layout->setSpacing(8);
    layout->addWidget(m_pages);
    layout->addWidget(m_badge);
    layout->addWidget(filter, 1);
    layout->addStretch(0); // takes the filter's place
    layout->addWidget(createPauseButton(pause));
    layout->addWidget(createLiveMark());
}

QPushButton* TopStrip::createPauseButton(QAction* pause)
{
    m_pause = new QPushButton(tr("Pause"), this);
    m_pause->setObjectName(u"pauseButton"_s);
    m_pause->setCheckable(true);
    m_pause->setFocusPolicy(Qt::TabFocus);
    m_pause->setToolTip(tr("Freeze the table (Space). Changes are recorded meanwhile."));
    connect(m_pause, &QPushButton::clicked, pause, &QAction::setChecked);
    connect(pause, &QAction::toggled, m_pause, &QPushButton::setChecked);
    return m_pause;
}

QWidget* TopStrip::createLiveMark()
{
    auto* mark = new QWidget(this);
    m_dot = new StatusDot(mark);
    m_live = new QLabel(mark);
    m_live->setObjectName(u"liveText"_s);
    auto* layout = new QHBoxLayout(mark);
    layout->setContentsMargins(4, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_dot);
    layout->addWidget(m_live);
    m_live->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Offline")));
    return mark;
}

void TopStrip::showLive(LinkTone tone, bool isOnline, bool isPaused, qint64 waitingChanges)
{
    m_pause->setEnabled(isOnline || isPaused);
    m_pause->setText(!isPaused ? tr("Pause")
                     : waitingChanges > 0
                         ? tr("Resume · +%1").arg(models::countText(waitingChanges))
                         : tr("Resume"));
    m_dot->setTone(isPaused ? LinkTone::Warning : tone);
    m_live->setText(isPaused ? tr("Paused") : isOnline ? tr("Live") : tr("Offline"));
}

void TopStrip::showTableTools(bool areShown)
{
    m_filter->setVisible(areShown);
    m_pause->setVisible(areShown);
}

QString TopStrip::liveText() const
{
    return m_live->text();
}

void TopStrip::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace lockscope::widgets
