#include "ui/widgets/shell/page_bar.h"

#include "ui/widgets/controls/labels.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace lockscope::widgets {

PageBar::PageBar(QWidget* parent) : QWidget(parent)
{
    m_group = new QButtonGroup(this);
    m_group->setExclusive(true);
    m_layout = new QHBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT pageChosen(m_names.at(id)); });
}

void PageBar::addPage(const QString& name, const QString& title)
{
    auto* button = new QToolButton(this);
    button->setText(title);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setObjectName(u"page_" + name);
    makeBold(*button);
    button->setFixedHeight(button->fontMetrics().height() + 12);
    button->setMinimumWidth(button->fontMetrics().horizontalAdvance(title) + 24);
    m_group->addButton(button, static_cast<int>(m_names.size()));
    m_layout->addWidget(button);
    m_names.append(name);
    if (m_names.size() == 1) {
        button->setChecked(true);
    }
}

void PageBar::setCurrent(const QString& name)
{
    if (QAbstractButton* button = m_group->button(static_cast<int>(m_names.indexOf(name)))) {
        button->setChecked(true);
    }
}

} // namespace lockscope::widgets
