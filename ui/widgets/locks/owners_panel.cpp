#include "ui/widgets/locks/owners_panel.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/locks/lock_tree.h"
#include "ui/widgets/style/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QTreeView>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::OwnersModel;

namespace {

/// Owners and keys in the font of keys.
class OwnersDelegate : public LockTreeDelegate {
public:
    using LockTreeDelegate::LockTreeDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        LockTreeDelegate::initStyleOption(option, index);
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
    m_tree = new LockTree(
        u"owners"_s, m_order, OwnersModel::LockIdRole, [this] { refresh(); }, this);
    connect(m_tree, &LockTree::lockChosen, this, &OwnersPanel::lockChosen);
    setUpView();
    createActions();
    createColumn(this, {}, 0, {growing(m_tree)});
    m_tree->refresh();
}

void OwnersPanel::setUpView()
{
    QTreeView& view = m_tree->view();
    view.setAccessibleName(tr("Owners"));
    view.setItemDelegate(new OwnersDelegate(&view));
    view.setSortingEnabled(true);
    view.sortByColumn(OwnersModel::LocksColumn, Qt::DescendingOrder);
    QHeaderView* const header = view.header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(OwnersModel::OwnerColumn, QHeaderView::Stretch);
    for (const int column : {OwnersModel::LocksColumn, OwnersModel::HeldColumn,
                             OwnersModel::ExpiresColumn, OwnersModel::WaitersColumn}) {
        const QString title =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(column, fontMetrics().horizontalAdvance(title) + 36);
    }
}

void OwnersPanel::createActions()
{
    QTreeView& view = m_tree->view();
    auto* const filter = new QAction(tr("Filter by this o&wner"), &view);
    filter->setObjectName(u"filterByShownOwner"_s);
    view.addAction(filter);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(filter, &QAction::triggered, this, [this, &view] {
        const QString word = view.currentIndex().data(OwnersModel::FilterRole).toString();
        if (!word.isEmpty()) {
            Q_EMIT filterChosen(word);
        }
    });
}

void OwnersPanel::setNames(operations::OwnerNamesPtr names)
{
    m_model.setNames(std::move(names));
    m_tree->refresh();
}

void OwnersPanel::setWatched(bool isWatched)
{
    m_model.setWatched(isWatched);
    m_tree->setWatched(isWatched);
}

void OwnersPanel::refresh()
{
    m_model.refresh();
    m_tree->setNote(note());
}

QString OwnersPanel::note() const
{
    if (m_model.rowCount() == 0) {
        return tr("No lock records its owner.");
    }
    return m_model.hiddenOwnerCount() > 0
               ? tr("Shown are the %1 owners with the most locks, of %2.")
                     .arg(models::countText(m_model.rowCount()),
                          models::countText(m_model.ownerCount()))
               : QString();
}

} // namespace lockscope::widgets
