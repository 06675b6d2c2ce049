#include "ui/widgets/controls/option_row.h"

#include "ui/widgets/style/tones.h"

#include <QAbstractButton>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

OptionRow::OptionRow(const QString& label, QWidget* field, QWidget* parent)
    : QWidget(parent),
      m_field(field)
{
    auto* text = new QLabel(label, this);
    text->setTextFormat(Qt::PlainText);
    text->setBuddy(field);
    field->setAccessibleName(label);
    arrange(text);
}

OptionRow::OptionRow(QAbstractButton* option, QWidget* field, QWidget* parent)
    : QWidget(parent),
      m_field(field)
{
    arrange(option);
}

void OptionRow::arrange(QWidget* label)
{
    m_error = new QLabel(this);
    m_error->setObjectName(u"rowError"_s);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setWordWrap(true);
    m_error->setAlignment(Qt::AlignRight);
    m_error->setVisible(false);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    grid->addWidget(label, 0, 0);
    grid->addWidget(m_field, 0, 1, Qt::AlignRight);
    grid->addWidget(m_error, 1, 0, 1, 2);
}

void OptionRow::setError(const QString& error)
{
    if (error != m_error->text()) {
        m_error->setText(error);
        m_error->setVisible(!error.isEmpty());
        m_field->setAccessibleDescription(error);
        color();
    }
}

QString OptionRow::error() const
{
    return m_error->text();
}

void OptionRow::color()
{
    const QColor red = severityColor(2, palette());
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, red);
    m_error->setPalette(alarming);
    QPalette edge;
    if (!error().isEmpty()) {
        edge.setColor(QPalette::Mid, red);
    }
    m_field->setPalette(edge);
}

void OptionRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_error != nullptr) {
        color();
    }
}

} // namespace lockscope::widgets
