#include "ui/widgets/controls/ordered_list.h"

#include "ui/widgets/controls/layouts.h"

#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

OrderedList::OrderedList(const QString& name, QWidget* parent) : QWidget(parent)
{
    m_list = new QListWidget(this);
    m_list->setObjectName(u"orderedEntries"_s);
    m_list->setAccessibleName(name);
    m_add = createButton(u"addEntry"_s, tr("&Add"));
    m_remove = createButton(u"removeEntry"_s, tr("&Remove"));
    m_up = createButton(u"moveEntryUp"_s, tr("Move &up"));
    m_down = createButton(u"moveEntryDown"_s, tr("Move &down"));
    createRow(this, {}, 8,
              {growing(m_list), createColumn(6, {m_add, m_remove, gap(6), m_up, m_down, room()})});
    connectButtons();
    showButtons();
}

/// Enter in a field beside the list must not press one of them.
QPushButton* OrderedList::createButton(const QString& name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAutoDefault(false);
    return button;
}

void OrderedList::connectButtons()
{
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        showButtons();
        Q_EMIT currentChanged(row);
    });
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        Q_EMIT toggled(m_list->row(item), item->checkState() == Qt::Checked);
    });
    connect(m_add, &QPushButton::clicked, this, &OrderedList::addRequested);
    connect(m_remove, &QPushButton::clicked, this, [this] { Q_EMIT removeRequested(current()); });
    connect(m_up, &QPushButton::clicked, this,
            [this] { Q_EMIT moveRequested(current(), current() - 1); });
    connect(m_down, &QPushButton::clicked, this,
            [this] { Q_EMIT moveRequested(current(), current() + 1); });
}

void OrderedList::showEntries(const QList<Entry>& entries)
{
    const int before = current();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const Entry& entry : entries) {
            auto* item = new QListWidgetItem(entry.icon, entry.text, m_list);
            item->setToolTip(entry.toolTip);
            item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
            item->setCheckState(entry.isOn ? Qt::Checked : Qt::Unchecked);
        }
        m_list->setCurrentRow(std::min(before, m_list->count() - 1));
    }
    showButtons();
    if (current() != before) {
        Q_EMIT currentChanged(current());
    }
}

int OrderedList::current() const
{
    return m_list->currentRow();
}

void OrderedList::setCurrent(int row)
{
    m_list->setCurrentRow(row);
}

void OrderedList::showButtons()
{
    const int row = current();
    m_remove->setEnabled(row >= 0);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
}

} // namespace lockscope::widgets
