#include "ui/widgets/locks/waits_panel.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/panel_list.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>

#include <chrono>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::BlockingModel;

namespace {

constexpr std::chrono::milliseconds kWaitsTick{500};
constexpr int kDeadlockSeverity = 2;

/// Keys and owners in the font of keys; a deadlock in the colour of what needs a human.
class WaitsDelegate : public QStyledItemDelegate {
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
    createView();
    m_note = createQuietLabel({}, this);
    m_note->setObjectName(u"waitsNote"_s);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(3, 4, 9, 4);
    createColumn(this, {9, 0, 0, 0}, 0, {growing(m_view), m_note});
    m_tick = new QTimer(this);
    m_tick->setInterval(kWaitsTick);
    connect(m_tick, &QTimer::timeout, this, &WaitsPanel::refresh);
    refresh();
}

void WaitsPanel::createView()
{
    m_view = new QTreeView(this);
    m_view->setObjectName(u"waitsView"_s);
    m_view->setAccessibleName(tr("Who waits behind whom"));
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new WaitsDelegate(m_view));
    makePanelList(*m_view);
    QHeaderView* const header = m_view->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(BlockingModel::NameColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(BlockingModel::StateColumn, QHeaderView::Stretch);
    for (const int column :
         {BlockingModel::SinceColumn, BlockingModel::WaitersColumn, BlockingModel::WaitedColumn}) {
        const QString title =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(column, fontMetrics().horizontalAdvance(title + u"00 m 00 s"_s));
    }
    connect(&m_model, &QAbstractItemModel::rowsInserted, m_view,
            [this](const QModelIndex& parent, int first, int last) {
                for (int row = first; row <= last; ++row) {
                    m_view->expandRecursively(m_model.index(row, 0, parent));
                }
                m_view->expand(parent);
            });
    connect(m_view, &QTreeView::clicked, this, &WaitsPanel::choose);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (m_view->hasFocus() && !m_isRefreshing) {
                    choose(current);
                }
            });
}

void WaitsPanel::choose(const QModelIndex& index)
{
    const QVariant id = index.data(BlockingModel::LockIdRole);
    if (id.isValid()) {
        Q_EMIT lockChosen(id.value<inspect::LockId>());
    }
}

void WaitsPanel::setWatched(bool isWatched)
{
    m_model.setWatched(isWatched);
    refresh();
    if (isWatched) {
        m_tick->start();
    } else {
        m_tick->stop();
    }
}

void WaitsPanel::refresh()
{
    m_isRefreshing = true;
    m_model.refresh();
    m_isRefreshing = false;
    m_view->setHidden(m_model.rowCount() == 0);
    m_note->setText(m_model.remark());
    m_note->setVisible(!m_model.remark().isEmpty());
}

} // namespace lockscope::widgets
