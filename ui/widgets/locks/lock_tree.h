#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <QStyledItemDelegate>
#include <QWidget>

#include <functional>

class QAbstractItemModel;
class QLabel;
class QTimer;
class QTreeView;

namespace lockscope::widgets {

/// Lines with room between them.
class LockTreeDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A tree of lines about locks with a note below it, kept up to date while somebody sees it.
/// Choosing a line asks for its lock.
class LockTree : public QWidget {
    Q_OBJECT
public:
    /// `model` outlives the tree; its `lockIdRole` is the inspect::LockId of a line, if it has one.
    /// `update` makes the model and the note tell what is true now, twice a second. The children
    /// are called "NAMEView" and "NAMENote".
    LockTree(const QString& name, QAbstractItemModel& model, int lockIdRole,
             std::function<void()> update, QWidget* parent);

    QTreeView& view() const { return *m_view; }
    /// Empty: there is none. Without a line the tree makes room for it.
    void setNote(const QString& note);

    /// Whether somebody sees it; else it costs nothing.
    void setWatched(bool isWatched);
    void refresh();

Q_SIGNALS:
    void lockChosen(const lockscope::inspect::LockId& id);

private:
    void choose(const QModelIndex& index);

    int m_lockIdRole;
    std::function<void()> m_update;
    QTreeView* m_view;
    QLabel* m_note;
    QTimer* m_tick;
    bool m_isRefreshing = false; // the current line may move, and nobody chose it
};

} // namespace lockscope::widgets
