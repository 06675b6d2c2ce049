#include "ui/widgets/controls/notice_bar.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/tones.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"noticeBar"_s);
    m_label = createWrappedText(u"noticeText"_s, this);
    m_close = createButton(u"noticeClose"_s, tr("Dismiss"), this);
    createRow(this, {12, 6, 8, 6}, kUsualSpacing, {growing(m_label), m_close});
    connect(m_close, &QPushButton::clicked, this, [this] {
        m_notice.clear();
        refresh();
    });
    refresh();
}

void NoticeBar::showNotice(const QString& text)
{
    m_notice = text;
    refresh();
}

void NoticeBar::showState(const QString& text)
{
    if (m_state != text) {
        m_state = text;
        refresh();
    }
}

QString NoticeBar::text() const
{
    return m_label->text();
}

void NoticeBar::refresh()
{
    m_label->setText(m_state.isEmpty() ? m_notice : m_state);
    m_close->setVisible(m_state.isEmpty());
    setVisible(!m_label->text().isEmpty());
}

void NoticeBar::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const QColor color = severityColor(1, palette());
    painter.fillRect(rect(), tintOf(color, palette().color(QPalette::Window)));
    painter.fillRect(0, 0, 3, height(), color);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace lockscope::widgets
