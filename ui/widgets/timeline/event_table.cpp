#include "ui/widgets/timeline/event_table.h"

#include "ui/models/timeline/event_list_model.h"
#include "ui/widgets/style/palette_colors.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::EventListModel;

namespace {

constexpr int kTableMargin = 12;

/// Double belief stands out; the rest is the course of things. A command names its lock itself: it
/// has the column of locks as well.
class EventDelegate : public QStyledItemDelegate {
public:
    explicit EventDelegate(QTableView* view) : QStyledItemDelegate(view), m_view(*view) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const bool isOfBoth = (index.column() == EventListModel::WhatColumn
                               || index.column() == EventListModel::LockColumn)
                              && index.data(EventListModel::MessageRole).isValid();
        if (!isOfBoth) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        const QModelIndex what = index.siblingAtColumn(EventListModel::WhatColumn);
        QStyleOptionViewItem wide = option;
        wide.rect = m_view.visualRect(what)
                    | m_view.visualRect(index.siblingAtColumn(EventListModel::LockColumn));
        painter->save();
        painter->setClipRect(option.rect, Qt::IntersectClip); // either may be painted alone
        QStyledItemDelegate::paint(painter, wide, what);
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
        if (index.data(EventListModel::IsViolationRole).toBool()) {
            const QColor red = stateColorsOf(option->palette).red;
            option->palette.setColor(QPalette::Text, red);
            option->palette.setColor(QPalette::HighlightedText, red);
        }
    }

private:
    const QTableView& m_view;
};

} // namespace

EventTable::EventTable(models::EventListModel& events, QWidget* parent)
    : QTableView(parent),
      m_events(events)
{
    setObjectName(u"eventTable"_s);
    setAccessibleName(tr("Events"));
    setModel(&events);
    setItemDelegate(new EventDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    createColumns();
    auto* copyAction = new QAction(tr("&Copy"), this);
    copyAction->setObjectName(u"copyEvents"_s);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    addAction(copyAction);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copyAction, &QAction::triggered, this, &EventTable::copy);
}

/// All rows are of one height, so that a million of them need not be asked.
void EventTable::createColumns()
{
    verticalHeader()->setVisible(false);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(0);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const auto fit = [this](int column, int characters) {
        setColumnWidth(column, fontMetrics().averageCharWidth() * characters);
    };
    fit(EventListModel::TimeColumn, 14);
    fit(EventListModel::WhoColumn, 16);
    fit(EventListModel::WhatColumn, 27);
    fit(EventListModel::LockColumn, 20);
}

void EventTable::selectTime(Instant at)
{
    const int row = m_events.rowAt(at);
    const bool wasTelling = std::exchange(m_isTelling, false);
    if (row < 0) {
        clearSelection();
        setCurrentIndex({});
    } else if (m_events.timeAt(row) != at || !currentIndex().isValid()
               || m_events.timeAt(currentIndex().row()) != at) {
        selectRow(row); // else one of several rows of that time is selected already
    }
    m_isTelling = wasTelling;
}

void EventTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_isTelling || !current.isValid() || current.row() == previous.row()) {
        return;
    }
    Q_EMIT timeChosen(m_events.timeAt(current.row()));
    const QVariant message = current.data(EventListModel::MessageRole);
    if (message.isValid()) {
        Q_EMIT messageChosen(message.toInt());
    }
}

QString EventTable::selectedText() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QString text;
    for (const QModelIndex& row : rows) {
        text += m_events.lineAt(row.row()) + u'\n';
    }
    return text;
}

void EventTable::copy() const
{
    if (const QString text = selectedText(); !text.isEmpty()) {
        QGuiApplication::clipboard()->setText(text);
    }
}

void EventTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_events.rowCount() > 0) {
        return;
    }
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(kTableMargin, kTableMargin, -kTableMargin,
                                                 -kTableMargin),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     tr("No events. Waits, holds, refusals and messages appear here after a run. "
                        "Select a range on the timeline to limit the list."));
}

QSize EventTable::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 12};
}

} // namespace lockscope::widgets
