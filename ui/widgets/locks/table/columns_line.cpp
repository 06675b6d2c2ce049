#include "ui/widgets/locks/table/columns_line.h"

#include "ui/models/formatting.h"
#include "ui/widgets/locks/table/lock_columns.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

ColumnsLine::ColumnsLine(LockColumns& columns, QWidget* parent) : QWidget(parent)
{
    setObjectName(u"columnsLine"_s);
    m_button = new QPushButton(this);
    m_button->setObjectName(u"columnsNotShown"_s);
    m_button->setFlat(true);
    m_button->setToolTip(tr("There is no room for these columns. Click to choose what to show;\n"
                            "the table then scrolls sideways, and the key stays in place."));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 8, 2);
    layout->addStretch(1);
    layout->addWidget(m_button);
    connect(&columns, &LockColumns::givenWayChanged, this, &ColumnsLine::showTitles);
    connect(m_button, &QPushButton::clicked, this,
            [this, &columns] { columns.showMenu(m_button->mapToGlobal(QPoint(0, 0))); });
    showTitles(columns.givenWay());
}

void ColumnsLine::showTitles(const QStringList& titles)
{
    setVisible(!titles.isEmpty());
    m_button->setText(tr("Not shown: %1").arg(models::listed(titles)) + u" ▸"_s);
    m_button->setAccessibleName(tr("Columns not shown: %1").arg(models::listed(titles)));
}

} // namespace lockscope::widgets
