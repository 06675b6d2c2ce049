#include "ui/widgets/controls/notice_bar.h"

#include "ui/widgets/style/tones.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"noticeBar"_s);
    m_label = new QLabel(this);
    m_label->setObjectName(u"noticeText"_s);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    m_close = new QPushButton(tr("Dismiss"), this);
    m_close->setObjectName(u"noticeClose"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_close);
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
