#include "ui/widgets/controls/option_row.h"

#include "ui/widgets/controls/labels.h"

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
    m_error = createWrappedText(u"rowError"_s, this);
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
        m_field->setAccessibleDescription(error);
        showError(error);
    }
}

QString OptionRow::error() const
{
    return m_error->text();
}

void OptionRow::showError(const QString& error)
{
    showRemark(*m_error, error, 2);
    markError(*m_field, !error.isEmpty());
}

void OptionRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_error != nullptr) {
        showError(error());
    }
}

} // namespace lockscope::widgets
