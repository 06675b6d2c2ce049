#include "ui/widgets/locks/owners_panel.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/panel_list.h"
#include "ui/widgets/style/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::OwnersModel;

namespace {

constexpr std::chrono::milliseconds kOwnersTick{500};

/// Owners and keys in the font of keys.
class OwnersDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 3);
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() == OwnersModel::OwnerColumn) {
            option->font = monospacedFont();
            option->textElideMode = Qt::ElideMiddle;
        }
    }
};

} // namespace

OwnersPanel::OwnersPanel(const models::LockTableModel& locks, QWidget* parent)
    : QWidget(parent),
      m_model(locks)
{
    setObjectName(u"ownersPanel"_s);
    m_order.setSourceModel(&m_model);
    m_order.setSortRole(OwnersModel::SortRole);
    createView();
    createActions();
    m_note = createQuietLabel({}, this);
    m_note->setObjectName(u"ownersNote"_s);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(3, 4, 9, 4);
    createColumn(this, {9, 0, 0, 0}, 0, {growing(m_view), m_note});
    m_tick = new QTimer(this);
    m_tick->setInterval(kOwnersTick);
    connect(m_tick, &QTimer::timeout, this, &OwnersPanel::refresh);
    refresh();
}

void OwnersPanel::createView()
{
    m_view = new QTreeView(this);
    m_view->setObjectName(u"ownersView"_s);
    m_view->setAccessibleName(tr("Owners"));
    m_view->setModel(&m_order);
    m_view->setItemDelegate(new OwnersDelegate(m_view));
    makePanelList(*m_view);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(OwnersModel::LocksColumn, Qt::DescendingOrder);
    QHeaderView* const header = m_view->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(OwnersModel::OwnerColumn, QHeaderView::Stretch);
    for (const int column : {OwnersModel::LocksColumn, OwnersModel::HeldColumn,
                             OwnersModel::ExpiresColumn, OwnersModel::WaitersColumn}) {
        const QString title =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(column, fontMetrics().horizontalAdvance(title) + 36);
    }
    connect(m_view, &QTreeView::clicked, this, &OwnersPanel::choose);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (m_view->hasFocus() && !m_isRefreshing) {
                    choose(current);
                }
            });
}

void OwnersPanel::createActions()
{
    auto* const filter = new QAction(tr("Filter by this o&wner"), m_view);
    filter->setObjectName(u"filterByShownOwner"_s);
    m_view->addAction(filter);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(filter, &QAction::triggered, this, [this] {
        const QString word = m_view->currentIndex().data(OwnersModel::FilterRole).toString();
        if (!word.isEmpty()) {
            Q_EMIT filterChosen(word);
        }
    });
}

void OwnersPanel::choose(const QModelIndex& index)
{
    const QVariant id = index.data(OwnersModel::LockIdRole);
    if (id.isValid()) {
        Q_EMIT lockChosen(id.value<inspect::LockId>());
    }
}

void OwnersPanel::setNames(operations::OwnerNamesPtr names)
{
    m_model.setNames(std::move(names));
    refresh();
}

void OwnersPanel::setWatched(bool isWatched)
{
    m_model.setWatched(isWatched);
    refresh();
    if (isWatched) {
        m_tick->start();
    } else {
        m_tick->stop();
    }
}

void OwnersPanel::refresh()
{
    m_isRefreshing = true;
    m_model.refresh();
    m_isRefreshing = false;
    m_view->viewport()->update(); // the times
    const bool isEmpty = m_model.rowCount() == 0;
    m_view->setHidden(isEmpty);
    if (isEmpty) {
        m_note->setText(tr("No lock records its owner."));
    } else if (m_model.hiddenOwnerCount() > 0) {
        m_note->setText(tr("Shown are the %1 owners with the most locks, of %2.")
                            .arg(models::countText(m_model.rowCount()),
                                 models::countText(m_model.ownerCount())));
    }
    m_note->setVisible(isEmpty || m_model.hiddenOwnerCount() > 0);
}

} // namespace lockscope::widgets
