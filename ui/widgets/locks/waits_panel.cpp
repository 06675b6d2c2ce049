#include "ui/widgets/locks/waits_panel.h"

#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/locks/lock_tree.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QHeaderView>
#include <QTreeView>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::BlockingModel;

namespace {

constexpr int kDeadlockSeverity = 2;

/// Keys and owners in the font of keys; a deadlock in the colour of what needs a human.
class WaitsDelegate : public LockTreeDelegate {
public:
    using LockTreeDelegate::LockTreeDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        LockTreeDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
        if (index.data(BlockingModel::IsDeadlockRole).toBool()) {
            const QColor color = severityColor(kDeadlockSeverity, option->palette);
            option->palette.setColor(QPalette::Text, color);
            option->palette.setColor(QPalette::HighlightedText, color);
        } else if (index.column() == BlockingModel::NameColumn) {
            option->font = monospacedFont();
        }
    }
};

} // namespace

WaitsPanel::WaitsPanel(const models::LockTableModel& locks, QWidget* parent)
    : QWidget(parent),
      m_model(locks)
{
    setObjectName(u"waitsPanel"_s);
    m_tree = new LockTree(
        u"waits"_s, m_model, BlockingModel::LockIdRole, [this] { refresh(); }, this);
    connect(m_tree, &LockTree::lockChosen, this, &WaitsPanel::lockChosen);
    setUpView();
    createColumn(this, {}, 0, {growing(m_tree)});
    m_tree->refresh();
}

void WaitsPanel::setUpView()
{
    QTreeView& view = m_tree->view();
    view.setAccessibleName(tr("Who waits behind whom"));
    view.setItemDelegate(new WaitsDelegate(&view));
    QHeaderView* const header = view.header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(BlockingModel::NameColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(BlockingModel::StateColumn, QHeaderView::Stretch);
    for (const int column :
         {BlockingModel::SinceColumn, BlockingModel::WaitersColumn, BlockingModel::WaitedColumn}) {
        const QString title =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(column, fontMetrics().horizontalAdvance(title + u"00 m 00 s"_s));
    }
    connect(&m_model, &QAbstractItemModel::rowsInserted, &view,
            [this, &view](const QModelIndex& parent, int first, int last) {
                for (int row = first; row <= last; ++row) {
                    view.expandRecursively(m_model.index(row, 0, parent));
                }
                view.expand(parent);
            });
}

void WaitsPanel::setWatched(bool isWatched)
{
    m_model.setWatched(isWatched);
    m_tree->setWatched(isWatched);
}

void WaitsPanel::refresh()
{
    m_model.refresh();
    m_tree->setNote(m_model.remark());
}

} // namespace lockscope::widgets
