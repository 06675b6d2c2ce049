#include "ui/widgets/locks/data_line.h"

#include "ui/models/formatting.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

DataLine::DataLine(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"dataLine"_s);
    m_button = new QPushButton(this);
    m_button->setObjectName(u"probablyData"_s);
    m_button->setFlat(true);
    m_button->setToolTip(tr("Their names sound like locks, but nothing else about them does.\n"
                            "The filter finds them either way."));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 8, 2);
    layout->addWidget(m_button);
    layout->addStretch(1);
    connect(m_button, &QPushButton::clicked, this, &DataLine::toggled);
    showCount(0, false);
}

void DataLine::showCount(qint64 count, bool areShown)
{
    setVisible(count > 0);
    const QString keys = count == 1 ? tr("1 key is probably data")
                                    : tr("%1 keys are probably data").arg(models::countText(count));
    m_button->setText((areShown ? u"▾ "_s : u"▸ "_s) + keys + u" — "_s
                      + (areShown ? tr("Hide") : tr("Show")));
    m_button->setAccessibleName(keys + u", "_s + (areShown ? tr("hide") : tr("show")));
}

} // namespace lockscope::widgets
