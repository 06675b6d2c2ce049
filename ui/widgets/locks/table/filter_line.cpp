#include "ui/widgets/locks/table/filter_line.h"

#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/style/tones.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

FilterLine::FilterLine(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"filterLine"_s);
    m_label = new QLabel(this);
    m_label->setObjectName(u"filterError"_s);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    m_mend = new QPushButton(this);
    m_mend->setObjectName(u"mendFilter"_s);
    createRow(this, {8, 4, 8, 4}, kUsualSpacing, {growing(m_label), m_mend});
    showColor();
    hide();
}

void FilterLine::follow(LockFilterEdit& edit)
{
    connect(&edit, &LockFilterEdit::errorChanged, this, [this, &edit] { showState(edit); });
    connect(m_mend, &QPushButton::clicked, &edit, [&edit] {
        edit.apply(edit.mendedText());
        edit.setFocus();
    });
}

QString FilterLine::text() const
{
    return isHidden() ? QString() : m_label->text();
}

void FilterLine::showState(const LockFilterEdit& edit)
{
    const QString shown = edit.appliedText().isEmpty()
                              ? tr("The table shows all locks.")
                              : tr("The table still shows: %1").arg(edit.appliedText());
    m_label->setText(tr("Filter not applied: %1").arg(edit.errorText()) + u" · "_s + shown);
    m_mend->setText(tr("Use %1").arg(QString(edit.mendedText()).replace(u'&', u"&&"_s)));
    m_mend->setVisible(!edit.mendedText().isEmpty());
    setVisible(!edit.errorText().isEmpty());
}

void FilterLine::showColor()
{
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(2, palette()));
    m_label->setPalette(alarming);
}

void FilterLine::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showColor();
    }
}

} // namespace lockscope::widgets
