#include "ui/widgets/locks/lock_tree.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/panel_list.h"

#include <QLabel>
#include <QTimer>
#include <QTreeView>

#include <chrono>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds kTick{500};

} // namespace

QSize LockTreeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 3);
}

LockTree::LockTree(const QString& name, QAbstractItemModel& model, int lockIdRole,
                   std::function<void()> update, QWidget* parent)
    : QWidget(parent),
      m_lockIdRole(lockIdRole),
      m_update(std::move(update)),
      m_view(new QTreeView(this)),
      m_note(createQuietLabel({}, this)),
      m_tick(new QTimer(this))
{
    m_view->setObjectName(name + u"View"_s);
    m_view->setModel(&model);
    makePanelList(*m_view);
    m_note->setObjectName(name + u"Note"_s);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(3, 4, 9, 4);
    createColumn(this, {9, 0, 0, 0}, 0, {growing(m_view), m_note});
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &LockTree::refresh);
    connect(m_view, &QTreeView::clicked, this, &LockTree::choose);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (m_view->hasFocus() && !m_isRefreshing) {
                    choose(current);
                }
            });
}

void LockTree::choose(const QModelIndex& index)
{
    const QVariant id = index.data(m_lockIdRole);
    if (id.isValid()) {
        Q_EMIT lockChosen(id.value<inspect::LockId>());
    }
}

void LockTree::setNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void LockTree::setWatched(bool isWatched)
{
    refresh();
    if (isWatched) {
        m_tick->start();
    } else {
        m_tick->stop();
    }
}

void LockTree::refresh()
{
    m_isRefreshing = true;
    m_update();
    m_isRefreshing = false;
    m_view->viewport()->update(); // the times
    m_view->setHidden(m_view->model()->rowCount() == 0);
}

} // namespace lockscope::widgets
